"""Improve a masked file that lies beside its original: read both, write the improved file with its manifest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from sfumato import files
from sfumato.assessment.matching import as_described, matched
from sfumato.contracts import Improver
from sfumato.contracts.improvement import Improvement
from sfumato.data import Microdata, Schema
from sfumato.errors import FileError
from sfumato.files.sidecar import sidecar_of
from sfumato.recipe.improvement_facts import ImprovementFacts
from sfumato.recipe.improvement_manifest import ImprovementManifest, ImproverFacts
from sfumato.recipe.manifest import schema_lines, versions
from sfumato.recipe.recipe import generator
from sfumato.recipe.release import check_output, facts_of, published, schema_for
from sfumato.storage.digests import file_sha256


@dataclass(frozen=True, eq=False)
class FilePair:
    """An original file and its masked form, read.

    Parameters
    ----------
    original, masked
        The records; the row ids of the masked ones tell which original each came from.
    original_file, masked_file
        Where they were read from.
    schema
        What was said of the original's columns.
    how
        A sentence that says how the records were matched.
    """

    original: Microdata
    masked: Microdata
    original_file: Path
    masked_file: Path
    schema: Schema
    how: str


def read_pair(original: Path, masked: Path, schema: Schema | Path | None) -> FilePair:
    """Read both files; records are matched by an identifier, else by their order."""
    known = schema_for(original, schema)
    before = files.read(original, known)
    after, how = matched(before, as_described(files.read(masked), before.schema))
    return FilePair(before, after, original, masked, known, how)


def improved(pair: FilePair, improver: Improver, seed: int) -> Improvement:
    """Return what the improver makes of the masked file."""
    return improver.improve(pair.original, pair.masked, generator(seed, 0))


def check_outputs(output: Path, inputs: Sequence[Path], trace: Path | None = None) -> None:
    """Refuse an output or a trace that would take the place of another file, before any work is done."""
    for source in inputs:
        check_output(output, source, [])
    if trace is None:
        return
    if not trace.parent.is_dir():
        raise FileError(f"{trace} cannot be written: there is no folder {trace.parent}; make it first")
    taken = [*inputs, output, sidecar_of(output), *(sidecar_of(source) for source in inputs)]
    if trace.resolve() in [path.resolve() for path in taken]:
        raise FileError(f"the trace {trace} would take the place of another file; choose another name")


def write_improved(
    pair: FilePair, improver: Improver, improvement: Improvement, seed: int, output: Path, started: datetime
) -> ImprovementManifest:
    """Write the improved file and its manifest: both, or neither."""
    folder = output.parent

    def manifest() -> ImprovementManifest:
        return ImprovementManifest(
            sfumato=version("sfumato"),
            versions=versions(),
            started=started,
            seconds=round((datetime.now(UTC) - started).total_seconds(), 3),
            original=facts_of(pair.original_file, file_sha256(pair.original_file), pair.original, folder),
            masked=facts_of(pair.masked_file, file_sha256(pair.masked_file), pair.masked, folder),
            original_schema=schema_lines(pair.schema),
            improver=ImproverFacts.of(improver),
            seed=seed,
            output=facts_of(output, file_sha256(output), improvement.data, folder),
            improvement=ImprovementFacts.of(improvement),
        )

    return published(improvement.data, output, manifest)
