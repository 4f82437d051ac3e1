"""Two masked columns whose ratio tells a key are found, those whom it exposes are hidden, and chance is no ratio."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.keys.findings.exposure import READABLE, telling_exposure
from sfumato.keys.hinting_columns import hinting_columns
from sfumato.keys.pairs.column_pairs import ColumnPair
from sfumato.masking import LocalSuppression, Mdav, Recoding
from sfumato.protection import protect
from sfumato.recipe import Recipe

KEYS = ("region", "sex", "size")
SCALES: dict[str, Callable[[Any], Any]] = {
    "root": np.sqrt,
    "oecd": lambda size: 1 + 0.5 * (size - 1),
    "heads": lambda size: size,
}


def persons(scale: str = "root", homes: int = 250, seed: int = 1) -> Microdata:
    """Return persons with the income of their household, and that by an equivalence scale."""
    rng = np.random.default_rng(seed)
    size = rng.choice([1, 2, 3, 4, 5, 6], homes, p=[0.3, 0.3, 0.17, 0.13, 0.07, 0.03])
    income = (rng.lognormal(10, 0.6, homes) * size**0.4).round()
    home = np.repeat(np.arange(homes), size)
    frame = pl.DataFrame(
        {
            "home": home,
            "region": rng.choice([*"ABCDEFGH"], homes)[home],
            "sex": rng.choice([*"mf"], home.size),
            "size": size[home],
            "income": income[home],
            "equivalised": (income / SCALES[scale](size)).round()[home],
        }
    )
    schema = Schema.infer(frame).with_kinds(ordinal=["size"], continuous=["income", "equivalised"])
    return Microdata(
        frame, schema.with_roles(identifier=["home"], key=list(KEYS), confidential=["income", "equivalised"])
    )


def exposed_by_ratio(data: Microdata, masked: Microdata, scale: str) -> int:
    """Count the records whose size is read off a ratio, and whom fewer than 3 persons of that size fit."""
    frame, before = masked.frame, data.frame
    ratio = (frame["income"] / frame["equivalised"]).to_list()
    sizes = {size: float(SCALES[scale](size)) for size in range(1, 7)}
    shown = list(zip(*(frame[name].to_list() for name in KEYS), strict=True))
    recoded = {size: name for size, name in zip(before["size"], frame["size"], strict=True) if name is not None}
    people = [(a, b, recoded[c], c) for a, b, c in zip(*(before[name] for name in KEYS), strict=True)]
    found = 0
    for row, number, truth in zip(shown, ratio, before["size"], strict=True):
        read = [size for size, expected in sizes.items() if abs(number / expected - 1) < 0.005]
        if read == [truth]:
            fitting = [
                one
                for one in people
                if one[3] == truth and all(cell in (None, value) for cell, value in zip(row, one, strict=False))
            ]
            found += len(fitting) < 3
    return found


@pytest.mark.parametrize("scale", SCALES)
def test_who_is_found_by_the_ratio_of_two_masked_columns_loses_more_of_the_keys(scale: str) -> None:
    data = persons(scale)
    joined = Recoding(columns=("size",), map={1: "1-2", 2: "1-2", 3: "3-4", 4: "3-4", 5: "5-6", 6: "5-6"})
    by_keys = Recipe(
        steps=[Mdav(columns=("income", "equivalised"), k=3), joined, LocalSuppression(columns=KEYS, k=3)], seed=1
    )
    partly = exposed_by_ratio(data, by_keys.run(data), scale)
    assert partly > 15
    assert exposed_by_ratio(data, protect(data, k=3, seed=1).data, scale) < partly / 4


def test_a_ratio_that_tells_a_part_of_a_key_is_named() -> None:
    data = persons()
    masked = data.with_frame(data.frame.with_columns(size=(pl.col("size") + 1) // 2))
    masked = Mdav(columns=("income", "equivalised"), k=3).mask(masked, np.random.default_rng(0))
    _, hints = hinting_columns(masked, KEYS, data, np.arange(data.n))
    assert ("size", "the ratio of income and equivalised") in [(hint.key, hint.column) for hint in hints]
    for hint in hints:  # what is so is never ruled out
        assert hint.ruled.allowed[hint.ruled.kinds, hint.ruled.categories].all()


def test_a_ratio_that_tells_a_whole_key_is_told_of_the_file_alone() -> None:
    data = persons()
    heads = data.take_rows(np.unique(data.values("home"), return_index=True)[1])  # members share what income tells
    [remark] = telling_exposure(heads, KEYS, 3).remarks
    assert remark.startswith(f"{READABLE}: ")
    assert "the ratio of income and equivalised (size)" in remark


def test_pairs_of_columns_say_how_they_are_put_together() -> None:
    data = Microdata(pl.DataFrame({"a": [8.0, 0.0, -1.0], "b": [2.0, 1.0, 1.0]}))
    ratio = ColumnPair("a", "b", -1.0, is_log=True)
    np.testing.assert_allclose(np.exp(ratio.of(data)), [4, np.nan, np.nan])
    assert ratio.words == "the ratio of a and b"
    assert ColumnPair("a", "b", 1.0, is_log=True).words == "the product of a and b"
    assert ColumnPair("a", "b", -1.0).words == "a and b together"


@pytest.mark.parametrize("seed", range(12))
def test_columns_that_merely_go_with_a_key_tell_nothing_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 600
    normal = rng.normal(size=(n, 7)) @ rng.normal(size=(7, 7))
    normal /= normal.std(axis=0)
    frame = pl.DataFrame(
        {
            "level": np.digitize(normal[:, 0], [-1, 0, 0.5, 1]),
            "age": np.floor(45 + 15 * normal[:, 1]),
            **{f"amount{place}": np.exp(9 + 0.7 * normal[:, place]).round() for place in (2, 3, 4)},
            **{f"count{place}": np.floor(np.exp(1 + 0.8 * normal[:, place])) for place in (5, 6)},
        }
    )
    numbers = [name for name in frame.columns if name != "level"]
    data = Microdata(frame, Schema.infer(frame).with_kinds(ordinal=["level"], continuous=numbers))
    masked = data.with_frame(frame.with_columns(level=pl.col("level") // 2, age=pl.col("age") // 10))
    _, hints = hinting_columns(masked, ("level", "age"), data, np.arange(n))
    told = {hint.column for hint in hints} | {
        one.words for one in telling_exposure(masked, ("level", "age"), 3, data).found
    }
    assert not [words for words in told if " and " in words]
