"""Sentences that several jobs share."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sfumato.comparison.kept_values import kept_value_notices
from sfumato.contracts.named import ColumnRecord
from sfumato.data import Microdata, role
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.display import as_sentences, format_compact, format_count
from sfumato.errors import DataError, DocumentError
from sfumato.files import FORMATS, ReadOptions
from sfumato.files.folders import is_folder_name
from sfumato.files.formats import suffix_of
from sfumato.files.sidecar import sidecar_of
from sfumato.keys.unique_columns import unique_column_notices
from sfumato.parameters.percent_hints import may_be_share, percent_hint
from sfumato.recipe import ImprovementFacts, Manifest, Recipe
from sfumato.recipe.real_columns import draws_all_columns, real_columns

KEPT_BACK = (
    "By the manifest, {kept_back} of the original were kept back before the file was made: they are left out of it "
    "here, and the file is held against the other {members}, whom it was made from."
)
SEED_IN_RECIPE = "The recipe itself gives the seed: keep it confidential too, or leave the seed out to have one drawn."
SHORT_SEED = (
    "A SHORT SEED IS FOUND BY TRYING: whoever has the original file and the recipe masks it with one seed after the "
    "other until noise or swaps are those of this file, and then knows who is who. For a release leave the seed out."
)
SHORT_SEED_OF_SYNTHESIS = (
    "A SHORT SEED IS FOUND BY TRYING: whoever has the recipe and knows nearly all of the original records draws them "
    "with one seed after the other until the records are those of this file, and then knows whether a certain person "
    "was among the original ones. For a release leave the seed out."
)
MIN_SECRET = 2**64  # seeds below can be tried, or are likely ones such as a date


def schema_notices(file: Path, options: ReadOptions) -> tuple[str, ...]:
    """Say which schema beside a file was read with it, and which other files it belongs to as well; nothing if none."""
    schema = sidecar_of(file.expanduser())
    if options.schema is not None or is_folder_name(file) or not schema.is_file():
        return ()
    beside = (one for one in schema.parent.iterdir() if suffix_of(one) in FORMATS and sidecar_of(one) == schema)
    others = sorted({one.name for one in beside} - {file.name})
    shared = f" It is read with {', '.join(others)} as well: see that it fits." if others else ""
    return (f"Kinds, roles and codes are those of {schema.name}, which lies beside {file.name}.{shared}",)


def how_to_continue(done: int, total: int, what: str, folder: Path | None) -> str:
    """Say how much of an interrupted job is done, and how to have the rest done.

    Examples
    --------
    >>> how_to_continue(5, 10, "runs", None)
    'interrupted: 5 of 10 runs are done and none is kept; give an output folder to be able to continue'
    """
    state = f"interrupted: {done} of {total} {what} are done"
    if folder is None:
        return f"{state} and none is kept; give an output folder to be able to continue"
    return f"{state} and kept in {folder}; the same command continues from there"


def release_notices(
    manifest: Manifest,
    released: Microdata,
    weights: Iterable[str],
    unique: Iterable[str] | None = None,
    *,
    file_label: str | None = None,
) -> tuple[str, ...]:
    """Return what was not masked, what may still tell who is who, and what must not be published.

    `weights` are the `weight_notices`, which need the original; `unique` is said of unchanged columns in place of what
    all released records tell, where those are not at hand; `file_label` is written into the file.
    """
    notices, recipe = [], Recipe.from_yaml(manifest.recipe.yaml)
    seeded = recipe.replace(seed=manifest.seed)
    if manifest.improvement is not None:
        notices += improvement_notices(manifest.improvement)
    if manifest.unchanged:
        notices.append(f"Released as they were: {', '.join(manifest.unchanged)}.")
    notices += [*kept_value_notices(manifest.unchanged_percent), *as_sentences(manifest.remarks)]
    notices += unique_column_notices(manifest.unchanged, released) if unique is None else unique
    notices += label_notices(released, file_label)
    notices += percent_notices(recipe.steps)
    notices += [*record_notices(seeded, released), *weights, manifest.confidential]
    if seeded == recipe:
        notices.append(SEED_IN_RECIPE)
    if (seeded.seed or 0) < MIN_SECRET:
        is_drawn = draws_all_columns(released.schema, seeded.steps)
        notices.append(SHORT_SEED_OF_SYNTHESIS if is_drawn else SHORT_SEED)
    return tuple(notices)


def label_notices(released: Microdata, file_label: str | None) -> list[str]:
    """Return which labels leave with the file, none of which is masked.

    Examples
    --------
    >>> import polars
    >>> label_notices(Microdata(polars.DataFrame({"age": [30]})), "Panel of 2024")
    ['Released as they were: the label of the file. Labels may name persons, as interviewers: read them.']
    """
    columns = [one.name for one in released.schema.variables if one.value_labels]
    labels = ["the label of the file"] if file_label else []
    labels += [f"labels of the codes that some record has, of {', '.join(columns)}"] if columns else []
    if not labels:
        return []
    told = " and ".join(labels)
    return [f"Released as they were: {told}. Labels may name persons, as interviewers: read them."]


def percent_notices(records: Iterable[ColumnRecord]) -> list[str]:
    """Return how shares between 0 and 1 are understood where a percentage is asked for: 0.05 may be meant as 5 %.

    Examples
    --------
    >>> from sfumato.masking import RankSwapping
    >>> percent_notices([RankSwapping(columns=("income",), window=0.05)])
    ['rank_swapping: window 0.05 is 0.05 percent; did you mean 5 %? Then write 5.']
    """
    notices = []
    for record in records:
        for field, entry in type(record).model_json_schema()["properties"].items():
            value = getattr(record, field)
            units = [choice.get("unit") for choice in (entry, *entry.get("anyOf", ()))]
            if "percent" in units and isinstance(value, float) and may_be_share(value):
                notices.append(f"{record.name()}: {percent_hint(field, value)}.")
    return notices


def page_notices(output: Path, page: Path | None = None) -> tuple[str, ...]:
    """Return what to say of pages beside an output that were written before it, and may be about an earlier one."""
    beside = dict.fromkeys((output.with_name(f"{output.name}.html"), output.with_suffix(".html")))
    old = [path.name for path in beside if path.is_file() and (page is None or path.resolve() != page.resolve())]
    return tuple(f"{name} was there before, and is not about this file: remove it, or write it anew." for name in old)


def record_notices(recipe: Recipe, released: Microdata) -> list[str]:
    """Return what the order of the records, household numbers and identifiers tell of who is who."""
    renumbered = recipe.renumbered_columns(released.schema)
    notices = []
    if not recipe.keep_order:
        notices.append("The records are in random order; the manifest holds the key to it.")
    else:
        notices.append(
            "The records are in their original order (keep_order): whoever has another file in that order knows who "
            "they are."
        )
    if renumbered:
        notices.append(f"Households have new, random numbers: {', '.join(renumbered)}.")
    elif recipe.keep_households and (kept := released.select(role("household"))):
        notices.append(f"Households keep their numbers (keep_households): {', '.join(kept)}.")
    if recipe.keep_real_columns and (real := real_columns(released.schema, recipe.steps)):
        notices.append(f"REAL COLUMNS STAND BESIDE SYNTHETIC ONES (keep_real_columns): {', '.join(real)}.")
    return [*notices, *(identifier_notices(released) if recipe.keep_identifiers else [])]


def identifier_notices(released: Microdata) -> list[str]:
    """Return a sentence about the identifiers that a file holds, if it holds some."""
    names = released.select(role("identifier"))
    return [f"IDENTIFIERS ARE IN THE FILE: {', '.join(names)}."] if names else []


def improvement_notices(facts: ImprovementFacts) -> list[str]:
    """Return the result of the improvement, and its remarks."""
    figures = (
        f"Improved by {facts.name}: {format_count(facts.records, 'record')} changed; E from "
        f"{format_compact(facts.error_before, 3)} to "
        f"{format_compact(facts.error_after, 3)}, IL1 from {format_compact(facts.loss_before, 4)} % to "
        f"{format_compact(facts.loss_after, 4)} %."
    )
    return [figures, *as_sentences(facts.remarks)]


@contextmanager
def codes_explained(data: Microdata, file: Path, *, has_schema: bool) -> Iterator[None]:
    """Tell codes that may mean "no answer", which stop a run, as what they are: questions about the file.

    The recipe of such a run was made by the program, so that its problems are not those of something the user wrote.
    """
    try:
        yield
    except DocumentError as error:
        if not set(error.problems) <= set(suspicion_problems(data, data.schema.names)):
            raise
        raise DataError(_open_questions(error.problems, file, has_schema)) from None


def _open_questions(problems: tuple[str, ...], file: Path, has_schema: bool) -> str:
    cure = (
        "Write the answers into the schema and run the command again."
        if has_schema
        else f"'sfumato init {file}' asks and writes a schema (its option yes takes the likely answers, to be read and "
        f"corrected); then run the command again."
    )
    return "\n".join(
        [
            f"nothing was made of {file.name} yet, as its schema must say first what some values mean:",
            *(f"  - {problem}" for problem in problems),
            cure,
        ]
    )
