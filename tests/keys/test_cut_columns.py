"""What many values of a column share tells a key: an amount above zero, a part of a code, a range within a category."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.mass_points import is_shown_by, mass_point
from sfumato.keys.parts.text_parts import text_parts
from sfumato.numerics.arrays import Booleans

N = 500


def persons(rng: np.random.Generator) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": rng.integers(0, 95, N),
            "sex": rng.choice(["f", "m"], N),
            "town": rng.choice([*"ABCDEFGH"], N, p=[0.3, 0.2, 0.15, 0.12, 0.1, 0.08, 0.03, 0.02]),
        }
    )


def fits(before: pl.DataFrame, after: pl.DataFrame) -> Booleans:
    """Return which persons fit what the keys of each record show (persons x records), by a plain comparison."""
    found = np.ones((N, N), dtype=np.bool_)
    for name in ("age", "sex", "town"):
        becomes = {old: new for old, new in zip(before[name], after[name], strict=True) if new is not None}
        shown = after[name].to_list()
        if name == "age":  # whose class nobody shows is in that of those below
            for age in range(1, 95):
                becomes.setdefault(age, becomes.get(age - 1))
        found &= np.array([[one is None or one == becomes.get(old) for one in shown] for old in before[name]])
    return found


@pytest.mark.parametrize("role", ["confidential", "other"])
def test_an_amount_above_zero_that_only_some_ages_have_leaves_k_persons_and_records(role: str) -> None:
    rng = np.random.default_rng(1)
    frame = persons(rng)
    pays = ((frame["age"] >= 15) & (frame["age"] < 65)).to_numpy()
    frame = frame.with_columns(fee=np.where(pays, rng.lognormal(4, 0.8, N).round(2), 0.0))
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "fee"])
    data = sf.Microdata(frame, schema.with_roles(key=["age", "sex", "town"], **{role: ["fee"]}))
    found = sf.protect(data, limits=["k=3"], number_steps=None if role == "confidential" else (), seed=1)
    fee = found.data.frame["fee"].to_numpy()
    is_mixed = np.isin(fee, np.intersect1d(fee[pays], fee[~pays]))  # a mean of both kinds tells nothing
    left = fits(frame, found.data.frame) & ((pays[:, None] == (fee > 0)) | is_mixed)
    assert found.after.meets_limits
    assert left.sum(axis=0).min() >= 3
    assert left.sum(axis=1).min() >= 3


def test_the_first_part_of_a_file_reference_leaves_k_persons_who_have_it() -> None:
    rng = np.random.default_rng(2)
    frame = persons(rng)
    court = np.array([f"{ord(town):03}" for town in frame["town"]])
    numbers = [f"{one}/{rng.integers(1, 4)}/{rng.integers(1, 400):03}" for one in court]
    frame = frame.with_columns(reference=pl.Series(numbers))
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age"], nominal=["reference"])
    roles = {"key": ["age", "sex", "town"], "other": ["reference"], "identifier": []}
    data = sf.Microdata(frame, schema.with_roles(**roles))
    found = sf.protect(data, limits=["k=3"], keep=["reference"], seed=1)
    assert found.after.meets_limits
    left = fits(frame, found.data.frame) & (court[:, None] == court)
    assert left.sum(axis=0).min() >= 3
    assert left.sum(axis=1).min() >= 3


def test_weights_of_regions_and_ages_leave_k_persons_who_have_them() -> None:
    rng = np.random.default_rng(3)
    frame = persons(rng).with_columns(age=rng.integers(18, 90, N))
    base = {town: 100.0 * (place + 1) for place, town in enumerate("ABCDEFGH")}
    weight = np.array([base[town] for town in frame["town"]]) * np.where(frame["age"] < 30, 1.3, 1.0)
    frame = frame.with_columns(weight=weight)
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "weight"])
    data = sf.Microdata(frame, schema.with_roles(key=["age", "sex", "town"], weight=["weight"]))
    found = sf.protect(data, limits=["k=3"], seed=1)
    released = found.data.frame["weight"].to_numpy()
    became = {*zip(weight, released, strict=True)}
    left = fits(frame, found.data.frame) & np.array([[(one, other) in became for other in released] for one in weight])
    assert left.sum(axis=0).min() >= 3
    assert left.sum(axis=1).min() >= 3
    assert found.after.meets_limits


def test_a_column_without_a_frequent_value_has_no_mass_point_and_mixed_means_show_none() -> None:
    assert mass_point(np.arange(100)) is None
    assert mass_point(np.array([0] * 50 + [1] * 50)) is None
    kinds = mass_point(np.array([0] * 10 + [*range(1, 11)]))
    assert kinds is not None
    assert kinds.tolist() == [0] * 10 + [1] * 10
    means = np.array([0] * 9 + [1, 1] + [2] * 9)
    assert is_shown_by(kinds, means).tolist() == [True] * 9 + [False, False] + [True] * 9


def test_parts_of_codes_are_those_that_many_share() -> None:
    codes = [f"0{place % 5}-{place:03}" for place in range(60)]
    data = sf.Microdata(pl.DataFrame({"code": codes}))
    found = {words: np.unique(part).size for words, part in text_parts(data, "code")}
    assert found["the first 2 characters of code"] == 5
    assert all(1 < count <= 30 for count in found.values())
    assert not dict(text_parts(sf.Microdata(pl.DataFrame({"code": [*"abc"] * 20})), "code"))
