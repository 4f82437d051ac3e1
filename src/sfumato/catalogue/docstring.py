"""Take a docstring apart: summary, parameters, titled sections, example."""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

UNDERLINE = re.compile(r"-{3,}")
PARAMETER_NAMES = re.compile(r"[a-z_]\w*(, [a-z_]\w*)*")
EXAMPLES = "Examples"
PARAMETERS = "Parameters"


class Block(NamedTuple):
    """A heading, whether it is underlined, and the lines below it; the opening of a docstring has the heading ''."""

    heading: str
    underlined: bool
    lines: list[str]


@dataclass(frozen=True)
class Docstring:
    """The parts of a docstring, each paragraph on one line.

    Parameters
    ----------
    summary, details
        The first paragraph, and the paragraphs between it and the first heading.
    parameters
        The text of each parameter by name.
    sections
        The text of each other section by its heading, in the order written.
    example
        The running example, as written.
    """

    summary: str = ""
    details: str = ""
    parameters: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    sections: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    example: str = ""


def parse_docstring(text: str) -> Docstring:
    r"""Return the parts of a docstring.

    A heading is a line over a rule of dashes, or a line over an indented block. Under `Parameters` a block that has the
    name of a parameter, or several, as its heading is about these parameters; any other block ends the list.

    Examples
    --------
    >>> parsed = parse_docstring("Round values.\n\nParameters\n---\nbase\n    The base.\n\nSource\n    A paper.")
    >>> parsed.summary, dict(parsed.parameters), dict(parsed.sections)
    ('Round values.', {'base': 'The base.'}, {'Source': 'A paper.'})
    """
    opening, *blocks = _blocks(inspect.cleandoc(text).splitlines())
    summary, _, details = _unwrap(opening.lines).partition("\n\n")
    parameters: dict[str, str] = {}
    sections: dict[str, str] = {}
    example = ""
    listing = False
    for heading, underlined, lines in blocks:
        listing = heading == PARAMETERS if underlined else listing and PARAMETER_NAMES.fullmatch(heading) is not None
        if heading == EXAMPLES:
            example = inspect.cleandoc("\n".join(lines))
        elif listing and not underlined:
            parameters |= dict.fromkeys(heading.split(", "), _unwrap(lines))
        elif heading != PARAMETERS:
            sections[heading] = _unwrap(lines)
    return Docstring(summary, details, MappingProxyType(parameters), MappingProxyType(sections), example)


def _blocks(lines: list[str]) -> Iterator[Block]:
    block = Block("", False, [])
    for number, line in enumerate(lines):
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if line and UNDERLINE.fullmatch(below):
            yield block
            block = Block(line, True, [])
        elif block.heading != EXAMPLES and _heads_a_block(line, below, lines[number - 1] if number else ""):
            yield block
            block = Block(line, False, [])
        elif not (UNDERLINE.fullmatch(line) and block.underlined and not block.lines):
            block.lines.append(line)
    yield block


def _heads_a_block(line: str, below: str, above: str) -> bool:
    """Tell a heading over an indented block from a paragraph that an indented formula follows."""
    begins = not above or above.startswith(" ") or UNDERLINE.fullmatch(above) is not None
    return begins and line[:1].strip() != "" and below.startswith("    ") and line[-1] not in ".:;,"


def _unwrap(lines: list[str]) -> str:
    """Return the text with each paragraph on one line; lists and indented lines stay as they are."""
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc("\n".join(["", *lines])).strip())
    return "\n\n".join(text if re.search(r"^(- |\s)", text, re.MULTILINE) else _one_line(text) for text in paragraphs)


def _one_line(text: str) -> str:
    return " ".join(text.split())
