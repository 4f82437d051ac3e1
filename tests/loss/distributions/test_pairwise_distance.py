"""Pairwise distance, checked against counts of pairs in plain Python."""

from collections import Counter
from itertools import combinations
from statistics import mean

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.loss import MarginalDistance, PairwiseDistance
from sfumato.loss.distributions._classes import Classes
from sfumato.loss.distributions.pairwise_distance import joint_distance
from tests.assessment.examples import pair
from tests.matrices import microdata, names_of

LEVELS = ("a", "b", "c", "d")


def nominal(columns: dict[str, list[str | None]]) -> Microdata:
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in columns))
    return Microdata(pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)), schema)


def plain_distance(first: list[tuple[str | None, ...]], second: list[tuple[str | None, ...]]) -> float:
    before, after = Counter(first), Counter(second)
    overlap = sum((before[cell] / len(first) * after[cell] / len(second)) ** 0.5 for cell in before)
    return float(100 * max(0.0, 1 - overlap) ** 0.5)


def drawn(seed: int, n: int, names: tuple[str, ...]) -> dict[str, list[str | None]]:
    rng = np.random.default_rng(seed)
    return {name: rng.choice(np.array([*LEVELS, None]), n, p=[0.4, 0.3, 0.1, 0.1, 0.1]).tolist() for name in names}


def test_equals_plain_counts_of_each_pair() -> None:
    before, after = drawn(0, 80, ("p", "q", "r")), drawn(1, 50, ("p", "q", "r"))
    found = PairwiseDistance(columns=("p", "q", "r")).measure(nominal(before), nominal(after))
    expected = {
        f"{one} & {other}": plain_distance(
            list(zip(before[one], before[other], strict=True)), list(zip(after[one], after[other], strict=True))
        )
        for one, other in combinations("pqr", 2)
    }
    assert {name: found.parts[name] for name in expected} == pytest.approx(expected)
    assert found.value == pytest.approx(mean(expected.values()))
    assert found.parts["PDmax"] == pytest.approx(max(expected.values()))


def test_sees_a_lost_correlation_that_the_marginals_do_not_show() -> None:
    rng = np.random.default_rng(0)
    original = rng.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], 2000)
    masked = np.column_stack([original[:, 0], rng.permutation(original[:, 1])])
    files = microdata(original), microdata(masked)
    assert MarginalDistance(columns=("v0", "v1")).measure(*files).value == 0.0
    assert PairwiseDistance(columns=("v0", "v1")).measure(*files).value > 30


def test_more_noise_loses_more() -> None:
    rng = np.random.default_rng(0)
    original = rng.multivariate_normal([0, 0, 0], 0.2 * np.eye(3) + 0.8, 1000)
    noise = rng.normal(size=original.shape)
    measure = PairwiseDistance(columns=names_of(original))
    found = [measure.measure(microdata(original), microdata(original + s * noise)).value for s in (0.0, 0.1, 0.5, 3)]
    assert found[0] == 0.0
    assert found == sorted(found)


def test_lists_the_ten_worst_pairs_at_most_the_worst_first() -> None:
    names = tuple(f"c{place}" for place in range(6))
    found = PairwiseDistance(columns=names).measure(nominal(drawn(0, 60, names)), nominal(drawn(1, 60, names)))
    listed = list(found.parts.values())[1:]
    assert len(listed) == 10
    assert listed == sorted(listed, reverse=True)
    assert found.parts["PDmax"] == listed[0]


def test_takes_columns_of_all_kinds_together() -> None:
    found = PairwiseDistance(columns=("region", "health", "income", "tax")).measure(*pair())
    assert len(found.parts) == 1 + 6
    assert 0 < found.value < 100


def test_nearly_empty_tables_of_many_categories_are_counted_alike() -> None:
    rng = np.random.default_rng(0)
    before, after = rng.integers(30, size=(2, 2, 50))
    few = joint_distance(*(Classes(one, other, 30) for one, other in zip(before, after, strict=True)))
    many = joint_distance(
        *(Classes(one * 10**8, other * 10**8, 10**9 + 1) for one, other in zip(before, after, strict=True))
    )
    assert few == many > 0


def test_refuses_a_single_column() -> None:
    with pytest.raises(DataError, match=r"PairwiseDistance.columns: pairs need at least 2 columns; got 1"):
        PairwiseDistance(columns=("income",)).measure(*pair())


def test_refuses_a_single_class() -> None:
    with pytest.raises(ParameterError, match=r"PairwiseDistance.classes must be in \[2, 1000\]; got 1"):
        PairwiseDistance(columns=("income", "tax"), classes=1)
