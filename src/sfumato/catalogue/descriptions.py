"""Describe a method, measure or table protection: everything that its class says of itself, as plain values."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.catalogue.docstring import parse_docstring
from sfumato.catalogue.parameters import Parameter, parameters_of
from sfumato.contracts import Named
from sfumato.display import Table, detail_column, header_column, text_column

MEANING_SENTENCES = 2  # of what a measure means, on a page


@dataclass(frozen=True)
class Description:
    """What a method or measure says of itself.

    Parameters
    ----------
    name, class_name, title
        Its name in recipes, in Python, and in words.
    summary, details
        What it does, in a sentence and at more length.
    family, kinds, layout, symbol
        Its family, the kinds of column it takes, how a file is cut for it (methods), its short symbol (measures).
    parameters
        Its parameters, in order.
    sections
        The sections of its docstring by their heading, such as `Effect on risk`, `Missing values` and `Source`.
    example
        Its running example.
    """

    name: str
    class_name: str
    title: str
    summary: str
    details: str
    family: str
    kinds: tuple[str, ...]
    layout: str
    symbol: str
    parameters: tuple[Parameter, ...]
    sections: Mapping[str, str]
    example: str

    def to_table(self) -> Table:
        """Return the parameters."""
        return Table(
            columns=(header_column("name"), *map(text_column, ("range", "default")), detail_column("meaning")),
            rows=tuple((one.name, one.range, one.default or "", one.text) for one in self.parameters),
            title="Parameters",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the description as plain dicts, lists and texts, ready for JSON."""
        plain = {**vars(self), "kinds": list(self.kinds), "sections": dict(self.sections)}
        return {**plain, "parameters": [dict(vars(parameter)) for parameter in self.parameters]}


def describe(record: type[Named]) -> Description:
    """Return what a method, measure, improver, table protection or sensitivity rule says of itself."""
    parsed = parse_docstring(record.__doc__ or "")
    return Description(
        name=record.name(),
        class_name=record.__name__,
        title=title_of(record),
        summary=parsed.summary,
        details=parsed.details,
        family=getattr(record, "family", ""),
        kinds=tuple(sorted(getattr(record, "kinds", ()))),
        layout=str(getattr(record, "layout", "")),
        symbol=getattr(record, "symbol", ""),
        parameters=parameters_of(record, parsed.parameters),
        sections=parsed.sections,
        example=parsed.example,
    )


def plain_meaning(about: Description) -> str:
    """Return in one or two sentences, for a reader without the manual, what the figures of a measure mean."""
    sentences = about.sections.get("Meaning", about.summary).replace("`", "").replace("\n", " ").split(". ")
    return ". ".join(sentences[:MEANING_SENTENCES]).rstrip(".") + "."


def title_of(record: type[Named]) -> str:
    """Return the name in words, written as its file's first line writes it: `MDAV`, not `Mdav`."""
    title = (sys.modules[record.__module__].__doc__ or "").partition(":")[0]
    is_the_name = re.sub(r"\W+", "_", title).lower() == record.name()
    return title if is_the_name else record.name().replace("_", " ").capitalize()
