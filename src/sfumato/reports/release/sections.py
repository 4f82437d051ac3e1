"""What a report consists of: sections, and the parts of a section, as values that any edition can be made from."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Audience(StrEnum):
    """Who may read a part of a report."""

    HOUSE = "house"
    """Only those who may see the original file."""
    ALL = "all"
    """Everybody."""
    PUBLIC = "public"
    """Only readers of the public edition: it stands for a part that the house sees at more length."""


class Emphasis(StrEnum):
    """How much a paragraph stands out."""

    PLAIN = "plain"
    VERDICT = "verdict"
    """What the report comes to."""
    NOTICE = "notice"
    """What must not be overlooked."""


class LimitOutcome(StrEnum):
    """What came of a limit."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown to be met"
    """No attack that was tried exceeds it, and it is not proven that none does."""


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    text: str
    emphasis: Emphasis = Emphasis.PLAIN
    audience: Audience = Audience.HOUSE


@dataclass(frozen=True)
class Subheading:
    """A heading within a section."""

    text: str
    audience: Audience = Audience.HOUSE


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    entries: tuple[str, ...]
    audience: Audience = Audience.HOUSE


@dataclass(frozen=True)
class Code:
    """Text whose lines stay as they are, such as a recipe."""

    title: str
    text: str
    audience: Audience = Audience.HOUSE


@dataclass(frozen=True)
class WordTable:
    """A table of words: the first cell of a row names it.

    Parameters
    ----------
    title
        What it is about.
    headings
        The headings of its columns.
    rows
        Its rows.
    audience
        Who may read it.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    audience: Audience = Audience.HOUSE


@dataclass(frozen=True)
class Form:
    """What readers fill in on paper: a line for each field."""

    title: str
    fields: tuple[str, ...]
    audience: Audience = Audience.HOUSE


@dataclass(frozen=True)
class FigureRow:
    """A row of a table of figures.

    Parameters
    ----------
    label
        What it is about.
    paths
        The figure of each column; empty where there is none.
    explained
        The figure whose sentence, good and bad are shown beside; empty for none.
    outcome
        What came of a limit on it, where it has one.
    """

    label: str
    paths: tuple[str, ...]
    explained: str = ""
    outcome: LimitOutcome | None = None


@dataclass(frozen=True)
class FigureTable:
    """A table of figures, named by their paths.

    Parameters
    ----------
    title
        What it is about.
    headings
        What the columns of figures hold.
    rows
        Its rows.
    audience
        Who may read it; of what everybody may, `public_columns` are the columns of figures that may leave the house.
    public_columns
        The places of the columns of figures that everybody may read.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[FigureRow, ...]
    audience: Audience = Audience.HOUSE
    public_columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class CellTable:
    """The cells of a table as they are published, the figures of one unit.

    Parameters
    ----------
    title, sentence
        What it shows, and what its marks mean.
    unit, definition
        The unit of its figures, and how they are defined.
    stubs, headings
        The headings of the columns that name a row, and of those that hold figures.
    rows
        Its rows: names, then figures as they are published.
    audience
        Who may read it.
    """

    title: str
    sentence: str
    unit: str
    definition: str
    stubs: tuple[str, ...]
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    audience: Audience = Audience.HOUSE


class ChartKind(StrEnum):
    """How a chart is drawn."""

    CLASSES = "classes"
    """Bars of shares in classes, before and after."""
    COLUMNS = "columns"
    """One small picture a column."""
    CORRELATIONS = "correlations"
    """A map of correlations, before and after."""
    MAP = "map"
    """Risk against loss."""


@dataclass(frozen=True)
class Chart:
    """A chart: its numbers with what they mean; how it is drawn is a matter of rendering.

    Parameters
    ----------
    kind
        How it is drawn.
    path
        Where it stands in the report.
    title, sentence, alt
        What it is about, what it says, and what is told to somebody who cannot see it.
    unit, definition
        The unit of its numbers, and how they are defined.
    data
        The numbers by name, as plain lists.
    audience
        Who may see it.
    """

    kind: ChartKind
    path: str
    title: str
    sentence: str
    alt: str
    unit: str
    definition: str
    data: Mapping[str, Any] = field(default_factory=dict)
    audience: Audience = Audience.HOUSE


Part = Prose | Subheading | Bullets | Code | WordTable | Form | FigureTable | CellTable | Chart


@dataclass(frozen=True)
class Section:
    """A section of a report."""

    key: str
    title: str
    parts: tuple[Part, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values."""
        return {"key": self.key, "title": self.title, "parts": [_plain(part) for part in self.parts]}


def _plain(part: Part) -> dict[str, Any]:
    content = asdict(part)
    content.pop("audience")
    content.pop("public_columns", None)
    return {"type": type(part).__name__, **content}
