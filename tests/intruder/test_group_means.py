"""Means of groups tell who is in them, also where nobody knows who was drawn."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder.sets_with_mean import sets_with_mean
from sfumato.masking import AdditiveNoise, CategoricalMicroaggregation, Mdav, Pram, Sampling
from sfumato.risk import LikelihoodLinkage

NAMES = ("x", "y", "z")


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8])
def test_all_sets_with_a_mean_are_found_and_no_others(size: int) -> None:
    values = np.random.default_rng(size).integers(0, 6, (14, 2)).astype(np.float64)
    mean, tolerances = values[:size].mean(axis=0), np.array([1e-9, 0.3])
    expected = [
        members
        for members in combinations(range(14), size)
        if (np.abs(values[list(members)].mean(axis=0) - mean) <= tolerances).all()
    ]
    assert [tuple(one) for one in sets_with_mean(values, mean, size, tolerances).tolist()] == expected
    assert len(expected) > 1


@pytest.mark.parametrize("missing", [0.0, 0.04])
def test_who_is_in_a_group_of_a_sample_is_found_by_its_mean_also_beside_gaps(missing: float) -> None:
    rng = np.random.default_rng(3)
    values = rng.lognormal(8, 1, (150, 3)).round(2)
    values[rng.random(values.shape) < missing] = np.nan
    original = Microdata(pl.DataFrame(values, schema=list(NAMES), nan_to_null=True))
    steps: list[MaskingMethod] = [Sampling(percent=50), Mdav(columns=NAMES, k=3)]
    masked = original
    for step in steps:
        masked = step.mask(masked, rng)
    found = LikelihoodLinkage(columns=NAMES).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    assert found.parts["row by row"] > 31
    sizes = masked.frame.group_by(NAMES).len()["len"]
    assert round(found.parts["certain at 50"] / 100 * masked.n) <= sizes.filter(sizes < 3).sum()


def test_members_of_large_groups_of_a_sample_are_found_too() -> None:
    rng = np.random.default_rng(4)
    values = rng.lognormal(8, 1, (200, 3)).round(2)
    original = Microdata(pl.DataFrame(values, schema=list(NAMES)))
    steps: list[MaskingMethod] = [Sampling(percent=50), Mdav(columns=NAMES, k=8)]
    masked = original
    for step in steps:
        masked = step.mask(masked, rng)
    found = LikelihoodLinkage(columns=NAMES).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    groups = masked.frame.group_by(NAMES).len().height
    assert found.parts["row by row"] > 0.75 * 100 * groups / masked.n  # who nobody links more than


def test_columns_that_were_grouped_apart_tell_their_members_apart() -> None:
    rng = np.random.default_rng(5)
    names = (*NAMES, "w")
    values = rng.lognormal(8, 1, (150, 4)).round(2)
    original = Microdata(pl.DataFrame(values, schema=list(names)))
    steps: list[MaskingMethod] = [
        Sampling(percent=50),
        Mdav(columns=names, k=4, column_groups=(("x", "w"), ("y", "z"))),
    ]
    masked = original
    for step in steps:
        masked = step.mask(masked, rng)
    found = LikelihoodLinkage(columns=names).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    different = masked.frame.select(names).n_unique()
    assert found.value > 0.9 * 100 * different / masked.n


AMOUNTS = ("total_income", "expenditure", "savings")


@pytest.mark.parametrize(
    ("others", "steps"),
    [
        (("education",), [Pram(columns=("education",), stay=70), Mdav(columns=AMOUNTS, k=3, within=("education",))]),
        (
            ("age", "sex"),
            [Sampling(percent=50), CategoricalMicroaggregation(columns=("age", "sex", *AMOUNTS), k=3)],
        ),
        (("age",), [AdditiveNoise(columns=("age",), scale=0.5), Mdav(columns=("age", *AMOUNTS), k=3)]),
    ],
    ids=["within strata, beside gaps", "beside categories", "beside a noisy column"],
)
def test_means_of_some_columns_tell_one_member_of_each_group(
    others: tuple[str, ...], steps: list[MaskingMethod]
) -> None:
    names = (*others, *AMOUNTS)
    original = masked = sf.datasets.demo(500).take_columns(names)
    rng = np.random.default_rng(21)
    for step in steps:
        masked = step.mask(masked, rng)
    found = LikelihoodLinkage(columns=names).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    groups = masked.frame.select(names).n_unique()
    assert found.value > 0.9 * 100 * groups / masked.n  # who nobody links more than
    assert found.parts.get("right at 50", 100.0) > 50
