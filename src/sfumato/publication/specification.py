"""What a specification of a publication asks for: its tables, what they share, and how they are protected."""

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, InstanceOf, ValidationInfo, field_validator, model_validator

from sfumato.data import Hierarchy
from sfumato.documents import ExistingFile, Record, kind_of, load_file
from sfumato.errors import ParameterError
from sfumato.publication.table_entries import TableEntry, read_table_entries
from sfumato.table_specification.codes import CodeText
from sfumato.table_specification.entries import PROTECTION, GivenCells, InsidersWord, Rules, Zeros
from sfumato.table_specification.hierarchies import Digits, read_hierarchies
from sfumato.tables import AutomaticSuppression, Equation, Insiders, Protection
from sfumato.tables.problem.build_problem import Cost

WHAT = "publication"


def _read_equations(given: Any) -> Any:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list | tuple):
        raise ParameterError(
            [f"'equations' must list them, as in '- turnover = domestic + export'; got {kind_of(given)}"]
        )
    return tuple(one if isinstance(one, Equation) else Equation.parse(one) for one in listed)


class PublicationSpecification(Record):
    """What a publication file asks for; all paths are complete.

    Parameters
    ----------
    data, schema_file
        The file of records that all tables are made of, and its schema file.
    tables
        The tables by their names, each with `by` and perhaps `value`, `where`, `title`, `rules` and `cells`.
    template
        A file with one row for each table in place of `tables`.
    value
        The variable of tables that name none.
    hierarchies
        For each dimension that has some, its hierarchies: the same in all tables.
    equations
        Which variables add up to which.
    weight, holding, shadow, request, key, total, missing, zeros
        As in `Table.from_records`. All codes are text.
    rules
        What makes a cell unsafe, in tables that have no rules of their own.
    given_cells, cost, insiders, known_within
        As in `find_unsafe`; a cell that is given concerns every table that has it.
    protection
        How the tables are protected.
    seed
        Where draws begin; from the system when not given.
    """

    data: ExistingFile | None = None
    schema_file: ExistingFile | None = Field(default=None, alias="schema")
    total: CodeText = "Total"
    missing: CodeText | None = None
    value: str | None = None
    hierarchies: dict[str, tuple[InstanceOf[Hierarchy] | InstanceOf[Digits], ...]] = Field(default_factory=dict)
    template: ExistingFile | None = None
    tables: Annotated[dict[str, InstanceOf[TableEntry]], BeforeValidator(read_table_entries)] = Field(
        default_factory=dict
    )
    equations: Annotated[tuple[InstanceOf[Equation], ...], BeforeValidator(_read_equations)] = ()
    weight: str | None = None
    holding: str | None = None
    shadow: str | None = None
    request: str | None = None
    key: str | None = None
    zeros: Zeros = False
    rules: Rules = None
    given_cells: GivenCells = ()
    cost: Cost = Cost.VALUE
    insiders: InsidersWord = Insiders.ALL
    known_within: float | None = Field(default=None, gt=0)
    protection: Annotated[InstanceOf[Protection], PROTECTION] = AutomaticSuppression()
    seed: int | None = Field(default=None, ge=0)

    @field_validator("hierarchies", mode="before")
    @classmethod
    def _read_hierarchies(cls, entries: Any, info: ValidationInfo) -> Any:
        return read_hierarchies(entries, str(info.data.get("total", "Total")))

    @model_validator(mode="after")
    def _check_tables(self) -> Self:
        if bool(self.tables) == (self.template is not None):
            raise ValueError("a publication needs 'tables' or a 'template' with a row for each; give one of them")
        without = [name for name, entry in self.tables.items() if entry.cells is None]
        if without and self.data is None:
            raise ValueError(f"table '{without[0]}' needs records: name their file as 'data', or its 'cells'")
        with_cells = [name for name, entry in self.tables.items() if entry.cells is not None]
        if with_cells and self.data is not None:
            raise ValueError(f"'data' is for records, and table '{with_cells[0]}' has 'cells'; keep one of them")
        return self

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a publication file; every problem is raised at once, with its line."""
        return load_file(path, cls, WHAT)
