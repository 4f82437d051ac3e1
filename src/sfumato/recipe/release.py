"""Mask a file: read it, run the recipe, write the masked file with its manifest."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from sfumato import files
from sfumato.data import Microdata, Schema
from sfumato.errors import FileError
from sfumato.files.atomic import replacing
from sfumato.recipe.manifest import (
    FileFacts,
    Manifest,
    ReadOptions,
    RecipeFacts,
    as_lines,
    manifest_path,
    seen_from,
    sha256_of,
    versions,
)
from sfumato.recipe.recipe import Progress, Recipe
from sfumato.recipe.writing import as_yaml


def mask_file(
    source: str | Path,
    recipe: Recipe | str | Path,
    output: str | Path,
    *,
    schema: Schema | str | Path | None = None,
    threads: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Manifest:
    """Write a masked copy of a file, and its manifest beside it; both appear, or neither.

    Parameters
    ----------
    source, output
        The file to mask and the file to write; the formats are told by the names.
    recipe
        The recipe, or the YAML file that holds it. Without a seed one is drawn and kept in the manifest.
    schema
        What the columns of the file are, or the YAML file that says so; what the recipe says goes before it.
    threads, on_progress
        As in `Recipe.run`.
    separator, decimal, encoding, sheet
        As in `sfumato.files.read`.
    """
    started, clock = datetime.now(UTC), perf_counter()
    source, output = Path(source), Path(output)
    _check_output(output, [path for path in (source, recipe, schema) if isinstance(path, str | Path)])
    as_given = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    seeded = as_given.seeded()
    known = schema if isinstance(schema, Schema) or schema is None else _loaded(schema)
    digest = sha256_of(source)
    options = ReadOptions(separator=separator, decimal=decimal, encoding=encoding, sheet=sheet)
    original = options.read(source, known)
    masked = seeded.run(original, threads=threads, on_progress=on_progress)

    def manifest_of(written: Path) -> Manifest:
        import sfumato

        return Manifest(
            sfumato=sfumato.__version__,
            versions=versions(),
            started=started,
            seconds=round(perf_counter() - clock, 3),
            input=_facts(source, digest, original, output.parent),
            read_options=options,
            input_schema=() if known is None else as_lines(as_yaml(known.to_plain())),
            recipe=RecipeFacts.of(as_given, None if isinstance(recipe, Recipe) else seen_from(output.parent, recipe)),
            seed=seeded.seed,
            output=_facts(output, sha256_of(written), masked, output.parent),
        )

    return _publish(masked, output, manifest_of)


def _check_output(output: Path, inputs: list[str | Path]) -> None:
    """Refuse an output that would take the place of an input, or that cannot be there."""
    if not output.parent.is_dir():
        raise FileError(f"{output} cannot be written: there is no folder {output.parent}; make it first")
    if output.is_dir():
        raise FileError(f"{output} is a folder; name a file in it")
    for path in inputs:
        if any(
            target.exists() and Path(path).exists() and target.samefile(path)
            for target in (output, manifest_path(output))
        ):
            raise FileError(f"the output {output} would take the place of {path}; choose another name")


def _loaded(schema: str | Path) -> Schema:
    try:
        return Schema.from_yaml(Path(schema).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise FileError(f"the schema {schema} is not UTF-8 text; expected a YAML file") from None
    except OSError as error:
        raise FileError(f"the schema {schema} cannot be read: {error.strerror}") from None


def _facts(file: Path, digest: str, data: Microdata, folder: Path) -> FileFacts:
    return FileFacts(file=seen_from(folder, file), sha256=digest, rows=data.n, columns=len(data.schema.names))


def _publish(masked: Microdata, output: Path, manifest_of: Callable[[Path], Manifest]) -> Manifest:
    """Write both files aside, then put them in place, the manifest first: no output is ever without one."""
    target = manifest_path(output)
    with _folder_beside(output) as folder:
        written = Path(folder) / output.name
        files.write(masked, written)
        manifest = manifest_of(written)
        before = target.read_bytes() if target.is_file() else None
        manifest.save(target)
        try:
            with replacing(output) as unfinished:
                written.replace(unfinished)
        except FileError:
            _put_back(target, before)
            raise
    return manifest


def _folder_beside(output: Path) -> TemporaryDirectory[str]:
    """Return a temporary folder on the same disk, so that what is written there need only be renamed."""
    try:
        return TemporaryDirectory(dir=output.parent, prefix=".sfumato-")
    except OSError as error:
        raise FileError(f"{output} cannot be written: {error.strerror}") from None


def _put_back(target: Path, before: bytes | None) -> None:
    if before is None:
        target.unlink()
    else:
        target.write_bytes(before)
