"""Exchanges: what one pair of records implies of others."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder import ExchangedColumns, build_model, posterior_of
from sfumato.intruder.exchanges import exchange_links
from sfumato.intruder.exchanges.links import ExchangeLinks
from sfumato.intruder.shadow_masking import Runs
from sfumato.masking import AdditiveNoise, Mdav, RankSwapping, Resampling, Rounding, TopCoding
from tests.matrices import microdata, names_of


def swapped(n: int, seed: int) -> tuple[Microdata, Microdata, MaskingMethod, tuple[str, ...]]:
    matrix = np.random.default_rng(seed).normal(size=(n, 4))
    method = RankSwapping(columns=names_of(matrix), window=40)
    data = microdata(matrix)
    return data, method.mask(data, np.random.default_rng(seed + 1)), method, names_of(matrix)


def links(
    data: Microdata, masked: Microdata, steps: tuple[MaskingMethod, ...], names: tuple[str, ...]
) -> ExchangeLinks:
    model = build_model(data, masked, names, steps, 0)
    columns = ExchangedColumns(Runs.of(data, masked, steps, 0), masked, names)
    found = exchange_links(columns, model, posterior_of(model, 5), np.arange(data.n))
    assert found is not None
    return found


@pytest.mark.parametrize("limit", [3000, 10], ids=["all originals are tried", "all follow from a few seeds"])
def test_true_pairs_confirm_each_other(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.intruder.exchanges.links.MAX_ALL_PAIRS", limit)
    monkeypatch.setattr("sfumato.intruder.exchanges.links.MAX_PROPAGATED", 0)
    data, masked, method, names = swapped(200, 1)
    found = links(data, masked, (method,), names)
    is_sure = found.certainty == 1.0
    assert np.mean(found.rows == np.arange(200)) > 0.95
    assert np.mean(found.rows[is_sure] == np.flatnonzero(is_sure)) > 0.98


def test_values_that_several_records_have_tie_no_pairs_for_sure() -> None:
    data, masked, method, names = swapped(100, 5)
    coarse = [microdata(np.round(file.matrix(names))) for file in (data, masked)]
    found = links(coarse[0], coarse[1], (method,), names)
    assert np.mean(found.certainty > 0.99) < 0.2


def test_a_column_of_many_zeros_is_followed_by_its_other_values() -> None:
    rng = np.random.default_rng(5)
    matrix = np.round(np.exp(rng.normal(9.0, 1.0, (400, 3))) * (rng.random((400, 3)) < [1.0, 0.3, 0.4]))
    data, names = microdata(matrix), names_of(matrix)
    step = RankSwapping(columns=names, window=15)
    found = links(data, step.mask(data, np.random.default_rng(1)), (step,), names)
    is_right, is_certain = found.rows == np.arange(400), found.certainty > 0.9
    assert np.mean(is_right) > 0.25
    assert np.mean(is_right[is_certain]) > 0.9 if is_certain.any() else True


@pytest.mark.parametrize(
    ("later", "percent"),
    [
        (Rounding(columns=("any",), base=0.01), 90),
        (AdditiveNoise(columns=("any",), scale=0.001), 90),
        (TopCoding(columns=("any",), percent=20), 60),
    ],
    ids=lambda case: case.name() if isinstance(case, MaskingMethod) else "",
)
def test_exchanges_are_believed_in_where_another_step_blurs_them(later: MaskingMethod, percent: float) -> None:
    data, swapped_file, method, names = swapped(200, 3)
    later = later.replace(columns=names)
    found = links(data, later.mask(swapped_file, np.random.default_rng(0)), (method, later), names)
    is_right, is_certain = found.rows == np.arange(200), found.certainty > 0.9
    assert 100 * np.mean(is_right) > percent
    assert np.mean(is_certain) > 0.4
    assert np.mean(is_right[is_certain]) > 0.9


def test_ranks_name_the_owners_of_values_whose_order_other_steps_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix, names = np.random.default_rng(4).normal(size=(200, 3)).round(2), ("a", "b", "c")
    data = Microdata(pl.DataFrame(matrix, schema=list(names)).with_columns(sex=pl.Series(["f", "m"] * 100)))
    rng, within = np.random.default_rng(1), ("sex",)
    swap = RankSwapping(columns=names, window=20, within=within)
    steps = (swap, Resampling(columns=names, within=within))
    masked = data
    for step in steps:
        masked = step.mask(masked, rng)
    right = [np.mean(links(data, masked, steps, (*names, *within)).rows == np.arange(200))]
    monkeypatch.setattr("sfumato.intruder.exchanges.exchanged_columns.keep_order", lambda *_: False)
    right.append(np.mean(links(data, masked, steps, (*names, *within)).rows == np.arange(200)))
    assert right[0] > 0.9 > right[1] + 0.3


def test_likely_pairs_alone_are_enough_in_large_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.intruder.exchanges.candidates.MAX_PAIRS", 8_000)
    matrix = np.random.default_rng(9).normal(size=(200, 4))
    data, names = microdata(matrix), names_of(matrix)
    steps = (RankSwapping(columns=names, window=10), Rounding(columns=names, base=0.01))
    masked = steps[1].mask(steps[0].mask(data, np.random.default_rng(1)), np.random.default_rng(2))
    assert np.mean(links(data, masked, steps, names).rows == np.arange(200)) > 0.9


def test_columns_that_nothing_was_exchanged_in_take_part() -> None:
    matrix = np.random.default_rng(2).normal(size=(200, 3))
    data, names = microdata(matrix), names_of(matrix)
    steps = (RankSwapping(columns=names[:1], window=30), AdditiveNoise(columns=names[1:], scale=0.2))
    masked = steps[1].mask(steps[0].mask(data, np.random.default_rng(1)), np.random.default_rng(2))
    model = build_model(data, masked, names, steps, 0)
    posterior = posterior_of(model, 64)
    likeliest = posterior.candidates[np.arange(200), posterior.one_to_one.argmax(axis=1)][posterior.masked_classes]
    alone = np.mean(likeliest == posterior.original_classes)
    assert np.mean(links(data, masked, steps, names).rows == np.arange(200)) > 0.8 > 1.5 * alone


def test_only_numbers_that_one_swapping_exchanged_are_followed() -> None:
    data, masked, method, names = swapped(60, 7)
    noise = AdditiveNoise(columns=names[:1])

    def swaps(*steps: MaskingMethod) -> dict[str, int]:
        return ExchangedColumns(Runs.of(data, masked, steps, 0), masked, names).swaps

    assert swaps(method) == dict.fromkeys(names, 0)
    assert swaps(noise, method) == dict.fromkeys(names, 1)
    assert swaps(noise) == swaps(method, method) == {}


def test_values_that_nobody_had_are_not_followed() -> None:
    data, masked, method, names = swapped(60, 8)
    moved = microdata(masked.matrix(names) + 0.01)
    assert ExchangedColumns(Runs.of(data, masked, (method,), 0), masked, names).cells(names[0]) is not None
    assert ExchangedColumns(Runs.of(data, moved, (method,), 0), moved, names).cells(names[0]) is None


def test_nobody_is_surer_than_those_allow_who_were_equal_before_values_were_exchanged() -> None:
    data = microdata(np.random.default_rng(6).normal(size=(150, 3)))
    names = data.schema.names
    steps = (Mdav(columns=names, k=3), RankSwapping(columns=names, window=5))
    masked, rng = data, np.random.default_rng(7)
    for step in steps:
        masked = step.mask(masked, rng)
    assert links(data, masked, steps, names).certainty.max() <= 1 / 3 + 1e-9
