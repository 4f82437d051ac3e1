"""Somebody who learns from half of the records what goes with what, and looks for the persons of the others."""

from collections.abc import Callable

import numpy as np
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import LEARNT_FOUND
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.hinting_columns import released_keys
from sfumato.keys.learning.fitting_pairs import fitting_pairs
from sfumato.keys.learning.learnt_intruder import LEVEL, LearntIntruder, learnt_intruder, split_in_halves
from tests.keys.learning.other_populations import exams, farms, visits
from tests.keys.learning.planted_files import harmless, mothers, pensioners, pupils


@pytest.mark.parametrize(
    ("file", "column"), [(pupils, "years_behind"), (mothers, "age_class")], ids=["pupils", "mothers"]
)
def test_a_column_that_gives_two_keys_together_fails_a_limit_on_k(
    file: Callable[[], sf.Microdata], column: str
) -> None:
    found = sf.protect(file(), k=3, limits=["k>=3"], seed=1)
    assert found.learnt is not None
    assert found.learnt.breaks_k
    assert found.learnt.columns[0][0] == column
    assert LEARNT_FOUND in found.alarms
    [limit] = found.after.limits
    assert not limit.is_met
    assert sf.assess(file(), found.data, methods=found.recipe.steps, worst_case=False).alarms == found.alarms


def test_right_claims_are_right_as_counted_person_by_person() -> None:
    data = pupils()
    found = sf.protect(data, k=3, limits=["k>=3"], seed=1)
    keys, before, after = ("age", "school_year", "sex", "town"), data.frame.to_dicts(), found.data.frame.to_dicts()
    became = {
        name: {one[name]: two[name] for one, two in zip(before, after, strict=True) if two[name]} for name in keys
    }
    left = [
        sum(
            all(record[name] in {None, became[name].get(person[name], object())} for name in keys)
            and person["age"] - person["school_year"] - 5 == record["years_behind"]
            for person in before
        )
        for record in after
    ]
    exposed = sum(count < 3 for count in left)
    assert found.learnt is not None
    assert exposed / 2 < found.learnt.right <= exposed  # what was learnt is not quite the rule


@pytest.mark.parametrize("seed", [1, 2])
def test_columns_that_merely_go_with_a_key_find_nobody(seed: int) -> None:
    found = sf.protect(harmless(seed=seed), k=3, limits=["k>=3"], seed=1)
    assert found.learnt is not None
    assert not found.learnt.is_found
    assert found.after.meets_limits


def test_a_column_that_two_categorical_keys_give_exposes_nobody_after_protection() -> None:
    data = pensioners()
    found = sf.protect(data, k=3, limits=["k>=3"], seed=1)
    keys, before, after = ("sex", "age", "town", "job"), data.frame.to_dicts(), found.data.frame.to_dicts()
    became = {
        name: {one[name]: two[name] for one, two in zip(before, after, strict=True) if two[name]} for name in keys
    }
    left = [
        sum(
            all(record[name] in {None, became[name].get(person[name], object())} for name in keys)
            and person["pension"] == record["pension"]
            for person in before
        )
        for record in after
    ]
    assert found.after.meets_limits
    assert min(left) >= 3


def test_the_pairs_are_those_who_fit_one_by_one() -> None:
    data = harmless(150)
    released = sf.protect(data, k=3, seed=1).data
    names, rows = ("sex", "age", "town", "job"), np.arange(data.n)
    classes = FittingPersons.of(released_keys(released, names, data, rows), ()).classes
    pairs = fitting_pairs(classes, rows, 3)
    fits = ((classes.shown[:, :, None] < 0) | (classes.shown[:, :, None] == classes.known[:, None, :])).all(axis=0)
    assert {*zip(pairs.records.tolist(), pairs.persons.tolist(), strict=True)} == {
        (int(one), int(other)) for one, other in np.argwhere(fits)
    }
    twice = fitting_pairs(classes, rows, 3, rows // 2)  # two records of each person
    assert twice.is_true.sum() == twice.starts.size
    held = [{*(twice.persons[twice.records == row] // 2).tolist()} for row in rows[:20]]
    fitting = [{*(np.flatnonzero(fits[row]) // 2).tolist()} for row in rows[:20]]
    assert held == [persons if len(persons) >= 3 else set() for persons in fitting]


@pytest.mark.parametrize(
    ("population", "column"), [(farms, "premium"), (exams, "room")], ids=["a farm census", "an exam file"]
)
def test_what_is_found_in_populations_of_other_kinds_is_what_was_planted(
    population: Callable[..., sf.Microdata], column: str
) -> None:
    planted, calm = (sf.protect(population(2, is_planted=one), k=3, limits=["k>=3"], seed=1) for one in (True, False))
    assert planted.learnt is not None
    assert planted.learnt.breaks_k
    assert planted.learnt.columns[0][0] == column
    assert calm.learnt is not None
    assert not calm.learnt.is_found
    assert calm.after.meets_limits


@pytest.mark.parametrize("seed", [2, 4, 9])
def test_several_records_of_a_person_are_not_learnt_from_each_other(seed: int) -> None:
    data = visits(seed, is_planted=False)
    found = sf.protect(data, k=3, seed=1).learnt
    assert found is not None
    assert not found.is_found
    assert found.tried <= data.frame["patient_number"].n_unique()


def test_no_household_is_in_both_halves() -> None:
    rng = np.random.default_rng(5)
    homes, rows = rng.integers(0, 60, 200), rng.permutation(200)[:150]
    halves = split_in_halves(rows, homes)
    assert sorted(np.concatenate(halves).tolist()) == sorted(rows.tolist())
    assert not {*homes[halves[0]].tolist()} & {*homes[halves[1]].tolist()}
    assert 60 < halves[0].size < 90


def test_chance_alone_is_not_taken_for_a_find() -> None:
    rng = np.random.default_rng(0)
    chances = rng.uniform(0.2, 0.9, (20_000, 12))
    right = (rng.random(chances.shape) < chances).sum(axis=1)
    told = [
        LearntIntruder(100, 12, int(one), 1, float(mean), ()).is_found
        for one, mean in zip(right, chances.sum(axis=1), strict=True)
    ]
    assert np.mean(told) <= LEVEL


@pytest.mark.parametrize("file", [pupils, harmless], ids=["pupils", "nothing planted"])
def test_whom_a_learning_intruder_finds_does_not_depend_on_the_order_of_the_records(
    file: Callable[[], sf.Microdata],
) -> None:
    data = file()
    released = sf.protect(data, k=3, limits=["k>=3"], seed=1)
    keys = data.select(sf.role("key"))
    found = []
    for seed in range(3):
        rows = np.random.default_rng(seed).permutation(data.n)
        found.append(learnt_intruder(data.take_rows(rows), released.data.take_rows(rows), keys, 3))
    assert found == [released.learnt] * 3


def test_tables_are_chosen_on_records_with_all_kinds_of_gaps() -> None:
    data = harmless(300)
    released = sf.protect(data, k=3, seed=1).data
    names, rows = ("sex", "age", "town", "job"), np.arange(data.n)
    classes = FittingPersons.of(released_keys(released, names, data, rows), ()).classes
    pairs = fitting_pairs(classes, rows, 3)
    assert (np.diff(pairs.records) >= 0).all()
    assert np.array_equal(np.diff(pairs.records, prepend=-1).nonzero()[0], pairs.starts)
    gaps = [{*np.flatnonzero(classes.shown[:, row] < 0)} for row in np.unique(pairs.first(60).records)]
    assert any(gaps)
    assert not all(gaps)
