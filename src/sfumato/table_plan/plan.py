"""What a specification of tables asks for: where they come from, what makes a cell unsafe, how to protect them."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, InstanceOf

from sfumato.data import Hierarchy
from sfumato.documents.record import Record
from sfumato.errors import ParameterError, did_you_mean
from sfumato.table_plan.codes import CodeText
from sfumato.tables import PROTECTIONS, AutomaticSuppression, Given, Insiders, Protection, Rule
from sfumato.tables.problem.build_problem import Cost


class Digits(Record):
    """A hierarchy that the codes themselves say by their first characters.

    Parameters
    ----------
    digits
        How many characters each level adds.
    root
        The code of the total.
    """

    digits: tuple[int, ...]
    root: CodeText = "Total"


def _insiders_word(given: Any) -> Any:
    """Return the choice that true or false stands for; words stay as they are."""
    return Insiders.parse(given) if isinstance(given, bool) else given


Grouping = InstanceOf[Hierarchy] | Digits
InsidersWord = Annotated[Insiders, BeforeValidator(_insiders_word)]


class TablePlan(Record):
    """What a specification file asks for; all paths are complete.

    Parameters
    ----------
    tables
        The tables by their names, each with the columns that are its dimensions; several are linked. A table of
        tau-Argus has none: its metadata name them.
    data, schema
        The file of records and its schema file.
    cells
        In place of records, for each table the file of its cells, totals included.
    hierarchies
        For each dimension that has some, its hierarchies.
    value, weight, holding, shadow, request, count, key, largest, total, missing
        Columns and codes, as in `Table.from_records` and `Table.from_cells`. All codes are text.
    zeros
        Whether all combinations of codes are cells, or a file that lists those that are.
    tolerance, repair
        As in `Table.from_cells`.
    rules
        What makes a cell unsafe: each of them.
    given
        What is decided of some cells beforehand.
    cost, insiders, known_within
        As in `find_unsafe`.
    protections
        The ways to protect the tables; the first is used unless another is asked for.
    seed
        Where draws begin; from the system when not given.
    """

    tables: dict[str, tuple[str, ...]]
    data: Path | None = None
    schema_file: Path | None = None
    cells: dict[str, Path] = Field(default_factory=dict)
    hierarchies: dict[str, tuple[Grouping, ...]] = Field(default_factory=dict)
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
    zeros: bool | Path = False
    tolerance: float | None = Field(default=None, ge=0)
    repair: bool = False
    rules: tuple[InstanceOf[Rule], ...] = ()
    given: tuple[Given, ...] = ()
    cost: Cost = Cost.VALUE
    insiders: InsidersWord = Insiders.ALL
    known_within: float | None = Field(default=None, gt=0)
    protections: Annotated[tuple[InstanceOf[Protection], ...], Field(min_length=1)] = (AutomaticSuppression(),)
    seed: int | None = Field(default=None, ge=0)

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
    def load(cls, path: str | Path) -> "TablePlan":
        """Read a specification file; every problem is told at once, with its line."""
        from sfumato.documents import read_text
        from sfumato.table_plan.read_plan import read_table_plan

        source = Path(path)
        return read_table_plan(read_text(source, "specification"), source.parent, source.stem)
