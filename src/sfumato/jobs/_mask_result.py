"""What masking a file gives: the file, or folder of parts, and its manifest."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.display import format_count
from sfumato.jobs.result import JobResult
from sfumato.recipe import Manifest, manifest_path


@dataclass(frozen=True, kw_only=True)
class MaskResult(JobResult):
    """A masked file, and its manifest."""

    output: Path
    manifest: Manifest

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest."""
        return self.manifest.model_dump(mode="json")

    def __str__(self) -> str:
        return "\n".join(written_files(self.output, self.manifest))


def written_files(output: Path, manifest: Manifest) -> list[str]:
    """Return a line for the masked file and one for its manifest."""
    facts = manifest.output
    size = [format_count(facts.rows, "record"), format_count(facts.columns, "column")]
    size += [] if facts.parts is None else [format_count(len(facts.parts), "part")]
    return [
        f"{output}: {', '.join(size)}, in {manifest.seconds:.1f} s",
        f"{manifest_path(output)}: recipe, seed, versions and checksums",
    ]
