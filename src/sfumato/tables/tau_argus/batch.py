"""Batches of tau-Argus (.arb): which files hold the data, which tables are asked for, and how they are protected."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from sfumato.data.hierarchy_files import text_of_file
from sfumato.errors import FileError, did_you_mean

COMMAND = re.compile(r"^\s*<(\w+)>\s*(.*?)\s*$")
QUOTED = re.compile(r'"([^"]*)"')
CALL = re.compile(r"([A-Za-z]+)\s*\(([^)]*)\)")
MICRODATA, METADATA, TABLE_DATA = "OPENMICRODATA", "OPENMETADATA", "OPENTABLEDATA"
SPECIFY, RULE, APRIORI, SUPPRESS, WRITE = "SPECIFYTABLE", "SAFETYRULE", "APRIORI", "SUPPRESS", "WRITETABLE"
RECODE, READ = "RECODE", "READTABLE"
COMPUTED = "1"  # totals, by the number behind READTABLE
WITHOUT_EFFECT = {
    "READMICRODATA",
    "LOGBOOK",
    "VERSIONINFO",
    "INTERACTIVE",
    "GOINTERACTIVE",
    "SILENT",
    "CLEAR",
    "SOLVER",
}
HEURISTICS = ("MOD", "GH", "NET")  # ways to suppress that one method stands for here; the first also says of singletons
KNOWN = {MICRODATA, METADATA, TABLE_DATA, SPECIFY, RULE, APRIORI, SUPPRESS, WRITE, RECODE, READ, *WITHOUT_EFFECT}


@dataclass(frozen=True)
class Call:
    """A word with numbers, as in `P(15,1)` or `MOD(1,5,1,1,1)`.

    Parameters
    ----------
    name
        The word, in capitals.
    numbers
        What stands in the brackets.
    """

    name: str
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Apriori:
    """A file of what is decided of cells beforehand (.hst), and what stands between its fields."""

    path: Path
    separator: str


@dataclass(frozen=True)
class Recoding:
    """A variable whose codes are made coarser in all tables.

    Parameters
    ----------
    name
        The variable.
    depth
        Below which level of its hierarchy nothing is told, from 1; None where a file says how.
    path
        The file (.grc); None where a level does.
    """

    name: str
    depth: int | None = None
    path: Path | None = None


@dataclass
class BatchTable:
    """One table of a batch.

    Parameters
    ----------
    dimensions
        Its dimensions.
    value
        The variable that is added up; empty for counts.
    shadow, cost
        The variables by which cells are judged, and that say what suppressing costs; empty where none is named.
    rules
        The safety rules.
    data
        The file of its cells, for tables that are not made of records.
    metadata
        What the fields of the data are.
    apriori
        What is decided of cells beforehand.
    output
        The file that the batch writes it to; empty where it writes none.
    """

    dimensions: tuple[str, ...]
    value: str = ""
    shadow: str = ""
    cost: str = ""
    rules: tuple[Call, ...] = ()
    data: Path | None = None
    metadata: Path | None = None
    apriori: list[Apriori] = field(default_factory=list)
    output: str = ""


@dataclass(frozen=True)
class Batch:
    """What a batch asks for.

    Parameters
    ----------
    microdata, metadata
        The records, and what their fields are; None where tables have files of cells.
    tables
        The tables, in their order.
    suppression
        How they are protected; None where the batch does not say.
    is_linked
        Whether all tables are protected together.
    recodings
        The variables that are made coarser, in their order.
    computes_totals
        Whether totals of given cells are computed anew from their parts.
    """

    microdata: Path | None
    metadata: Path | None
    tables: tuple[BatchTable, ...]
    suppression: Call | None
    is_linked: bool
    recodings: tuple[Recoding, ...] = ()
    computes_totals: bool = False


def read_batch(path: Path | str) -> Batch:
    """Read a batch, or say which line cannot be read.

    Parameters
    ----------
    path
        The batch (.arb). Files that it names are looked for where it says, then beside it.
    """
    reader = _Reader(Path(path))
    for number, line in enumerate(text_of_file(path).splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("//"):
            reader.take(line, number)
    return reader.batch()


class _Reader:
    """Takes the lines of a batch one by one."""

    def __init__(self, path: Path) -> None:
        self._path, self._line = path, 0
        self._microdata: Path | None = None
        self._metadata: Path | None = None
        self._table_data: Path | None = None
        self._tables: list[BatchTable] = []
        self._suppressions: list[Call] = []
        self._recodings: list[Recoding] = []
        self._computes_totals = False

    def take(self, line: str, number: int) -> None:
        self._line = number
        found = COMMAND.match(line)
        if found is None:
            raise self._error("expected a command, as in '<READMICRODATA>'")
        name, rest = found[1].upper(), found[2]
        if name not in KNOWN:
            raise self._error(f"there is no command '<{name}>'{did_you_mean(name, KNOWN)}")
        if name == MICRODATA:
            self._microdata = self._file(rest)
        elif name == TABLE_DATA:
            self._table_data = self._file(rest)
        elif name == METADATA:
            self._metadata = self._file(rest)
        elif name == SPECIFY:
            self._specify(rest)
        elif name == RULE:
            self._last().rules = tuple(self._calls(rest))
        elif name == READ:
            self._computes_totals = rest.startswith(COMPUTED)
        elif name == RECODE:
            self._recode(rest)
        elif name == APRIORI:
            self._apriori(rest)
        elif name == SUPPRESS:
            self._suppressions += self._calls(rest)
        elif name == WRITE:
            self._write(rest)

    def batch(self) -> Batch:
        if not self._tables:
            raise FileError(f"{self._path} asks for no table; it needs a line '<SPECIFYTABLE>'")
        methods = {call.name for call in self._suppressions}
        if len(methods) > 1 and not methods <= set(HEURISTICS):
            raise FileError(
                f"{self._path}: its tables are protected in different ways ({', '.join(sorted(methods))}); make a "
                "batch of each"
            )
        is_linked = any(call.numbers[:1] == (0.0,) for call in self._suppressions)
        suppression = min(self._suppressions, key=lambda call: call.name != HEURISTICS[0], default=None)
        is_micro = self._microdata is not None
        return Batch(
            self._microdata,
            self._metadata if is_micro else None,
            tuple(self._tables),
            suppression,
            is_linked,
            tuple(self._recodings),
            self._computes_totals,
        )

    def _specify(self, rest: str) -> None:
        dimensions, *others = rest.split("|")
        names = tuple(QUOTED.findall(dimensions))
        if not names:
            raise self._error('expected dimensions in quotes, as in \'"Size""Region"|"Turnover"||\'')
        value, shadow, cost = (*(_word(other) for other in others), "", "", "")[:3]
        value = "" if value.lower() in ("<freq>", "freq") else value
        shadow, cost = (
            "" if one == value else one for one in (shadow, cost)
        )  # the response is both where none is named
        self._tables.append(BatchTable(names, value, shadow, cost, data=self._table_data, metadata=self._metadata))

    def _recode(self, rest: str) -> None:
        words = [word.strip().strip('"') for word in rest.split(",", 2)]
        if len(words) < 3 or not words[0].isdigit():
            raise self._error("expected a table, a variable, and a level or a file, as in '1, Size, \"Size.grc\"'")
        dimensions = self._table(int(words[0]) - 1).dimensions
        names = {name.lower(): name for name in dimensions}
        if words[1].lower() not in names:
            raise self._error(f"table {words[0]} has no dimension '{words[1]}'; it has {', '.join(dimensions)}")
        level = int(words[2]) if len(words[2]) == 1 and words[2] in "123456789" else None
        path = self._file(words[2]) if level is None else None
        self._recodings.append(Recoding(names[words[1].lower()], level, path))

    def _apriori(self, rest: str) -> None:
        quoted = QUOTED.findall(rest)
        if not quoted:
            raise self._error('expected a file in quotes, as in \'"table.hst",1,","\'')
        after = rest.split('"', 2)[2] if rest.count('"') >= 2 else ""
        numbers = re.findall(r"\d+", after)
        place = int(numbers[0]) - 1 if numbers else len(self._tables) - 1
        separator = quoted[1] if len(quoted) > 1 and quoted[1] else ","
        self._table(place).apriori.append(Apriori(self._file(rest), separator))

    def _write(self, rest: str) -> None:
        place = re.search(r"\(\s*(\d+)", rest)
        quoted = QUOTED.findall(rest)
        if place and quoted:
            self._table(int(place[1]) - 1).output = Path(quoted[-1].replace("\\", "/")).name

    def _calls(self, rest: str) -> list[Call]:
        plain = rest.replace('"', "")
        found = [
            Call(name.upper(), tuple(float(word) for word in inside.split(",") if word.strip()))
            for name, inside in CALL.findall(plain)
        ]
        if not found and plain.strip():
            raise self._error("expected a word with numbers, as in 'P(10,1)' or 'MOD(1,5,1,1,1)'")
        return found

    def _file(self, rest: str) -> Path:
        quoted = QUOTED.findall(rest)
        name = Path((quoted[0] if quoted else rest).replace("\\", "/"))
        for place in (name, self._path.parent / name, self._path.parent / name.name):
            if place.is_file():
                return place
        raise self._error(f"there is no file {name}, neither there nor beside the batch")

    def _last(self) -> BatchTable:
        return self._table(len(self._tables) - 1)

    def _table(self, place: int) -> BatchTable:
        if not 0 <= place < len(self._tables):
            raise self._error(f"there is no table {place + 1} before this line; there are {len(self._tables)}")
        return self._tables[place]

    def _error(self, what: str) -> FileError:
        return FileError(f"{self._path}, line {self._line}: {what}")


def _word(text: str) -> str:
    quoted = QUOTED.findall(text)
    return quoted[0] if quoted else text.strip()
