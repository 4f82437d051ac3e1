"""Each distance of linkage, in either direction and with either rule for ties, checked against its definition."""

from itertools import product
from math import inf, isnan
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.risk import DistanceLinkage
from sfumato.risk.linkage._distances import Distance, whitening_directions
from sfumato.risk.linkage.distance_linkage import Direction, LinkTies
from tests.matrices import microdata, names_of

NAN = float("nan")
WHOLE = {Distance.MAHALANOBIS_DIFFERENCE, Distance.MAHALANOBIS_SUM, Distance.KERNEL}
every_distance = pytest.mark.parametrize("distance", Distance)


def observed(column: FloatColumn) -> list[float]:
    return [x for x in column.tolist() if not isnan(x)]


def whole(file: FloatMatrix) -> FloatMatrix:
    return file[~np.isnan(file).any(axis=1)]


def plain_scaled(original: FloatMatrix, masked: FloatMatrix, distance: Distance) -> tuple[FloatMatrix, FloatMatrix]:
    """Return both files, column by column, on the scale on which the distance compares them."""
    before, after = original.copy(), masked.copy()
    for j in range(original.shape[1]):
        a, b = observed(original[:, j]), observed(masked[:, j])
        if distance in (Distance.EUCLIDEAN, Distance.MANHATTAN):
            before[:, j], after[:, j] = ((file[:, j] - mean(a)) / stdev(a) for file in (original, masked))
        elif distance is Distance.JOINT_DEVIATIONS:
            before[:, j], after[:, j] = (
                file[:, j] / (stdev(a) ** 2 + stdev(b) ** 2) ** 0.5 for file in (before, after)
            )
        elif distance in (Distance.OWN_DEVIATIONS, Distance.KERNEL):
            before[:, j], after[:, j] = (original[:, j] - mean(a)) / stdev(a), (masked[:, j] - mean(b)) / stdev(b)
    return before, after


def plain_distances(original: FloatMatrix, masked: FloatMatrix, rows: list[int], distance: Distance) -> FloatMatrix:
    """Return the distance of each masked record (rows) from each original record (columns)."""
    before, after = plain_scaled(original, masked, distance)
    inverse = np.eye(original.shape[1])
    if distance is Distance.MAHALANOBIS_DIFFERENCE:
        inverse = np.linalg.inv(np.atleast_2d(np.cov(whole(original[rows] - masked).T)))
    if distance is Distance.MAHALANOBIS_SUM:
        inverse = np.linalg.inv(np.atleast_2d(np.cov(whole(original).T) + np.cov(whole(masked).T)))
    found = np.full((len(masked), len(original)), inf)
    for (i, a), (j, b) in product(enumerate(after), enumerate(before)):
        difference = a - b
        there = ~np.isnan(difference)
        if distance in WHOLE and not there.all():
            continue
        if distance is Distance.KERNEL:
            found[i, j] = (1 + a @ a) ** 2 - 2 * (1 + a @ b) ** 2 + (1 + b @ b) ** 2
        elif distance in WHOLE:
            found[i, j] = difference @ inverse @ difference
        elif there.any():
            size = np.abs(difference[there]) if distance is Distance.MANHATTAN else difference[there] ** 2
            found[i, j] = size.sum() * len(there) / there.sum()
    return found


def plain_links(distances: FloatMatrix, rows: list[int], direction: Direction, ties: LinkTies) -> list[float]:
    """Return how far each masked record is linked to its original, in percent."""
    if direction is Direction.ORIGINAL_TO_MASKED:
        asked = [(distances[:, row].tolist(), place) for place, row in enumerate(rows)]
    else:
        asked = [(distances[place].tolist(), row) for place, row in enumerate(rows)]
    links = []
    for found, right in asked:
        least = min(found)
        near = [x <= least + 1e-9 * abs(least) + 1e-12 and x < inf for x in found]
        links.append(0.0 if not near[right] else 100.0 if ties is LinkTies.ANY else 100.0 / sum(near))
    return links


def files(seed: int, is_rounded: bool, missing: float) -> tuple[FloatMatrix, FloatMatrix, list[int]]:
    """Return an original file, a masked sample of it in another order, and the rows of the sample."""
    rng = np.random.default_rng(seed)
    original = rng.normal(5, 2, size=(24, 3)) @ np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 0.3], [0.0, 0.0, 1.0]])
    rows = rng.permutation(24)[:18]
    masked = original[rows] + rng.normal(size=(18, 3))
    if is_rounded:
        original, masked = np.rint(original), np.rint(masked)
    original[rng.random(original.shape) < missing] = NAN
    masked[rng.random(masked.shape) < missing] = NAN
    return original, masked, rows.tolist()


@every_distance
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), is_rounded=st.booleans(), missing=st.sampled_from([0.0, 0.1]))
def test_equals_a_plain_double_loop(distance: Distance, seed: int, is_rounded: bool, missing: float) -> None:
    original, masked, rows = files(seed, is_rounded, missing)
    differences = whole(original[rows] - masked)
    assume(distance is not Distance.MAHALANOBIS_DIFFERENCE or np.linalg.matrix_rank(np.cov(differences.T)) == 3)
    scenarios = {"v1": [1], "v2+v0": [2, 0], "v0+v1+v2": [0, 1, 2]}
    apart = [plain_distances(original[:, known], masked[:, known], rows, distance) for known in scenarios.values()]
    data, release = microdata(original), microdata(masked, rows)
    for direction, ties in product(Direction, LinkTies):
        measure = DistanceLinkage(
            columns=names_of(original),
            scenarios=tuple(tuple(name.split("+")) for name in scenarios),
            distance=distance,
            direction=direction,
            ties=ties,
        )
        found = measure.measure(data, release)
        links = [plain_links(distances, rows, direction, ties) for distances in apart]
        assert list(found.parts) == list(scenarios)
        assert list(found.parts.values()) == pytest.approx([mean(link) for link in links])
        assert found.per_record is not None
        assert found.per_record.tolist() == pytest.approx(np.mean(links, axis=0).tolist())


def measured(original: FloatMatrix, masked: FloatMatrix, distance: str, **parameters: object) -> list[float]:
    measure = DistanceLinkage(columns=names_of(original), distance=distance, **parameters)
    return list(measure.measure(microdata(original), microdata(masked)).parts.values())


@every_distance
@pytest.mark.parametrize("direction", Direction)
def test_an_unchanged_file_is_linked_completely(distance: Distance, direction: Direction) -> None:
    original = np.random.default_rng(2).normal(size=(60, 4))
    assert measured(original, original, distance, direction=direction) == [100.0] * 4


@every_distance
def test_units_do_not_matter(distance: Distance) -> None:
    original, masked, _ = files(3, is_rounded=False, missing=0.0)
    units = np.array([1000.0, 0.01, -1.0])
    original, expected = original[:18], measured(original[:18], masked, distance)
    assert measured(original * units + 7, masked * units + 7, distance) == pytest.approx(expected)


@every_distance
def test_constant_columns_tell_nothing(distance: Distance) -> None:
    original, masked, rows = files(4, is_rounded=False, missing=0.0)
    constant = np.full((18, 1), 0.1)
    both = [np.hstack([constant, file]) for file in (original[rows], masked)]
    assert measured(both[0], both[1], distance) == pytest.approx([0.0, *measured(original[rows], masked, distance)])


@every_distance
def test_a_scenario_of_constant_columns_links_no_record(distance: Distance) -> None:
    assert measured(np.ones((5, 2)), np.arange(10.0).reshape(5, 2), distance) == [0.0, 0.0]


@pytest.mark.parametrize("distance", [Distance.OWN_DEVIATIONS, Distance.KERNEL])
def test_own_deviations_need_a_masked_column_that_varies(distance: Distance) -> None:
    original, masked = np.arange(10.0).reshape(5, 2), np.arange(10.0).reshape(5, 2)
    masked[:, 0] = 4.0
    assert measured(original, masked, distance) == [0.0, 100.0]


@pytest.mark.parametrize("distance", [Distance.MAHALANOBIS_DIFFERENCE, Distance.MAHALANOBIS_SUM])
def test_a_column_that_is_a_sum_of_others_changes_nothing(distance: Distance) -> None:
    original, masked, rows = files(5, is_rounded=False, missing=0.0)
    both = [np.hstack([file, file.sum(axis=1, keepdims=True)]) for file in (original[rows], masked)]
    across = both[0].var(axis=0) * [1, 1, 1, -1]  # in deviations the direction in which neither file varies
    third = measured(original[rows], masked, distance)[2]
    assert measured(both[0], both[1], distance)[3] == pytest.approx(third)
    assert measured(both[0], both[1] + 5 * across, distance)[3] == pytest.approx(third)


def test_a_column_that_masking_left_alone_gives_every_record_away() -> None:
    original = np.random.default_rng(6).normal(size=(80, 2))
    masked = original.copy()
    masked[:, 0] = np.random.default_rng(7).permutation(masked[:, 0])
    assert measured(original, masked, Distance.MAHALANOBIS_DIFFERENCE)[1] == 100.0
    assert measured(original, masked, Distance.EUCLIDEAN)[1] < 50


@pytest.mark.parametrize("distance", sorted(WHOLE))
def test_a_record_that_lacks_a_key_is_neither_linked_nor_found(distance: Distance) -> None:
    original = np.random.default_rng(8).normal(size=(40, 2))
    original[3, 1] = original[5, 0] = NAN
    found = DistanceLinkage(columns=("v0", "v1"), distance=distance).measure(microdata(original), microdata(original))
    assert found.per_record is not None
    assert np.flatnonzero(found.per_record < 100).tolist() == [3, 5]
    assert found.per_record[[3, 5]].tolist() == [50.0, 0.0]


@pytest.mark.parametrize("distance", [Distance.MAHALANOBIS_DIFFERENCE, Distance.MAHALANOBIS_SUM])
def test_fewer_than_two_whole_records_link_nobody(distance: Distance) -> None:
    original = np.array([[1.0, 2.0], [2.0, NAN], [NAN, 3.0], [4.0, NAN]])
    assert measured(original, original, distance) == [75.0, 0.0]


def test_correlated_noise_falls_to_the_distance_that_knows_it() -> None:
    rng = np.random.default_rng(9)
    original = rng.normal(size=(500, 2))
    masked = original + np.array([1.0, 0.98]) * rng.normal(size=(500, 1)) + 0.02 * rng.normal(size=(500, 2))
    knowing, plain = (measured(original, masked, by)[1] for by in ("mahalanobis_difference", "euclidean"))
    assert knowing > 3 * plain


def test_whitening_makes_covariances_the_identity() -> None:
    root = np.random.default_rng(1).normal(size=(4, 4))
    covariance = root @ root.T
    directions = whitening_directions(covariance, np.eye(4))
    assert directions.T @ covariance @ directions == pytest.approx(np.eye(4), abs=1e-8)
