"""An original folder and its masked form, brought into the same order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sfumato.contracts import Part
from sfumato.errors import DataError, FileError
from sfumato.execution.folders import Spill
from sfumato.execution.folders.exchange import place_back, write_sorted
from sfumato.execution.folders.step import split_ranges
from sfumato.files import ReadOptions
from sfumato.files.folders import Folder, open_folder, schema_beside
from sfumato.files.folders.opening import columns_of
from sfumato.files.sidecar import sidecar_of
from sfumato.jobs.folders.verify_folder import parts_check
from sfumato.recipe.manifest import Manifest, manifest_path
from sfumato.recipe.reordering import write_order

STATED = "Records were matched by their order, as you said that it is the same."


@dataclass(frozen=True)
class FolderPair:
    """Two folders of the same records.

    Parameters
    ----------
    original, masked
        The folders; where the release is in another order, the masked one is still as it was written.
    sentence
        How it is known which record is which.
    parts
        The methods that masked the file, where its manifest tells them.
    release_key
        Where the draws of the order of the release begin; None where both are in the same order.
    """

    original: Folder
    masked: Folder
    sentence: str
    parts: tuple[Part, ...]
    release_key: int | None


@dataclass(frozen=True)
class SendBack:
    """Sort the rows of a range of a release by the rows that they had in the original."""

    path: Path
    masked: Folder
    order: Path
    start: int
    stop: int

    def run(self) -> int:
        """Write the rows by where they belong."""
        rows = np.array(np.load(self.order, mmap_mode="r")[self.start : self.stop])
        write_sorted(self.path, rows, self.masked.read(self.start, self.stop).frame)
        return rows.size


def open_pair(
    original: Path, masked: Path, options: ReadOptions, manifest: Path | None, *, same_order: bool
) -> FolderPair:
    """Open both folders, and find out which record is which: by the manifest, or by what the user says.

    Parameters
    ----------
    original, masked
        The folders, globs or Parquet files.
    options
        How the original is to be read; the masked one has its own schema beside it, or that of the original.
    manifest
        The manifest of the masked folder; the one beside it when None.
    same_order
        Whether the user says that both are in the same order.
    """
    before = open_folder(original, options)
    after = open_masked(masked, before)
    if before.n != after.n:
        raise DataError(f"the folders have {before.n:,} and {after.n:,} records; only such of the same can be assessed")
    path = manifest_path(masked) if manifest is None else manifest
    if not path.is_file() and manifest is None:
        if not same_order:
            raise DataError(
                f"nothing tells which record of {masked} is which: give the manifest that mask wrote, or say that both "
                f"are in the same order (the option same_order)"
            )
        return FolderPair(before, after, STATED, (), None)
    recorded = Manifest.load(path)
    checks = [parts_check("input", original, recorded.input), parts_check("output", masked, recorded.output)]
    if not recorded.all_records or not all(check.passed for check in checks):
        why = next((check.sentence for check in checks if not check.passed), "its recipe left out or added records")
        raise FileError(f"the manifest {path} cannot be used: {why}")
    recipe = recorded.repeatable()
    key = None if recipe.keep_order else recorded.release_key
    return FolderPair(before, after, f"Records were matched by the key in {path.name}.", recipe.parts, key)


def in_original_order(pair: FolderPair, spill: Spill, ranges: Sequence[tuple[int, int]]) -> Folder:
    """Return the masked folder with its rows in the order of the original, and numbered as they are."""
    original, masked = pair.original, pair.masked
    if pair.release_key is None:
        return replace(masked, lineage=original.lineage)
    order = spill.folder / "order.npy"
    write_order(order, masked.n, pair.release_key)
    sending = [
        SendBack(spill.path("sent", number), masked, order, start, stop) for number, (start, stop) in enumerate(ranges)
    ]
    spill.run_stage(sending)
    files = place_back(spill, "masked", sending, split_ranges(masked.n, ranges[0][1] - ranges[0][0]))
    spill.forget(sending)
    return Folder(masked.schema, files, lineage=original.lineage)


def open_masked(masked: Path, original: Folder) -> Folder:
    """Open the masked folder by the schema beside it, or by what the original's says of its columns."""
    if any(beside.is_file() for beside in (schema_beside(masked), sidecar_of(masked))):
        return open_folder(masked, ReadOptions())
    names = tuple(name for name in columns_of(masked) if name in original.schema)
    return open_folder(masked, ReadOptions(schema=original.schema.subset(names)))
