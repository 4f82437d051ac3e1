"""How often attacks were tried: persons and comparisons, and intervals that hold for all attacks together."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm

from sfumato.contracts import JOINT_QUESTIONS, ControlledRisk
from sfumato.data import Microdata
from sfumato.risk import Disco, Inference, Linkability, MembershipInference, ReplicatedUniques, SinglingOut
from tests.risk.synthetic.planted import NAMES, file, population

PEOPLE, OTHERS, MADE = population(300, 1), population(200, 2), population(300, 3)
ATTACKS = (
    SinglingOut(columns=NAMES),
    Linkability(columns=NAMES),
    Inference(columns=NAMES),
    MembershipInference(columns=NAMES),
    ReplicatedUniques(columns=NAMES),
    Disco(columns=NAMES[:1], sensitive=NAMES[1:]),
)


@pytest.mark.parametrize("measure", ATTACKS, ids=lambda one: one.name())
def test_every_attack_tells_what_it_was_tried_on(measure: ControlledRisk) -> None:
    found = measure.with_control(file(OTHERS)).measure(file(PEOPLE), file(MADE))
    assert found.trials is not None
    assert found.trials.tried > 0
    assert found.trials.control_tried > 0
    assert found.trials.comparisons >= 1


def test_persons_are_counted_and_each_secret_is_a_comparison() -> None:
    trials = Inference(columns=NAMES).with_control(file(OTHERS)).measure(file(PEOPLE), file(MADE)).trials
    assert trials is not None
    assert (trials.unit, trials.tried, trials.control_tried) == ("persons", 300, 200)
    assert trials.comparisons == len(NAMES)
    capped = Linkability(columns=NAMES, attacks=50).with_control(file(OTHERS)).measure(file(PEOPLE), file(MADE)).trials
    assert capped is not None
    assert (capped.tried, capped.control_tried, capped.comparisons) == (50, 50, 1)


def test_without_a_control_nobody_of_it_was_tried() -> None:
    trials = Linkability(columns=NAMES).measure(file(PEOPLE), file(MADE)).trials
    assert trials is not None
    assert trials.control_tried == 0


def test_the_joint_interval_is_that_of_wilson_for_a_tenth_of_the_error() -> None:
    """Ten intervals that each miss in .5 % of the files miss together in at most 5 %."""
    found = Linkability(columns=NAMES).measure(file(PEOPLE), file(PEOPLE.head(150)))
    assert found.trials is not None
    assert found.trials.joint_interval is not None
    n, share = 300, found.value / 100
    z = norm.ppf(1 - 0.05 / 2 / JOINT_QUESTIONS)
    middle, half = share + z**2 / (2 * n), z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    ends = [100 * (middle - half) / (1 + z**2 / n), 100 * (middle + half) / (1 + z**2 / n)]
    assert found.trials.joint_interval == pytest.approx(ends)


@pytest.mark.parametrize("measure", ATTACKS[:4], ids=lambda one: one.name())
def test_the_joint_interval_holds_the_single_one(measure: ControlledRisk) -> None:
    found = measure.with_control(file(OTHERS)).measure(file(PEOPLE), file(MADE))
    assert found.interval is not None
    assert found.trials is not None
    assert found.trials.joint_interval is not None
    low, high = found.trials.joint_interval
    assert low <= found.interval[0] <= found.value <= found.interval[1] <= high


def test_the_interval_of_replicated_uniques_is_held_against_the_control_and_told_with_those_of_the_others() -> None:
    """Both shares are those of Wilson for a tenth of the error; the errors of both add up."""
    people, others, made = (file(population(150, seed)) for seed in (1, 2, 3))
    found = ReplicatedUniques(columns=NAMES[:2]).with_control(others).measure(people, made)
    assert found.trials is not None
    assert found.trials.joint_interval is not None
    rates = [found.parts[name] / 100 for name in ("original", "control")]
    z = norm.ppf(1 - 0.05 / 2 / JOINT_QUESTIONS)
    middles = [(150 * rate + z**2 / 2) / (150 + z**2) for rate in rates]
    halves = [z / (150 + z**2) * np.sqrt(150 * rate * (1 - rate) + z**2 / 4) for rate in rates]
    room = 1 - middles[1]
    half = np.hypot(halves[0] / room, halves[1] * (middles[0] - 1) / room**2)
    assert found.trials.joint_interval[1] == pytest.approx(100 * ((middles[0] - middles[1]) / room + half))


def test_the_commonest_value_is_right_for_those_who_have_it() -> None:
    towns = ["A"] * 50 + ["B"] * 30 + ["C"] * 20
    people = pl.DataFrame({"town": towns, "pay": np.arange(100.0)})
    made = pl.DataFrame({"town": ["B"] * 60 + ["A"] * 40, "pay": np.arange(100.0)[::-1].copy()})
    found = Inference(columns=("town", "pay"), sensitive=("town",)).measure(Microdata(people), Microdata(made))
    assert found.parts["town (the commonest value)"] == 30.0
