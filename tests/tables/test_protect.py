"""What `suppress` takes and refuses, and what a suppression tells of its cells."""

import polars as pl
import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.tables import GivenCell, MinUnits, OptimalSuppression, PPercent, ProtectedTables, Table, protect
from tests.tables.suppression_problems import is_protected

CELLS = pl.DataFrame(
    {
        "town": [town for town in ("A", "B", "C", "Total") for _ in range(3)],
        "ill": ["y", "n", "Total"] * 4,
        "cost": [30.0, 50.0, 80.0, 20.0, 40.0, 60.0, 25.0, 45.0, 70.0, 75.0, 135.0, 210.0],
        "first": [29.0, 10.0, 29.0, 5.0, 9.0, 9.0, 5.0, 9.0, 9.0, 29.0, 10.0, 29.0],
        "second": [0.5, 9.0, 10.0, 5.0, 9.0, 9.0, 5.0, 9.0, 9.0, 5.0, 10.0, 10.0],
    }
)


def given_table(town: str = "town") -> Table:
    """Return cells without counts, of which one is unsafe, with a name for the first dimension."""
    return Table.from_cells(CELLS.rename({"town": town}), [town, "ill"], "cost", largest=["first", "second"])


def protected(**options: object) -> ProtectedTables:
    return protect(given_table(), OptimalSuppression(), rule=PPercent(p=10), **options)  # type: ignore[arg-type]


def test_given_cells_need_no_counts_to_be_suppressed() -> None:
    found = protected()
    assert found.problem.primaries.tolist() == [found.cell(town="A", ill="y")]
    assert is_protected(found.problem, found.pattern.suppressed)
    assert found.pattern.cost == 50 + 20 + 40  # the cheapest rectangle


def test_costs_by_frequency_need_counts() -> None:
    with pytest.raises(DataError, match=r"cost frequency: .* name the column that does as `count`"):
        protected(cost="frequency")


def test_a_cost_that_is_not_known_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ParameterError, match=r"cost must be one of .*; got 'valu'; did you mean 'value'\?"):
        protected(cost="valu")


@pytest.mark.parametrize("name", ["table", "self", "name", "codes"])
def test_a_dimension_may_have_any_name(name: str) -> None:
    table = given_table(name)
    total = GivenCell(where={name: "Total"}, status="publish")
    found = protect(table, OptimalSuppression(), rule=PPercent(p=10), given_cells=[total])
    cell = {name: "A", "ill": "y"}
    assert table.cells_with(**{name: "A"}).tolist() == [0, 1, 2]
    assert found.cell(**cell) == found.cell(0, **cell) == table.cell(**cell) == 0
    assert f"{name}=A, ill=y is suppressed: it is a primary" in str(found.explain(**cell))


def test_whoever_knows_some_cells_is_kept_from_the_unsafe_ones_too() -> None:
    without, told = protected(), [{"town": "B", "ill": "y"}]
    found = protected(known=[told])
    assert [cells.tolist() for cells in found.problem.intruders] == [[], [found.cell(town="B", ill="y")]]
    assert not is_protected(found.problem, without.pattern.suppressed)  # B, y was all that stood before A, y
    assert is_protected(found.problem, found.pattern.suppressed)
    assert found.pattern.cost > without.pattern.cost


def test_cells_that_somebody_knows_must_be_there() -> None:
    with pytest.raises(DataError, match="cells are given by twn; the dimensions are ill, town"):
        protected(known=[[{"twn": "B"}]])


def test_an_audit_tells_of_its_progress_and_finds_the_intervals_that_are_asked_for() -> None:
    found, told = protected(), []
    every = found.audit(intervals="every", on_progress=lambda done, of_all: told.append((done, of_all)))
    assert told[-1][0] == told[-1][1] == len(told)
    assert every.is_safe
    assert len(every.to_frame()) > len(found.audit().to_frame())
    with pytest.raises(ParameterError, match="did you mean 'every'"):
        found.audit(intervals="evry")


def test_counts_still_say_what_is_small() -> None:
    people = pl.DataFrame({"town": ["A"] * 9 + ["B"] * 9, "sick": [*"yyyyynnnn", *"ynnnnnnnn"]})
    table = Table.from_records(people, ["town", "sick"])
    assert protect(table, rule=MinUnits(units=3), cost="frequency").secondaries == 3


def of_towns() -> Table:
    return Table.from_records(pl.DataFrame({"town": ["A"] * 9 + ["B"] * 9 + ["C"] * 2}), ["town"])


def test_a_cell_that_is_unsafe_and_given_as_safe_is_told_with_the_reason() -> None:
    given = [GivenCell(where={"town": "C"}, status="safe", reason="both are public bodies")]
    told = "1 cell that the rules call unsafe is taken for safe, as given: both are public bodies"
    assert protect(of_towns(), rule=MinUnits(units=3), given_cells=given).remarks == (told,)
    given.append(GivenCell(where={"town": "C"}, status="publish"))  # the reason stands
    assert protect(of_towns(), rule=MinUnits(units=3), given_cells=given).remarks == (told,)


@pytest.mark.parametrize("reason", [None, " "])
def test_an_unsafe_cell_that_is_given_as_safe_without_a_reason_is_refused(reason: str | None) -> None:
    given = [GivenCell(where={"town": "C"}, status="safe", reason=reason)]
    with pytest.raises(DataError, match=r"the table of town: status safe is given .* no reason: town=C; say as"):
        protect(of_towns(), rule=MinUnits(units=3), given_cells=given)
    explained = GivenCell(where={"town": "C"}, status="safe", reason="both are public bodies")
    with pytest.raises(DataError, match="town=C"):  # what is said last holds
        protect(of_towns(), rule=MinUnits(units=3), given_cells=[explained, *given])


def test_a_safe_cell_may_be_given_as_safe_without_a_reason() -> None:
    given = [GivenCell(where={"town": "A"}, status="safe")]
    assert protect(of_towns(), rule=MinUnits(units=3), given_cells=given).remarks == ()
