"""Losses of categories in Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss."""

from collections.abc import Sequence
from math import log2

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.loss import ContingencyTableLoss, EntropyLoss, RecordEntropyLoss, Suppressions
from sfumato.loss.categories._transitions import posterior, surprise, uncertainty

CITY, ALBANY, STATE = 7_322_564, 101_082, 17_990_455  # people of New York City, of Albany and of the state: Example 7


def towns(values: Sequence[str | None]) -> Microdata:
    schema = Schema(variables=(Variable(name="town", kind=Kind.NOMINAL),))
    return Microdata(pl.DataFrame({"town": values}, schema={"town": pl.String}), schema)


def test_example_7_probabilities_of_new_york_city_and_albany() -> None:
    people = np.array([CITY, ALBANY, STATE - CITY - ALBANY])
    town, state = np.arange(3), np.full(3, 3)
    known = posterior(town, state, people / STATE, np.append(people / STATE, 0.0))
    assert known.probability[:2].round(4).tolist() == [0.4070, 0.0056]  # .05 as printed for Albany is a misprint
    city, albany, _ = surprise(known, town, state)
    assert (city, albany) == pytest.approx((-log2(CITY / STATE), -log2(ALBANY / STATE)))
    assert city < albany
    assert len(set(uncertainty(known, state).tolist())) == 1  # which EBIL does not tell apart


def test_example_7_as_records() -> None:
    original = towns(["New York City"] * 4070 + ["Albany"] * 56 + ["elsewhere"] * 5874)
    found = RecordEntropyLoss(columns=("town",)).measure(original, towns(["NY"] * 10_000))
    assert found.per_record is not None
    assert (2 ** -found.per_record[[0, 4070]]).tolist() == pytest.approx([0.407, 0.0056])


def test_the_printed_formula_would_lose_nothing_in_example_7() -> None:
    # every town turns into its state with P(V' = j | V = i) = 1, so that its logarithm is 0 for each
    original, masked = towns(["New York City"] * 3 + ["Albany"]), towns(["NY"] * 4)
    certain = {town: {"NY": 1.0} for town in ("New York City", "Albany")}
    found = RecordEntropyLoss(columns=("town",), matrices={"town": certain}).measure(original, masked)
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([-log2(0.75)] * 3 + [2.0])


def test_equation_3_adds_up_the_uncertainties_of_a_pram_matrix() -> None:
    original, masked = towns(["A"] * 6 + ["B"] * 2), towns(["A"] * 5 + ["B"] * 3)
    matrix = {"A": {"A": 0.9, "B": 0.1}, "B": {"A": 0.3, "B": 0.7}}
    found = EntropyLoss(columns=("town",), matrices={"town": matrix}).measure(original, masked)
    now_a, now_b = 0.75 * 0.9 / (0.75 * 0.9 + 0.25 * 0.3), 0.75 * 0.1 / (0.75 * 0.1 + 0.25 * 0.7)
    binary = [-share * log2(share) - (1 - share) * log2(1 - share) for share in (now_a, now_b)]
    assert found.parts["EBIL"] == pytest.approx(5 * binary[0] + 3 * binary[1])


def test_tables_of_dimension_one_return_twice_the_number_of_suppressions() -> None:
    original, masked = towns(["A", "A", "B", "C", None]), towns(["A", None, "B", None, None])
    tables = ContingencyTableLoss(columns=("town",), max_dimensions=1).measure(original, masked)
    suppressions = Suppressions(columns=("town",)).measure(original, masked)
    assert tables.parts["CTBIL"] == 2 * suppressions.parts["SUPN"] == 4.0
