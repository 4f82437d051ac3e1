"""Masked amounts that other columns bring nearer than their own are named and counted, and no others."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Role, Variable
from sfumato.keys.recomputed_values import Recomputed, recomputed_columns

N = 500


def firms() -> sf.Microdata:
    rng = np.random.default_rng(11)
    heads = np.maximum(1, rng.lognormal(2.6, 1.1, N).round())
    turnover = (heads * rng.lognormal(4.7, 0.5, N) * 1000).round()
    frame = pl.DataFrame(
        {
            "region": rng.choice([*"ABCD"], N),
            "heads": heads,
            "turnover": turnover,
            "by_head": (turnover / heads).round(),
            "costs": (turnover * rng.lognormal(-0.2, 0.3, N)).round(),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=frame.columns[1:])
    return sf.Microdata(frame, schema.with_roles(key=["region"], confidential=frame.columns[2:], other=["heads"]))


def within(data: sf.Microdata, computed: np.ndarray) -> int:
    exact = data.values("turnover")
    return int(np.count_nonzero(np.abs(computed - exact) <= 0.05 * exact))


@pytest.mark.parametrize("columns", [("turnover", "by_head"), ("turnover", "by_head", "costs")])
def test_a_masked_ratio_times_an_open_column_is_told_with_what_the_own_column_tells(columns: tuple[str, ...]) -> None:
    data = firms()
    masked = sf.Mdav(columns=columns, k=3).mask(data, np.random.default_rng(0))
    unchanged = tuple(name for name in data.schema.names if name not in columns)
    [found] = [one for one in recomputed_columns(data, masked, unchanged) if one.column == "turnover"]
    product = masked.values("heads") * masked.values("by_head")
    times = np.median(product / data.values("turnover"))
    counted = within(data, product / times), within(data, masked.values("turnover"))
    assert found == Recomputed("turnover", ("heads", "by_head"), counted[0], N, counted[1])
    assert counted[0] > 2 * counted[1]


@pytest.mark.parametrize(
    "step",
    [
        sf.Mdav(columns=("turnover", "costs"), k=3),
        sf.Mdav(columns=("heads", "turnover", "by_head", "costs"), k=3),
        sf.AdditiveNoise(columns=("heads", "turnover", "by_head", "costs"), scale=0.2),
    ],
)
def test_columns_that_are_masked_alike_and_only_go_with_an_amount_are_not_named(
    step: MaskingMethod,
) -> None:
    names = ("region", *step.columns)
    data = firms().take_columns(names)
    masked = step.mask(data, np.random.default_rng(0))
    assert recomputed_columns(data, masked, ("region",)) == []


def test_of_many_columns_those_that_go_with_an_amount_are_tried() -> None:
    data, rng = firms(), np.random.default_rng(1)
    for place in range(40):
        name = f"q{place:02d}"
        data = data.with_column(Variable(name=name, kind=Kind.CONTINUOUS, role=Role.OTHER), rng.lognormal(3, 1, N))
    masked = sf.Mdav(columns=("turnover", "by_head"), k=3).mask(data, np.random.default_rng(0))
    [found] = recomputed_columns(data, masked, ("region", "heads"))
    assert found.sources == ("heads", "by_head")
