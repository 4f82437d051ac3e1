import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.execution import blocks, cut, run_step
from sfumato.masking import AdditiveNoise, Mdav, RankSwapping
from sfumato.parameters import Strata

N = 5000
RNG = np.random.default_rng(0)
DATA = Microdata(
    pl.DataFrame(
        {
            "x": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
            "y": RNG.normal(size=N),
            "key": RNG.integers(0, 40, N).astype(str),
            "region": RNG.choice(["a", "b"], N),
        }
    )
)


class Marked(MaskingMethod):
    """Replace each value by the number of records in its block, to see how a file was cut."""

    family = "test"
    kinds = frozenset(Kind)
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        return block.map_columns(("y",), lambda name, column: np.full(column.size, float(block.n)))


class MarkedByGroups(Marked):
    layout = Layout.GROUPS


class MarkedByNeighbours(Marked):
    layout = Layout.NEIGHBOURS


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 1000)
    monkeypatch.setattr(blocks, "RANKS_PER_BLOCK", 900)
    monkeypatch.setattr(blocks, "NEIGHBOURS_PER_BLOCK", 700)


METHODS = [
    AdditiveNoise(columns=("x", "y")),
    AdditiveNoise(columns=("x", "y"), within=("region",)),
    RankSwapping(columns=("x", "y"), window=0.5),
    RankSwapping(columns=("x", "y"), window=0.5, within=("region",)),
    Mdav(columns=("x", "y"), within=("region",)),
    MarkedByGroups(columns=("key",)),
    MarkedByNeighbours(columns=("x", "y")),
]


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_every_row_is_in_exactly_one_block_of_each_column(method: MaskingMethod) -> None:
    pieces = cut(method.bound_to(DATA), DATA)
    for name in DATA.select(method.columns):
        ids = [block.whole.row_ids[block.rows] for block in pieces if name in block.method.columns]
        assert sorted(np.concatenate(ids).tolist()) == list(range(N))
    assert len(pieces) > 1


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_threads_do_not_change_the_result(method: MaskingMethod) -> None:
    first = run_step(method, DATA, seed=1, step=0, threads=1)
    second = run_step(method, DATA, seed=1, step=0, threads=4)
    assert first.frame.equals(second.frame)
    assert np.array_equal(first.row_ids, DATA.row_ids)


def test_groups_of_equal_keys_stay_together() -> None:
    pieces = cut(MarkedByGroups(columns=("key",)), DATA)
    keys = [set(DATA.frame["key"].to_numpy()[block.rows]) for block in pieces]
    assert len(set.union(*keys)) == sum(map(len, keys)) == 40


def test_neighbourhoods_are_small_and_hold_near_records() -> None:
    pieces = cut(MarkedByNeighbours(columns=("x", "y")), DATA)
    assert max(np.arange(DATA.n)[block.rows].size for block in pieces) <= 700
    spread = np.mean([DATA.values("y")[block.rows].var() for block in pieces])
    assert spread < 0.6 * DATA.values("y").var()


def test_runs_of_ranks_are_consecutive_and_long_enough() -> None:
    method = RankSwapping(columns=("x",), window=0.5)
    pieces = cut(method, DATA)
    values = DATA.values("x")
    tops = [np.nanmax(values[block.rows]) for block in pieces]
    assert tops == sorted(tops)
    assert min(np.count_nonzero(~np.isnan(values[block.rows])) for block in pieces) >= 900
    assert len(cut(method.replace(window=5), DATA)) == 1  # 20 reaches are longer than the file


def test_a_block_knows_the_summary_of_the_whole() -> None:
    noise = run_step(
        AdditiveNoise(columns=("y",), scale=1e-9), DATA.take_rows(np.argsort(DATA.values("y"))), seed=1, step=0
    )
    moved = np.abs(noise.values("y") - np.sort(DATA.values("y")))
    halves = moved[:1000].std() / moved[2000:3000].std()  # a block of its own deviation would differ tenfold
    assert 0.8 < halves < 1.25


def test_blocks_draw_different_numbers_and_steps_too() -> None:
    constant = Microdata(pl.DataFrame({"y": np.tile([0.5, 1.7], 1000)}))
    first = run_step(AdditiveNoise(columns=("y",)), constant, seed=1, step=0).values("y") - constant.values("y")
    later = run_step(AdditiveNoise(columns=("y",)), constant, seed=1, step=1).values("y") - constant.values("y")
    assert not np.isclose(first[:1000], first[1000:]).any()
    assert not np.isclose(first, later).any()


def test_progress_counts_every_block() -> None:
    seen: list[tuple[int, int]] = []
    run_step(AdditiveNoise(columns=("y",)), DATA, seed=1, step=0, on_block=lambda done, of: seen.append((done, of)))
    assert seen == [(i, 5) for i in range(1, 6)]


def test_strata_are_masked_like_files_of_their_own() -> None:
    method = Mdav(columns=("y",), k=3)
    together = run_step(method.replace(within=("region",)), DATA, seed=1, step=0)
    for region in ("a", "b"):
        rows = np.flatnonzero(DATA.frame["region"].to_numpy() == region)
        alone = run_step(method, DATA.take_rows(rows), seed=9, step=0)
        assert np.array_equal(together.values("y")[rows], alone.values("y"))
