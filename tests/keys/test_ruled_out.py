"""What a column rules out of a key is found where it is no chance, and never rules out what is so."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys._chance import log_chance_of_few, log_chance_of_none, log_chance_within
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.hinting_columns import hinting_columns
from sfumato.keys.ruled_out import ReleasedKey, RuledOut, rule_out
from sfumato.numerics.arrays import CodeColumn

N = 400


def ruled(key: CodeColumn, column: CodeColumn, *, key_order: bool = False, column_order: bool = False) -> RuledOut:
    """Return what is ruled out of a key that is released as one category."""
    found = rule_out(ReleasedKey(key, np.zeros_like(key), key_order), column, np.arange(key.size), column_order)
    assert found is not None
    return found


def left(found: RuledOut, row: int) -> list[int]:
    return np.flatnonzero(found.allowed[found.kinds[row]]).tolist()


@pytest.mark.parametrize(("total", "members", "span"), [(6, 2, 3), (7, 3, 3), (8, 1, 4), (9, 4, 7)])
def test_the_chances_are_those_of_counting_all_cases(total: int, members: int, span: int) -> None:
    cases = list(combinations(range(total), members))
    within = np.mean([case[-1] - case[0] < span for case in cases])
    none = np.mean([case[0] >= span for case in cases])
    assert np.exp(log_chance_within(total, np.array([members]), np.array([span]))) == pytest.approx([within])
    assert np.exp(log_chance_of_none(total, np.array([members]), np.array([span]))) == pytest.approx([none])


@pytest.mark.parametrize(("sizes", "members"), [((3, 2, 2, 1), 3), ((5, 1, 1, 1, 1), 2), ((4, 3, 3), 4)])
def test_the_bound_on_few_categories_is_undercut_no_more_often_than_it_says(
    sizes: tuple[int, ...], members: int
) -> None:
    category, records = np.repeat(np.arange(len(sizes)), sizes), np.array(sizes)
    held = [np.unique(category[list(case)]) for case in combinations(range(category.size), members)]
    span, sets = np.array([records[one].sum() for one in held]), np.array([one.size for one in held])
    bounds = np.exp(log_chance_of_few(category.size, np.array(members), span, sets, len(sizes)))
    assert all(np.mean(bounds <= bound) <= bound + 1e-12 for bound in bounds)


def test_a_language_that_few_speak_rules_out_all_countries_but_theirs() -> None:
    country = np.repeat([0, 1, 2, 3], [335, 40, 12, 13])
    language = np.where(np.arange(N) % 2 == 0, country, 0)
    found = ruled(country, language)
    assert left(found, 380) == [2, 4]
    assert left(found, 390) == [3, 4]
    assert left(found, 1) == [0, 1, 2, 3, 4]  # 4 stands for a gap, which nobody has


def test_where_holders_are_of_many_categories_those_not_seen_stay_possible() -> None:
    town = np.concatenate([np.arange(20), np.arange(380) % 100 + 20])
    crop = np.repeat([1, 0], [20, 380])
    assert left(ruled(town, crop), 0) == [*range(121)]


def test_weights_rule_out_regions_of_one_household_where_other_regions_show_that_they_go_with_regions() -> None:
    region = np.repeat([0, 1, 2], [2, 198, 200])
    weight = np.concatenate([np.arange(2), 2 + np.arange(198), 150 + np.arange(200)])
    key = ReleasedKey(region, np.zeros_like(region), False)
    for is_by_design, possible in ((False, [0, 1, 3]), (True, [1, 3])):
        found = rule_out(key, weight, np.arange(N), True, is_by_design=is_by_design)
        assert found is not None
        assert left(found, 50) == possible
    unrelated = np.random.default_rng(0).permutation(N)
    assert rule_out(key, unrelated, np.arange(N), True, is_by_design=True) is None


def test_weights_that_regions_have_for_themselves_rule_out_the_others_where_they_do_not_overlap() -> None:
    region = np.repeat([0, 1, 2], [10, 190, 200])
    weight = np.concatenate([np.arange(10), 10 + np.arange(190), 150 + np.arange(200)])
    found = ruled(region, weight, column_order=True)
    assert left(found, 3) == [0, 3]  # 3 stands for a gap in the key, which nothing rules out
    assert left(found, 20) == [1, 3]
    assert left(found, 190) == left(found, 210) == [1, 2, 3]


def test_a_status_that_goes_with_some_ages_rules_out_those_outside() -> None:
    age = np.arange(N) % 80
    status = np.where(age < 16, 0, np.where(age < 60, 1, 2))
    found = ruled(age, status, key_order=True)
    assert left(found, 3) == [*range(16), 80]
    assert left(found, 70) == [*range(60, 80), 80]


def test_a_gap_is_ruled_out_for_those_who_must_have_a_value() -> None:
    status = np.arange(N) % 2
    job = np.where(status == 0, -1, np.arange(N) % 7)
    found = ruled(job, status)
    assert left(found, 0)[-1] == 7
    assert 7 not in left(found, 1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("key_order", "column_order"), [(False, False), (True, True)])
def test_unrelated_columns_rule_out_nothing(seed: int, key_order: bool, column_order: bool) -> None:
    rng = np.random.default_rng(seed)
    for values in (3, 40, 5_000):
        key, column = rng.geometric(0.05, N) % 30, rng.integers(0, values, N)
        _, codes = np.unique(column, return_inverse=True)
        found = rule_out(ReleasedKey(key, key // 10, key_order), codes, np.arange(N), column_order)
        assert found is None


@pytest.mark.parametrize("seed", range(5))
def test_the_truth_is_never_ruled_out_and_the_persons_who_fit_are_those_of_a_plain_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    region, sex = rng.integers(0, 6, N), rng.integers(0, 2, N)
    weight = np.unique(region * 30 + rng.integers(0, 45, N), return_inverse=True)[1]
    shown = np.where(rng.random(N) < 0.1, -1, region // 3)
    keys = [ReleasedKey(region, shown, False), ReleasedKey(sex, np.where(rng.random(N) < 0.1, -1, sex), False)]
    found = rule_out(keys[0], weight, np.arange(N), True)
    assert found is not None
    possible = found.allowed[found.kinds][:, found.categories]
    assert possible.diagonal().all()
    by_keys = ((shown[:, None] < 0) | (shown[:, None] == region // 3)) & (
        (keys[1].after[:, None] < 0) | (keys[1].after[:, None] == sex)
    )
    counts, without = (by_keys & possible).sum(axis=1), by_keys.sum(axis=1)
    for k in (20, 40):
        rows, fitting = FittingPersons.of(keys, [found]).exposed(k)
        expected = np.flatnonzero((counts < k) & (without >= k))
        assert rows.tolist() == expected.tolist()
        assert fitting.tolist() == counts[expected].tolist()
    assert np.flatnonzero(counts < 40).size > 0


def test_where_a_key_was_swapped_nobody_is_said_to_be_found_by_what_cannot_be_known() -> None:
    region = np.repeat([0, 1], N // 2)
    swapped = np.where(np.arange(N) % 3 == 0, -1, 1 - region)
    swapped[[1, N - 2]] = region[[1, N - 2]]
    found = ruled(region, np.arange(N), column_order=True)
    rows, _ = FittingPersons.of([ReleasedKey(region, swapped, False)], [found]).exposed(5)
    assert rows.size == 0


@pytest.mark.parametrize("code", [None, -1.0])
def test_who_was_not_asked_is_a_hint_like_any_other(code: float | None) -> None:
    rng = np.random.default_rng(0)
    age = rng.integers(0, 80, 600)
    hours = pl.Series(np.where(age < 16, np.nan, rng.integers(5, 50, 600))).fill_nan(code)
    frame = pl.DataFrame({"age": age, "sex": rng.choice(["f", "m"], 600), "hours": hours})
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "hours"]).with_roles(key=["age", "sex"])
    data = sf.Microdata(frame, schema.with_variables(schema["hours"].model_copy(update={"missing_codes": (-1,)})))
    masked = data.with_frame(frame.with_columns(age=pl.col("age") // 20))
    _, hints = hinting_columns(masked, ("age", "sex"), data, np.arange(600))
    [hint] = [hint for hint in hints if hint.column == "the gaps of hours"]
    left = hint.ruled.allowed[hint.ruled.kinds][:, :80]
    np.testing.assert_array_equal(left[age < 16].any(axis=0), np.arange(80) < 16)
    np.testing.assert_array_equal(left[age >= 16].any(axis=0), np.arange(80) >= 16)
