"""Mask a file larger than memory: parts in, a folder of Parquet parts or one Parquet file out."""

import json
import shutil
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sfumato.data import Microdata
from sfumato.documents import dump
from sfumato.errors import FileError
from sfumato.files import ReadOptions, parquet
from sfumato.files.folders import Files, Folder, folder_path, open_folder, schema_beside
from sfumato.files.output_checks import check_free
from sfumato.files.sidecar import sidecar_of
from sfumato.jobs._mask_result import MaskResult
from sfumato.jobs._wording import release_notices
from sfumato.jobs.folders.make_parts import MadeParts, is_own_output, make_parts, mark_placed
from sfumato.jobs.folders.output_place import check_output_place
from sfumato.jobs.folders.plan import plan_run
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.reports._other_releases import other_release_notices
from sfumato.recipe import Manifest, Recipe, manifest_path
from sfumato.recipe.earlier_release import keep_earlier_manifest
from sfumato.recipe.folders.facts import Facts, steps_without_facts
from sfumato.recipe.folders.release import ReleasedParts
from sfumato.recipe.folders.run import prepare_folder
from sfumato.recipe.manifest import FileFacts, PartFacts, RecipeFacts, plugins_of, relative_path, schema_lines, versions
from sfumato.storage.atomic import private_text, replace_file, write_text
from sfumato.storage.digests import file_sha256

NOT_LOOKED_FOR = (
    "Values and weights that only one record has were not looked for, as they are in files that fit into memory: look "
    "at a part of the output with `sfumato risk`."
)

WENT_ON = (
    "An interrupted run of the same command was found: what it had finished was taken over, with the seed that it drew."
)


def mask_folder(
    file: Files,
    recipe: Recipe | str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    resources: Resources = Resources(),
    overwrite: bool = False,
    threads: int | None = None,
    facts: str | Path | None = None,
    write_facts: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> MaskResult:
    """Write a masked copy of a folder of parts, a glob, several files or a large one, and its manifest beside it.

    The values, and their order, are those that `mask` gives a file that fits into memory. A run that is killed goes on
    from the tasks that were finished when it is started again; one that fails or is stopped leaves nothing behind.

    Parameters
    ----------
    file, output
        What to mask, and the folder to write, or the Parquet file. Text files are first copied as Parquet, once, to
        where the run spills.
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
    facts
        A file of facts of an earlier run of the recipe, by which the steps mask instead of by the figures of this file:
        thresholds, deviations and categories. Steps that depend on the records otherwise, as by their ranks, do so.
    write_facts
        Where to write the facts of this run. Some are values of single records: they are as confidential as the data.
    on_progress
        Called with each stage.
    """
    begun = datetime.now(UTC)
    output = Path(output).expanduser()
    as_given = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    known = None if facts is None else Facts.load(Path(facts).expanduser(), as_given)
    found = Facts.begin(as_given)
    if write_facts is not None:
        write_facts = Path(write_facts).expanduser()
        check_free("write_facts", write_facts, [output, None if facts is None else Path(facts)])
        if write_facts.exists() and not overwrite:
            raise FileError(
                f"{write_facts} exists already, and other files may be masked by what it holds; choose another name, "
                f"or give the option overwrite"
            )
    with closing(open_folder(file, options, resources.spill or output.parent)) as folder:
        is_own = overwrite or is_own_output(as_given, folder, output, resources, known)
        others = [Path(each) for each in (recipe, options.schema) if isinstance(each, str | Path)]
        check_output_place(output, file, (*folder.sources, *others), overwrite=is_own)
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
                output=_output_facts(parts, output, facts),
                unchanged=facts.unchanged,
                unchanged_percent=facts.unchanged_percent,
                remarks=made.remarks,
                all_records=True,
                facts=None if known is None else known.to_plain(),
            )
            publish_parts = _publish_file if output.suffix else _publish
            publish_parts(parts, output, manifest, dump(facts.schema))
            written.append(manifest)

        made = make_parts(
            as_given,
            prepared,
            output,
            publish,
            resources=resources,
            workers=workers,
            on_progress=on_progress,
            facts=known,
            new_facts=found,
        )
        (manifest,) = written
    empty = Microdata(_first_rows(output, manifest), made.released.schema)
    told = release_notices(manifest, empty, (), unique=(NOT_LOOKED_FOR,))
    notices = (*other_release_notices(manifest, output), *told)
    if made.went_on:
        notices = (WENT_ON, *notices)
    if write_facts is not None:
        private_text(write_facts, json.dumps(found.to_plain(), indent=1) + "\n")
        notices = (*notices, _facts_notice(write_facts, found))
    if known is not None and (without := steps_without_facts(as_given)):
        notices = (*notices, f"Not by the facts, but by the records of this file: {', '.join(without)}.")
    return MaskResult(output=output, manifest=manifest, notices=notices)


def _facts_notice(path: Path, facts: Facts) -> str:
    """Return how confidential the facts are."""
    if told := facts.tells():
        return f"{path} is as confidential as the data: it tells of {'; of '.join(told)}."
    return f"{path} holds means and deviations: keep it as you keep the manifest."


def folder_facts(file: Files, folder: Folder, seen_from: Path) -> FileFacts:
    """Return what a manifest says of the parts that were masked."""
    named, place = not isinstance(file, str | Path), folder_path(file)
    parts = tuple(
        PartFacts(file=relative_path(part, place) if named else part.name, sha256=file_sha256(part), rows=rows)
        for part, rows in zip(folder.sources, folder.given.sizes, strict=True)
    )
    return FileFacts.of_parts(relative_path(place, seen_from), parts, len(folder.schema.names), named=named or None)


def _publish(parts: Path, output: Path, manifest: Manifest, schema: str) -> None:
    """Let the parts take the place of the output, with manifest and schema beside them; all or nothing."""
    schema_file = schema_beside(output)
    earlier = parts.with_name("earlier")
    if output.exists():
        output.rename(earlier)
    try:
        with replace_file(manifest_path(output), is_private=True) as unfinished:
            manifest.write_to(unfinished)
            mark_placed(parts, parts)
            keep_earlier_manifest(output, manifest.output.sha256)
            write_text(schema_file, schema)
            parts.rename(output)
    except BaseException:
        if not parts.exists():
            shutil.rmtree(output, ignore_errors=True)
        if earlier.exists():
            earlier.rename(output)
        raise


def _publish_file(parts: Path, output: Path, manifest: Manifest, schema: str) -> None:
    """Let the file that was put together take its place, with manifest and schema beside it."""
    with replace_file(manifest_path(output), is_private=True) as unfinished:
        manifest.write_to(unfinished)
        mark_placed(parts, joined_file(parts))
        keep_earlier_manifest(output, manifest.output.sha256)
        write_text(sidecar_of(output), schema)
        joined_file(parts).replace(output)


def _output_facts(parts: Path, output: Path, facts: ReleasedParts) -> FileFacts:
    """Return what a manifest says of the output; one file is put together before."""
    name, columns = relative_path(output, output.parent), len(facts.schema.names)
    of_parts = FileFacts.of_parts(name, facts.parts, columns, facts.rows_sha256)
    if not output.suffix:
        return of_parts
    parquet.join([parts / part.file for part in facts.parts], joined_file(parts))
    return of_parts.replace(parts=None, sha256=file_sha256(joined_file(parts)))


def joined_file(parts: Path) -> Path:
    """Return where parts are put together as one file, on the disk of the output."""
    return parts.with_name("joined.parquet")


def _first_rows(output: Path, manifest: Manifest) -> Any:
    import polars as pl

    file = output / manifest.output.parts[0].file if manifest.output.parts else output
    return pl.scan_parquet(file, glob=False, hive_partitioning=False).head(1).collect()
