import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking.synthesis import pmm_imputation
from sfumato.masking.synthesis.pmm_imputation import PmmImputation, match_donors
from tests.masking.ipso import X, people

predictions = st.lists(st.sampled_from([0.0, 1.0, 1.5, 4.0, 9.0, 30.0]), min_size=2, max_size=25).map(np.array)


def pools(means: np.ndarray, wanted: np.ndarray, donors: int) -> list[set[int]]:
    """The rows that each record may borrow from: its nearest runs until they hold donors + 1, itself left out."""
    found = []
    for row, value in enumerate(wanted):
        pool: set[int] = set()
        for mean in sorted(set(means), key=lambda mean: (abs(mean - value), mean)):
            if len(pool) >= donors + 1:
                break
            pool |= set(np.flatnonzero(means == mean).tolist())
        found.append(pool - {row})
    return found


@given(means=predictions, shift=st.sampled_from([0.0, 0.2, -3.0]), donors=st.integers(2, 6), seed=st.integers(0, 99))
def test_each_donor_is_among_the_nearest_and_never_the_record_itself(
    means: np.ndarray, shift: float, donors: int, seed: int
) -> None:
    wanted = means[::-1] + shift
    chosen = match_donors(means, wanted, donors, np.random.default_rng(seed))
    for donor, pool in zip(chosen, pools(means, wanted, donors), strict=True):
        assert int(donor) in pool


def test_every_donor_of_a_pool_is_drawn_equally_often() -> None:
    means, rng = np.array([0.0, 0.0, 0.0, 1.0, 5.0, 9.0]), np.random.default_rng(1)
    rounds = np.array([match_donors(means, means, 3, rng) for _ in range(6000)])
    shares = np.bincount(rounds[:, 0], minlength=6) / 6000
    assert np.allclose(shares, [0, 1 / 3, 1 / 3, 1 / 3, 0, 0], atol=0.03)


def test_many_equal_predictions_do_not_share_a_few_donors() -> None:
    chosen = match_donors(np.zeros(1000), np.full(1000, 0.1), 5, np.random.default_rng(2))
    assert np.unique(chosen).size > 500


def test_records_are_matched_alike_however_many_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    means = np.random.default_rng(3).normal(size=500)
    whole = match_donors(means, means[::-1], 5, np.random.default_rng(4))
    monkeypatch.setattr(pmm_imputation, "AT_A_TIME", 64)
    assert np.array_equal(match_donors(means, means[::-1], 5, np.random.default_rng(4)), whole)


def test_every_value_is_one_of_the_original_column() -> None:
    data = people(1)
    masked = run_step(PmmImputation(columns=("wages", "profits"), given=X), data, seed=1, step=0)
    for name in ("wages", "profits"):
        assert np.isin(masked.values(name), data.values(name)).all()


def test_more_donors_weaken_the_relation_to_the_given_columns() -> None:
    rng = np.random.default_rng(5)
    age = rng.normal(size=800)
    data = Microdata(pl.DataFrame({"age": age, "pay": age + 0.2 * rng.normal(size=800)}))
    near, far = (
        run_step(PmmImputation(columns=("pay",), given=("age",), donors=donors), data, seed=1, step=0).values("pay")
        for donors in (3, 400)
    )
    assert np.corrcoef(near, age)[0, 1] > 0.95 > 0.85 > np.corrcoef(far, age)[0, 1]


def test_refuses_a_single_donor() -> None:
    with pytest.raises(ParameterError, match=r"^PmmImputation.donors must be in \[2, inf\); got 1$"):
        PmmImputation(columns=("pay",), donors=1)
