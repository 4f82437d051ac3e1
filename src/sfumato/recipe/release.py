"""Mask a file: read it, run the recipe, write the masked file with its manifest."""

from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import narwhals.stable.v2 as nw
import numpy as np

from sfumato import files
from sfumato.contracts.improvement import Improvement
from sfumato.data import Microdata, Schema
from sfumato.errors import FileError
from sfumato.files.formats import format_of
from sfumato.files.sidecar import load_schema, sidecar_of
from sfumato.recipe.improvement_facts import ImprovementFacts
from sfumato.recipe.manifest import (
    FileFacts,
    KeptManifest,
    Manifest,
    ReadOptions,
    RecipeFacts,
    manifest_path,
    schema_lines,
    seen_from,
    versions,
)
from sfumato.recipe.recipe import Progress, Recipe
from sfumato.storage.atomic import replace_file
from sfumato.storage.digests import file_sha256

Kept = TypeVar("Kept", bound=KeptManifest)


def mask_file(
    source: str | Path,
    recipe: Recipe | str | Path,
    output: str | Path,
    *,
    schema: Schema | str | Path | None = None,
    seed: int | None = None,
    threads: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Manifest:
    """Write a masked copy of a file, and its manifest beside it.

    Parameters
    ----------
    source, output
        The file to mask and the file to write; the formats are told by the names.
    recipe
        The recipe, or the YAML file that holds it. Without a seed one is drawn and kept in the manifest.
    schema
        What the columns of the file are, or the YAML file that says so, as in `sfumato.files.read`; what the recipe
        says goes before it.
    seed
        Where the random draws begin, for a recipe that does not say.
    threads, on_progress
        As in `Recipe.run`.
    separator, decimal, encoding, sheet
        As in `sfumato.files.read`.
    """
    started, clock = datetime.now(UTC), perf_counter()
    source, output = Path(source).expanduser(), Path(output).expanduser()
    check_output(output, source, [path for path in (recipe, schema) if isinstance(path, str | Path)])
    as_given = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    seeded = as_given.seeded() if as_given.seed is not None or seed is None else as_given.replace(seed=seed)
    known = schema_for(source, schema)
    options = ReadOptions(separator=separator, decimal=decimal, encoding=encoding, sheet=sheet)
    original = options.read(source, known)
    digest = file_sha256(source)
    improvements: list[Improvement] = []
    masked = seeded.run(original, threads=threads, on_progress=on_progress, on_improvement=improvements.append)
    improved = [ImprovementFacts.of(improvement) for improvement in improvements]
    unchanged, given = unchanged_columns(original, masked), facts_of(source, digest, original, output.parent)
    del original, improvements  # writing needs memory of its own

    def manifest() -> Manifest:
        return Manifest(
            sfumato=version("sfumato"),
            versions=versions(),
            started=started,
            seconds=round(perf_counter() - clock, 3),
            input=given,
            read_options=options,
            input_schema=schema_lines(known),
            recipe=RecipeFacts.of(as_given, None if isinstance(recipe, Recipe) else seen_from(output.parent, recipe)),
            seed=seeded.seed,
            output=facts_of(output, file_sha256(output), masked, output.parent),
            unchanged=unchanged,
            improvement=next(iter(improved), None),
        )

    return published(masked, output, manifest)


def unchanged_columns(original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the columns in which every masked record has what it had; when records came or went, none is told."""
    if not np.array_equal(original.row_ids, masked.row_ids):
        return ()
    before, after = original.table, masked.table
    return tuple(name for name in after.columns if name in before.columns and _is_same(before[name], after[name]))


def _is_same(before: Any, after: Any) -> bool:
    if before.dtype != after.dtype:
        return False
    if isinstance(before.dtype, nw.Categorical | nw.Enum):  # two lists of categories cannot be compared as they are
        before, after = before.cast(nw.String), after.cast(nw.String)
    differs = (before != after).fill_null(False) | (before.is_null() != after.is_null())
    return not differs.any()


def check_output(output: Path, source: Path, others: list[str | Path]) -> None:
    """Refuse an output that would take the place of an input or that cannot be written, before any work is done."""
    if not output.parent.is_dir():
        raise FileError(f"{output} cannot be written: there is no folder {output.parent}; make it first")
    if output.is_dir():
        raise FileError(f"{output} is a folder; name a file in it")
    if format_of(output).write is None:
        raise FileError(f"{output}: {format_of(output).name} can be read, not written; choose another suffix")
    for path, target in product((source, *others), (output, sidecar_of(output))):
        if target.exists() and Path(path).exists() and target.samefile(path):
            raise FileError(f"the output {target} would take the place of {path}; choose another name")
    if sidecar_of(output).resolve() == sidecar_of(source).resolve():
        raise FileError(
            f"the output {output} would share the schema file {sidecar_of(output).name} with the input {source}; "
            f"choose another name"
        )


def schema_for(source: Path, schema: Schema | str | Path | None) -> Schema:
    """Return what the reader is to know: the schema given, else the one beside the file, else one that says nothing."""
    if isinstance(schema, Schema):
        return schema
    if schema is None and not sidecar_of(source).is_file():
        return Schema(variables=())
    path = sidecar_of(source) if schema is None else Path(schema).expanduser()
    try:
        return load_schema(path)
    except OSError as error:
        raise FileError(f"the schema {path} cannot be read: {error.strerror}") from None


def facts_of(file: Path, digest: str, data: Microdata, folder: Path) -> FileFacts:
    """Return what a manifest in the folder says of a file."""
    return FileFacts(file=seen_from(folder, file), sha256=digest, rows=data.n, columns=len(data.schema.names))


def published(masked: Microdata, output: Path, manifest_of_output: Callable[[], Kept]) -> Kept:
    """Write the output and its manifest; without the second the first is taken away again."""
    new = [output] if sidecar_of(output).exists() else [output, sidecar_of(output)]
    written: list[Path] = []
    try:
        with replace_file(manifest_path(output)) as unfinished:  # refused before the output is touched
            files.write(masked, output)
            written = new
            manifest = manifest_of_output()
            manifest.write_to(unfinished)
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise
    return manifest
