"""Release a masked file: the file and its manifest, both or neither."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import numpy as np

from sfumato import files
from sfumato.comparison.kept_values import count_kept_values, kept_percents, unchanged_names
from sfumato.contracts.improvement import Improvement
from sfumato.data import Microdata, Schema
from sfumato.files import ReadOptions, WriteOptions
from sfumato.files.sidecar import sidecar_of
from sfumato.numerics.arrays import Rows
from sfumato.recipe.earlier_release import keep_earlier_manifest
from sfumato.recipe.improvement_facts import ImprovementFacts
from sfumato.recipe.improvement_manifest import ImprovementManifest
from sfumato.recipe.manifest import (
    CONFIDENTIAL,
    CONFIDENTIAL_OF_SYNTHESIS,
    FileFacts,
    Manifest,
    RecipeFacts,
    manifest_path,
    plugins_of,
    relative_path,
    schema_lines,
    versions,
)
from sfumato.recipe.real_columns import drawn_columns, draws_all_columns
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.reordering import random_order
from sfumato.storage.atomic import replace_file
from sfumato.storage.digests import file_sha256

Stored = TypeVar("Stored", Manifest, ImprovementManifest)


@dataclass(frozen=True, eq=False)
class Source:
    """A file that was read, with what its manifest will say of it.

    Parameters
    ----------
    file, sha256
        The file and its SHA-256.
    options
        How it was read; the schema is there as it was read, never as a path.
    data
        Its records.
    dialect
        How it is written, where it is text.
    """

    file: Path
    sha256: str
    options: ReadOptions
    data: Microdata
    dialect: WriteOptions = WriteOptions()

    @property
    def schema(self) -> Schema:
        """What the reader was told of the columns; without variables when it was told nothing."""
        return self.options.schema if isinstance(self.options.schema, Schema) else Schema(variables=())

    def facts(self, folder: Path) -> FileFacts:
        """Return what a manifest in the folder says of the file."""
        return file_facts(self.file, self.sha256, self.data, folder)


def read_source(file: Path, options: ReadOptions) -> Source:
    """Read a file so that it can be read again in the same way, whatever stands beside it then."""
    known = files.with_schema(options, file)
    data, dialect = files.read_with_dialect(file, known)
    if options.describes_columns:  # what was said of columns is kept as a schema, whole
        known = replace(known.without_columns(), schema=data.schema)
    return Source(file, file_sha256(file), known, data, dialect)


def masked_manifest(
    source: Source,
    masked: Microdata,
    output: Path,
    *,
    recipe: Recipe,
    seeded: Recipe,
    release_key: int,
    write_options: WriteOptions,
    started: datetime,
    recipe_file: Path | None = None,
    improvement: Improvement | None = None,
    remarks: tuple[str, ...] = (),
) -> Callable[[], Manifest]:
    """Return what makes the manifest of a masked file once that is written; it does not hold the original records.

    Parameters
    ----------
    source, masked, output
        The original, what the steps made of it, and the file to be written.
    recipe, seeded, recipe_file
        The recipe as it was given, as it was run, with a seed, and the file that it came from.
    release_key
        Where the draws of order and household numbers begin.
    write_options
        How the output is written.
    started
        When the run began, in UTC.
    improvement
        What came of improving the masked records.
    remarks
        What the steps say of their results.
    """
    folder, options, schema = output.parent, replace(source.options, schema=None), schema_lines(source.schema)
    given, (unchanged, stayed) = source.facts(folder), kept_in_release(source.data, masked, recipe)
    drawn = drawn_columns(source.data.schema, recipe.steps)
    is_synthetic = draws_all_columns(masked.schema, recipe.steps)
    secret = CONFIDENTIAL_OF_SYNTHESIS if is_synthetic else CONFIDENTIAL
    percents = {name: part for name, part in stayed.items() if name not in drawn}
    all_records = np.array_equal(source.data.row_ids, masked.row_ids)
    rows, columns = masked.n, len(masked.schema.names)
    improved = None if improvement is None else ImprovementFacts.of(improvement)

    def manifest() -> Manifest:
        return Manifest(
            confidential=secret,
            sfumato=version("sfumato"),
            versions=versions(),
            plugins=plugins_of(*recipe.steps, *([recipe.improve] if recipe.improve else [])),
            started=started,
            seconds=round((datetime.now(UTC) - started).total_seconds(), 3),
            input=given,
            read_options=options,
            input_schema=schema,
            recipe=RecipeFacts.of(recipe, None if recipe_file is None else relative_path(recipe_file, folder)),
            seed=seeded.seed,
            release_key=release_key,
            output=FileFacts(
                file=relative_path(output, folder), sha256=file_sha256(output), rows=rows, columns=columns
            ),
            write_options=write_options,
            unchanged=unchanged,
            unchanged_percent=percents,
            remarks=remarks,
            all_records=all_records,
            improvement=improved,
        )

    return manifest


def kept_in_release(original: Microdata, masked: Microdata, recipe: Recipe) -> tuple[tuple[str, ...], dict[str, float]]:
    """Return the columns that are released as they were, and the percent of values that stayed in the others.

    Of the first there are none when records came or went; households that get new numbers are not among them.
    """
    if not np.array_equal(original.row_ids, masked.row_ids):
        return (), unchanged_percents(original, masked)
    counts, renumbered = count_kept_values(original, masked), recipe.renumbered_columns(masked.schema)
    unchanged = tuple(name for name in unchanged_names(counts) if name not in renumbered)
    return unchanged, kept_percents(counts) if masked.is_numbered_as(original) else {}


def unchanged_percents(original: Microdata, masked: Microdata) -> dict[str, float]:
    """Return how many values of each column that was changed in part stayed as they were, in percent of its values.

    Records that came or went do not count, and synthetic ones are not compared. A column of another type than before is
    left out, and so is one in which all values stayed, or none.
    """
    if not masked.is_numbered_as(original):
        return {}
    before, after = original, masked
    if not np.array_equal(original.row_ids, masked.row_ids):
        known = np.flatnonzero(np.isin(masked.row_ids, original.row_ids))
        if not known.size or np.unique(original.row_ids).size < original.n:
            return {}
        before, after = original.take_rows(original.rows_of(masked.row_ids[known])), masked.take_rows(known)
    return kept_percents(count_kept_values(before, after))


def file_facts(file: Path, digest: str, data: Microdata, folder: Path) -> FileFacts:
    """Return what a manifest in the folder says of a file."""
    return FileFacts(file=relative_path(file, folder), sha256=digest, rows=data.n, columns=len(data.schema.names))


def released_row_ids(manifest: Manifest, original: Microdata) -> Rows:
    """Return which original record each record of a released file is: the manifest's key undoes the shuffle."""
    recipe = manifest.repeatable()
    if manifest.all_records:
        ids = original.row_ids
    else:  # only the steps know which records they drew
        known = original.with_schema(original.schema.with_variables(*manifest.schema_given().variables))
        ids = recipe.run(known).row_ids
    return ids if recipe.keep_order else ids[random_order(ids.size, manifest.release_key)]


def write_release(
    masked: Microdata, output: Path, write_options: WriteOptions, manifest_of_output: Callable[[], Stored]
) -> Stored:
    """Write the output and its manifest; without the second the first is removed again.

    An earlier manifest stays, under another name, unless it is of the same output: it is the only key to what it was
    written for.
    """
    new = [output] if sidecar_of(output).exists() else [output, sidecar_of(output)]
    written: list[Path] = []
    try:
        with replace_file(manifest_path(output), is_private=True) as unfinished:  # refused before the output is touched
            files.write_with(masked, output, write_options)
            written = new
            manifest = manifest_of_output()
            manifest.write_to(unfinished)
            keep_earlier_manifest(output, manifest.output.sha256)
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise
    return manifest
