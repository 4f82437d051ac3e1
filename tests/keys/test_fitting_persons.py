"""How many persons fit what a record shows, counted by classes of equal records and persons."""

import numpy as np
import pytest

from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.person_classes import PersonClasses
from sfumato.keys.ruled_out import RuledOut
from sfumato.numerics.arrays import Booleans, CodeMatrix

N, KEYS, CATEGORIES, KINDS = 120, 3, 4, 3


def _file(seed: int, unknown: float) -> FittingPersons:
    rng = np.random.default_rng(seed)
    known = rng.integers(0, 3, (KEYS, N))
    shown = np.where(rng.random((KEYS, N)) < 0.3, -1, known)
    of_keys = [rng.integers(0, CATEGORIES, N) for _ in range(2)]
    ruled = tuple(
        RuledOut(rng.integers(0, KINDS, N), categories, rng.random((KINDS, CATEGORIES)) < 0.6)
        for categories in (of_keys[0], of_keys[1], of_keys[0].copy())
    )
    return FittingPersons(PersonClasses(shown, known, rng.random(N) < unknown, (of_keys[0], known[1], known[2])), ruled)


def _count(file: FittingPersons, row: int, kept: Booleans, k: int) -> int:
    """Count person by person."""
    found = 0
    for person in range(N):
        fits = all(file.classes.shown[j, row] == file.classes.known[j, person] for j in np.flatnonzero(kept))
        is_left = all(one.allowed[one.kinds[row], one.categories[person]] for one in file.ruled)
        found += bool(file.classes.is_unknown[person] or (fits and is_left))
    return min(found, k)


@pytest.mark.parametrize(("seed", "unknown"), [(1, 0.0), (2, 0.02), (3, 0.0)])
def test_as_many_persons_fit_as_a_plain_loop_counts(seed: int, unknown: float) -> None:
    file, rows = _file(seed, unknown), np.random.default_rng(seed).permutation(N)[:70]
    for k in (2, 5, N):
        expected = [_count(file, row, file.classes.shown[:, row] >= 0, k) for row in rows.tolist()]
        assert file.counts(rows, k).tolist() == expected
    assert file.counts(rows[:0], 3).size == 0


def test_keys_that_are_left_out_are_not_compared() -> None:
    file = _file(4, 0.0)
    rows = np.flatnonzero((file.classes.shown >= 0).all(axis=0))
    for bits in range(1 << KEYS):
        kept = bits >> np.arange(KEYS) & 1 == 1
        assert file.counts_without(rows, kept, 6).tolist() == [_count(file, row, kept, 6) for row in rows.tolist()]


def test_nothing_is_ruled_out_without_other_columns() -> None:
    file, rows = _file(5, 0.0).ruled_by(()), np.arange(N)
    assert file.counts(rows, 4).tolist() == [
        _count(file, row, file.classes.shown[:, row] >= 0, 4) for row in rows.tolist()
    ]


def test_one_more_key_that_is_known_of_everybody_narrows_who_fits() -> None:
    file, rows = _file(6, 0.0), np.arange(N)
    narrowed = file.with_key(np.arange(N) % 5)
    assert narrowed.counts(rows, N).tolist() == [
        _count(narrowed, row, narrowed.classes.shown[:, row] >= 0, N) for row in rows.tolist()
    ]


def _records_of(file: FittingPersons, shown: CodeMatrix, person: int) -> int:
    """Count record by record."""
    found = 0
    for row in range(N):
        codes = zip(shown[:, row], file.classes.known[:, person], strict=True)
        is_left = all(one.allowed[one.kinds[row], one.categories[person]] for one in file.ruled)
        found += bool(is_left and all(code in (-1, own) for code, own in codes))
    return N if file.classes.is_unknown[person] else found


@pytest.mark.parametrize(("seed", "unknown"), [(1, 0.0), (2, 0.05), (3, 0.0)])
def test_as_many_records_fit_a_person_as_a_plain_loop_counts(seed: int, unknown: float) -> None:
    file = _file(seed, unknown)
    expected = np.array([_records_of(file, file.classes.shown, person) for person in range(N)])
    for k in (2, 5, N):
        assert file.record_counts(k).tolist() == np.minimum(expected, k).tolist()
    assert file.ruled_by(()).record_counts(N).tolist() == [
        _records_of(file.ruled_by(()), file.classes.shown, person) for person in range(N)
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cells_are_suppressed_until_enough_records_fit_each_person_who_can_be_helped(seed: int) -> None:
    file, k = _file(seed, 0.0), 12
    cells = file.cells_for_persons(np.array([1.0, 2.0, 1.5]), k)
    assert cells.any()
    assert not (cells & (file.classes.shown.T < 0)).any()
    after = np.where(cells.T, -1, file.classes.shown)
    nothing = np.full_like(after, -1)
    for person in range(N):
        before, most = (_records_of(file, shown, person) for shown in (file.classes.shown, nothing))
        left = _records_of(file, after, person)
        assert left >= (k if most >= k else before)
    safe = _file(seed, 0.0).ruled_by(())
    assert not safe.cells_for_persons(np.ones(KEYS), 1).any()


def test_a_category_that_became_several_codes_leaves_each_of_them() -> None:
    rng = np.random.default_rng(7)
    known = rng.integers(0, 5, (1, N))
    categories = (rng.integers(0, CATEGORIES, N),)  # each becomes any of five codes
    allowed = rng.random((KINDS, CATEGORIES)) < 0.4
    classes = PersonClasses(known, known, np.zeros(N, dtype=np.bool_), categories)
    expected = [
        [any(allowed[kind, category] for category in categories[0][known[0] == code]) for code in range(5)]
        for kind in range(KINDS)
    ]
    assert classes.left_of_shown(0, allowed).tolist() == expected
