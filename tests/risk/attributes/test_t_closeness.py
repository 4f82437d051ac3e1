"""T-closeness, checked against the transport problem that defines the distance, and the source's own example."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.risk import TCloseness
from tests.risk.plain_classes import READINGS, RECORDS, VALUES, Record, known, people, shares, shown

TREE = [["p", "heart", "any"], ["q", "heart", "any"], ["r", "lung", "any"], ["s", "any"]]
EQUAL = 1.0 - np.eye(4)
ORDERED = np.abs(np.subtract.outer(np.arange(4), np.arange(4))) / 3
HIERARCHICAL = np.array([[0, 0.5, 1, 1], [0.5, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]])
GROUNDS = {"equal": EQUAL, "ordered": ORDERED, "hierarchical": HIERARCHICAL}


def transported(one: list[float], other: list[float], ground: NDArray[np.float64]) -> float:
    """Return the least cost of turning one distribution into another."""
    rows, columns = np.kron(np.eye(4), np.ones(4)), np.kron(np.ones(4), np.eye(4))
    solved = linprog(ground.ravel(), A_eq=np.vstack([rows, columns]), b_eq=[*one, *other])
    return float(solved.fun)


def measure(ground: str, t: float, missing: str = "wildcard") -> TCloseness:
    return TCloseness(t=t, missing=missing, hierarchies={"ill": TREE} if ground == "hierarchical" else None)


@given(records=RECORDS, ground=st.sampled_from(list(GROUNDS)), t=st.sampled_from([0.05, 0.2, 0.4]), missing=READINGS)
def test_the_distance_is_the_least_cost_of_moving(records: list[Record], ground: str, t: float, missing: str) -> None:
    data = people(records, kind="ordinal" if ground == "ordered" else "nominal")
    found = measure(ground, t, missing).of(data)
    classes = {tuple(sorted(values)) for values in shown(records, missing) if values}
    whole = shares(known(records))
    distances = {values: transported(shares(list(values)), whole, GROUNDS[ground]) for values in classes}
    assert found.parts["TCL"] == pytest.approx(max(distances.values()), abs=1e-7)
    if all(abs(distance - t) > 1e-6 for distance in distances.values()):
        violates = [bool(values) and distances[tuple(sorted(values))] > t for values in shown(records, missing)]
        assert found.per_record is not None
        assert found.per_record.tolist() == [100.0 * bad for bad in violates]


def test_the_salaries_of_the_source_are_as_far_as_it_says() -> None:
    # Li, Li and Venkatasubramanian (2007): {3k, 4k, 5k} of 3k .. 11k is .375 away, {6k, 8k, 11k} .167
    salaries = [3, 4, 5, 6, 8, 11, 7, 9, 10]
    frame = pl.DataFrame({"class": ["1"] * 3 + ["2"] * 3 + ["3"] * 3, "salary": salaries})
    schema = Schema(variables=(Variable(name="class", kind=Kind.NOMINAL), Variable(name="salary", kind=Kind.ORDINAL)))
    measure = TCloseness(columns=("class",), sensitive=("salary",), t=0.17)
    found = measure.of(Microdata(frame, schema))
    assert found.parts["TCL"] == pytest.approx(0.375)
    assert found.per_record is not None
    assert found.per_record[:6].tolist() == [100.0] * 3 + [0.0] * 3
    assert measure.replace(t=0.166).of(Microdata(frame, schema)).per_record[3] == 100.0  # type: ignore[index]


def test_a_file_of_one_class_is_as_close_as_can_be() -> None:
    for ground in GROUNDS:
        data = people([("x", "x", value) for value in "ppqs"], kind="ordinal" if ground == "ordered" else "nominal")
        found = measure(ground, 0.0).of(data)
        assert found.value == 0
        assert found.parts["TCL"] == pytest.approx(0, abs=1e-12)


def test_refuses_a_hierarchy_that_does_not_fit() -> None:
    data = people([("x", "x", value) for value in VALUES])
    with pytest.raises(
        ParameterError, match=r"hierarchies: 'il' is not one of the sensitive columns; did you mean 'ill'"
    ):
        TCloseness(hierarchies={"il": TREE}).of(data)
    with pytest.raises(DataError, match=r"TCloseness\.hierarchies: that of 'ill' lacks 1 category; add"):
        TCloseness(hierarchies={"ill": TREE[:3]}).of(data)


def test_numbers_are_as_far_apart_as_numbers_of_the_file_lie_between_them() -> None:
    rng = np.random.default_rng(3)
    income = rng.lognormal(8, 1, 60).round(2)
    frame = pl.DataFrame({"town": rng.choice(["A", "B", "C"], 60), "income": income, "ill": income})
    kinds = {"town": Kind.NOMINAL, "income": Kind.CONTINUOUS, "ill": Kind.ORDINAL}
    data = Microdata(frame, Schema(variables=tuple(Variable(name=name, kind=kind) for name, kind in kinds.items())))
    found = TCloseness(columns=("town",), sensitive=("income",)).of(data).parts["TCL"]
    assert found == TCloseness(columns=("town",), sensitive=("ill",)).of(data).parts["TCL"]
    place = np.searchsorted(np.unique(income), income)
    steps = np.arange(np.unique(income).size)
    of_file = np.array([(place <= step).mean() for step in steps])
    by_town = [
        np.abs(np.array([(place[frame["town"].to_numpy() == town] <= step).mean() for step in steps]) - of_file).sum()
        for town in "ABC"
    ]
    assert found == pytest.approx(max(by_town) / (steps.size - 1))


def test_a_rule_leaves_out_numbers_as_they_are_named() -> None:
    frame = pl.DataFrame({"town": ["A", "B"], "income": [1.5, 2.5]})
    schema = Schema.infer(frame).with_kinds(nominal=["town"], continuous=["income"]).with_roles(confidential=["income"])
    with pytest.raises(DataError, match=r"picks no nominal or ordinal column .*; where one is continuous, name it"):
        TCloseness(columns=("town",)).of(Microdata(frame, schema))
