"""What many columns rule out is held in little memory, and counted as if each column stood by itself."""

import numpy as np

from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.ruled_out import ReleasedKey, RuledOut
from sfumato.numerics.arrays import AnyArray


def some_file(rng: np.random.Generator) -> tuple[list[ReleasedKey], list[RuledOut]]:
    """Return two keys of which some values are suppressed, and columns of which many have the same kinds."""
    befores = [rng.integers(0, 5, 60), rng.integers(0, 3, 60)]
    keys = [ReleasedKey(one, np.where(rng.random(60) < 0.3, -1, one), False) for one in befores]
    both = keys[0].joined_with(keys[1])
    kinds: list[AnyArray] = [rng.integers(0, 3, 60).astype(np.int8), rng.integers(0, 2, 60)]
    ruled = []
    for column in (*kinds, kinds[0].copy(), kinds[1].copy()):
        columns: list[AnyArray] = [keys[0].categories[0], keys[1].categories[0], both, both.copy()]
        for categories in columns:
            allowed = rng.random((3, int(categories.max()) + 1)) < 0.8
            allowed[column, categories] = True
            ruled.append(RuledOut(column, categories, allowed))
    return keys, ruled


def fits(key: ReleasedKey, record: int, person: int) -> bool:
    """Tell whether a record shows what a person has of a key, or a gap."""
    return bool(key.after[record] < 0 or key.after[record] == key.before[person])


def test_persons_and_records_fit_as_one_column_after_the_other_says() -> None:
    keys, ruled = some_file(np.random.default_rng(4))
    may_be = np.array(
        [
            [
                all(fits(key, record, person) for key in keys)
                and all(one.allowed[one.kinds[record], one.categories[person]] for one in ruled)
                for person in range(60)
            ]
            for record in range(60)
        ]
    )
    file = FittingPersons.of(keys, ruled)
    assert file.counts(np.arange(60), 60).tolist() == may_be.sum(axis=1).tolist()
    assert file.record_counts(60).tolist() == may_be.sum(axis=0).tolist()


def test_columns_of_the_same_kinds_are_held_once() -> None:
    keys, ruled = some_file(np.random.default_rng(4))
    kinds, (categories, about), _, _ = FittingPersons.of(keys, ruled)._rules
    assert kinds.shape == (60, 2)
    assert about.shape == (3, len(ruled))
    assert categories.shape[1] <= 2 + 1 + 4  # the keys, both together, and the copies of that
