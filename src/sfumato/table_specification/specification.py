"""What a specification of tables asks for: where they come from, what makes a cell unsafe, how to protect them."""

from pathlib import Path
from typing import Any, Self

from pydantic import Field, InstanceOf, ValidationInfo, field_validator

from sfumato.data import Hierarchy
from sfumato.documents import ExistingFile, Record, kind_of, load, load_file
from sfumato.errors import ParameterError, did_you_mean
from sfumato.table_specification.codes import CodeText
from sfumato.table_specification.entries import (
    EXAMPLE_DIMENSIONS,
    Dimensions,
    GivenCells,
    InsidersWord,
    Protections,
    Rules,
    Tables,
    Zeros,
    read_cells,
)
from sfumato.table_specification.hierarchies import Digits, read_hierarchies
from sfumato.tables import PROTECTIONS, AutomaticSuppression, Insiders, Protection
from sfumato.tables.problem.build_problem import Cost

WHAT = "specification"
TAU_ARGUS = ".tab"


class TableSpecification(Record):
    """What a specification file asks for; all paths are complete.

    Parameters
    ----------
    data, schema_file
        The file of records and its schema file.
    name
        What to call the table where there is one only; the file's own name when it is not given.
    dimensions
        The columns that are the dimensions of one table: `by` in the file. A table of tau-Argus has none: its metadata
        name them.
    tables
        In place of `by`, several tables by their names, each with its dimensions; they are linked.
    cells
        In place of records the file of cells, totals included; for several tables a file for each.
    value, weight, holding, shadow, request, count, key, largest, total, missing
        Columns and codes, as in `Table.from_records` and `Table.from_cells`. All codes are text.
    hierarchies
        For each dimension that has some, its hierarchies.
    zeros
        Whether all combinations of codes are cells, or a file that lists those that are.
    tolerance, repair
        As in `Table.from_cells`.
    rules
        What makes a cell unsafe: each of them.
    given_cells
        What is decided of some cells beforehand.
    cost, insiders, known_within
        As in `find_unsafe`.
    protections
        The ways to protect the tables; the first is used unless another is asked for.
    seed
        Where draws begin; from the system when not given.
    """

    data: ExistingFile | None = None
    schema_file: ExistingFile | None = Field(default=None, alias="schema")
    name: str = "table"
    dimensions: Dimensions = Field(default=None, alias="by")
    tables: Tables = None
    cells: Path | dict[str, Path] | None = Field(default=None, validate_default=True)
    value: str | None = None
    weight: str | None = None
    holding: str | None = None
    shadow: str | None = None
    request: str | None = None
    count: str | None = None
    key: str | None = None
    largest: tuple[str, ...] = ()
    total: CodeText = "Total"
    missing: CodeText | None = None
    hierarchies: dict[str, tuple[InstanceOf[Hierarchy] | InstanceOf[Digits], ...]] = Field(default_factory=dict)
    zeros: Zeros = False
    tolerance: float | None = Field(default=None, ge=0)
    repair: bool = False
    rules: Rules = None
    given_cells: GivenCells = ()
    cost: Cost = Cost.VALUE
    insiders: InsidersWord = Insiders.ALL
    known_within: float | None = Field(default=None, gt=0)
    protections: Protections = (AutomaticSuppression(),)
    seed: int | None = Field(default=None, ge=0)

    @field_validator("tables", mode="after")
    @classmethod
    def _check_tables(cls, tables: Any, info: ValidationInfo) -> Any:
        if tables and info.data.get("dimensions"):
            raise ParameterError(["'by' is for one table and 'tables' for several; keep one"])
        return tables

    @field_validator("cells", mode="before")
    @classmethod
    def _check_cells(cls, cells: Any, info: ValidationInfo) -> Any:
        """Check that there are records or cells, and dimensions, as far as those are right by themselves."""
        data, tables, dimensions = (info.data.get(name, "wrong") for name in ("data", "tables", "dimensions"))
        if cells is None and data is None:
            raise ParameterError(["a specification needs 'data' (a file of records) or 'cells' (a file of cells)"])
        if cells is not None and data is not None:
            raise ParameterError(["'data' is for records and 'cells' for cells; keep one"])
        if not tables and not dimensions and not (isinstance(cells, str | Path) and str(cells).endswith(TAU_ARGUS)):
            raise ParameterError(
                [f"'by' must list the columns that are its dimensions, as in '{EXAMPLE_DIMENSIONS}'; got nothing"]
            )
        found = None if cells is None else read_cells(cells)
        named = set(found) if isinstance(found, dict) else set()
        if found is not None and isinstance(tables, dict) and set(tables) != named:
            wanted = ", ".join(f"{table}: FILE" for table in tables)
            sentence = f"'cells' must name a file for each table, as in '{{{wanted}}}'; got {kind_of(cells)}"
            raise ParameterError([sentence])
        return found

    @field_validator("hierarchies", mode="before")
    @classmethod
    def _read_hierarchies(cls, entries: Any, info: ValidationInfo) -> Any:
        return read_hierarchies(entries, str(info.data.get("total", "Total")))

    @property
    def table_dimensions(self) -> dict[str, tuple[str, ...]]:
        """The dimensions of each table, by its name."""
        return self.tables or {self.name: self.dimensions or ()}

    def cell_file(self, table: str) -> Path:
        """Return the file of the cells of a table."""
        if self.cells is None:
            raise ParameterError(["the specification has records, and no file of cells"])
        return self.cells[table] if isinstance(self.cells, dict) else self.cells

    def protection(self, name: str | None = None) -> Protection:
        """Return the protection of a name, with its defaults where the specification lacks it; the first by default."""
        for protection in self.protections:
            if name in (None, protection.name()):
                return protection
        if name not in PROTECTIONS:
            nearest = did_you_mean(str(name), PROTECTIONS) or f"; the protections are {', '.join(PROTECTIONS)}"
            raise ParameterError([f"there is no protection '{name}'{nearest}"])
        try:
            return PROTECTIONS[name]()
        except ParameterError as error:
            lacking = "; ".join(error.problems)
            raise ParameterError(
                [f"the specification has no parameters for {name}; add it to 'protections': {lacking}"]
            ) from None

    @classmethod
    def from_yaml(cls, text: str, folder: str | Path = "") -> Self:
        """Read a specification from YAML; the paths in it begin at `folder`."""
        return load(text, cls, WHAT, folder)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a specification file; every problem is raised at once, with its line."""
        specification = load_file(path, cls, WHAT)
        return (
            specification if "name" in specification.model_fields_set else specification.replace(name=Path(path).stem)
        )
