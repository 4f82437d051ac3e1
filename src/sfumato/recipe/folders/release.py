"""Release a masked folder: rows in random order, written as parts, what is listed nowhere left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfumato.comparison.kept_values import KeptValues, count_kept_values, kept_percents, unchanged_names
from sfumato.data import Category, Microdata, Schema
from sfumato.execution.folders import Spill
from sfumato.execution.folders.exchange import gather, replace_quickly, write_sorted
from sfumato.execution.folders.step import split_ranges
from sfumato.files import WriteOptions, parquet
from sfumato.files.folders import Folder
from sfumato.files.folders.row_digests import ROWS_PER_DIGEST, chunk_digests, rows_digest
from sfumato.files.held_categories import lists_values, with_held
from sfumato.recipe.manifest import PartFacts
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.reordering import renumber_households, write_places
from sfumato.storage.digests import file_sha256

ROWS_PER_PART = 16 * ROWS_PER_DIGEST


@dataclass(frozen=True)
class Route:
    """Send the rows of a range to where they will be in the release."""

    path: Path
    original: Folder
    masked: Folder
    renumbered: tuple[str, ...]
    release_key: int
    places: Path | None
    start: int
    stop: int

    def run(self) -> dict[str, list[int]]:
        """Write the rows by their new places; return how many values of each column stayed as they were."""
        masked = self.masked.read(self.start, self.stop)
        kept = count_kept_values(self.original.read(self.start, self.stop), masked)
        released = renumber_households(masked, self.renumbered, self.release_key)
        places = masked.row_ids if self.places is None else np.load(self.places, mmap_mode="r")[self.start : self.stop]
        write_sorted(self.path, np.array(places), released.frame)
        return {name: [counts.values, counts.kept, counts.differing] for name, counts in kept.items()}


@dataclass(frozen=True)
class WritePart:
    """Write one part of the release."""

    path: Path
    file: Path
    sources: tuple[Path, ...]
    start: int
    stop: int
    enums: dict[str, tuple[str, ...]]

    def run(self) -> list[object]:
        """Write the part; return its rows, its SHA-256 and those of its runs of rows."""
        import polars as pl

        _, frame = gather(self.sources, self.start, self.stop)
        frame = frame.with_columns(
            pl.col(name).cast(pl.String).cast(pl.Enum(held)) for name, held in self.enums.items()
        )
        with replace_quickly(self.file) as unfinished:
            parquet.write(frame, Schema(variables=()), unfinished, WriteOptions())
        return [len(frame), file_sha256(self.file), chunk_digests(frame)]


@dataclass(frozen=True)
class ReleasedParts:
    """What was written: the parts, the SHA-256 over their rows, the schema, and what stayed as it was."""

    parts: tuple[PartFacts, ...]
    rows_sha256: str
    schema: Schema
    unchanged: tuple[str, ...]
    unchanged_percent: dict[str, float]


def release_folder(
    recipe: Recipe,
    original: Folder,
    masked: Folder,
    output: Path,
    *,
    spill: Spill,
    release_key: int,
    rows_per_range: int,
) -> ReleasedParts:
    """Write the masked folder as it may leave the house, as parts in a folder that is there and empty.

    The records are those of `Recipe.release`, in the same order, however they are cut into parts.
    """
    import polars as pl

    recipe.check_release(masked.schema)
    renumbered = recipe.renumbered_columns(masked.schema)
    for name in renumbered:
        masked.summary.missing_codes(name)  # known to all tasks then, and so are the households
        masked.summary.categories(name)
    places = None if recipe.keep_order else _write_places(spill, masked.n, release_key)
    routing = [
        Route(spill.path("route", number), original, masked, renumbered, release_key, places, start, stop)
        for number, (start, stop) in enumerate(split_ranges(masked.n, rows_per_range))
    ]
    kept = _add_up(spill.run_stage(routing))
    first = renumber_households(masked.read(0, 1), renumbered, release_key)
    schema, enums = first.schema, dict[str, tuple[str, ...]]()
    if not recipe.keep_categories:
        schema, enums = _held_categories(masked, first, renumbered)
    rows_per_part = min(ROWS_PER_PART, rows_per_range)  # a part is put together in memory, as a range is
    writing = [
        WritePart(
            spill.path("part", number),
            output / f"part-{number:05d}.parquet",
            tuple(task.path for task in routing),
            start,
            stop,
            enums,
        )
        for number, (start, stop) in enumerate(split_ranges(masked.n, rows_per_part, ROWS_PER_DIGEST))
    ]
    facts = spill.run_stage(writing)
    header = pl.DataFrame(schema=pl.read_parquet_schema(writing[0].file))
    return ReleasedParts(
        parts=tuple(
            PartFacts(file=task.file.name, sha256=sha256, rows=rows)
            for task, (rows, sha256, _) in zip(writing, facts, strict=True)
        ),
        rows_sha256=rows_digest(header, [chunk for _, _, chunks in facts for chunk in chunks]),
        schema=schema,
        unchanged=tuple(name for name in unchanged_names(kept) if name not in renumbered),
        unchanged_percent=kept_percents(kept),
    )


def _write_places(spill: Spill, records: int, release_key: int) -> Path:
    file = spill.folder / "places.npy"
    write_places(file, records, release_key)
    return file


def _add_up(facts: Sequence[dict[str, list[int]]]) -> dict[str, KeptValues]:
    """Return the counts of all ranges together."""
    counts: dict[str, KeptValues] = {}
    for found in facts:
        for name, figures in found.items():
            counts[name] = counts.get(name, KeptValues(0, 0, 0)) + KeptValues(*figures)
    return counts


def _held_categories(
    masked: Folder, first: Microdata, renumbered: tuple[str, ...]
) -> tuple[Schema, dict[str, tuple[str, ...]]]:
    """Return the schema, and the types of categories, that list what some record has; see `with_held_categories`."""
    import polars as pl

    enums = {name: dtype for name, dtype in first.frame.schema.items() if isinstance(dtype, pl.Enum)}
    listed = [one for one in first.schema.variables if lists_values(one)]
    held: dict[str, set[Category]] = {name: set() for name in (*enums, *(one.name for one in listed))}
    for name in (name for name in held if name not in renumbered):
        for piece in masked.pieces((name,)):
            held[name].update(piece.table[name].unique().to_list())
    variables = [with_held(one, held[one.name]) for one in listed]
    types = {name: tuple(each for each in dtype.categories if each in held[name]) for name, dtype in enums.items()}
    return first.schema.with_variables(*variables), types
