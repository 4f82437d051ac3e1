"""Mask a file larger than memory: a folder of Parquet parts in, a folder of Parquet parts out."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sfumato.data import Microdata
from sfumato.documents import dump
from sfumato.errors import FileError
from sfumato.files import ReadOptions
from sfumato.files.folders import Folder, open_folder, schema_beside
from sfumato.jobs._mask_result import MaskResult
from sfumato.jobs._wording import release_notices
from sfumato.jobs.folders.make_parts import MadeParts, make_parts, was_interrupted
from sfumato.jobs.folders.plan import plan_run
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.recipe import Manifest, Recipe, manifest_path
from sfumato.recipe.earlier_release import keep_earlier_manifest
from sfumato.recipe.folders.run import prepare_folder
from sfumato.recipe.manifest import FileFacts, PartFacts, RecipeFacts, plugins_of, relative_path, schema_lines, versions
from sfumato.storage.atomic import replace_file, write_text
from sfumato.storage.digests import file_sha256

NOT_LOOKED_FOR = (
    "Values and weights that only one record has were not looked for, as they are in files that fit into memory: look "
    "at a part of the output with `sfumato risk`."
)


def mask_folder(
    file: str | Path,
    recipe: Recipe | str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    resources: Resources = Resources(),
    overwrite: bool = False,
    threads: int | None = None,
    on_progress: OnProgress = ignore_progress,
) -> MaskResult:
    """Write a masked copy of a folder of Parquet parts, a glob or a large Parquet file, and its manifest beside it.

    The values, and their order, are those that `mask` gives a file that fits into memory. A run that is killed goes on
    from the tasks that were finished when it is started again; one that fails or is stopped leaves nothing behind.

    Parameters
    ----------
    file, output
        What to mask, and the folder to write.
    recipe
        The recipe, or the YAML file that holds it.
    options
        How the file is to be read; a schema must describe every column.
    resources
        What the run may use: memory, a place to spill to, a cluster.
    overwrite
        Whether an earlier folder of parts may be replaced.
    threads
        How many processes work at the same time; the result does not depend on it.
    on_progress
        Called with each stage.
    """
    begun = datetime.now(UTC)
    output = Path(output).expanduser()
    as_given = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    folder = open_folder(file, options)
    is_own = overwrite or was_interrupted(as_given, folder, output, resources)
    others = [Path(each) for each in (recipe, options.schema) if isinstance(each, str | Path)]
    check_folder_output(output, (*folder.given.files, *others), is_own)
    on_progress(Stage("reading"))
    as_given.refuse_release(folder.schema)
    prepared = prepare_folder(as_given, folder)
    workers = resources.workers(threads, prepared)
    plan_run(as_given, prepared, resources, workers)  # refuses what would not fit before anything runs
    given = folder_facts(file, folder, output.parent)
    written: list[Manifest] = []

    def publish(parts: Path, made: MadeParts) -> None:
        facts = made.released
        manifest = Manifest(
            sfumato=version("sfumato"),
            versions=versions(),
            plugins=plugins_of(*as_given.steps),
            started=made.started,
            seconds=round((datetime.now(UTC) - begun).total_seconds(), 3),
            input=given,
            read_options=replace(options.without_columns(), schema=None),
            input_schema=schema_lines(folder.schema),
            recipe=RecipeFacts.of(
                as_given, None if isinstance(recipe, Recipe) else relative_path(recipe, output.parent)
            ),
            seed=made.seeded.seed,
            release_key=made.release_key,
            output=FileFacts.of_parts(
                relative_path(output, output.parent), facts.parts, len(facts.schema.names), facts.rows_sha256
            ),
            unchanged=facts.unchanged,
            unchanged_percent=facts.unchanged_percent,
            remarks=made.remarks,
            all_records=True,
        )
        _publish(parts, output, manifest, dump(facts.schema))
        written.append(manifest)

    made = make_parts(
        as_given,
        prepared,
        output,
        publish,
        resources=resources,
        workers=workers,
        on_progress=on_progress,
    )
    (manifest,) = written
    empty = Microdata(_first_rows(output, manifest), made.released.schema)
    notices = release_notices(manifest, empty, (), unique=(NOT_LOOKED_FOR,))
    return MaskResult(output=output, manifest=manifest, notices=notices)


def folder_facts(file: str | Path, folder: Folder, seen_from: Path) -> FileFacts:
    """Return what a manifest says of the parts that were masked."""
    parts = tuple(
        PartFacts(file=part.name, sha256=file_sha256(part), rows=rows)
        for part, rows in zip(folder.given.files, folder.given.sizes, strict=True)
    )
    return FileFacts.of_parts(relative_path(file, seen_from), parts, len(folder.schema.names))


def check_folder_output(output: Path, inputs: tuple[Path, ...], overwrite: bool) -> None:
    """Refuse a folder that cannot be written, holds what is not ours to replace, or is where the input is."""
    if not output.parent.is_dir():
        raise FileError(f"{output} cannot be written: there is no folder {output.parent}; make it first")
    if any(output.resolve() in file.parents for file in inputs):
        raise FileError(f"the output {output} would take the place of the input; choose another name")
    schema = schema_beside(output)
    if any(schema.resolve() == file.resolve() for file in inputs):
        raise FileError(f"the schema of the output, {schema}, would take the place of the input's; choose another name")
    if schema.exists() and not overwrite:
        raise FileError(f"{schema} exists already; choose another name for the output, or give the option overwrite")
    if output.exists() and not output.is_dir():
        raise FileError(f"{output} is a file; a file larger than memory is written as a folder of parts: name one")
    if output.exists() and any(output.iterdir()):
        if not overwrite:
            raise FileError(f"{output} exists already; choose another name, or give the option overwrite")
        foreign = [each.name for each in output.iterdir() if not _is_part(each)]
        if foreign:
            raise FileError(f"{output} holds {foreign[0]}, which is no part of an earlier release; remove it first")


def _is_part(file: Path) -> bool:
    return file.is_file() and file.name.startswith("part-") and file.suffix == ".parquet"


def _publish(parts: Path, output: Path, manifest: Manifest, schema: str) -> None:
    """Let the parts take the place of the output, with manifest and schema beside them; all or nothing."""
    schema_file = schema_beside(output)
    earlier = parts.with_name("earlier")
    if output.exists():
        output.rename(earlier)
    try:
        with replace_file(manifest_path(output)) as unfinished:
            manifest.write_to(unfinished)
            keep_earlier_manifest(output, manifest.output.sha256)
            write_text(schema_file, schema)
            parts.rename(output)
    except BaseException:
        if not parts.exists():
            shutil.rmtree(output, ignore_errors=True)
        if earlier.exists():
            earlier.rename(output)
        raise


def _first_rows(output: Path, manifest: Manifest) -> Any:
    import polars as pl

    first = next(iter(manifest.output.parts or ()))
    return pl.scan_parquet(output / first.file, glob=False, hive_partitioning=False).head(1).collect()
