"""Groups of equal records that are diverse in what is sensitive, against plain counts."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, ParameterError
from sfumato.masking import StrictLocalSuppression

KEYS = ("a", "b", "c")


def people(n: int, seed: int, ordered: bool = False) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            **{name: rng.choice([*"pqrs"], n) for name in KEYS},
            "ill": rng.choice([1, 2, 3, 4], n, p=[0.5, 0.3, 0.1, 0.1]),
            "vote": rng.choice(["left", "right"], n),
        }
    ).with_columns(b=pl.when(pl.Series(rng.random(n) < 0.9)).then("b"))
    kind = "ordinal" if ordered else "nominal"
    return Microdata(frame, Schema.infer(frame).with_kinds(**{kind: ["ill"]}).with_roles(key=list(KEYS)))


def groups(frame: pl.DataFrame, sensitive: str) -> list[list[Any]]:
    found: dict[tuple[str | None, ...], list[Any]] = defaultdict(list)
    for *keys, value in frame.select(*KEYS, sensitive).rows():
        found[tuple(keys)].append(value)
    return list(found.values())


def distance(group: list[Any], everybody: list[Any], ordered: bool) -> float:
    """How far the values of a group are from those of the file, by the earth mover's distance."""
    values = sorted(set(everybody))
    shares = [Counter(group)[value] / len(group) - Counter(everybody)[value] / len(everybody) for value in values]
    if not ordered:
        return sum(abs(share) for share in shares) / 2
    return sum(abs(sum(shares[: place + 1])) for place in range(len(values) - 1)) / (len(values) - 1)


@given(n=st.integers(12, 60), seed=st.integers(0, 999), k=st.integers(2, 4), l=st.integers(2, 3))
def test_every_group_has_k_records_and_l_values_of_each_sensitive_column(n: int, seed: int, k: int, l: int) -> None:
    data = people(n, seed)
    if min(data.frame[name].n_unique() for name in ("ill", "vote")) < 2 or data.frame["ill"].n_unique() < l:
        return
    sensitive = ("ill", "vote") if l == 2 else ("ill",)
    masked = StrictLocalSuppression(columns=KEYS, k=k, sensitive=sensitive, l=l).mask(data, np.random.default_rng(0))
    for name in sensitive:
        for group in groups(masked.frame, name):
            assert len(group) >= k
            assert len(set(group)) >= l


@given(n=st.integers(12, 60), seed=st.integers(0, 999), t=st.sampled_from([0.05, 0.2, 0.4]), ordered=st.booleans())
def test_no_group_is_farther_from_the_file_than_t(n: int, seed: int, t: float, ordered: bool) -> None:
    data = people(n, seed, ordered)
    masked = StrictLocalSuppression(columns=KEYS, k=2, sensitive=("ill",), t=t).mask(data, np.random.default_rng(0))
    everybody = data.frame["ill"].to_list()
    assert max(distance(group, everybody, ordered) for group in groups(masked.frame, "ill")) <= t + 1e-9


def test_values_that_are_diverse_already_cost_nothing() -> None:
    frame = pl.DataFrame({"a": ["p"] * 4 + ["q"] * 4, "ill": ["1", "2"] * 4})
    data = Microdata(frame)
    masked = StrictLocalSuppression(columns=("a",), k=3, sensitive=("ill",), l=2, t=0.1).mask(
        data, np.random.default_rng(0)
    )
    assert masked.frame.equals(frame)


def test_refuses_conditions_without_a_sensitive_column_and_more_values_than_there_are() -> None:
    with pytest.raises(ParameterError, match="needs sensitive with l or t, or neither; got only l or t"):
        StrictLocalSuppression(columns=("a",), l=2)
    with pytest.raises(DataError, match=r"'ill' has 4 different values in the file; each class must have 7"):
        StrictLocalSuppression(columns=KEYS, sensitive=("ill",), l=7).mask(people(50, 1), np.random.default_rng(0))
