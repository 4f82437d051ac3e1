from collections import Counter
from statistics import median_low

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.microaggregation.gower_mdav import CONTINUOUS, NOMINAL, ORDINAL, gower_mdav_groups


def plain_groups(points: np.ndarray, forms: list[int], weights: list[float], k: int) -> list[set[int]]:
    """The grouping as the definition reads, on sets of rows."""

    def typical(values: list[float], form: int) -> float:
        if form == NOMINAL:
            counts = Counter(values)
            return min(value for value, count in counts.items() if count == max(counts.values()))
        return median_low(values) if form == ORDINAL else sum(values) / len(values)

    def distance(row: int, centre: list[float]) -> float:
        parts = zip(points[row].tolist(), centre, forms, weights, strict=True)
        return sum(weight * (float(x != c) if form == NOMINAL else abs(x - c)) for x, c, form, weight in parts)

    def farthest(rows: list[int], centre: list[float]) -> int:
        return max(rows, key=lambda row: (distance(row, centre), -row))

    def around(row: int, rows: list[int]) -> set[int]:
        others = sorted(
            (other for other in rows if other != row), key=lambda other: (distance(other, points[row].tolist()), other)
        )
        return {row, *others[: k - 1]}

    rows, groups = list(range(len(points))), []
    while len(rows) >= 2 * k:
        pair = len(rows) >= 3 * k
        first = farthest(rows, [typical(points[rows, j].tolist(), form) for j, form in enumerate(forms)])
        groups.append(around(first, rows))
        rows = [row for row in rows if row not in groups[-1]]
        if pair:
            groups.append(around(farthest(rows, points[first].tolist()), rows))
            rows = [row for row in rows if row not in groups[-1]]
    return [*groups, set(rows)]


@given(data=st.data(), n=st.integers(2, 40), d=st.integers(1, 4), k=st.integers(2, 6))
def test_groups_equal_the_plain_definition_on_columns_of_all_forms(data: st.DataObject, n: int, d: int, k: int) -> None:
    if n < k:
        return
    forms = data.draw(st.lists(st.sampled_from([NOMINAL, ORDINAL, CONTINUOUS]), min_size=d, max_size=d))
    rng = np.random.default_rng(data.draw(st.integers(0, 10_000)))
    points = rng.integers(0, data.draw(st.integers(1, 9)), (n, d)).astype(float)
    weights = rng.choice([0.0, 0.25, 0.5, 1.0], d)  # exact, so that ties are ties in both
    groups = gower_mdav_groups(points, np.array(forms), weights, k)
    found = [set(np.flatnonzero(groups == number).tolist()) for number in range(groups.max() + 1)]
    assert found == plain_groups(points, forms, weights.tolist(), k)
    assert min(map(len, found)) >= k
    assert max(map(len, found)) <= 2 * k - 1
