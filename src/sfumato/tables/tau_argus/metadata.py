"""The metadata of a tau-Argus table (.rda): what each field of its lines is."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from sfumato.errors import FileError

WORD = re.compile(r'"([^"]*)"|(\S+)')
LETTERS = {"<SAFE>": "S", "<UNSAFE>": "U", "<PROTECT>": "P"}
OTHER_WORDS = {"<COSTVAR>": "<COST>"}


class Part(StrEnum):
    """What a field of a table's lines is for, by the keyword that says so."""

    DIMENSION = "<RECODEABLE>"
    VALUE = "<NUMERIC>"
    SHADOW = "<SHADOW>"
    COST = "<COST>"
    LOWER_LEVEL = "<LOWERPL>"
    UPPER_LEVEL = "<UPPERPL>"
    COUNT = "<FREQUENCY>"
    LARGEST = "<MAXSCORE>"
    STATUS = "<STATUS>"


@dataclass(frozen=True)
class Field:
    """One field of the lines.

    Parameters
    ----------
    name
        What it is called.
    part
        What it is for.
    total
        The code of the total, for a dimension.
    hierarchy_file, lead
        The file of its hierarchy and the mark of levels in it, for a dimension that has one.
    digits
        How many characters of the codes each level adds, for a dimension whose codes say its hierarchy.
    decimals
        How many decimals its numbers have.
    missing
        The codes of records without one.
    """

    name: str
    part: Part
    total: str = "Total"
    hierarchy_file: str = ""
    lead: str = "@"
    digits: tuple[int, ...] = ()
    decimals: int = 0
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Metadata:
    """The fields of a table's lines, what parts them, and the letters of its statuses.

    Parameters
    ----------
    fields
        In the order of the lines.
    separator
        What stands between fields.
    letters
        The letter for each of `<SAFE>`, `<UNSAFE>` and `<PROTECT>`.
    """

    fields: tuple[Field, ...]
    separator: str = ","
    letters: dict[str, str] = field(default_factory=LETTERS.copy)

    def names_of(self, part: Part) -> list[str]:
        """Return the names of the fields of one part."""
        return [entry.name for entry in self.fields if entry.part is part]


def parse_metadata(text: str, source: str) -> Metadata:
    """Read metadata, or say what cannot be read in them.

    Parameters
    ----------
    text
        The content of the file.
    source
        The file's name, for messages.
    """
    general: dict[str, list[str]] = {}
    variables: dict[str, dict[str, list[str]]] = {}
    missing: dict[str, tuple[str, ...]] = {}
    options = general
    for number, line in enumerate(text.splitlines(), start=1):
        words = [quoted or plain for quoted, plain in WORD.findall(line)]
        if words and not words[0].startswith("<"):
            if words[0] in variables:
                raise FileError(f"{source}, line {number}: variable '{words[0]}' is described already")
            options = variables.setdefault(words[0], {})
            missing[words[0]] = tuple(quoted for quoted, _ in WORD.findall(line)[1:] if quoted)
        elif words:
            values = options.setdefault(_keyword(words[0]), [])
            for word in words[1:]:
                if word.startswith("<"):  # as in <NUMERIC> <COST>
                    values = options.setdefault(_keyword(word), [])
                else:
                    values.append(word)
    letters = {keyword: _first(general, keyword, letter) for keyword, letter in LETTERS.items()}
    fields = tuple(_field(name, options, missing[name], source) for name, options in variables.items())
    return Metadata(fields, _first(general, "<SEPARATOR>", ","), letters)


def is_separator(text: str) -> bool:
    """Tell whether a text can stand between fields: one character, neither a quote nor the end of a line."""
    return len(text) == 1 and text not in '"\r\n'


def format_metadata(metadata: Metadata) -> str:
    """Return metadata as text."""
    lines = [f'<SEPARATOR> "{metadata.separator}"']
    if metadata.names_of(Part.STATUS):
        lines += [f"{keyword} {letter}" for keyword, letter in metadata.letters.items()]
    for entry in metadata.fields:
        lines.append(entry.name)
        if entry.part is Part.DIMENSION:
            lines += [f"  {entry.part}", f'  <TOTCODE> "{entry.total}"']
            if entry.hierarchy_file:
                lines.append("  <HIERARCHICAL>")
                lines.append(f'  <HIERCODELIST> "{entry.hierarchy_file}"')
                lines.append(f'  <HIERLEADSTRING> "{entry.lead}"')
        elif entry.part in (Part.SHADOW, Part.COST, Part.LOWER_LEVEL, Part.UPPER_LEVEL):
            lines.append(f"  {Part.VALUE} {entry.part}")
        else:
            lines.append(f"  {entry.part}")
        if entry.decimals:
            lines.append(f"  <DECIMALS> {entry.decimals}")
    return "\n".join(lines) + "\n"


def _keyword(word: str) -> str:
    return OTHER_WORDS.get(word.upper(), word.upper())


def _field(name: str, options: dict[str, list[str]], missing: tuple[str, ...], source: str) -> Field:
    """Return the field that the options of a variable describe."""
    order = [part for part in Part if part is not Part.VALUE] + [Part.VALUE]  # <NUMERIC> goes with some of the others
    parts = [part for part in order if part.value in options]
    if not parts and "<HIERARCHICAL>" not in options:
        raise FileError(
            f"{source}: variable '{name}' has none of {', '.join(part.value for part in Part)}; add what it is"
        )
    return Field(
        name,
        parts[0] if parts else Part.DIMENSION,
        total=_first(options, "<TOTCODE>", "Total"),
        hierarchy_file=_first(options, "<HIERCODELIST>", ""),
        lead=_first(options, "<HIERLEADSTRING>", "@"),
        digits=tuple(int(word) for word in options.get("<HIERLEVELS>", []) if word.isdigit()),
        decimals=_decimals(name, options, source),
        missing=missing,
    )


def _decimals(name: str, options: dict[str, list[str]], source: str) -> int:
    word = _first(options, "<DECIMALS>", "0")
    if not (word.isascii() and word.isdigit()):
        raise FileError(f"{source}: variable '{name}': <DECIMALS> must be a whole number, 0 or more; got '{word}'")
    return int(word)


def _first(options: dict[str, list[str]], keyword: str, default: str) -> str:
    """Return the first word after a keyword."""
    return (options.get(keyword) or [default])[0]
