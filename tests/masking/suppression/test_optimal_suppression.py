import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.errors import DataError, ParameterError
from sfumato.keys.classes import key_codes
from sfumato.masking import StrictLocalSuppression, strict_suppression_bound
from sfumato.masking.suppression import _optimal_suppression as optimal_suppression
from sfumato.masking.suppression._optimal_suppression import Suppression
from sfumato.masking.suppression.local_suppression import cells_of_single_records
from sfumato.masking.suppression.strict_local_suppression import cells_of_equal_groups
from tests.masking.keys import data_of
from tests.masking.suppression.test_strict_local_suppression import fewest_alike, least_cost


def best(codes: np.ndarray, k: int, worth: np.ndarray, max_nodes: int = 1000) -> Suppression:
    known = cells_of_equal_groups(codes, k, worth)
    return optimal_suppression.optimal_suppression(codes, k, worth, known, max_nodes)


def test_the_cost_is_the_least_of_all_choices_and_the_bound_proves_it() -> None:
    rng = np.random.default_rng(1)
    for number in range(12):
        codes = rng.integers(-1 if number % 2 else 0, 3, size=(5, 2))
        worth = np.array([1.0, 1.0 if number % 3 else 2.5])
        k = 2 + number % 2
        found = best(codes, k, worth)
        assert found.cost == pytest.approx(least_cost(codes, k, worth))
        assert found.bound == pytest.approx(found.cost)
        assert found.cost == pytest.approx((found.cells * worth).sum())


@given(
    codes=hnp.arrays(np.int64, st.tuples(st.integers(5, 20), st.integers(1, 3)), elements=st.integers(-1, 3)),
    k=st.integers(2, 4),
    first=st.sampled_from([1.0, 2.5]),
)
def test_every_combination_is_that_of_enough_records_and_the_bound_lies_below_the_cost(
    codes: np.ndarray, k: int, first: float
) -> None:
    worth = np.r_[first, np.ones(codes.shape[1] - 1)]
    found = best(codes, k, worth, max_nodes=1)
    assert fewest_alike(np.where(found.cells, -1, codes)) >= k
    assert not found.cells[codes < 0].any()
    quick = (cells_of_equal_groups(codes, k, worth) * worth).sum()
    weaker = (cells_of_single_records(codes, k, worth) * worth).sum()
    assert found.bound - 1e-6 <= found.cost <= quick + 1e-9
    assert weaker <= found.cost + 1e-9


def test_a_search_saves_cells_and_the_bound_says_how_many_could_be_saved_at_most() -> None:
    codes = np.random.default_rng(4).integers(0, 3, (80, 3))
    quick = StrictLocalSuppression(columns=("k0", "k1", "k2"), k=4)
    few, fewest = (strict_suppression_bound(method, data_of(codes)) for method in (quick, quick.replace(max_nodes=200)))
    assert few.bound <= fewest.bound <= fewest.cost < few.cost
    assert few.gap == pytest.approx(100 * (few.cost - few.bound) / few.cost)
    assert fewest.gap == 0
    masked = quick.replace(max_nodes=200).mask(data_of(codes), np.random.default_rng(0))
    assert (key_codes(masked, ("k0", "k1", "k2")).T < 0).sum() == fewest.cost


def test_the_bound_of_strata_is_the_sum_of_theirs() -> None:
    codes = np.random.default_rng(5).integers(0, 3, (60, 3))
    method = StrictLocalSuppression(columns=("k0", "k1"), k=3, max_nodes=10)
    parts = [strict_suppression_bound(method, data_of(codes[codes[:, 2] == part])) for part in range(3)]
    whole = strict_suppression_bound(method.replace(within=("k2",)), data_of(codes))
    assert whole.cost == sum(part.cost for part in parts)
    assert whole.bound == sum(part.bound for part in parts)


def test_refuses_to_search_among_too_many_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal_suppression, "MAX_CHOICES", 20)
    data = data_of(np.random.default_rng(6).integers(0, 5, (50, 3)))
    with pytest.raises(DataError, match=r"StrictLocalSuppression\.max_nodes: the records have more than 20 choices"):
        StrictLocalSuppression(columns=("k0", "k1", "k2"), max_nodes=1).mask(data, np.random.default_rng(0))
    with pytest.raises(ParameterError, match=r"StrictLocalSuppression\.max_nodes must be in \[0, 100000000\]; got -1"):
        StrictLocalSuppression(columns=("k0",), max_nodes=-1)
