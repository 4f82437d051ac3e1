"""Individual risk from class sizes, checked against long sums, integrals, closed forms and a printed example."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from sfumato.keys.individual_risks import individual_risks


def risk(size: int, weighted_size: float) -> float:
    return float(individual_risks(np.array([size]), np.array([weighted_size]), exact=True)[0])


def summed(size: int, share: float) -> float:
    """Return the mean of 1 / F by adding up all F that matter."""
    persons = np.arange(size, size + 60 * size / share + 2000 / share)
    steps = np.log1p(-share) + np.log(persons[:-1]) - np.log(persons[1:] - size)
    logs = size * log(share) + np.concatenate([[0.0], np.cumsum(steps)])
    return float((np.exp(logs) / persons).sum())


def integrated(size: int, share: float) -> float:
    """Return the mean of 1 / F as the integral of its generating function, over the logarithm of the variable."""
    unit = share / size  # the integrand falls off within few of these

    def generated(t: float) -> float:
        return float(np.exp(size * (log(share) - t * unit - np.log1p(-(1 - share) * np.exp(-t * unit)))))

    return unit * float(quad(generated, 0, np.inf, limit=500)[0])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 11, 12, 13, 14, 30, 200])
@pytest.mark.parametrize("share", [0.01, 0.2, 0.49, 0.5, 0.51, 0.9, 0.999])
def test_is_the_mean_of_one_over_the_persons_of_the_class(size: int, share: float) -> None:
    assert risk(size, size / share) == pytest.approx(summed(size, share), rel=1e-10)
    assert risk(size, size / share) == pytest.approx(integrated(size, share), rel=1e-7)


@given(share=st.floats(1e-9, 0.9))
def test_small_classes_have_the_closed_forms(share: float) -> None:
    odds, lost = share / (1 - share), -log(share)
    assert risk(1, 1 / share) == pytest.approx(odds * lost, rel=1e-9)
    assert risk(2, 2 / share) == pytest.approx(odds - odds**2 * lost, rel=1e-9, abs=1e-12)
    assert risk(3, 3 / share) == pytest.approx(odds / 2 - odds**2 + odds**3 * lost, rel=1e-8, abs=1e-9)


@given(size=st.integers(1, 10**6))
def test_a_whole_population_leaves_one_over_the_class_size(size: int) -> None:
    assert risk(size, float(size)) == pytest.approx(1 / size)


@given(size=st.integers(1, 10**5), factor=st.floats(1, 1e9))
def test_lies_between_the_estimated_and_the_sampled_class(size: int, factor: float) -> None:
    found = risk(size, size * factor)
    assert 1 / (size * factor) * (1 - 1e-9) <= found <= 1 / size * (1 + 1e-9)  # the mean of 1 / F is above 1 / mean


@given(size=st.integers(1, 40), share=st.floats(1e-6, 1))
def test_more_records_in_the_class_are_less_risk(size: int, share: float) -> None:
    assert risk(size + 1, (size + 1) / share) < risk(size, size / share)


def test_the_two_ways_to_compute_it_agree_where_they_meet() -> None:
    sizes = np.arange(1, 30)
    below, above = (individual_risks(sizes, sizes / share, exact=True) for share in (0.5, 0.5 + 1e-12))
    assert below == pytest.approx(above, rel=1e-10)
    for share in (1e-6, 0.001, 0.3):  # the next larger class follows from the one before, whichever way it was computed
        found = individual_risks(sizes, sizes / share, exact=True)
        assert share * found[:-1] + (1 - share) * found[1:] == pytest.approx(share / sizes[:-1], rel=1e-12)


def test_a_tiny_rounding_below_the_count_is_a_whole_population() -> None:
    assert risk(3, 3 * (1 - 1e-15)) == pytest.approx(1 / 3)


def test_matches_the_printed_example() -> None:
    """The figures of the small worked example that programs of the field ship."""
    sizes = np.array([2, 2, 2, 1, 1, 1, 1, 2])
    weighted = np.array([110, 84.5, 84.5, 17, 541, 8, 5, 110])
    printed = [0.017144, 0.022042, 0.022042, 0.177076, 0.011654, 0.297063, 0.402359, 0.017144]
    assert individual_risks(sizes, weighted).round(6).tolist() == printed


def test_the_risk_of_a_sampled_record_is_its_share_of_the_drawn_classes() -> None:
    """Draw populations from the model itself: of those with f records, the mean of 1 / F is the risk."""
    rng = np.random.default_rng(3)
    size, share = 2, 0.1
    persons = size + rng.negative_binomial(size, share, 200_000)
    shares = 1 / persons
    assert risk(size, size / share) == pytest.approx(shares.mean(), abs=5 * shares.std() / np.sqrt(persons.size))


@given(size=st.integers(1, 50), share=st.floats(1e-6, 1))
def test_what_the_field_takes_is_never_below_the_mean_and_hardly_above(size: int, share: float) -> None:
    taken = float(individual_risks(np.array([size]), np.array([size / share]))[0])
    assert risk(size, size / share) <= taken * (1 + 1e-9)
    assert taken == pytest.approx(risk(size, size / share), rel=0.05)
