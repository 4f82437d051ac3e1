"""Table propensity loss, against counts in plain Python and against the logistic model with all cells."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.loss import PropensityLoss, TablePropensityLoss

RNG = np.random.default_rng(4)


def people(n: int, share: float = 0.5) -> Microdata:
    sex = RNG.choice(["f", "m"], n, p=[share, 1 - share])
    town = np.where(RNG.random(n) < 0.3, sex, RNG.choice(["f", "m", "x"], n))
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in ("sex", "town")))
    return Microdata(pl.DataFrame({"sex": sex, "town": town}), schema)


def test_equals_plain_counts_of_cells() -> None:
    original, masked = people(90), people(60)
    before, after = (Counter(file.frame.rows()) for file in (original, masked))
    share = 60 / 150
    cells = set(before) | set(after)
    chance = {cell: after[cell] / (before[cell] + after[cell]) for cell in cells}
    difference = sum((before[cell] + after[cell]) * (chance[cell] - share) ** 2 for cell in cells) / 150
    found = TablePropensityLoss(columns=("sex", "town")).measure(original, masked)
    assert found.value == pytest.approx(100 * difference / (share * (1 - share)))
    assert found.parts["TPLratio"] == pytest.approx(difference / ((len(cells) - 1) * (1 - share) ** 2 * share / 150))


def test_one_column_of_two_categories_is_the_logistic_model_of_it() -> None:
    files = people(300), people(300, share=0.7)
    table = TablePropensityLoss(columns=("sex",)).measure(*files)
    model = PropensityLoss(columns=("sex",), has_interactions=False).measure(*files)
    assert table.value == pytest.approx(model.value, abs=1e-6)
    assert table.parts["TPLratio"] == pytest.approx(model.parts["pMSEratio"], rel=1e-6)


def test_a_file_drawn_from_the_original_has_a_ratio_of_about_one() -> None:
    original = people(500)
    ratios = []
    for _ in range(60):
        drawn = original.take_rows(RNG.integers(0, 500, 500))
        ratios.append(TablePropensityLoss(columns=("sex", "town")).measure(original, drawn).parts["TPLratio"])
    assert np.mean(ratios) == pytest.approx(1, abs=4 * np.sqrt(2 / 5 / 60))


def test_a_relation_that_is_lost_shows_in_the_pair_only() -> None:
    original = people(2000)
    apart = original.with_columns_of(original.take_columns(("town",)).take_rows(RNG.permutation(2000)))
    tables = TablePropensityLoss(columns=("sex", "town")).tables(original, apart)
    assert tables["sex",].ratio == tables["town",].ratio == 0
    assert tables["sex", "town"].ratio > 10
