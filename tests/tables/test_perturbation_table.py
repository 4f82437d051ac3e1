"""Perturbation tables: their moments, their supports, and their entropy against another optimiser."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from sfumato.errors import ParameterError
from sfumato.tables._maximum_entropy import maximum_entropy, variances_possible
from sfumato.tables.perturbation_table import PerturbationTable


def entropy(shares: np.ndarray) -> float:
    return float(-(shares[shares > 0] * np.log(shares[shares > 0])).sum())


@st.composite
def supports(draw: st.DrawFn) -> tuple[np.ndarray, float]:
    """Return deviations on both sides of 0 and a variance that they can have."""
    below = draw(st.lists(st.integers(-9, -1), min_size=1, max_size=5, unique=True))
    above = draw(st.lists(st.integers(0, 9), min_size=2, max_size=5, unique=True))
    deviations = np.array(sorted({*below, *above}), dtype=np.float64)
    least, most = variances_possible(deviations)
    return deviations, least + draw(st.floats(0.001, 0.999)) * (most - least)


@given(supports())
def test_every_variance_within_its_limits_is_met_with_mean_zero(asked: tuple[np.ndarray, float]) -> None:
    deviations, variance = asked
    shares = maximum_entropy(deviations, variance)
    assert shares.sum() == pytest.approx(1)
    assert (shares > 0).all()
    assert shares @ deviations == pytest.approx(0, abs=1e-10)
    assert shares @ deviations**2 == pytest.approx(variance, rel=1e-8)


@settings(max_examples=20, deadline=None)
@given(supports())
def test_another_optimiser_finds_no_higher_entropy(asked: tuple[np.ndarray, float]) -> None:
    deviations, variance = asked
    shares = maximum_entropy(deviations, variance)
    moments = np.stack([np.ones(deviations.size), deviations, deviations**2])
    free = np.linalg.svd(moments)[2][np.linalg.matrix_rank(moments) :]
    for way in free:  # along every line that keeps the moments the entropy falls
        for step in (1e-4, -1e-4):
            moved = shares + step * shares.min() * way
            assert entropy(moved) <= entropy(shares) + 1e-12


def test_a_general_optimiser_comes_to_the_same_table() -> None:
    table = PerturbationTable.of_maximum_entropy(4, 2.5, min_count=3)
    for count in (1, 2, 5, 7):
        row = table.probabilities[count]
        allowed = table.deviations[row > 0]
        moments = np.stack([np.ones(allowed.size), allowed, allowed**2])
        found = minimize(
            lambda shares: float((shares * np.log(shares)).sum()),
            np.full(allowed.size, 1 / allowed.size),
            jac=lambda shares: np.log(shares) + 1,
            bounds=[(1e-12, 1)] * allowed.size,
            constraints={
                "type": "eq",
                "fun": lambda shares, m=moments: m @ shares - [1, 0, 2.5],
                "jac": lambda _, m=moments: m,
            },
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert row[row > 0] == pytest.approx(found.x, abs=1e-5)


def test_deviations_of_one_have_the_closed_form() -> None:
    assert PerturbationTable.of_maximum_entropy(1, 0.3).probabilities[1] == pytest.approx([0.15, 0.7, 0.15])


def test_deviations_of_two_from_large_counts_have_the_closed_form() -> None:
    # p1 = p0 q, p2 = p0 q^4; their sum p0 (1 + 2 q + 2 q^4) and their variance p0 (2 q + 8 q^4) are both 1: 6 q^4 = 1
    ratio = (1 / 6) ** (1 / 4)
    middle = 1 / (1 + 2 * ratio + 2 * ratio**4)
    wanted = [middle * ratio**4, middle * ratio, middle, middle * ratio, middle * ratio**4]
    assert PerturbationTable.of_maximum_entropy(2, 1.0).probabilities[-1] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("largest", "variance", "smallest"),
    [(1, 0.4, 1), (2, 1.5, 1), (5, 3.0, 1), (9, 2.0, 1), (5, 2.5, 2), (5, 3.0, 3), (8, 5.0, 4)],
)
def test_no_result_is_negative_or_small_and_zero_stays_zero(largest: int, variance: float, smallest: int) -> None:
    table = PerturbationTable.of_maximum_entropy(largest, variance, min_count=smallest)
    frame = table.to_frame()
    assert ((frame["result"] == 0) | (frame["result"] >= smallest)).all()
    assert (frame["deviation"].abs() <= largest).all()
    moments = table.probabilities[1:] @ np.stack([table.deviations, table.deviations**2], axis=1)
    assert moments == pytest.approx(np.tile([0, variance], (len(moments), 1)), abs=1e-8)
    assert table.probabilities[0, largest] == 1
    assert np.array_equal(table.probabilities[-1] > 0, np.ones(2 * largest + 1))


def test_a_number_between_0_and_1_picks_each_deviation_as_often_as_its_probability_says() -> None:
    table = PerturbationTable.of_maximum_entropy(3, 1.5)
    uniforms = (np.arange(100_000) + 0.5) / 100_000
    for count, row in ((0, 0), (1, 1), (2, 2), (3, 3), (50, 3)):
        picked = table.deviate(np.full(uniforms.size, count), uniforms)
        assert np.bincount(picked + 3, minlength=7) / uniforms.size == pytest.approx(table.probabilities[row], abs=2e-5)
    assert table.deviate(np.array([9]), np.array([np.nextafter(1, 0)])) == [3]


@pytest.mark.parametrize("smallest", [1, 3])
def test_origins_are_all_counts_that_a_result_can_have_come_from(smallest: int) -> None:
    table = PerturbationTable.of_maximum_entropy(4, 2.5, min_count=smallest)
    frame = table.to_frame()
    last = len(table.probabilities) - 1
    come_from: dict[int, set[int]] = {}
    for count in range(30):
        for deviation in frame.filter(frame["count"] == min(count, last))["deviation"]:
            come_from.setdefault(count + deviation, set()).add(count)
    results = np.array(sorted(result for result in come_from if result < 20))
    low, high = table.origins(results)
    assert low.tolist() == [min(come_from[result]) for result in results.tolist()]
    assert high.tolist() == [max(come_from[result]) for result in results.tolist()]


def test_a_variance_out_of_reach_is_refused_with_what_can_be_had() -> None:
    with pytest.raises(
        ParameterError, match=r"up to 3 from a count of 1 cannot .* of 3: it must lie above 0 and below 3"
    ):
        PerturbationTable.of_maximum_entropy(3, 3.0)
    with pytest.raises(
        ParameterError, match=r"no results from 1 to 2, cannot .* of 1: it must lie above 2 and below 5"
    ):
        PerturbationTable.of_maximum_entropy(5, 1.0, min_count=3)
    with pytest.raises(ParameterError, match=r"cannot have mean 0; take max_deviation=6 or more"):
        PerturbationTable.of_maximum_entropy(2, 1.0, min_count=6)
    with pytest.raises(ParameterError, match=r"max_deviation must be a whole number of 1 or more; got 0"):
        PerturbationTable.of_maximum_entropy(0, 1.0)


def test_a_table_of_a_file_is_read_as_it_was_written_and_checked() -> None:
    table = PerturbationTable.of_maximum_entropy(3, 2.0, min_count=2)
    as_in_r = table.to_frame().rename({"count": "i", "result": "j", "probability": "p"})
    for frame in (table.to_frame(), as_in_r):
        again = PerturbationTable.from_frame(frame)
        assert np.allclose(again.probabilities, table.probabilities)
        assert (again.max_deviation, again.min_count) == (3, 2)
        assert again.variance == pytest.approx(2.0)
    with pytest.raises(ParameterError, match="add up to 1"):
        PerturbationTable.from_frame(table.to_frame().head(-1))
