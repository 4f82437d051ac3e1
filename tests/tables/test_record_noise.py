"""Noise on records: within its bounds, alike for one contributor, and nearly nothing where many contribute."""

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.tables import RecordNoise, Table, noisy_values

RNG = np.random.default_rng(4)
FIRMS = pl.DataFrame(
    {
        "town": RNG.choice(["A", "B", "C"], 600),
        "sector": RNG.choice(["x", "y"], 600),
        "owner": RNG.integers(0, 400, 600),
        "sales": RNG.lognormal(3, 1, 600),
    }
)
TRUE = FIRMS["sales"].to_numpy()


def shares(seed: int = 0, holding: str | None = None, **how: float | bool) -> np.ndarray:
    noise = RecordNoise(**how)
    moved = noisy_values(FIRMS, "sales", ["town", "sector"], np.random.default_rng(seed), holding=holding, noise=noise)
    return np.asarray(moved / TRUE - 1)


def test_every_value_moves_by_no_less_and_no_more_than_asked_for() -> None:
    moved = np.abs(shares(min_percent=10, max_percent=12))
    assert 0.1 - 1e-12 <= moved.min() <= moved.max() <= 0.12 + 1e-12
    assert 0.35 < (shares(is_balanced=False) > 0).mean() < 0.65


def test_all_records_of_a_contributor_move_alike() -> None:
    by_owner = pl.DataFrame({"owner": FIRMS["owner"], "share": shares(holding="owner")}).group_by("owner")
    spread = by_owner.agg(pl.col("share").max() - pl.col("share").min())["share"]
    assert (spread < 1e-12).all()


def test_tables_of_noisy_records_add_up() -> None:
    noisy = FIRMS.with_columns(sales=pl.Series(TRUE * (1 + shares())))
    table = Table.from_records(noisy, ["town", "sector"], "sales")
    assert np.abs(table.relations @ table.values).max() < 1e-8


def test_balance_keeps_cells_of_many_near_to_the_truth() -> None:
    def error(*, is_balanced: bool) -> float:
        cells = FIRMS.with_columns(moved=pl.Series(TRUE * shares(is_balanced=is_balanced)))
        sums = cells.group_by("town", "sector").agg(pl.col("moved").sum(), pl.col("sales").sum())
        return float(np.abs((sums["moved"] / sums["sales"]).to_numpy()).mean())

    assert error(is_balanced=True) < 0.5 * error(is_balanced=False)


def test_the_same_generator_gives_the_same_noise_and_wrong_input_is_refused() -> None:
    assert np.array_equal(shares(3), shares(3))
    with pytest.raises(ParameterError, match="min_percent must not be above max_percent"):
        RecordNoise(min_percent=20, max_percent=10)
    with pytest.raises(DataError, match="there are no records"):
        noisy_values(FIRMS.clear(), "sales", ["town"], np.random.default_rng(0))
