"""Templates: a file with a row for each table of a publication, as publishers and rtauargus keep them."""

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import Hierarchy
from sfumato.data.hierarchy_files import read_hrc
from sfumato.documents.paths import paths_begin_at
from sfumato.errors import FileError, did_you_mean
from sfumato.files import read
from sfumato.files.frames import as_polars
from sfumato.publication.table_entries import TableEntry, read_table_entries
from sfumato.table_specification.codes import code_text
from sfumato.tables import Equation

if TYPE_CHECKING:
    from typing import Any

NAME, INDICATOR, EQUATION, DIMENSION = "table_name", "indicator", "hrc_indicator", "spanning_"
FIELD, HIERARCHY = "field", "hrc_"
NO_VARIABLE = "(all variables)"  # the root of hierarchies of variables, which is none
NOTHING = {"", "NA", "na", "None"}


class Template:
    """The tables of a template, with the hierarchies and equations that its files say.

    Parameters
    ----------
    path
        A CSV file with columns `table_name`, `indicator` (empty for counts), `spanning_1`, `spanning_2` and so on, and
        perhaps `hrc_spanning_1` and so on and `hrc_indicator`: hierarchy files (.hrc), found beside it. A column
        `field` may be there: its tables must be of one.
    total
        The code of totals.
    """

    def __init__(self, path: Path, total: str) -> None:
        self._path, self._total = path, total
        rows = [
            {name: str(code_text(value)).strip() for name, value in row.items() if value is not None}
            for row in as_polars(read(path)).iter_rows(named=True)
        ]
        self._check_columns(rows)
        self.hierarchies: dict[str, Hierarchy] = {}
        self.equations: list[Equation] = []
        entries: dict[str, Any] = {}
        for row in rows:
            name = self._text(row, NAME)
            if name in entries:
                raise FileError(f"{path}: table '{name}' has several rows; keep one")
            entries[name] = self._entry(row)
        with paths_begin_at(path.parent):
            self.tables: dict[str, TableEntry] = read_table_entries(entries)

    def _check_columns(self, rows: "list[dict[str, str]]") -> None:
        if not rows:
            raise FileError(f"{self._path} names no table; it needs a row for each")
        names = list(rows[0])
        for wanted in (NAME, f"{DIMENSION}1"):
            if wanted not in names:
                near = did_you_mean(wanted, names)
                raise FileError(
                    f"{self._path}: there is no column '{wanted}'{near or '; see the page on publications'}"
                )
        fields = {self._text(row, FIELD) for row in rows}
        if len(fields) > 1:
            raise FileError(
                f"{self._path}: its tables are of {len(fields)} fields, that is, of other records; make a publication "
                "of each"
            )

    def _entry(self, row: dict[str, str]) -> "dict[str, Any]":
        by = []
        for column in sorted(name for name in row if name.startswith(DIMENSION)):
            dimension = self._text(row, column)
            if not dimension:
                continue
            by.append(dimension)
            if file := self._text(row, f"{HIERARCHY}{column}"):
                self._note_hierarchy(dimension, self._read(file))
        indicator = self._text(row, INDICATOR)
        if file := self._text(row, EQUATION):
            self._note_equations(self._read(file, root=NO_VARIABLE))
        return {"by": by, **({"value": indicator} if indicator else {})}

    def _note_hierarchy(self, dimension: str, tree: Hierarchy) -> None:
        known = self.hierarchies.setdefault(dimension, tree)
        if known != tree:
            raise FileError(
                f"{self._path}: '{dimension}' has different hierarchies in different tables; give the dimensions other "
                "names where their groups differ, or one hierarchy that has all groups"
            )

    def _note_equations(self, tree: Hierarchy) -> None:
        for code in tree.codes:
            parts = tree.children(code)
            if code != tree.root and parts:
                found = Equation(total=str(code), parts=tuple(map(str, parts)))
                if found not in self.equations:
                    self.equations.append(found)

    def _read(self, file: str, root: str | None = None) -> Hierarchy:
        named = Path(file if file.lower().endswith(".hrc") else f"{file}.hrc")
        path = next((place for place in (self._path.parent / named, named) if place.is_file()), None)
        if path is None:
            raise FileError(f"{self._path}: there is no hierarchy file {named} beside it; put it there")
        return read_hrc(path, root=self._total if root is None else root)

    def _text(self, row: dict[str, str], column: str) -> str:
        word = row.get(column, "")
        return "" if word in NOTHING else word
