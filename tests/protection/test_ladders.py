"""Classes of numbers: where they begin, as it is written."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.protection.ladders import quantile_breaks


def test_a_class_begins_at_the_number_that_its_name_says() -> None:
    heights = np.random.default_rng(3).integers(145, 200, 3000) / 100
    for breaks in quantile_breaks(heights):
        assert [float(f"{start:.2g}") for start in breaks] == list(breaks)
    frame = pl.DataFrame({"height": np.append(heights, [1.7] * 24), "kg": np.arange(3024) % 3})
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["height"]))
    found = sf.protect(data, k=200, seed=1).data.frame["height"].to_list()
    for value, name in zip(frame["height"].to_list(), found, strict=True):
        low, _, high = str(name).partition(" to below ")
        if high:
            assert float(low) <= value < float(high)


def test_breaks_are_rounded_as_before_but_for_the_last_bit() -> None:
    rng = np.random.default_rng(4)
    for values in (rng.lognormal(0, 3, 500), -rng.lognormal(2, 1, 500), rng.normal(0, 1, 500)):
        for breaks in quantile_breaks(values):
            assert np.allclose(breaks, [float(f"{start:.3g}") for start in breaks], rtol=1e-12, atol=0)
