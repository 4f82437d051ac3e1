"""What an earlier release left under the same name: replaced where it can be made again, and its manifest kept."""

import shutil
from itertools import count
from pathlib import Path

from sfumato.errors import FileError
from sfumato.recipe.improvement_manifest import load_manifest
from sfumato.recipe.manifest import Manifest, manifest_path
from sfumato.storage.atomic import replace_file
from sfumato.storage.digests import file_sha256


def check_replaceable_output(output: Path, overwrite: bool) -> None:
    """Refuse to replace a file that cannot be made again, unless that is asked for.

    A file that is as the manifest beside it says can be made again: it is replaced, and its manifest is kept.
    """
    if output.exists() and not overwrite and _recorded_digest(output) != file_sha256(output):
        raise _refusal(output)


def check_replaceable_recipe(recipe: Path, output: Path, overwrite: bool) -> None:
    """Refuse to replace the recipe of an output where it is not as the manifest has it: somebody edited it."""
    if not recipe.exists() or overwrite:
        return
    try:
        recorded = load_manifest(manifest_path(output))
        is_recorded = isinstance(recorded, Manifest) and recipe.read_text(encoding="utf-8") == recorded.recipe.yaml
    except (FileError, OSError, UnicodeDecodeError):
        is_recorded = False
    if not is_recorded:
        raise _refusal(recipe)


def keep_earlier_manifest(output: Path, sha256: str) -> None:
    """Copy the manifest beside an output to a name of its own, unless it is of an output with the same SHA-256."""
    manifest = manifest_path(output)
    if not manifest.exists() or _recorded_digest(output) == sha256:
        return
    names = (manifest.with_name(f"{output.name}.manifest.earlier-{number}.json") for number in count(1))
    with replace_file(next(name for name in names if not name.exists()), overwrite=False, is_private=True) as copy:
        shutil.copy2(manifest, copy)


def _recorded_digest(output: Path) -> str | None:
    """Return the SHA-256 of the output that the manifest beside it was written for; None where none can be read."""
    try:
        return load_manifest(manifest_path(output)).output.sha256
    except FileError:
        return None


def _refusal(path: Path) -> FileError:
    return FileError(
        f"{path} exists already, and no manifest beside it tells how to make it again; choose another name, or give "
        f"the option overwrite to have it replaced"
    )
