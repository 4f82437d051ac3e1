"""The key to the order of a released file: its manifest, where that lies beside it."""

from dataclasses import dataclass
from pathlib import Path

from sfumato.contracts import MaskingMethod
from sfumato.errors import FileError
from sfumato.numerics.arrays import Rows
from sfumato.recipe.improvement_manifest import ImprovementManifest, load_manifest
from sfumato.recipe.manifest import Manifest, manifest_path
from sfumato.recipe.release import Source, released_row_ids
from sfumato.storage.digests import file_sha256


@dataclass(frozen=True, eq=False)
class RecordKey:
    """What the manifest of a masked file tells.

    Parameters
    ----------
    row_ids
        Which original record each masked record is; None where no manifest tells.
    sentence
        How the records are matched by it, or why they are not; empty where there is no manifest.
    steps
        The methods that masked the file; none where they are not known.
    """

    row_ids: Rows | None = None
    sentence: str = ""
    steps: tuple[MaskingMethod, ...] = ()


def find_record_key(source: Source, masked: Path, manifest: Path | None = None) -> RecordKey:
    """Return what the manifest of a masked file tells of its records; that beside the file when none is given."""
    path = manifest_path(masked) if manifest is None else manifest
    if manifest is None and not path.is_file():
        return RecordKey()
    recorded = load_manifest(path)
    problem = _problem(recorded, source, masked)
    if problem and manifest is not None:
        raise FileError(f"the manifest {path} cannot be used: {problem}")
    if problem:
        return RecordKey(sentence=f"{path.name} was not used: {problem}.")
    if isinstance(recorded, ImprovementManifest):  # an improved file is in the order of the masked one
        return find_record_key(source, path.parent / recorded.masked.file)
    return RecordKey(
        released_row_ids(recorded, source.data),
        f"Records were matched by the key in {path.name}.",
        recorded.repeatable().steps,
    )


def _problem(manifest: Manifest | ImprovementManifest, source: Source, masked: Path) -> str:
    """Return why a manifest is not that of the two files, or nothing."""
    if manifest.output.sha256 != file_sha256(masked):
        return f"{masked.name} is not the file that it was written for, or was changed since"
    original = manifest.input if isinstance(manifest, Manifest) else manifest.original
    return "" if original.sha256 == source.sha256 else f"{source.file.name} is not the original that it was written for"
