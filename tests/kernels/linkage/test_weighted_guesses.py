"""Guesses from weighted classes of records, against lists of all records with their weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.linkage.weighted_guesses import ClassValues, WeightedClasses, chances_of_modes, weighted_quantiles
from sfumato.numerics.arrays import CodeColumn

LEVELS = np.array([0.05, 0.3, 0.5, 0.95])
WEIGHTS = WeightedClasses(np.array([0, 3, 4, 4]), np.array([0, 1, 2, 1]), np.array([0.5, 0.25, 0.125, 2.0]))


def listed(group: int, left_out: int, classes: CodeColumn, codes: CodeColumn) -> list[tuple[int, float]]:
    """Return the code and the weight of every record that a group gives a weight, but for one record."""
    of_class = {}
    for entry in range(WEIGHTS.starts[group], WEIGHTS.starts[group + 1]):
        of_class[int(WEIGHTS.classes[entry])] = float(WEIGHTS.weights[entry])
    return [
        (int(codes[record]), of_class[int(classes[record])])
        for record in range(len(codes))
        if record != left_out and codes[record] >= 0 and int(classes[record]) in of_class
    ]


def plain_quantile(records: list[tuple[int, float]], level: float) -> int:
    total = sum(weight for _, weight in records)
    for code in sorted({code for code, _ in records}):
        if sum(weight for other, weight in records if other <= code) >= level * total:
            return code
    return -1


def plain_chance(records: list[tuple[int, float]], truth: int) -> float:
    if not records:
        return np.nan
    totals = {code: sum(weight for other, weight in records if other == code) for code, _ in records}
    modes = [code for code, total in totals.items() if total == max(totals.values())]
    return 1 / len(modes) if truth in modes else 0.0


@given(
    records=st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 4)), min_size=1, max_size=9),
    leaves_out=st.booleans(),
)
def test_equal_those_of_a_list_of_all_records(records: list[tuple[int, int]], leaves_out: bool) -> None:
    classes, codes = (np.array(column, dtype=np.int64) for column in zip((0, 3), *records, strict=True))
    values = ClassValues.of(classes, codes, 3)
    for group in range(3):
        groups, truth = np.full(len(codes), group), np.roll(codes, 1)
        own = (classes, codes[:, None]) if leaves_out else (np.full_like(codes, -1), np.full_like(codes, -1)[:, None])
        quantiles = weighted_quantiles(groups, *own, WEIGHTS, values, LEVELS)
        chances = chances_of_modes(groups, *own, WEIGHTS, values, truth)
        for record in range(len(codes)):
            expected = listed(group, record if leaves_out else -1, classes, codes)
            assert quantiles[record].tolist() == [plain_quantile(expected, level) for level in LEVELS]
            assert chances[record] == pytest.approx(plain_chance(expected, int(truth[record])), nan_ok=True)
