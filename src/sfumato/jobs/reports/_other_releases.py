"""Other releases of the same original, by the manifests that lie beside a released file."""

from collections.abc import Collection
from pathlib import Path

from sfumato.errors import SfumatoError
from sfumato.recipe import Manifest
from sfumato.recipe.improvement_manifest import load_manifest

MANIFESTS = "*.manifest.json"
MAX_FILES = 200  # of a kind in a folder: more are not read


def other_releases(digests: Collection[str], released: Path, folder: Path) -> tuple[str, ...]:
    """Return the files that manifests name as made from the same original, each with its date, but the one released.

    Only the folders of the released file and the one that is named are looked at. `digests` are the SHA-256 of the
    original, or of its parts: what was made from one of them has the same persons.
    """
    found: dict[Path, str] = {}
    for path in files_beside(released, folder, MANIFESTS):
        try:
            recorded = load_manifest(path)
        except SfumatoError:
            continue
        if not isinstance(recorded, Manifest) or not _digests(recorded).intersection(digests):
            continue
        made = path.parent / recorded.output.file
        if made.resolve() != released.resolve():
            found[made.resolve()] = f"{made.name} ({recorded.started.date().isoformat()})"
    return tuple(sorted(found.values()))


def other_release_notices(manifest: Manifest, output: Path) -> tuple[str, ...]:
    """Return in a sentence which other releases of the same original lie beside an output; nothing where none does."""
    found = other_releases(_digests(manifest), output, output.parent)
    if not found:
        return ()
    return (
        f"Other releases of the same original, by the manifests beside it: {', '.join(found)}. What several releases "
        f"tell together was not counted: columns that both show as they are link their records, and each may show "
        f"what the other hides. Do not give both to the same readers.",
    )


def _digests(manifest: Manifest) -> set[str]:
    """Return the SHA-256 of what was masked, and of each part."""
    return {manifest.input.sha256, *(part.sha256 for part in manifest.input.parts or ())}


def files_beside(file: Path, folder: Path, pattern: str) -> list[Path]:
    """Return the files of a pattern beside a file and in a folder."""
    folders = {file.resolve().parent, folder.resolve()}
    return [path for one in sorted(folders) if one.is_dir() for path in sorted(one.glob(pattern))[:MAX_FILES]]
