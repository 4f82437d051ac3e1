"""Synthesise a file: write synthetic records, the recipe and the manifest, and the records kept back as a control."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato import files
from sfumato.assessment import Assessment
from sfumato.data import Schema
from sfumato.display import as_sentences, format_count
from sfumato.errors import ParameterError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.files.folders import is_folder_name
from sfumato.files.output_checks import check_free, check_output
from sfumato.files.sidecar import sidecar_of
from sfumato.files.writing import options_like
from sfumato.jobs._mask_result import written_files
from sfumato.jobs._synthesis_recipe import (
    empty_columns,
    household_column,
    likely_households,
    split_control,
    synthesis_recipe,
)
from sfumato.jobs._wording import (
    MIN_SECRET,
    SEED_IN_RECIPE,
    SHORT_SEED_OF_SYNTHESIS,
    codes_explained,
    page_notices,
    schema_notices,
)
from sfumato.jobs.folders.read_whole import MemoryNeed, input_files, read_whole
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.protect import recipe_path
from sfumato.jobs.reports._report_files import check_page
from sfumato.jobs.reports.report import add_report, refuse_folder
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.keys.households import households_of
from sfumato.recipe import Manifest
from sfumato.recipe.earlier_release import check_replaceable_output, check_replaceable_recipe
from sfumato.recipe.release import masked_manifest, write_release
from sfumato.recipe.seeds import draw_seed
from sfumato.reports.column_groups import WithinGroups
from sfumato.reports.synthetic_report import synthetic_report
from sfumato.storage.atomic import write_text

NOBODYS = (
    "The records are drawn from models of the file and are nobody's; by chance some may equal a real one. That they "
    "are synthetic does not prove that they are safe: assess them."
)
HOUSEHOLDS = (
    "Households were drawn whole, {made} of them, by {name}, with numbers of their own. State which ones cannot be as "
    "conditions, and judge the file by households, too."
)
LIKELY_HOUSEHOLDS = (
    "{name} WAS DRAWN AS A QUANTITY and persons one by one, though records that stand together share its whole "
    "numbers; if these are numbers of households, name it as the household, if of persons or firms, as an identifier."
)
DRAWN_ANEW = (
    "Each of the {releases} files has models of its own, drawn anew (bootstrap), so that pooled intervals cover. Tell "
    "whoever gets the files to pool them by the rule large_sample_drawn, LargeSampleRule(draws_parameters=True); "
    "compare-fits does so where the manifest lies beside them."
)
DRAWN_ONCE = (
    "The models of the {releases} files were not drawn anew for each (bootstrap): pooled intervals are a little too "
    "short, above all by trees."
)
NO_VALUES = "Left out, as no record has a value: {names}."
CONTROL = (
    "{control}: {records} kept back before the synthesis, as they were. They are real: keep them with the original, "
    "and use them as the control of an assessment."
)

MEMORY = MemoryNeed(
    "synthesise",
    copies=40,
    advice="synthesise a random sample, whole households where there are any, and say so with the result",
)


@dataclass(frozen=True, kw_only=True)
class SynthesiseResult(JobResult):
    """A synthetic file, its manifest, the file of records kept back, and what was measured for a page, if asked."""

    output: Path
    manifest: Manifest
    control: Path | None = None
    assessment: Assessment | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest."""
        return self.manifest.model_dump(mode="json")

    def __str__(self) -> str:
        schema = sidecar_of(self.output)
        return "\n".join(
            [
                *written_files(self.output, self.manifest),
                f"{recipe_path(self.output)}: the steps, to be run or changed",
                *([f"{schema}: what the columns are, which is read with the file"] if schema.is_file() else []),
            ]
        )


def synthesise(
    file: str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    write_options: WriteOptions = WriteOptions(),
    overwrite: bool = False,
    columns: Sequence[str] = (),
    releases: int = 1,
    size: int | None = None,
    holdout: float | None = None,
    min_leaf: int = 5,
    bootstrap: bool | None = None,
    models: Mapping[str, Any] | None = None,
    parametric: bool = False,
    predictors: Mapping[str, Sequence[str]] | None = None,
    conditions: Sequence[str] = (),
    relation: str | None = None,
    age: str | None = None,
    label: str | None = None,
    seed: int | None = None,
    page: str | Path | None = None,
    report: str | Path | None = None,
    within_groups: WithinGroups | None = None,
    resources: Resources = Resources(),
    on_progress: OnProgress = ignore_progress,
) -> SynthesiseResult:
    """Write synthetic records that share no row with a file, with their recipe and manifest.

    Identifiers are left out; all other columns are drawn, weights among them. Where the file tells households, they
    are drawn whole and get numbers of their own.

    Parameters
    ----------
    file, options
        The file, and how it is to be read. A folder of parts, or a glob, must fit into memory together.
    output
        The synthetic file; its recipe and its manifest are written beside it.
    write_options
        How the output is to be written; what is left open is as the input has it, where both are text files.
    overwrite
        Whether files may be replaced that no manifest beside them could make again.
    columns
        The columns to draw, in this order; all but identifiers, in the order of the file, when not given. Others are
        left out.
    releases, size, min_leaf, bootstrap, models, predictors, conditions
        As in `SequentialSynthesis`: how many synthetic files, numbered in a column `release`; how many records each
        has, as many as the file when not given, and about so many where households are drawn, their weights such that
        totals stay; the fewest records that a value rests on; whether files differ as much as estimates are uncertain,
        as they do when not given if there are several, which are pooled; models, what columns are drawn from, and
        conditions. What a formula needs is drawn before the column that it computes.
    parametric
        Whether columns without a model of their own are drawn by regressions: linear on ranks, and logistic.
    relation, age
        As in `HouseholdSynthesis`, the columns that say what a person is to the head of the household, and how old or
        when born.
    label
        What a new column `label` says of every record; no such column when not given.
    holdout
        How many percent of the records, or households, to keep back: they are not synthesised but written, as they
        are, beside the output, so that the synthetic file can be held against persons it was not made from.
    seed
        Where the random draws begin; drawn when not given.
    page
        Where to write an HTML page with what the file gives away and pictures of it beside the original. With a holdout
        it begins with whether a leak was found; the job then ends as not met, with its files written all the same.
    report
        Where to write the release report, as `sfumato.jobs.reports.report` does, beside the holdout where there is one.
    within_groups
        Columns to be shown on that page within the groups that categories of others make.
    resources
        The memory that a folder may take.
    on_progress
        Called with each stage.
    """
    started = datetime.now(UTC)
    file, output = Path(file).expanduser(), Path(output).expanduser()
    if report is not None:
        refuse_folder(file)
    inputs = input_files(file, output)
    page = None if page is None else Path(page).expanduser()
    schema_file = options.schema if isinstance(options.schema, Path) else None
    control = None if holdout is None else control_path(output)
    check_output(output, inputs, [] if schema_file is None else [schema_file], write_options)
    check_replaceable_output(output, overwrite)
    check_replaceable_recipe(recipe_path(output), output, overwrite)
    if control is not None:
        check_free("control file", control, [*inputs, schema_file, output, recipe_path(output)])
        check_replaceable_output(control, overwrite)
    if within_groups and page is None:
        raise ParameterError(["within_groups are pictures on the page; say where to write it (page)"])
    check_free("page", page, [*inputs, schema_file, output, control, recipe_path(output)])
    board = None if report is None else Path(report).expanduser()
    if board is not None:
        check_page(board, [file, schema_file, output, control, recipe_path(output), page])
    on_progress(Stage("reading"))
    source = read_whole(file, options, MEMORY, resources)
    method = {
        "min_leaf": min_leaf,
        "bootstrap": releases > 1 if bootstrap is None else bootstrap,
        "models": models or None,
        "predictors": {name: tuple(chosen) for name, chosen in (predictors or {}).items()} or None,
        "conditions": tuple(conditions),
        "releases": releases,
        "label": label,
    }
    recipe = synthesis_recipe(
        source.data,
        method,
        chosen=columns,
        size=size,
        holdout=holdout,
        relation=relation,
        age=age,
        parametric=parametric,
    ).replace(seed=seed)
    seeded = recipe.with_seed()
    on_progress(Stage("synthesising"))
    remarks: list[str] = []
    has_schema = is_folder_name(file) or options.schema is not None or sidecar_of(file).is_file()
    with codes_explained(source.data, file, has_schema=has_schema):
        drawn = seeded.run(source.data, on_remark=remarks.append)
    write_options = options_like(write_options, source.dialect, output)
    release_key = draw_seed()
    complete = masked_manifest(
        source,
        drawn,
        output,
        recipe=recipe,
        seeded=seeded,
        release_key=release_key,
        write_options=write_options,
        started=started,
        remarks=tuple(remarks),
    )
    people, kept = split_control(source.data, seeded) if control is not None else (source.data, None)
    shown, verdict, ending, found = "", "", JobEnding.DONE, None
    if page is not None:  # before anything is written, as a file may be too small to be measured
        on_progress(Stage("measuring"))
        beside = synthetic_report(
            people,
            drawn,
            control=kept,
            methods=seeded.steps,
            remarks=as_sentences(remarks),
            within_groups=within_groups,
        )
        found = beside.assessment
        shown, verdict = beside.to_page(f"Synthetic records of {file.name}"), found.leak_verdict
        ending = JobEnding.NOT_MET if found.shows_leak else JobEnding.DONE
    on_progress(Stage("writing"))
    manifest = write_release(seeded.release(drawn, release_key), output, write_options, complete)
    write_text(recipe_path(output), recipe.to_yaml())
    notices = [*([verdict] if verdict else []), *page_notices(output, page), NOBODYS, *as_sentences(remarks)]
    notices += schema_notices(file, options)
    described = source.schema if is_folder_name(file) else files.with_schema(options, file).schema
    known = (*(described.names if isinstance(described, Schema) else ()), *options.named_columns)
    notices += [
        LIKELY_HOUSEHOLDS.format(name=name) for name in likely_households(source.data, drawn.schema.names, known)
    ]
    if not columns and (empty := empty_columns(source.data, ())):
        notices.append(NO_VALUES.format(names=", ".join(empty)))
    if name := household_column(source.data):
        notices.append(HOUSEHOLDS.format(made=f"{households_of(drawn, (name,)).count:,}", name=name))
    if control is not None and kept is not None:
        files.write_with(kept, control, write_options)
        notices.append(CONTROL.format(control=control, records=format_count(kept.n, "record")))
    if page is not None:
        write_text(page, shown)
        notices.append(f"{page}: what the file gives away, and pictures of it beside the original; not for publication")
    if releases > 1:
        notices.append((DRAWN_ANEW if method["bootstrap"] else DRAWN_ONCE).format(releases=releases))
    notices.append(manifest.confidential)
    if seed is not None:
        notices += [SEED_IN_RECIPE, *([SHORT_SEED_OF_SYNTHESIS] if seed < MIN_SECRET else [])]
    result = SynthesiseResult(
        output=output, manifest=manifest, control=control, assessment=found, notices=tuple(notices), ending=ending
    )
    if board is None:
        return result
    return add_report(result, file, output, board, options=options, control=control, on_progress=on_progress)


def control_path(output: Path) -> Path:
    """Return where the records kept back are written.

    Examples
    --------
    >>> control_path(Path("out/people.csv")).name
    'people.control.csv'
    """
    return output.with_name(f"{output.stem}.control{output.suffix}")
