"""Candidates: blocks, the nearest by rank, and lots where nothing tells records apart."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.risk import ExpectationMaximisationLinkage, ProbabilisticLinkage, SelfTrainedLinkage
from sfumato.risk.linkage._candidates import (
    GOLDEN,
    SILVER,
    Candidates,
    block_numbers,
    lots,
    nearest_candidates,
    pairs_of_blocks,
)
from sfumato.risk.linkage._discrepancies import Metric, discrepancies
from tests.matrices import microdata, names_of
from tests.risk.plain_linkage import example


def towns(names: list[str | None]) -> Microdata:
    frame = pl.DataFrame({"town": pl.Series(names, dtype=pl.String), "sex": ["f"] * len(names)})
    return Microdata(frame, Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in frame.columns)))


@pytest.mark.parametrize("reach", [0.001, 0.01, 0.1])
def test_the_lots_of_one_record_are_no_nearer_than_those_of_strangers(reach: float) -> None:
    rows = np.arange(100_000)
    away = np.abs(lots(rows, GOLDEN) - lots(rows, SILVER))
    assert (away < reach).mean() == pytest.approx(2 * reach - reach**2, rel=0.02)


def test_lots_are_even() -> None:
    for step in (GOLDEN, SILVER):
        assert np.histogram(lots(np.arange(1000), step), bins=10, range=(0, 1))[0].tolist() == pytest.approx(
            [100] * 10, abs=3
        )


def test_blocks_hold_records_of_both_files_that_agree_where_missing_agrees_with_missing() -> None:
    original, masked = towns(["A", "B", None, "A"]), towns(["B", None, "new", "A"])
    before, after = block_numbers(original, masked, ("town", "sex"))
    assert before[0] == before[3] == after[3]
    assert before[1] == after[0]
    assert before[2] == after[1]
    assert after[2] not in before
    pairs = {(tuple(a.tolist()), tuple(b.tolist())) for a, b in pairs_of_blocks(before, after)}
    assert pairs == {((0, 3), (3,)), ((1,), (0,)), ((2,), (1,))}


def test_without_blocking_there_is_one_block() -> None:
    before, after = block_numbers(towns(["A", "B"]), towns(["C", None]), ())
    assert before.tolist() == after.tolist() == [0, 0]


def test_candidates_are_the_nearest_by_rank_of_the_block() -> None:
    rng = np.random.default_rng(0)
    original, masked = rng.lognormal(size=(30, 2)), rng.lognormal(size=(24, 2))
    compared = discrepancies(
        ProbabilisticLinkage(columns=names_of(original)), microdata(original), microdata(masked), Metric.RELATIVE
    )
    blocks = [(np.arange(0, 30, 2), np.arange(0, 24, 2)), (np.array([1, 3]), np.array([5]))]
    near = nearest_candidates(compared, blocks, 4)
    for row in range(0, 24, 2):
        away = [(sum((compared.original_places[i] - compared.masked_places[row]) ** 2), i) for i in range(0, 30, 2)]
        assert set(near[row].tolist()) == {i for _, i in sorted(away)[:4]}
    assert sorted(near[5].tolist()) == [-1, -1, 1, 3]
    assert near[1].tolist() == [-1] * 4


def test_equal_records_have_different_candidates() -> None:
    ages = np.repeat([[30.0], [40.0]], 100, axis=0)
    compared = discrepancies(ProbabilisticLinkage(columns=("v0",)), microdata(ages), microdata(ages), Metric.RANK)
    near = nearest_candidates(compared, [(np.arange(200), np.arange(200))], 5)
    assert np.bincount(near.ravel(), minlength=200).min() > 0
    assert (near[:100] < 100).all()
    assert (near[100:] >= 100).all()


def test_candidates_kept_for_another_metric_link_as_those_looked_for_anew() -> None:
    original, masked = (microdata(file) for file in example(n=120, noise=0.2))
    near = Candidates()
    for metric in Metric:
        linkage = SelfTrainedLinkage if metric is Metric.LOGARITHMIC else ExpectationMaximisationLinkage
        measure = linkage(columns=original.schema.names, metric=metric)
        kept, anew = measure.measure_among(near, original, masked), measure.measure(original, masked)
        assert dict(kept.parts) == dict(anew.parts)
        assert np.array_equal(kept.per_record, anew.per_record)  # type: ignore[arg-type]
