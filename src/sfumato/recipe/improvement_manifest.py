"""The manifest beside an improved file: what was improved, how, with what seed, and what came out."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import AwareDatetime, Field, InstanceOf

from sfumato.contracts import Improver
from sfumato.data import Schema
from sfumato.documents import Record, dump, load
from sfumato.files import ReadOptions, WriteOptions
from sfumato.recipe.entries import IMPROVER
from sfumato.recipe.improvement_facts import ImprovementFacts
from sfumato.recipe.manifest import (
    FileFacts,
    Manifest,
    StoredManifest,
    join_lines,
    json_object,
    schema_of,
    split_lines,
)
from sfumato.storage.digests import text_sha256

CONFIDENTIAL = (
    "This manifest holds the seed of the random changes: whoever has it and the improved file could tell how records "
    "were changed. Keep it with the original data and do not publish it."
)


class ImproverDocument(Record):
    """An improver as it stands in a recipe."""

    improve: Annotated[InstanceOf[Improver], IMPROVER]


class ImproverFacts(Record):
    """An improver as it was: its YAML line by line, with the SHA-256 of that text."""

    sha256: str
    text: tuple[str, ...]

    @classmethod
    def of(cls, improver: Improver) -> Self:
        """Return what a manifest says of an improver."""
        text = dump(ImproverDocument(improve=improver))
        return cls(sha256=text_sha256(text), text=split_lines(text))

    @property
    def yaml(self) -> str:
        """The improver as one text, as it would stand in a recipe."""
        return join_lines(self.text)


class ImprovementManifest(StoredManifest):
    """All that is needed to make an improved file again, and to prove that it was made so.

    Parameters
    ----------
    confidential
        Why the manifest must not be published.
    sfumato, versions
        The version of Sfumato, and those of Python and of the libraries that computed.
    plugins
        The improver, if it is not Sfumato's own, with the package and version it came from.
    started, seconds
        When the run began, in UTC, and how long it took.
    original, masked, output
        The original file, the masked file that was improved, and the file that came out.
    read_options, original_schema
        What the reader of both files was told beyond their names; the schema of the original, given or found beside
        it, as lines of YAML.
    improver
        The improver with its parameters.
    seed
        The seed of the run: given, or drawn for it.
    write_options
        How the output is written, what was taken over from the input included.
    improvement
        What came of it.
    """

    confidential: str = CONFIDENTIAL
    sfumato: str
    versions: dict[str, str]
    plugins: dict[str, str] = Field(default_factory=dict)
    started: AwareDatetime
    seconds: float
    original: FileFacts
    masked: FileFacts
    read_options: ReadOptions = ReadOptions()
    original_schema: tuple[str, ...] = ()
    improver: ImproverFacts
    seed: int = Field(ge=0)
    output: FileFacts
    write_options: WriteOptions = WriteOptions()
    improvement: ImprovementFacts

    def repeatable(self) -> Improver:
        """Return the improver."""
        return load(self.improver.yaml, ImproverDocument, "improver").improve

    def schema_given(self) -> Schema:
        """Return the schema that the reader of the original was given; one without variables when there was none."""
        return schema_of(self.original_schema)


def load_manifest(path: str | Path) -> Manifest | ImprovementManifest:
    """Read the manifest of a masked or of an improved file."""
    return ImprovementManifest.load(path) if "improver" in json_object(path) else Manifest.load(path)
