"""Protect a file: write the protected file, its recipe, its manifest, and a page on the risk before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato import protection
from sfumato.contracts import MaskingMethod
from sfumato.data import Hierarchy, Microdata, Role, Schema
from sfumato.data.hierarchy_files import read_levels
from sfumato.errors import FileError
from sfumato.files import ReadOptions, WriteOptions, with_schema
from sfumato.files.output_checks import check_free, check_output
from sfumato.files.writing import options_like, output_format
from sfumato.jobs._mask_result import written_files
from sfumato.jobs._wording import page_notices, release_notices
from sfumato.jobs.folders.read_whole import MemoryNeed, input_files, read_whole
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.reports._other_releases import other_release_notices
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.jobs.risk import check_keys
from sfumato.keys.weight_notices import weight_notices
from sfumato.parameters.class_names import ClassNames
from sfumato.parameters.limits import Limits
from sfumato.protection import Protected
from sfumato.protection.ladders import OTHER
from sfumato.protection.number_limits import what_to_do
from sfumato.recipe import Manifest
from sfumato.recipe.earlier_release import check_replaceable_output, check_replaceable_recipe
from sfumato.recipe.release import masked_manifest, write_release
from sfumato.recipe.seeds import draw_seed
from sfumato.reports.limit_notices import limit_notices
from sfumato.storage.atomic import write_text

MEMORY = MemoryNeed(
    "protect",
    copies=60,
    advice="protect a random sample, whole households where there are any, and mask the folder by the recipe that "
    "comes of it, with the categories added that the sample lacks: local_suppression counts all records",
)


@dataclass(frozen=True, kw_only=True)
class ProtectResult(JobResult):
    """What the protection gave, and the manifest of the file that was written: none where a limit is not met."""

    protected: Protected
    manifest: Manifest | None

    def to_dict(self) -> dict[str, Any]:
        """Return what the protection gave, without records."""
        return self.protected.to_dict()

    def __str__(self) -> str:
        return str(self.protected)


def protect(
    file: str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    write_options: WriteOptions = WriteOptions(),
    overwrite: bool = False,
    k: int = 3,
    max_suppressed: float | None = None,
    strict: bool = False,
    whole_records: bool = False,
    combinations: Any = (),
    sensitive: Sequence[str] = (),
    l: int | None = None,
    t: float | None = None,
    hierarchies: Mapping[str, Path] | None = None,
    importance: Mapping[str, float] | None = None,
    number_steps: Sequence[MaskingMethod] | None = None,
    keep: Sequence[str] = (),
    other_label: str = OTHER,
    class_names: ClassNames | Mapping[str, str] | None = None,
    population_size: float | None = None,
    limits: Limits = (),
    seed: int | None = None,
    page: str | Path | None = None,
    report: str | Path | None = None,
    resources: Resources = Resources(),
    on_progress: OnProgress = ignore_progress,
) -> ProtectResult:
    """Protect a file so that nobody stands out by its keys; nothing is written where a limit is not met.

    Parameters
    ----------
    file, options
        The file, and how it is to be read; its keys, confidential columns, weight and household have these roles in
        the schema, or are named here. A folder of parts, or a glob, must fit into memory together.
    output
        The protected file; its recipe and its manifest are written beside it.
    write_options
        How the output is to be written; what is left open is as the input has it, where both are text files.
    overwrite
        Whether a file may be replaced that no manifest beside it could make again. A manifest is never replaced by that
        of another output: it is kept under a name of its own.
    hierarchies
        For some or all categorical keys the file with the tree of its categories.
    k, max_suppressed, strict, whole_records, combinations, sensitive, l, t, importance, number_steps, keep
        As in `sfumato.protect`.
    other_label, class_names, population_size, limits, seed
        As in `sfumato.protect`.
    page
        Where to write an HTML page on the risk before and after.
    report
        Where to write the release report, as `sfumato.jobs.reports.report` does, with the same limits.
    resources
        The memory that a folder may take.
    on_progress
        Called with each stage.
    """
    started = datetime.now(UTC)
    file, output, page = Path(file).expanduser(), Path(output).expanduser(), None if page is None else Path(page)
    if report is not None:
        from sfumato.jobs.reports.report import refuse_folder  # takes long to load, and most protect without a report

        refuse_folder(file)
    inputs = input_files(file, output)
    schema_file = options.schema if isinstance(options.schema, Path) else None
    check_output(output, inputs, [] if schema_file is None else [schema_file], write_options)
    check_replaceable_output(output, overwrite)
    check_replaceable_recipe(recipe_path(output), output, overwrite)
    check_free("page", page, [*inputs, schema_file, output, recipe_path(output)])
    board = None if report is None else Path(report).expanduser()
    if board is not None:
        from sfumato.jobs.reports._report_files import check_page

        check_page(board, [file, schema_file, output, recipe_path(output), page])
    check_lost_roles(file, options, sensitive)
    on_progress(Stage("reading"))
    source = read_whole(file, options, MEMORY, resources)
    check_keys(file, source.data)
    write_options = options_like(write_options, source.dialect, output)
    on_progress(Stage("protecting"))
    found = protection.protect(
        source.data,
        k,
        hierarchies={name: read_hierarchy(source.data, name, path) for name, path in (hierarchies or {}).items()},
        importance=importance,
        max_suppressed=max_suppressed,
        strict=strict,
        whole_records=whole_records,
        combinations=combinations,
        sensitive=sensitive,
        l=l,
        t=t,
        number_steps=number_steps,
        keep=keep,
        other_label=other_label,
        class_names=class_names,
        **as_written(output, write_options),
        population_size=population_size,
        limits=limits,
        seed=seed,
    )
    if not found.after.meets_limits:
        notices = (f"No file was written: {what_to_do(found.after.limits)}.", *limit_notices(found.after.limits))
        return ProtectResult(protected=found, manifest=None, notices=notices, ending=JobEnding.NOT_MET)
    on_progress(Stage("writing"))
    recipe = found.recipe.replace(seed=seed)
    release_key = draw_seed()
    complete = masked_manifest(
        source,
        found.data,
        output,
        recipe=recipe,
        seeded=found.recipe,
        release_key=release_key,
        write_options=write_options,
        started=started,
    )
    released = found.recipe.release(found.data, release_key)
    manifest = write_release(released, output, write_options, complete)
    write_text(recipe_path(output), recipe.to_yaml())
    recipe_words = f"{recipe_path(output)}: the steps, to be run again or changed; it names categories of the original"
    written = [*written_files(output, manifest), recipe_words, *other_release_notices(manifest, output)]
    if page is not None:
        write_text(page, found.to_html(f"Protection of {file.name}"))
        written.append(f"{page}: a page on the risk before and after")
    notices = (*written, *page_notices(output, page), *limit_notices(found.after.limits))
    weights = weight_notices(found.data, source.data)
    notices = (*notices, *release_notices(manifest, released, weights, file_label=write_options.file_label))
    result = ProtectResult(protected=found, manifest=manifest, notices=notices)
    if board is None:
        return result
    from sfumato.jobs.reports.report import add_report

    return add_report(result, file, output, board, options=options, limits=limits, k=k, on_progress=on_progress)


def as_written(output: Path, write_options: WriteOptions) -> dict[str, Any]:
    """Return what a protection must know of the file to be written: whether it has labels, and its decimals."""
    return {
        "labelled_codes": output_format(output, write_options).holds_labels,
        "decimals": {name: layout.decimals for name, layout in (write_options.numbers or {}).items()},
    }


def check_lost_roles(file: Path, options: ReadOptions, sensitive: Sequence[str]) -> None:
    """Refuse options that take the role key or confidential from columns of the schema, which would not be masked."""
    named = {*options.named_columns, *sensitive}
    schema = with_schema(options, file).schema
    for role in (Role.KEY, Role.CONFIDENTIAL):
        columns = schema.variables if isinstance(schema, Schema) and getattr(options, role) else ()
        lost = [one.name for one in columns if one.role is role and one.name not in named]
        if lost:
            raise FileError(
                f"{file}: the schema gives the role {role} to {', '.join(lost)}, and the option {role} would take it "
                f"from {'it' if len(lost) == 1 else 'them'}, to be released unprotected; name {lost[0]} in that option "
                f"too, or in the option other if that is meant"
            )


def read_hierarchy(data: Microdata, name: str, path: Path) -> Hierarchy:
    """Return the hierarchy of a key from its file."""
    return read_levels(path.expanduser(), data.codes(name)[1] if name in data.schema else ())


def recipe_path(output: Path) -> Path:
    """Return where the recipe of a protected file is written."""
    return output.with_name(f"{output.name}.recipe.yaml")
