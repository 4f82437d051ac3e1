"""A step may be left out of a bound where it could just as well come last."""

import polars as pl
import pytest

from sfumato.contracts import Correspondence, MaskingMethod
from sfumato.data import Microdata
from sfumato.improve import MomentMatching, ScoreOptimisation
from sfumato.intruder.bounds.step_order import (
    columns_that_matter,
    sees_only_the_file,
    with_samples_last,
    without_dropped_columns,
    without_later_steps,
)
from sfumato.masking import (
    AdditiveNoise,
    DropIdentifiers,
    Mdav,
    Pram,
    RankSwapping,
    Recoding,
    Rounding,
    Sampling,
    TopCoding,
)

DATA = Microdata(pl.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0], "kind": ["a", "b"], "weight": [1.0, 2.0]}))
NOISE, ROUNDING = AdditiveNoise(columns=("x", "y"), scale=0.1), Rounding(columns=("x",), base=1)
PRAM = Pram(columns=("kind",), stay=80)


@pytest.mark.parametrize(
    ("steps", "kept"),
    [
        ([NOISE, ROUNDING], [NOISE]),
        ([ROUNDING, NOISE], [ROUNDING, NOISE]),
        ([NOISE, ROUNDING, PRAM], [NOISE, PRAM]),
        ([NOISE, RankSwapping(columns=("x", "y"))], [NOISE]),
        ([NOISE, Mdav(columns=("x", "y"), k=2)], None),  # it settles ties by the place in the file
        ([NOISE, ROUNDING, Sampling(percent=50)], [NOISE, ROUNDING, Sampling(percent=50)]),  # all records are rounded
        ([PRAM, Pram(columns=("kind",), stay=60), NOISE.replace(within=("kind",))], None),  # the strata come from both
        ([Mdav(columns=("x",), k=2), ROUNDING], None),
    ],
)
def test_what_follows_a_stated_density_is_left_out(
    steps: list[MaskingMethod], kept: list[MaskingMethod] | None
) -> None:
    assert without_later_steps(tuple(steps), DATA, DATA.schema.names) == tuple(steps if kept is None else kept)


def test_what_knows_who_is_who_is_never_left_out() -> None:
    matching, score = MomentMatching(columns=("x", "y")), ScoreOptimisation(columns=("x", "y"))
    blind = score.replace(correspondence=Correspondence.NEAREST_RECORD)
    assert [sees_only_the_file(one.as_step(DATA)) for one in (matching, score, blind)] == [True, False, True]
    steps = (NOISE, score.as_step(DATA))
    assert without_later_steps(steps, DATA, DATA.schema.names) == steps
    last = (NOISE, blind.as_step(DATA))
    assert without_later_steps(last, DATA, DATA.schema.names) == last  # by their order


def test_a_step_by_strata_that_nobody_is_said_to_know_is_not_left_out() -> None:
    steps = (NOISE, ROUNDING.replace(columns=("x", "y")), TopCoding(columns=("x",), percent=50, within=("kind",)))
    assert without_later_steps(steps, DATA, ("x", "y")) == steps
    assert without_later_steps(steps[:2], DATA, ("x", "y")) == steps[:1]


def test_columns_matter_that_decide_what_becomes_of_others() -> None:
    within = NOISE.replace(within=("kind",))
    assert columns_that_matter([within], DATA, ("x",)) == {"x", "y", "kind"}
    assert columns_that_matter([Sampling(columns=("weight",), percent=50)], DATA, ("x",)) == {"x"}
    assert columns_that_matter([PRAM], DATA, ("x",)) == {"x"}


def test_columns_that_no_step_before_reads_may_as_well_be_dropped_first() -> None:
    drop = DropIdentifiers(columns=("weight",))
    mdav = Mdav(columns=("x", "y"), k=2)
    for steps in ((mdav, NOISE, drop), (drop, mdav, NOISE), (mdav, drop, NOISE)):
        left, data = without_dropped_columns(steps, DATA, ("x", "y"))
        assert (left, data.schema.names) == ((mdav, NOISE), ("x", "y", "kind"))


@pytest.mark.parametrize(
    "steps",
    [
        (Sampling(columns=("weight",), percent=50), DropIdentifiers(columns=("weight",))),
        (NOISE.replace(within=("kind",)), DropIdentifiers(columns=("kind", "weight"))),
        (NOISE, DropIdentifiers(columns=("weight",)), MomentMatching(columns=("x", "y")).as_step(DATA)),
    ],
    ids=["the sample reads it", "noise reads one of two", "an improver sees the original"],
)
def test_columns_that_another_step_sees_are_not_dropped_first(steps: tuple[MaskingMethod, ...]) -> None:
    left, data = without_dropped_columns(steps, DATA, ("x",))
    assert (left, data.schema.names) == (steps, DATA.schema.names)


HALF, BY_KIND = Sampling(percent=50), Sampling(percent=50, within=("kind",))
LOW, HIGH = TopCoding(columns=("x",), percent=50), TopCoding(columns=("x",), at=1.5)
MEAN, JOINED = HIGH.replace(replacement="mean"), Recoding(columns=("kind",), map={"a": "b"}, keeps_others=True)


@pytest.mark.parametrize(
    ("steps", "moved"),
    [
        ([HALF, ROUNDING, HIGH, JOINED], [ROUNDING, HIGH, JOINED, HALF]),
        ([HALF, ROUNDING, HALF, HIGH, NOISE], [ROUNDING, HIGH, HALF, HALF, NOISE]),
        ([BY_KIND, ROUNDING, JOINED], [ROUNDING, BY_KIND, JOINED]),  # the strata are those before they are joined
        ([HALF, LOW], [HALF, LOW]),  # half of the sample is coded
        ([HALF, MEAN], [HALF, MEAN]),  # the mean is that of the sample
        ([HALF, NOISE, ROUNDING], [HALF, NOISE, ROUNDING]),
    ],
)
def test_samples_are_drawn_after_what_becomes_of_each_record_whoever_is_drawn(
    steps: list[MaskingMethod], moved: list[MaskingMethod]
) -> None:
    assert with_samples_last(steps, DATA) == tuple(moved)
