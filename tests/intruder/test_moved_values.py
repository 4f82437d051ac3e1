"""A recipe that moves values farther, or codes more of them, than the file shows does not fit; the right one does."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata, Schema, Variable
from sfumato.datasets import demo
from sfumato.improve import MomentMatching
from sfumato.intruder import NO_FIT, build_model, mask_shadow
from sfumato.intruder.moved_values import are_moved_alike, distances
from sfumato.intruder.shadow_masking import Shadow
from sfumato.masking import Mdav, MixtureNoise, Pram, RankSwapping, Sampling, TopCoding
from sfumato.recipe import Recipe

NAMES = ("x", "y")


def people() -> Microdata:
    rng = np.random.default_rng(4)
    numbers = pl.DataFrame(rng.normal(size=(400, 2)) @ rng.normal(size=(2, 2)), schema=list(NAMES))
    return Microdata(numbers.with_columns(kind=pl.Series(rng.choice(list("abc"), 400))))


def mixture(ratio: float) -> MaskingMethod:
    return MixtureNoise(columns=NAMES, variance_ratio=ratio)


def swapping(window: float) -> MaskingMethod:
    return RankSwapping(columns=NAMES, window=window)


@pytest.mark.parametrize(
    ("used", "told"), [(mixture(0.2), mixture(0.25)), (swapping(10), swapping(20)), (swapping(20), swapping(10))]
)
def test_a_wrong_parameter_is_told_and_the_right_one_fits(used: MaskingMethod, told: MaskingMethod) -> None:
    original = people()
    masked = used.mask(original, np.random.default_rng(1))
    remarks = [" ".join(build_model(original, masked, NAMES, [step], 0).remarks) for step in (used, told)]
    assert [NO_FIT in remark for remark in remarks] == [False, True]


def test_another_percent_of_coding_after_noise_is_told() -> None:
    original, told = people(), [[mixture(0.2), TopCoding(columns=("x",), percent=percent)] for percent in (10, 5)]
    masked = mask_shadow(told[0], original, 3, 0).data
    remarks = [" ".join(build_model(original, masked, NAMES, steps, 0).remarks) for steps in told]
    assert [NO_FIT in remark for remark in remarks] == [False, True]


def test_steps_that_differ_from_run_to_run_are_held_against_several_runs() -> None:
    original = people()
    steps = [Sampling(percent=20), mixture(0.2), Pram(columns=("kind",), stay=60)]
    for seed in range(5, 10):
        masked = mask_shadow(steps, original, seed, 0)
        names = (*NAMES, "kind")
        assert are_moved_alike(
            original, masked.data, masked.rows, names, lambda number: mask_shadow(steps, original, 0, number)
        )


def test_whose_threshold_is_the_highest_of_all_strata_may_differ_from_run_to_run() -> None:
    strata = np.repeat([0, 1], [200, 100])
    values = np.linspace(0, 1, 300)

    def coded(highest: int) -> Microdata:
        tops = np.where(strata == highest, 2.0, 1.9)
        return Microdata(pl.DataFrame({"x": np.where(np.arange(300) % 5 == 0, tops, values)}))

    original, rows = Microdata(pl.DataFrame({"x": values})), np.arange(300)
    files = original, coded(0), rows, ("x",), lambda _: Shadow(coded(1), rows)
    assert are_moved_alike(*files, strata=strata)
    assert not are_moved_alike(*files)


def test_an_improver_that_moves_one_file_farther_than_another_fits_its_recipe() -> None:
    names = ("age", "total_income", "expenditure", "savings")
    survey = demo(700, seed=3).take_columns(names)
    original = survey.take_rows(np.flatnonzero(~np.isnan(survey.matrix(names)).any(axis=1)))
    noise = MixtureNoise(columns=names, variance_ratio=0.2)
    recipe = Recipe(steps=[noise], improve=MomentMatching(columns=names), seed=3)
    steps = Knowledge.of(recipe.parts, original).steps
    assert NO_FIT not in " ".join(build_model(original, recipe.run(original), names, steps, 0).remarks)


def test_distances_are_those_of_numbers_and_changes_of_categories() -> None:
    original = Microdata(pl.DataFrame({"x": [1.0, None, 3.0], "kind": ["a", "b", "a"]}))
    masked = Microdata(pl.DataFrame({"x": [7.0, 1.5, 2.0], "kind": ["a", "a", "a"]}))
    rows = np.array([2, 0, 1])
    assert distances(original, [(masked, rows)], "x")[0].tolist() == [4.0, 0.5]
    assert distances(original, [(masked, rows)], "kind")[0].tolist() == [0.0, 0.0, 1.0]


def test_a_file_that_is_written_with_fewer_decimals_fits_its_recipe() -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"x": rng.lognormal(8, 1, 60).round(2), "y": rng.normal(0, 9, 60).round(1)})
    original = Microdata(frame, Schema(variables=tuple(Variable(name=name, kind="continuous") for name in "xy")))
    steps = (Mdav(columns=("x", "y"), k=3),)
    masked = steps[0].mask(original, rng)
    written = masked.with_frame(masked.frame.with_columns(pl.col("x").round(2), pl.col("y").round(1)))
    assert not written.frame.equals(masked.frame)
    model = build_model(original, written, ("x", "y"), steps, 5)
    assert model.is_proven
    assert NO_FIT not in str(model.remarks)
