import time

import numpy as np
import pytest

from sfumato.data import Microdata, numeric
from sfumato.datasets import reference
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.improve import ComparedValues, Improvement, ImprovementEnding, PostMaskingOptimisation
from sfumato.masking import Mdav, RankSwapping
from tests.improve.files import both, grouped, incomes, noisy
from tests.matrices import microdata


def improved(original: Microdata, masked: Microdata, seed: int = 0, **parameters: object) -> Improvement:
    method = PostMaskingOptimisation(columns=numeric, **parameters)
    return method.improve(original, masked, np.random.default_rng(seed))


def matrix(data: Microdata) -> np.ndarray:
    return data.matrix(data.select(numeric))


def test_e_never_rises_and_il1_never_leaves_its_target_once_there() -> None:
    done = improved(*both(200, 3, seed=0), record_percent=50, target=0.0, max_steps=60_000)
    assert done.ended is ImprovementEnding.LIMIT
    assert (np.diff(done.errors) <= 1e-12).all()
    assert done.aimed_loss is not None
    away = np.abs(done.losses / done.aimed_loss - 1)
    there = int(np.argmax(away <= 0.01))
    assert 0 < there < len(away) - 1
    assert (away[there:] <= 0.01 + 1e-9).all()


def test_it_stops_below_the_target_of_e() -> None:
    done = improved(*both(200, 3, seed=0), record_percent=50, target=0.05)
    assert done.ended is ImprovementEnding.TARGET
    assert done.errors[-2] >= 0.05 > done.error
    assert done.steps[-1] < 300_000


def test_the_iterations_are_a_limit_and_a_remark_says_what_to_do() -> None:
    done = improved(*both(100, 2, seed=1), target=0.0, max_steps=5000)
    assert (done.ended, done.steps[-1]) == (ImprovementEnding.LIMIT, 5000)
    assert "allow more steps" in done.remarks[0]


def test_another_seed_gives_another_file() -> None:
    files = [improved(*both(100, 2, seed=2), seed).data.frame for seed in (0, 1)]
    assert not files[0].equals(files[1])


def test_only_the_records_that_contribute_most_to_il1_change() -> None:
    original = incomes(100, 2, 3)
    masked = original * 1.0001
    masked[40:50] *= 3
    done = improved(microdata(original), microdata(masked), record_percent=10)
    changed = (matrix(done.data) != masked).any(axis=1)
    assert changed.any()
    assert not changed[:40].any()
    assert not changed[50:].any()


def test_third_moments_come_nearer_when_they_are_asked_for() -> None:
    original, masked = both(200, 2, seed=4)

    def skewness(data: Microdata) -> np.ndarray:
        points = (matrix(data) - matrix(original).mean(axis=0)) / matrix(original).std(axis=0)
        return np.asarray((points**3).mean(axis=0))

    second, third = (
        improved(original, masked, record_percent=100, target=0.0, moment_order=order, max_steps=60_000).data
        for order in (2, 3)
    )
    away = [np.abs(skewness(data) - skewness(original)).max() for data in (masked, second, third)]
    assert away[2] < 0.1 * away[0]
    assert away[2] < 0.5 * away[1]


def test_groups_are_kept_when_asked_for_and_k_anonymity_with_them() -> None:
    original = incomes(120, 3, 5)
    masked = grouped(original, 6)
    done = improved(microdata(original), microdata(masked), record_percent=50, keeps_groups=True)
    _, before = np.unique(masked, axis=0, return_inverse=True)
    after = matrix(done.data)
    assert done.error < 0.9 * done.errors[0]
    assert 0 < done.records <= 60
    for group in range(before.max() + 1):
        assert (after[before == group] == after[before == group][0]).all()
    assert not any("broken" in remark for remark in done.remarks)


def test_records_equal_in_some_columns_stay_equal_in_them() -> None:
    original = incomes(60, 2, 6)
    masked = np.column_stack([grouped(original[:, :1], 5), grouped(original[:, 1:], 3)])
    done = improved(
        microdata(original), microdata(masked), record_percent=100, keeps_groups=True, target=0.0, max_steps=20_000
    )
    after = matrix(done.data)
    for column in range(2):
        _, owner = np.unique(masked[:, column], return_inverse=True)
        shared = {(group, value) for group, value in zip(owner, after[:, column], strict=True)}
        assert len(shared) == owner.max() + 1
    assert done.records > 20


def test_a_value_that_is_shared_with_a_record_outside_is_not_moved() -> None:
    original = incomes(40, 1, 7)
    masked = np.full_like(original, original.mean())
    masked[0] += 1
    masked[1] += 1
    done = improved(microdata(original), microdata(masked), record_percent=2.5, keeps_groups=True)
    assert (done.ended, done.records) == (ImprovementEnding.SETTLED, 0)
    assert "raise it" in done.remarks[0]


def test_il1_can_be_of_standardised_values() -> None:
    original, masked = both(100, 2, seed=8)
    raw = improved(original, masked)
    standardised = improved(original, masked, compared_values=ComparedValues.STANDARDISED)
    means, spread = matrix(original).mean(axis=0), matrix(original).std(axis=0, ddof=1)
    shifted = [microdata((matrix(data) - means) / spread) for data in (original, masked)]
    assert standardised.losses[0] == pytest.approx(improved(shifted[0], shifted[1]).losses[0])
    assert standardised.losses[0] != pytest.approx(raw.losses[0])


def test_too_many_moments_are_refused() -> None:
    with pytest.raises(
        DataError, match=r"14 columns have 38759 moments .* choose fewer columns or a lower moment_order"
    ):
        improved(*both(20, 14, seed=9), moment_order=6)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"record_percent": 0}, r"PostMaskingOptimisation.record_percent must be in \(0, 100\]; got 0"),
        ({"target_percent": 0}, r"target_percent must be in \(0, inf\); got 0"),
        ({"moment_order": 9}, r"moment_order must be in \[1, 6\]; got 9"),
    ],
)
def test_parameters_out_of_range_are_refused(parameters: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        PostMaskingOptimisation(columns=numeric, **parameters)


def test_a_change_keeps_the_top_code() -> None:
    original = incomes(100, 2, 10)
    masked = np.minimum(noisy(original, 10), np.quantile(original, 0.9, axis=0))
    done = improved(microdata(original), microdata(masked), record_percent=100)
    assert (matrix(done.data) <= masked.max(axis=0)).all()


@pytest.mark.reference
@pytest.mark.parametrize(
    ("method", "record_percent", "gain"),
    [
        (RankSwapping(columns=numeric, window=14), 10, 0.3),
        (Mdav(columns=numeric, k=10, columns_at_a_time=4), 50, 0.01),
    ],
)
def test_the_papers_files_are_improved_in_seconds(
    method: RankSwapping | Mdav, record_percent: float, gain: float
) -> None:
    census = reference("census")
    masked = run_step(method, census, seed=0, step=0)
    improved(census, masked, max_steps=1)  # compiles
    start = time.process_time()
    done = improved(census, masked, record_percent=record_percent)
    assert time.process_time() - start < 5
    assert done.error < gain * done.errors[0]
    assert done.loss == pytest.approx(done.losses[0] / 2, rel=0.011)
