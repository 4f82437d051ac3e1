"""Exchanges: what one pair of records implies of others."""

import numpy as np
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder import build_model, exchange_links, exchanged_columns, posterior_of
from sfumato.masking import AdditiveNoise, RankSwapping
from tests.matrices import microdata, names_of


def swapped(n: int, seed: int) -> tuple[Microdata, Microdata, MaskingMethod, tuple[str, ...]]:
    matrix = np.random.default_rng(seed).normal(size=(n, 4))
    method = RankSwapping(columns=names_of(matrix), window=40)
    data = microdata(matrix)
    return data, method.mask(data, np.random.default_rng(seed + 1)), method, names_of(matrix)


@pytest.mark.parametrize("limit", [3000, 10], ids=["all originals are tried", "all follow from a few seeds"])
def test_true_pairs_confirm_each_other(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.intruder.exchanges.MAX_ALL_PAIRS", limit)
    data, masked, method, names = swapped(200, 1)
    model = build_model(data, masked, names, [method], 0)
    found = exchange_links(model, posterior_of(model, 5), data, masked, names, np.arange(200))
    assert np.mean(found.rows == np.arange(200)) > 0.95
    assert np.mean(found.rows[found.is_sure] == np.flatnonzero(found.is_sure)) > 0.98


def test_values_that_several_records_have_tie_no_pairs() -> None:
    data, masked, method, names = swapped(100, 5)
    coarse = [microdata(np.round(file.matrix(names))) for file in (data, masked)]
    model = build_model(coarse[0], coarse[1], names, [method], 0)
    found = exchange_links(model, posterior_of(model, 64), coarse[0], coarse[1], names, np.arange(100))
    assert np.mean(found.is_sure) < 0.2


def test_only_columns_that_one_swapping_alone_masks_are_exchanged() -> None:
    data, masked, method, names = swapped(50, 7)
    noise = AdditiveNoise(columns=names[:1])
    assert exchanged_columns([method], data, masked, names) == names
    assert exchanged_columns([method, noise], data, masked, names) == names[1:]
    assert exchanged_columns([noise], data, masked, names) == ()
