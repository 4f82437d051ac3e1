from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.datasets import reference
from sfumato.errors import DataError, ParameterError
from sfumato.keys.classes import MissingKeys
from sfumato.risk import Suda
from sfumato.risk.keys._suda_scores import confidence_by_record, match_confidence, suda_scores

SURVEY_KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


def people(**columns: Sequence[object]) -> Microdata:
    frame = pl.DataFrame(columns)
    return Microdata(frame, Schema.infer(frame).with_kinds(nominal=list(columns)))


def three_records() -> Microdata:
    return people(a=[2, 1, 1], b=[0, 3, 0], c=[0, 6, 0])


def test_shares_of_the_keys_are_those_that_the_r_package_tests_for() -> None:
    # sdcMicro, tests/testthat/test_suda2.R, "simple example contribution"
    found = Suda(columns=("a", "b", "c")).of(three_records())
    assert [found.parts[name] for name in ("a", "b", "c")] == [50.0, 37.5, 37.5]
    assert (found.parts["MSUN"], found.parts["MSUS"], found.parts["MSUX"]) == (3, 8, 4)


@pytest.mark.reference
def test_the_household_survey_has_its_known_scores() -> None:
    found = Suda(columns=SURVEY_KEYS, sampling_percent=1).of(reference("household_survey"))
    assert (found.parts["MSUN"], found.parts["MSUS"], found.parts["MSUX"]) == (157, 4890, 720)
    assert found.parts["DIS"] == pytest.approx(100 * 157 * 0.01 / (157 * 0.01 + 124 * 0.99))


def test_a_set_counts_the_ways_that_lead_from_it_to_the_largest_sets() -> None:
    codes = np.array([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0]])
    all_sizes = suda_scores("Suda", codes, None, MissingKeys.CATEGORY).per_record()
    pairs_only = suda_scores("Suda", codes, 2, MissingKeys.CATEGORY).per_record()
    assert all_sizes.tolist() == [6, 2, 2, 6]  # 3 * 2 * 1 for one key of four, 2 * 1 for two
    assert pairs_only.tolist() == [3, 1, 1, 3]


def test_smaller_sets_only_are_searched_when_asked_for() -> None:
    found = Suda(columns=("a", "b", "c"), max_size=1).of(three_records())
    assert found.parts["MSUN"] == 2
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0, 100.0, 0.0]


def test_a_missing_key_is_a_wildcard_or_a_category() -> None:
    data = people(town=["A", "A", None, "B"], sex=["f", "f", "f", "m"])
    as_wildcard = Suda(columns=("town", "sex")).of(data).per_record
    as_category = Suda(columns=("town", "sex"), missing="category").of(data).per_record
    assert as_wildcard is not None
    assert as_category is not None
    assert as_wildcard.tolist() == [0.0, 0.0, 0.0, 100.0]
    assert as_category.tolist() == [0.0, 0.0, 100.0, 100.0]


def test_a_suppressed_key_lowers_the_score() -> None:
    before = Suda(columns=("work", "sex")).of(people(work=["smith", "clerk", "clerk"], sex=["m", "f", "f"]))
    after = Suda(columns=("work", "sex")).of(people(work=[None, "clerk", "clerk"], sex=["m", "f", "f"]))
    assert after.parts["MSUS"] < before.parts["MSUS"]


def test_shares_of_the_categories_add_up_to_that_of_their_key() -> None:
    codes = np.random.default_rng(3).integers(-1, 4, (4, 40))
    found = suda_scores("Suda", codes, None, MissingKeys.CATEGORY)
    for key, column in enumerate(codes):
        assert found.shares_by_category(key, column, 4).sum() == pytest.approx(found.share(key))


def test_shares_of_the_categories_are_those_of_the_records_that_have_them() -> None:
    found = suda_scores("Suda", np.array([[2, 1, 1], [0, 3, 0], [0, 4, 0]]), None, MissingKeys.CATEGORY)
    assert found.shares_by_category(0, np.array([2, 1, 1]), 3).tolist() == [0.0, 25.0, 25.0, 0.0]


def test_the_file_is_the_population_when_nothing_says_otherwise() -> None:
    found = Suda(columns=("a", "b", "c")).of(three_records())
    assert found.value == 100.0
    assert "the file counts as the whole population" in found.remark


def test_weights_tell_how_much_of_the_population_is_in_the_file() -> None:
    frame = pl.DataFrame({"work": ["a", "b", "b", "c", "c"], "weight": [4.0, 4.0, 4.0, 4.0, 4.0]})
    schema = Schema.infer(frame).with_kinds(nominal=["work"], continuous=["weight"]).with_roles(weight=["weight"])
    by_weights = Suda(columns=("work",)).of(Microdata(frame, schema))
    by_fraction = Suda(columns=("work",), sampling_percent=25).of(Microdata(frame, schema))
    assert by_weights.parts == by_fraction.parts
    assert by_weights.parts["DIS"] == pytest.approx(100 * 0.25 / (0.25 + 4 * 0.75))
    assert "25 % of the population is in the file" in by_weights.remark


def test_sureness_of_a_match_is_that_of_taking_records_out_and_looking_for_them() -> None:
    rng, classes, fraction = np.random.default_rng(1), np.repeat(np.arange(60), [1, 2, 3] * 20), 0.3
    sizes = np.bincount(classes)[classes]
    right = wrong = 0
    for _ in range(3000):
        out = rng.integers(classes.size)
        there = sizes[out] - 1 + (is_back := rng.random() < fraction)
        right += bool(there == 1 and is_back)
        wrong += bool(there == 1 and not is_back)
    expected = match_confidence(sizes, fraction, np.ones_like(sizes))
    assert right / (right + wrong) == pytest.approx(expected, abs=4 * np.sqrt(expected / (right + wrong)))


@given(
    scores=st.lists(st.integers(1, 720), min_size=1, max_size=20),
    confidence=st.floats(0.001, 1.0),
    keys=st.integers(1, 40),
)
def test_the_odds_against_a_right_match_are_on_average_those_of_the_file(
    scores: list[int], confidence: float, keys: int
) -> None:
    chances = confidence_by_record(np.array([*scores, 0], dtype=float), confidence, keys)
    assert chances[-1] == 0
    assert np.mean(1 / chances[:-1] - 1) == pytest.approx(1 / confidence - 1, abs=1e-9)
    assert (np.diff(chances[np.argsort(scores)]) >= -1e-12).all()


def test_no_unique_record_means_no_risk() -> None:
    found = Suda(columns=("a",)).of(people(a=[1, 1, 2, 2]))
    assert found.value == 0
    assert set(found.parts.values()) == {0.0}


def test_names_a_key_that_makes_most_records_unique() -> None:
    found = Suda(columns=("name", "sex")).of(people(name=list(range(50)), sex=["m", "f"] * 25))
    assert "'name' makes most records unique by itself" in found.remark


def test_refuses_more_sets_of_keys_than_can_be_looked_through() -> None:
    data = people(**{f"key{place}": [0, 1] for place in range(25)})
    with pytest.raises(DataError, match=r"Suda would have to look through 33554431 sets of up to 25 of 25 keys; give"):
        Suda(columns=data.schema.names).of(data)
    assert Suda(columns=data.schema.names, max_size=3).of(data).parts["MSUN"] == 2


def test_refuses_a_size_of_none() -> None:
    with pytest.raises(ParameterError, match=r"Suda.max_size must be in \[1, inf\); got 0"):
        Suda(max_size=0)


def test_refuses_a_file_without_keys() -> None:
    with pytest.raises(DataError, match=r"Suda.columns: role\(key\) picks no column of this file; name the"):
        Suda().of(three_records())
