"""A figure of a release report: its value, what it means in plain words, and how it was made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sfumato.display import format_compact, format_number, format_percent

PERCENT = "%"
COUNTS = ("records", "persons", "households", "variables", "values", "cells", "columns")
"""The units that count things."""
NOISE, TINY = 1e-9, 0.005  # percent: what adding up leaves, and what two decimals do not show
CHANCE = "chance"
"""The part of a figure that chance alone gives: it follows from the size of the file, and tells of nobody."""


class Side(StrEnum):
    """Which files a figure is about."""

    ORIGINAL = "original"
    RELEASED = "released"
    BOTH = "both"


@dataclass(frozen=True)
class Origin:
    """How a figure was made, so that it can be made again.

    Parameters
    ----------
    measure
        The name of the measure, or of the statistic where it is none of the measures.
    side
        The files that it was taken of.
    columns
        The columns that it looks at.
    part
        The part of the measure that it is; empty for the whole.
    parameters
        The other parameters of the measure.
    """

    measure: str
    side: Side
    columns: tuple[str, ...] = ()
    part: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the origin as plain values."""
        return {
            "measure": self.measure,
            "files": str(self.side),
            "columns": list(self.columns),
            "part": self.part,
            "parameters": dict(self.parameters),
        }


@dataclass(frozen=True)
class Words:
    """What a figure says to somebody who is no statistician.

    Parameters
    ----------
    label
        What it is called in a table.
    sentence
        What it says, with `{value}` in the place of the figure.
    good, bad
        What a good and a bad figure look like.
    definition
        How it is defined, in one or two sentences.
    term
        The entry of the glossary that it belongs to.
    """

    label: str
    sentence: str
    good: str
    bad: str
    definition: str
    term: str


@dataclass(frozen=True)
class ReportFigure:
    """One figure of a report.

    Parameters
    ----------
    path
        Where it stands in the report, such as `risk/keys/k/after`.
    value
        The figure; None where it is withheld, and `withheld` says what may be told of it.
    unit
        Its unit.
    label, sentence, good, bad, definition, term
        As in `Words`, the sentence with the figure in it.
    origin
        How it was made.
    interval
        The ends of its 95 % confidence interval, where there is one.
    remark
        What the measure itself says of the figure; for readers inside the house.
    withheld
        What is shown in place of a figure that is not told.
    persons
        How many original persons stand behind a share of other things, such as released records; None where it does
        not differ.
    base
        How many a share is of, where these are not the released records.
    fewest
        The smallest number of persons behind the rates that its sentence tells; None where it tells none.
    ceiling
        The smallest upper limit that it is within: what everybody reads in place of a small figure is no looser.
    is_rounded_up
        Whether everybody reads it rounded up to a step: to the digit it would tell figures of the original.
    is_one_over_count
        Whether it is one over a count, in percent: of a count below k everybody reads only that it is below.
    """

    path: str
    value: float | None
    unit: str
    label: str
    sentence: str
    good: str
    bad: str
    definition: str
    term: str
    origin: Origin
    interval: tuple[float, float] | None = None
    remark: str = ""
    withheld: str = ""
    ceiling: float | None = None
    persons: int | None = None
    base: int | None = None
    fewest: float | None = None
    is_rounded_up: bool = False
    is_one_over_count: bool = False

    @property
    def text(self) -> str:
        """The value with its unit, as people write it."""
        return self.withheld if self.value is None else format_value(self.value, self.unit)

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain values."""
        return {
            "path": self.path,
            "label": self.label,
            "value": self.value,
            "unit": self.unit,
            "text": self.text,
            "interval": None if self.interval is None else list(self.interval),
            "sentence": self.sentence,
            "good": self.good,
            "bad": self.bad,
            "definition": self.definition,
            "link": term_link(self.term),
            "remark": self.remark,
            "made_by": self.origin.to_dict(),
        }


def make_figure(
    path: str,
    value: float,
    unit: str,
    words: Words,
    origin: Origin,
    *,
    interval: tuple[float, float] | None = None,
    remark: str = "",
) -> ReportFigure:
    """Return a figure with its words, the value set into the sentence."""
    return ReportFigure(
        path=path,
        value=float(value),
        unit=unit,
        label=words.label,
        sentence=set_value(words.sentence, format_value(value, unit)),
        good=words.good,
        bad=words.bad,
        definition=words.definition,
        term=words.term,
        origin=origin,
        interval=interval,
        remark=remark,
    )


def set_value(sentence: str, text: str) -> str:
    """Return a sentence with a figure in its place; names in it may hold braces, so that it is no format string.

    Examples
    --------
    >>> set_value("{value} of the records are found by {town}.", "3 %")
    '3 % of the records are found by {town}.'
    """
    return sentence.replace("{value}", text)


def format_value(value: float, unit: str) -> str:
    """Return a value with its unit, in as many digits as people read.

    Examples
    --------
    >>> format_value(3.0, "records"), format_value(1.0, "records"), format_value(0.4, "records")
    ('3 records', '1 record', '0.4 records')
    >>> format_value(12.345, "%"), format_value(0.51234, "correlation"), format_value(123456.7, "in its own unit")
    ('12.35 %', '0.51', '123,456.7')
    >>> format_value(-0.001, "%"), format_value(1e-13, "%"), format_value(12_345_678.9, "EUR")
    ('below 0.01 %', '0 %', '12,345,679')
    """
    if value != value:
        return "not defined"
    if unit == PERCENT:
        return format_percent(0.0 if abs(value) < NOISE else abs(value) if abs(value) < TINY else value)
    if unit in COUNTS:
        noun = unit[:-1] if value == 1 else unit
        is_whole = value == int(value) or value >= 100
        return f"{format_number(value, 0 if is_whole else 1)} {noun}"
    if unit == "correlation":
        return format_number(value)
    if abs(value) >= 1000:
        return format_number(value, 1 if abs(value) < 1e6 else 0)
    return format_compact(value, 4)


def round_as_shown(value: float, unit: str) -> float:
    """Return a value with as many digits as the page shows.

    Examples
    --------
    >>> round_as_shown(100 * 12 / 359, "%"), round_as_shown(0.51234, "correlation"), round_as_shown(1234.56, "EUR")
    (3.34, 0.51, 1234.6)
    """
    if unit in COUNTS:
        return round(value, 0 if value >= 100 else 1)
    if unit in (PERCENT, "correlation"):
        return round(value, 2)
    return round(value, 0 if abs(value) >= 1e6 else 1) if abs(value) >= 1000 else float(format_compact(value, 4))


def in_sentence(text: str) -> str:
    """Return a title or a sentence as it goes on within another: without its capital, unless it is all capitals.

    Examples
    --------
    >>> in_sentence("Local suppression"), in_sentence("MDAV")
    ('local suppression', 'MDAV')
    """
    return text if text[1:2].isupper() else f"{text[:1].lower()}{text[1:]}"


def term_link(term: str) -> str:
    """Return the address of an entry of the glossary on the page.

    Examples
    --------
    >>> term_link("worst case")
    '#term-worst-case'
    """
    return f"#term-{term.replace(' ', '-')}"
