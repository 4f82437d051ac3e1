"""Distance linkage, checked against a plain double loop over the definition."""

from math import inf, isnan
from statistics import mean, stdev

import numpy as np
import pytest

from sfumato.contracts import Correspondence, Measurement
from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import DistanceLinkage
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    return DistanceLinkage(columns=names_of(original), **parameters).measure(microdata(original), microdata(masked))


def plain_nearest(original: FloatMatrix, masked: FloatMatrix, keys: int) -> list[set[int]]:
    """Return for each masked record the original records that are nearest on the first keys."""
    columns = [[x for x in column if not isnan(x)] for column in original.T.tolist()]
    telling = [j for j in range(keys) if len(set(columns[j])) > 1]
    middle, spread = [mean(column) for column in columns], {j: stdev(columns[j]) for j in telling}
    answer = []
    for record in masked.tolist():
        distances = []
        for candidate in original.tolist():
            total, compared = 0.0, 0
            for j in telling:
                a, b = ((x[j] - middle[j]) / spread[j] for x in (record, candidate))
                if not isnan(a - b):
                    total, compared = total + (a - b) ** 2, compared + 1
            distances.append(total * len(telling) / compared if compared else inf)
        shortest = min(distances)
        answer.append({row for row, found in enumerate(distances) if found <= shortest * (1 + 1e-9) and found < inf})
    return answer


def plain_linkage(
    original: FloatMatrix, masked: FloatMatrix, rows: list[int], keys: int, ties: str = "shared"
) -> list[float]:
    """Return the percent of masked records linked to their row, for each number of keys."""

    def counted(row: int, found: set[int]) -> float:
        return 0.0 if row not in found else 1.0 if ties == "any" else 1 / len(found)

    scenarios = [plain_nearest(original, masked, known) for known in range(1, keys + 1)]
    return [100 * mean(counted(row, found) for row, found in zip(rows, nearest, strict=True)) for nearest in scenarios]


def example(n: int = 50, d: int = 4, noise: float = 0.4) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(6)
    original = rng.normal(5, [[1.0, 10.0, 0.1, 3.0, 2.0, 5.0, 1.0, 4.0, 1.0][:d]], size=(n, d))
    return original, original + noise * original.std(axis=0) * rng.normal(size=(n, d))


def test_equals_a_plain_double_loop_for_each_number_of_keys() -> None:
    original, masked = example()
    found = measured(original, masked)
    expected = plain_linkage(original, masked, list(range(50)), 4)
    assert list(found.parts.values()) == pytest.approx(expected)
    assert 0 < found.parts["1"] < found.parts["4"] < 100
    assert found.value == pytest.approx(mean(expected))


@pytest.mark.parametrize("ties", ["shared", "any"])
def test_equals_a_plain_double_loop_with_equal_values(ties: str) -> None:
    original, masked = (np.rint(matrix) for matrix in example(d=3, noise=1.0))
    found = measured(original, masked, ties=ties)
    assert list(found.parts.values()) == pytest.approx(plain_linkage(original, masked, list(range(50)), 3, ties))


def test_equals_a_plain_double_loop_with_missing_values() -> None:
    original, masked = example()
    rng = np.random.default_rng(9)
    original[rng.random(original.shape) < 0.2] = NAN
    masked[rng.random(masked.shape) < 0.2] = NAN
    found = measured(original, masked)
    assert list(found.parts.values()) == pytest.approx(plain_linkage(original, masked, list(range(50)), 4))


def test_equals_a_plain_double_loop_for_the_nearest_record() -> None:
    original, masked = example(noise=1.0)
    rows = [min(found) for found in plain_nearest(original, masked, 4)]
    assert rows != list(range(50))
    found = measured(original, masked, correspondence=Correspondence.NEAREST_RECORD, max_keys=3)
    assert list(found.parts.values()) == pytest.approx(plain_linkage(original, masked, rows, 3))


def test_an_unmasked_file_is_linked_completely() -> None:
    original, _ = example()
    assert measured(original, original).value == 100.0


def test_the_nearest_record_is_always_right_when_all_columns_are_known() -> None:
    original, masked = example(noise=3.0)
    assert measured(original, masked, correspondence="nearest_record").parts["4"] == 100.0


def test_strangers_are_linked_as_often_as_chance_has_it() -> None:
    original = np.random.default_rng(1).normal(size=(2000, 3))
    strangers = np.random.default_rng(2).normal(size=(2000, 3))
    # each is linked with a chance near 1 / 2000, so that of 2000 about 1 is: Poisson(1) exceeds 8 once in a million
    assert all(part <= 100 * 8 / 2000 for part in measured(original, strangers).parts.values())


@pytest.mark.parametrize(("ties", "counted"), [("shared", 50.0), ("any", 100.0)])
def test_one_of_equally_near_records_counts_by_its_share_or_in_full(ties: str, counted: float) -> None:
    original, masked = np.array([[1.0], [3.0], [9.0]]), np.array([[2.0], [2.0], [2.0]])
    found = measured(original, masked, ties=ties)
    assert found.per_record is not None
    assert found.per_record.tolist() == [counted, counted, 0.0]


def test_a_key_that_many_share_identifies_hardly_anybody() -> None:
    ages = np.repeat(np.arange(20.0), 50)[:, None]
    assert measured(ages, ages).value == pytest.approx(100 / 50)
    assert measured(ages, ages, ties="any").value == 100.0


def test_the_figure_per_record_is_its_share_of_scenarios() -> None:
    original, masked = example()
    found = measured(original, masked)
    linked = [plain_nearest(original, masked, keys) for keys in range(1, 5)]
    expected = [25.0 * sum(row in nearest[row] for nearest in linked) for row in range(50)]
    assert found.per_record is not None
    assert found.per_record.tolist() == expected


def test_knows_at_most_seven_keys_by_default() -> None:
    original, masked = example(d=9)
    assert list(measured(original, masked).parts) == [str(keys) for keys in range(1, 8)]
    assert list(measured(original, masked, max_keys=2).parts) == ["1", "2"]


def test_a_constant_key_tells_nothing() -> None:
    original, masked = example(d=2)
    constant = np.full((50, 1), 0.1)
    with_it = measured(np.hstack([constant, original]), np.hstack([constant * 3, masked]))
    assert with_it.parts["1"] == 0.0
    assert [with_it.parts["2"], with_it.parts["3"]] == list(measured(original, masked).parts.values())


def test_units_do_not_matter() -> None:
    original, masked = example()
    units = np.array([1000.0, 0.01, -1.0, 1.0])
    assert measured(original * units + 7, masked * units + 7).parts == measured(original, masked).parts


def test_a_record_without_a_known_key_is_not_linked() -> None:
    original, _ = example(d=1)
    masked = original.copy()
    masked[4] = NAN
    found = measured(original, masked)
    assert found.per_record is not None
    assert np.flatnonzero(found.per_record == 0).tolist() == [4]


def test_records_are_told_by_their_ids_and_not_by_their_place() -> None:
    original, masked = example()
    straight = measured(original, masked)
    order = np.random.default_rng(3).permutation(50)[:30]
    sample = DistanceLinkage(columns=names_of(original)).measure(
        microdata(original), microdata(masked[order], order.tolist())
    )
    assert straight.per_record is not None
    assert sample.per_record is not None
    assert sample.per_record.tolist() == straight.per_record[order].tolist()
    assert sample.value == pytest.approx(sample.per_record.mean())


def test_synthetic_records_need_the_nearest_record() -> None:
    original, masked = example()
    strangers = microdata(masked, list(range(1000, 1050)))
    with pytest.raises(DataError, match="some masked records are not in the original file"):
        DistanceLinkage(columns=("v0",)).measure(microdata(original), strangers)
    found = DistanceLinkage(columns=("v0", "v1"), correspondence="nearest_record").measure(
        microdata(original), strangers
    )
    assert found.parts["2"] == 100.0


def test_more_noise_links_less() -> None:
    values = [measured(*example(n=300, noise=noise)).value for noise in (0.01, 0.1, 0.5, 3.0)]
    assert values == sorted(values, reverse=True)
    assert values[0] > 2 * values[-1]


def test_refuses_to_know_no_key() -> None:
    with pytest.raises(ParameterError, match=r"DistanceLinkage.max_keys must be in \[1, inf\); got 0"):
        DistanceLinkage(columns=("v0",), max_keys=0)


def test_refuses_an_unknown_correspondence() -> None:
    with pytest.raises(ParameterError, match="must be 'true_record' or 'nearest_record'; got 'nearest'"):
        DistanceLinkage(columns=("v0",), correspondence="nearest")


def test_stated_scenarios_take_the_place_of_the_first_keys() -> None:
    original, masked = example()
    stated = measured(original, masked, scenarios=[["v2"], ["v1", "v3"]], max_keys=1)
    assert list(stated.parts) == ["v2", "v1+v3"]
    assert stated.parts["v2"] == measured(original[:, [2]], masked[:, [2]]).parts["1"]
    assert stated.parts["v1+v3"] == measured(original[:, [1, 3]], masked[:, [1, 3]]).parts["2"]
    assert stated.value == pytest.approx(mean(stated.parts.values()))


def test_refuses_a_scenario_with_a_column_that_is_not_one_of_the_columns() -> None:
    original, masked = example()
    with pytest.raises(
        UnknownColumnError,
        match=r"DistanceLinkage.scenarios: 'v00' is not one of the columns; name it in columns too, or .*mean 'v0'",
    ):
        measured(original, masked, scenarios=(("v1",), ("v0", "v00")))


@pytest.mark.parametrize(
    ("scenarios", "message"),
    [
        ((("v0", "v0"),), "must name each column once in a scenario"),
        ((("v0", "v1"), ("v1", "v0")), "must state each set of known columns once"),
        (((),), "must have at least 1 item"),
        (("v0",), "must be a list; got 'v0'"),
    ],
)
def test_refuses_scenarios_that_say_nothing_new(scenarios: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        DistanceLinkage(columns=("v0", "v1"), scenarios=scenarios)


def test_the_other_direction_asks_for_the_nearest_masked_record() -> None:
    original, masked = np.array([[0.0], [10.0], [20.0]]), np.array([[9.0], [12.0], [21.0]])
    forth = measured(original, masked)
    back = measured(original, masked, direction="original_to_masked")
    assert forth.per_record is not None
    assert back.per_record is not None
    assert forth.per_record.tolist() == [0.0, 100.0, 100.0]
    assert back.per_record.tolist() == [100.0, 0.0, 100.0]


def test_originals_without_a_masked_record_are_not_asked() -> None:
    original, masked = np.array([[0.0], [10.0], [20.0]]), np.array([[12.0], [11.0]])
    found = DistanceLinkage(columns=("v0",), direction="original_to_masked").measure(
        microdata(original), microdata(masked, [1, 2])
    )
    assert found.per_record is not None
    assert found.per_record.tolist() == [0.0, 0.0]  # 10 is nearest to 11, 20 to 12; 0 has no masked record


@pytest.mark.parametrize("field", ["distance", "direction", "ties"])
def test_refuses_an_unknown_choice(field: str) -> None:
    with pytest.raises(ParameterError, match=rf"DistanceLinkage.{field} must be '.*; got 'nearest'"):
        DistanceLinkage(columns=("v0",), **{field: "nearest"})
