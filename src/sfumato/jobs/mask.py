"""Mask a file: read it, run the recipe, write the masked file with its manifest."""

from datetime import UTC, datetime
from pathlib import Path

from sfumato.assessment.release_notes import remarks_of
from sfumato.assessment.remarks import notes_of_masking
from sfumato.contracts.improvement import Improvement
from sfumato.data import role
from sfumato.errors import ParameterError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.files.folders import Files, folder_path, is_folder_name
from sfumato.files.output_checks import check_output
from sfumato.files.writing import options_like
from sfumato.jobs._mask_result import MaskResult
from sfumato.jobs._synthesis_recipe import shared_record_notices
from sfumato.jobs._wording import page_notices, release_notices
from sfumato.jobs.folders.mask_folder import mask_folder
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress, report_steps
from sfumato.jobs.reports._other_releases import other_release_notices
from sfumato.jobs.reports._report_files import check_page
from sfumato.jobs.reports.report import add_report
from sfumato.keys.weight_notices import weight_notices
from sfumato.recipe import Recipe
from sfumato.recipe.earlier_release import check_replaceable_output
from sfumato.recipe.real_columns import drawn_columns
from sfumato.recipe.release import masked_manifest, read_source, write_release
from sfumato.recipe.seeds import draw_seed


def mask(
    file: Files,
    recipe: Recipe | str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    write_options: WriteOptions = WriteOptions(),
    overwrite: bool = False,
    threads: int | None = None,
    resources: Resources = Resources(),
    report: str | Path | None = None,
    facts: str | Path | None = None,
    write_facts: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> MaskResult:
    """Write a masked copy of a file, and its manifest beside it; a file, or a folder of parts, may exceed memory.

    A file whose identifiers the recipe neither drops nor replaces by pseudonyms is refused. The records come in random
    order and households get new numbers, unless the recipe says otherwise; the manifest holds the key.

    Parameters
    ----------
    file, output
        The file to mask and the file to write; the suffix of the output tells its format. A folder, a glob or several
        files need not fit into memory, nor what is masked with `resources` or into an output without a suffix, which is
        a folder of Parquet parts: these are masked by `mask_folder`, whose output is such a folder or a Parquet file.
    recipe
        The recipe, or the YAML file that holds it. Without a seed one is drawn and kept in the manifest. What the
        recipe says of columns goes before the schema of the options.
    options
        How the file is to be read.
    write_options
        How the output is to be written; what is left open is as the input has it, where both are text files.
    overwrite
        Whether a file may be replaced that no manifest beside it could make again. A manifest is never replaced by that
        of another output: it is kept under a name of its own.
    threads
        As in `Recipe.run`; the result does not depend on it.
    resources
        What a run over a file larger than memory may use.
    report
        Where to write the release report, as `sfumato.jobs.reports.report` does; for files that fit into memory.
    facts, write_facts
        As in `mask_folder`, which then masks the file whatever its size.
    on_progress
        Called with each stage.
    """
    started = datetime.now(UTC)
    output, page = Path(output).expanduser(), None if report is None else Path(report).expanduser()
    is_large = is_folder_name(file) or not output.suffix or resources != Resources()
    if is_large or facts is not None or write_facts is not None:
        if page is not None:
            raise ParameterError(["mask.report is for files that fit into memory; report on a part of the folder"])
        if write_options != WriteOptions():
            raise ParameterError(
                ["options of the output are for files that fit into memory; larger ones are written as Parquet"]
            )
        return mask_folder(
            file,
            recipe,
            output,
            options=options,
            resources=resources,
            overwrite=overwrite,
            threads=threads,
            facts=facts,
            write_facts=write_facts,
            on_progress=on_progress,
        )
    file = folder_path(file).expanduser()
    recipe_file = None if isinstance(recipe, Recipe) else Path(recipe)
    others = [path for path in (recipe_file, options.schema) if isinstance(path, Path)]
    check_output(output, [file], others, write_options)
    check_replaceable_output(output, overwrite)
    if page is not None:
        check_page(page, [file, output, *others])
    as_given = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    seeded = as_given.with_seed()
    on_progress(Stage("reading"))
    source = read_source(file, options)
    seeded.refuse_release(source.data.schema)
    write_options = options_like(write_options, source.dialect, output)
    improvements: list[Improvement] = []
    remarks: list[str] = []
    masked = seeded.run(
        source.data,
        threads=threads,
        on_progress=report_steps(on_progress),
        on_improvement=improvements.append,
        on_remark=remarks.append,
    )
    complete = masked_manifest(
        source,
        masked,
        output,
        recipe=as_given,
        seeded=seeded,
        release_key=(release_key := draw_seed()),
        write_options=write_options,
        started=started,
        recipe_file=recipe_file,
        improvement=next(iter(improvements), None),
        remarks=tuple(remarks),
    )
    drawn = drawn_columns(source.data.schema, seeded.steps)  # weights that were drawn anew are nobody's
    weights = [] if {*source.data.select(role("weight"))} <= {*drawn} else weight_notices(masked, source.data)
    notes = notes_of_masking(source.data, masked, seeded.steps)
    shared = shared_record_notices(source.data, seeded.steps)
    del source, improvements  # writing needs memory of its own
    on_progress(Stage("writing"))
    masked = seeded.release(masked, release_key)
    manifest = write_release(masked, output, write_options, complete)
    told = release_notices(
        manifest, masked, weights, unique=None if notes is None else (), file_label=write_options.file_label
    )
    beside = (*page_notices(output), *other_release_notices(manifest, output))
    notices = (*beside, *shared, *(f"{note}." for note in remarks_of(notes or ())), *told)
    result = MaskResult(output=output, manifest=manifest, notices=notices)
    return result if page is None else add_report(result, file, output, page, options=options, on_progress=on_progress)
