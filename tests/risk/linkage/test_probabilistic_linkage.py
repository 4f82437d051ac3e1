"""Probabilistic linkage, checked against plain double loops and scipy's assignment."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.risk import ProbabilisticLinkage
from sfumato.risk.linkage import _agreement_weights as agreement_weights
from sfumato.risk.linkage._discrepancies import Metric
from tests.matrices import microdata, names_of
from tests.risk.plain_linkage import (
    NAN,
    assert_are_the_best_links,
    every_metric,
    example,
    linked,
    measured,
    middle_rank,
    plain_weights,
)


@every_metric
def test_equals_a_plain_double_loop_and_a_full_assignment(metric: str) -> None:
    original, masked = example()
    table = plain_weights(original, masked, metric, [1, 1, 1])
    assert_are_the_best_links(linked(original, masked, metric=metric), table)


@pytest.mark.parametrize("metric", ["relative", "logarithmic"])
def test_links_the_records_that_a_full_assignment_links(metric: str) -> None:
    original, masked = example()
    table = plain_weights(original, masked, metric, [1, 1, 1])
    rows, columns = linear_sum_assignment(table, maximize=True)
    is_right = (rows == columns) & (table[rows, columns] > 1e-9)
    found = measured(original, masked, metric=metric)
    assert found.per_record is not None
    assert found.per_record.tolist() == (100.0 * is_right).tolist()
    assert found.value == pytest.approx(100 * is_right.mean())
    assert 0 < found.value < 100


@every_metric
def test_equals_a_plain_double_loop_with_given_weights_and_missing_values(metric: str) -> None:
    original, masked = example()
    rng = np.random.default_rng(9)
    original[rng.random(original.shape) < 0.2] = NAN
    masked[rng.random(masked.shape) < 0.2] = NAN
    given_weights = {"v0": 1.0, "v1": 2.5, "v2": 0.5}
    table = plain_weights(original, masked, metric, list(given_weights.values()))
    assert_are_the_best_links(linked(original, masked, metric=metric, weights=given_weights), table)


@given(seed=st.integers(0, 10**6), metric=st.sampled_from(list(Metric)), is_large=st.booleans())
def test_equals_a_plain_double_loop_on_small_files_with_ties(seed: int, metric: str, is_large: bool) -> None:
    rng = np.random.default_rng(seed)
    original, masked = (rng.integers(-1, 4, size=(7, 2)).astype(float) for _ in range(2))
    if len(set(original[:, 0])) == 1 or len(set(original[:, 1])) == 1:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agreement_weights, "LARGEST_TABLE", 3 if is_large else 5000)
        links = linked(original, masked, metric=metric, max_candidates=7)
    assert_are_the_best_links(links, plain_weights(original, masked, metric, [1, 1]))


def test_values_that_agree_with_none_are_not_linked_whatever_their_place() -> None:
    original, masked = example(n=20)
    assert measured(original, masked + 1e6).value == 0.0
    assert len(linked(original, masked + 1e6)) == 0


def categories(records: list[tuple[str | None, str, float]]) -> Microdata:
    frame = pl.DataFrame(records, schema={"town": pl.String, "health": pl.String, "income": pl.Float64}, orient="row")
    schema = Schema(
        variables=(
            Variable(name="town", kind=Kind.NOMINAL),
            Variable(name="health", kind=Kind.ORDINAL, categories=("bad", "fair", "good")),
            Variable(name="income", kind=Kind.CONTINUOUS),
        )
    )
    return Microdata(frame, schema)


def test_categories_agree_or_do_not() -> None:
    original = categories([("A", "bad", 1.0), ("A", "good", 1.0), ("B", "bad", 2.0), (None, "fair", 2.0)])
    masked = categories([("A", "bad", 2.0), ("B", "good", 1.0), ("B", "fair", 2.0), ("C", "fair", 9.0)])
    links = ProbabilisticLinkage(columns=("town", "health")).links(original, masked)
    table = np.array([[2, 1, 1, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1]], dtype=float)
    assert_are_the_best_links(links, table)
    assert ProbabilisticLinkage(columns=("town", "health")).measure(original, masked).value == 100.0


def test_a_masked_value_without_a_logarithm_disagrees_in_full() -> None:
    original = np.array([[10.0], [20.0], [40.0]])
    links = linked(original, np.array([[10.0], [-20.0], [0.0]]), metric="logarithmic")
    assert links.masked_rows.tolist() == [0]


def test_zeros_and_negative_numbers_have_signed_logarithms() -> None:
    original = np.array([[0.0], [-50.0], [50.0], [3.0]])
    assert measured(original, original * 1.01, metric="logarithmic").value == 100.0
    swapped = linked(original, np.array([[0.0], [50.0], [-50.0], [3.0]]), metric="logarithmic")
    assert dict(zip(swapped.masked_rows.tolist(), swapped.original_rows.tolist(), strict=True))[1] == 2


def test_large_files_are_linked_by_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    original, masked = example(n=100, noise=0.05)
    exact = measured(original, masked)
    monkeypatch.setattr(agreement_weights, "LARGEST_TABLE", 50)
    found = measured(original, masked, max_candidates=100)
    assert found.value == exact.value
    assert exact.remark == ""
    assert found.remark.startswith("each record is compared only with the nearest by rank")
    links = linked(original, masked, max_candidates=1)
    before, after = (np.array([[middle_rank(x, list(c)) for x in c] for c in m.T]).T for m in (original, masked))
    nearest = ((after[:, None] - before[None]) ** 2).sum(axis=2).argmin(axis=1)
    assert links.original_rows.tolist() == nearest[links.masked_rows].tolist()


def test_a_wider_tolerance_links_what_is_further_away() -> None:
    original = np.array([[100.0], [300.0]])
    assert len(linked(original, original * 1.15)) == 2
    assert len(linked(original, original * 1.15, tolerance=0.1)) == 0


@pytest.mark.parametrize("weights", ["equal", {"v0": 0}, {"v0": "much"}, 3, {"v0": float("inf")}])
def test_refuses_weights_that_are_none(weights: object) -> None:
    with pytest.raises(
        ParameterError,
        match="weights must be a mapping from columns to weights above 0, or left out for equal ones; got",
    ):
        ProbabilisticLinkage(columns=("v0",), weights=weights)


@pytest.mark.parametrize("weights", [{"v0": 1.0}, {"v0": 1.0, "v1": 1.0, "v2": 1.0, "v9": 1.0}, {}])
def test_refuses_weights_of_other_columns_than_the_compared(weights: dict[str, float]) -> None:
    with pytest.raises(DataError, match="weights must name the compared columns, v0, v1, v2, and no others; got"):
        measured(*example(), weights=weights)


def test_the_mean_over_the_first_columns_is_that_of_the_linkages_by_each_number_of_them() -> None:
    rng = np.random.default_rng(8)
    matrix = rng.lognormal(3, 1, size=(60, 3))
    data, masked = microdata(matrix), microdata(matrix * rng.lognormal(0, 0.1, size=matrix.shape))
    names = names_of(matrix)
    weights = dict(zip(names, (1.0, 2.0, 0.5), strict=True))
    single = [
        ProbabilisticLinkage(columns=names[:count], weights={name: weights[name] for name in names[:count]})
        for count in (1, 2, 3)
    ]
    each = [measure.measure(data, masked).value for measure in single]
    found = ProbabilisticLinkage(columns=names, weights=weights, max_keys=7).measure(data, masked)
    assert found.value == pytest.approx(np.mean(each))
    assert [found.parts[count] for count in "123"] == each
    assert ProbabilisticLinkage(columns=names, max_keys=1).measure(data, masked).value == pytest.approx(
        ProbabilisticLinkage(columns=names[:1]).measure(data, masked).value
    )


@pytest.mark.parametrize("masked_records", [30, 90])
def test_files_of_different_length_are_linked_to_the_nearest_records(masked_records: int) -> None:
    original, _ = example()
    rng = np.random.default_rng(3)
    masked = original[rng.integers(0, len(original), masked_records)] * rng.uniform(0.8, 1.25, (masked_records, 3))
    deviations = original.std(axis=0, ddof=1)
    right = [int(np.argmin((((original - record) / deviations) ** 2).sum(axis=1))) for record in masked]
    table = plain_weights(original, masked, "relative", [1, 1, 1])
    measure = ProbabilisticLinkage(columns=names_of(original), correspondence="nearest_record")
    after = microdata(masked, list(range(1000, 1000 + masked_records)))  # ids of nobody
    links = measure.links(microdata(original), after)
    assert_are_the_best_links(links, table)
    found = measure.measure(microdata(original), after)
    is_right = [right[row] == other for row, other in zip(links.masked_rows, links.original_rows, strict=True)]
    assert found.value == pytest.approx(100 * sum(is_right) / masked_records)
    assert found.value > 0
    with pytest.raises(DataError, match="their row ids are unknown"):
        ProbabilisticLinkage(columns=names_of(original)).measure(microdata(original), after)


def test_the_nearest_record_is_that_over_all_columns_however_few_are_known() -> None:
    original, masked = example()
    columns, files = names_of(original), (microdata(original), microdata(masked))
    found = ProbabilisticLinkage(columns=columns, max_keys=3, correspondence="nearest_record").measure(*files)
    deviations = original.std(axis=0, ddof=1)
    right = [int(np.argmin((((original - record) / deviations) ** 2).sum(axis=1))) for record in masked]
    links = ProbabilisticLinkage(columns=columns[:1]).links(*files)
    is_right = [right[row] == other for row, other in zip(links.masked_rows, links.original_rows, strict=True)]
    assert found.parts["1"] == pytest.approx(100 * sum(is_right) / len(masked))


def test_refuses_the_nearest_record_by_categories() -> None:
    data = Microdata(pl.DataFrame({"town": ["a", "b", "c"], "income": [1.5, 2.5, 3.5]}))
    measure = ProbabilisticLinkage(columns=("town", "income"), correspondence="nearest_record")
    with pytest.raises(DataError, match="the nearest record is found by numbers, and town has categories"):
        measure.measure(data, data)
