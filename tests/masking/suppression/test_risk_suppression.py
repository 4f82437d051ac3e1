from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import Microdata
from sfumato.datasets import reference
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.keys.classes import key_codes
from sfumato.keys.households import group_households
from sfumato.masking import RiskSuppression
from sfumato.masking.suppression import _joint_suppression as joint_suppression
from sfumato.masking.suppression.local_suppression import cells_of_single_records
from sfumato.masking.suppression.risk_suppression import cells_at_risk
from sfumato.risk import IndividualRisk
from tests.masking.keys import SURVEY_KEYS, data_of

NAMES = ("k0", "k1", "k2")
keys = hnp.arrays(np.int64, st.tuples(st.integers(6, 14), st.just(3)), elements=st.integers(-1, 2))
weights = hnp.arrays(np.float64, 14, elements=st.floats(1, 60))


def plain_risk(shown: np.ndarray, codes: np.ndarray, persons: np.ndarray) -> float:
    """The risk of a record in percent: the negative binomial mean of 1 / F, integrated by many small steps."""
    fitting = [
        person
        for other, person in zip(codes, persons, strict=True)
        if all(a == b or a < 0 for a, b in zip(shown, other, strict=True))
    ]
    f, p = len(fitting), min(len(fitting) / sum(fitting), 1.0)
    at = (np.arange(2000) + 0.5) / 2000
    return float(100 * (p * at ** (f - 1) / (p + (1 - p) * at)).mean())


def alone(n: int) -> Any:
    return group_households(np.arange(n))


def weighed(codes: np.ndarray, persons: np.ndarray) -> Microdata:
    frame = data_of(codes).frame.with_columns(persons=pl.Series(persons), half=pl.Series(np.arange(len(codes)) % 2))
    schema = Microdata(frame).schema.with_kinds(nominal=[*NAMES, "half"], continuous=["persons"])
    return Microdata(frame, schema.with_roles(weight=["persons"]))


def suppressed(data: Microdata, **parameters: Any) -> Microdata:
    return run_step(RiskSuppression(**{"columns": NAMES, **parameters}), data, seed=1, step=0)


@given(codes=keys, persons=weights, above=st.sampled_from([1.02, 1.5, 4.0]), first=st.sampled_from([1.0, 2.5]))
def test_every_record_meets_the_limit_for_the_least_cells_by_an_independent_risk(
    codes: np.ndarray, persons: np.ndarray, above: float, first: float
) -> None:
    persons, worth = persons[: len(codes)], np.array([first, 1.0, 1.0])
    limit = above * plain_risk(np.full(3, -1), codes, persons)
    cells = cells_at_risk(codes, persons, limit, worth, alone(len(codes)), np.zeros(3, dtype=bool))
    assert not cells[codes < 0].any()
    for record, lost in zip(codes, cells, strict=True):
        assert plain_risk(np.where(lost, -1, record), codes, persons) <= limit * 1.001
        cheaper = [
            chosen
            for size in range(4)
            for chosen in combinations(range(3), size)
            if worth[list(chosen)].sum() < (worth * lost).sum() - 1e-9
        ]
        for chosen in cheaper:
            shown = record.copy()
            shown[list(chosen)] = -1
            # the risk of three records or more is approximated, from above by at most 4 percent
            assert plain_risk(shown, codes, persons) > limit * 0.999 / 1.04


@given(codes=keys, persons=weights, above=st.sampled_from([1.02, 1.5, 4.0]))
def test_the_measure_of_individual_risk_finds_nobody_above_the_limit_in_the_masked_file(
    codes: np.ndarray, persons: np.ndarray, above: float
) -> None:
    codes[0] = 0  # no key is missing everywhere
    persons = persons[: len(codes)]
    limit = min(above * plain_risk(np.full(3, -1), codes, persons), 100.0)
    masked = suppressed(weighed(codes, persons), max_risk=limit)
    left = [name for name in NAMES if masked.frame[name].null_count() < masked.n]
    if left:
        assert IndividualRisk(columns=left, max_risk=limit * (1 + 1e-9)).of(masked).parts["IRL"] == 0


@given(codes=keys, persons=weights)
def test_counting_all_records_and_comparing_each_choose_the_same(codes: np.ndarray, persons: np.ndarray) -> None:
    persons, chosen = persons[: len(codes)], []
    limit = 2 * plain_risk(np.full(3, -1), codes, persons)
    for effort in (0.0, np.inf):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(joint_suppression, "COUNTING", effort)
            none_shared = np.zeros(3, dtype=bool)
            chosen.append(cells_at_risk(codes, persons, limit, np.ones(3), alone(len(codes)), none_shared))
    assert np.array_equal(chosen[0], chosen[1])


def test_without_weights_a_limit_is_a_group_size_with_gaps_too() -> None:
    codes = np.random.default_rng(1).integers(-1, 4, (100, 3))
    data = data_of(codes)
    lost = (key_codes(suppressed(data, max_risk=20), NAMES).T < 0) & (codes >= 0)
    assert lost.sum() == cells_of_single_records(codes, 5, np.ones(3)).sum()


def test_strata_meet_the_limit_each_by_itself_and_households_lose_their_shared_keys_together() -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 4, (120, 3))
    data = weighed(codes, rng.uniform(1, 9, 120))
    masked = suppressed(data, max_risk=6, within=("half",))
    for half in (0, 1):
        part = masked.take_rows(np.flatnonzero(data.codes("half")[0] == half))
        assert IndividualRisk(columns=NAMES, max_risk=6).of(part).parts["IRL"] == 0
    codes[:, 0] = np.repeat(codes[::2, 0], 2)
    frame = weighed(codes, rng.uniform(1, 9, 120)).frame.with_columns(home=pl.Series(np.arange(120) // 2))
    together = Microdata(frame, Microdata(frame).schema.with_kinds(nominal=[*NAMES, "home"], continuous=["persons"]))
    lost = (
        key_codes(
            suppressed(together, max_risk=5, weight="persons", household_columns=("k0",), household=("home",)), NAMES
        ).T
        < 0
    )
    assert lost[:, 0].any()
    assert np.array_equal(lost[::2, 0], lost[1::2, 0])


def test_records_that_come_without_values_protect_no_other() -> None:
    codes = np.vstack([np.arange(20)[:, None].repeat(3, axis=1), np.full((4, 3), -1)])
    masked = suppressed(weighed(codes, np.full(24, 2.0)), max_risk=25)
    assert all(masked.frame[name].null_count() == 24 for name in NAMES)


def test_a_key_that_one_member_lacks_is_suppressed_for_all_who_have_it() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 0], [-1, 0, 0]])
    homes = group_households(np.arange(6) // 2)
    cells = cells_at_risk(codes, np.full(6, 1.0), 30.0, np.ones(3), homes, np.array([True, False, False]))
    assert cells[:, 0].astype(int).tolist() == [0, 0, 1, 0, 0, 0]  # four have the first value, two the second
    assert not cells[:, 1:].any()


def test_a_higher_limit_needs_fewer_cells_and_important_columns_are_spared() -> None:
    rng = np.random.default_rng(3)
    data = weighed(rng.integers(0, 5, (150, 3)), rng.uniform(1, 20, 150))
    lost = [(key_codes(suppressed(data, max_risk=limit), NAMES).T < 0).sum() for limit in (1, 3, 10, 100)]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > lost[-1] == 0
    plain, sparing = (suppressed(data, max_risk=2, importance=worth) for worth in (None, {"k0": 10}))
    assert sparing.frame["k0"].null_count() < plain.frame["k0"].null_count()


def test_refuses_a_limit_that_no_suppression_meets_and_names_one_that_it_does() -> None:
    data = weighed(np.zeros((10, 3), dtype=np.int64), np.full(10, 4.0))
    with pytest.raises(
        DataError, match=r"RiskSuppression\.max_risk must be at least (\S+) %, the risk of a record"
    ) as told:
        suppressed(data, max_risk=1)
    named = float(str(told.value).split("at least ")[1].split(" %")[0])
    assert suppressed(data, max_risk=named).frame.equals(data.frame)
    with pytest.raises(ParameterError, match=r"RiskSuppression\.max_risk must be in \(0, 100\]; got 0"):
        RiskSuppression(columns=NAMES, max_risk=0)


def test_a_weight_below_one_counts_as_one_person() -> None:
    codes = np.random.default_rng(3).integers(0, 3, (30, 3))
    small, ones = (
        suppressed(weighed(codes, np.r_[least, np.full(28, 4.0)]), max_risk=20) for least in ([0.5, 0.2], [1, 1])
    )
    keys = [name for name in ones.schema.names if name != "persons"]
    assert small.take_columns(tuple(keys)).frame.equals(ones.take_columns(tuple(keys)).frame)


@pytest.mark.reference
def test_nobody_in_the_household_survey_is_left_above_the_limit() -> None:
    data = reference("household_survey")
    measure = IndividualRisk(columns=SURVEY_KEYS, weight="sampling_weight", max_risk=0.5)
    assert measure.of(data).parts["IRL"] > 0
    masked = suppressed(data, columns=SURVEY_KEYS, weight="sampling_weight", max_risk=0.5)
    assert measure.of(masked).parts["IRL"] == 0
