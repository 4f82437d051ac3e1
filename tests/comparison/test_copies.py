"""Figures of a file with several synthetic copies are the means of each copy by itself."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import LossMeasure
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.loss import (
    ContingencyTableLoss,
    MarginalDistance,
    PairwiseDistance,
    PropensityLoss,
    TablePropensityLoss,
)

RNG = np.random.default_rng(4)
COLUMNS = ("sex", "town")


def people(n: int, share: float = 0.5) -> pl.DataFrame:
    sex = RNG.choice(["f", "m"], n, p=[share, 1 - share])
    return pl.DataFrame({"sex": sex, "town": np.where(RNG.random(n) < 0.3, sex, RNG.choice(["f", "m", "x"], n))})


def file(frame: pl.DataFrame) -> Microdata:
    return Microdata(frame, Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in frame.columns)))


@pytest.mark.parametrize(
    "measure", [TablePropensityLoss, PropensityLoss, ContingencyTableLoss, MarginalDistance, PairwiseDistance]
)
def test_figures_of_several_copies_are_the_means_of_each(measure: type[LossMeasure]) -> None:
    original, copies = file(people(200)), [people(200, share) for share in (0.6, 0.75)]
    pooled = file(pl.concat([copy.with_columns(release=pl.lit(place)) for place, copy in enumerate(copies)]))
    one = measure(columns=COLUMNS)
    found, alone = one.measure(original, pooled), [one.measure(original, file(copy)) for copy in copies]
    assert found.value == pytest.approx(np.mean([each.value for each in alone]))
    for name in one.part_symbols[:1]:
        assert found.parts[name] == pytest.approx(np.mean([each.parts[name] for each in alone]))


def test_more_copies_do_not_look_nearer_to_the_original() -> None:
    frame = people(150)
    original, copies = file(frame), [frame.sample(150, with_replacement=True, seed=seed) for seed in range(8)]
    numbered = [copy.with_columns(release=pl.lit(place)) for place, copy in enumerate(copies)]
    measure = ContingencyTableLoss(columns=COLUMNS)
    single = np.mean([measure.measure(original, file(copy)).value for copy in copies])
    assert measure.measure(original, file(pl.concat(copies))).value < 0.7 * single
    assert measure.measure(original, file(pl.concat(numbered))).value == pytest.approx(single)
