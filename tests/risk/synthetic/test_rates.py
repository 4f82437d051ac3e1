"""Rates of success, their intervals, and when a leak is found."""

import numpy as np
import pytest
from scipy import stats

from sfumato.risk.synthetic._rates import Attack, finds_leak, share_chance


def test_the_interval_without_a_control_is_that_of_wilson() -> None:
    low, high = (100 * end for end in stats.binomtest(37, 400).proportion_ci(method="wilson"))
    assert Attack(37, 400).interval == pytest.approx((low, high))


def test_the_excess_risk_is_the_share_of_what_the_control_leaves() -> None:
    attack = Attack(60, 100, 20, 100)
    assert attack.risk == pytest.approx(50)
    assert attack.interval[0] < 50 < attack.interval[1]
    assert Attack(20, 100, 60, 100).risk == 0


@pytest.mark.parametrize(
    ("right", "tried", "control_right", "control_tried"), [(9, 40, 2, 50), (5, 10, 5, 10), (3, 9, 0, 90)]
)
def test_the_chance_is_that_of_the_exact_test(right: int, tried: int, control_right: int, control_tried: int) -> None:
    table = [[right, tried - right], [control_right, control_tried - control_right]]
    expected = stats.fisher_exact(table, alternative="greater").pvalue
    assert share_chance(right, tried, control_right, control_tried) == pytest.approx(expected)


def test_the_more_is_tried_the_more_a_leak_must_show() -> None:
    assert finds_leak([0.001])
    assert not finds_leak([0.001, 1.0, 1.0])
    assert not finds_leak([])


def test_persons_who_live_together_count_for_as_many_as_they_tell() -> None:
    rng = np.random.default_rng(3)
    found, others = (rng.random((400, 1)) < share for share in (0.4, 0.3))
    alone = Attack.of(found[:, 0].astype(float), others[:, 0].astype(float))
    homes = np.repeat(np.arange(400), 4)
    together = Attack.of(np.repeat(found, 4).astype(float), np.repeat(others, 4).astype(float), (homes, homes))
    assert together.tried == pytest.approx(400, rel=0.01)
    assert together.chance == pytest.approx(alone.chance, rel=0.1)
    assert together.rate == pytest.approx(alone.rate)


def test_an_interval_is_above_nothing_only_where_the_exact_test_rules_chance_out() -> None:
    sure = Attack(4000, 4000, 1999, 2000)  # all but one of the control are guessed right, too
    assert sure.chance > 0.3
    assert sure.interval_of_worst(9)[0] == 0
    assert sure.interval[1] == 100
    assert Attack(900, 1000, 500, 1000).interval_of_worst(9)[0] > 70


def test_of_files_whose_secret_nearly_everybody_tells_few_have_an_interval_above_nothing() -> None:
    rng = np.random.default_rng(9)
    draws = [Attack(rng.binomial(4000, 0.998), 4000, rng.binomial(2000, 0.998), 2000) for _ in range(400)]
    assert sum(attack.interval_of_worst(9)[0] > 0 for attack in draws) <= 4
