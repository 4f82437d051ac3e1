"""What the proof of an output is made of."""

from dataclasses import dataclass
from pathlib import Path

from sfumato.recipe.improvement_manifest import ImprovementManifest
from sfumato.recipe.manifest import FileFacts, Manifest, versions
from sfumato.storage.digests import file_sha256, text_sha256


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: its name, whether it is as the manifest says, and a sentence about it."""

    name: str
    passed: bool
    sentence: str


def text_check(name: str, text: str, sha256: str) -> Check:
    """Return whether the text of a recipe or an improver in a manifest is the one that was recorded."""
    if text_sha256(text) == sha256:
        return Check(name, True, f"the {name} in the manifest has its recorded SHA-256")
    return Check(name, False, f"the {name} in the manifest does not have its recorded SHA-256: it was changed")


def digest_check(name: str, file: Path, recorded: FileFacts) -> Check:
    """Return whether a file is the one that a manifest recorded."""
    if file_sha256(file) == recorded.sha256:
        return Check(name, True, f"the {name} {file.name} has its recorded SHA-256")
    return Check(
        name, False, f"the {name} {file.name} does not have its recorded SHA-256: it is another, or was changed"
    )


def other_versions(manifest: Manifest | ImprovementManifest) -> str:
    """Name the versions that changed since the output was made: they may be the reason."""
    now = versions()
    changed = [
        f"{name} {then}, now {now[name]}" for name, then in manifest.versions.items() if now.get(name, then) != then
    ]
    changed += [f"{name} of {package}" for name, package in manifest.plugins.items()]
    return f" (made with {'; '.join(changed)})" if changed else ""
