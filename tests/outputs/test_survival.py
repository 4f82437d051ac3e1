"""Survival curves as outputs."""

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.outputs import OutputLog, OutputRules, Status
from sfumato.outputs.survival import kaplan_meier

TIMES = np.array([6.0, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35])
SEEN = np.array([1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], dtype=bool)


def test_the_curve_is_that_of_the_published_remission_times() -> None:
    """Remission of 21 leukaemia patients under 6-mercaptopurine, Freireich et al. (1963), as in every textbook."""
    found = kaplan_meier(TIMES, SEEN, np.array([6.0, 7, 10, 13, 16, 22, 23]))
    np.testing.assert_allclose(found, [0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448], atol=5e-4)


def many(seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "months": rng.integers(1, 40, 400).astype(float),
            "died": rng.choice(["yes", "no"], 400),
            "arm": rng.choice(["a", "b"], 400),
        }
    )


def test_each_step_stands_for_enough_records() -> None:
    frame = many()
    output = OutputLog(frame).survival("months", "died", by="arm")
    assert output.status is Status.SAFE
    shown = output.frame
    assert shown.height > 4
    assert shown["events"].min() >= 10
    assert shown["at risk"].min() >= 10
    for row in shown.to_dicts():
        arm = frame.filter(pl.col("arm") == row["arm"])
        seen = (arm["died"] == "yes").to_numpy()
        expected = kaplan_meier(arm["months"].to_numpy(), seen, np.array([float(row["time"])]))
        assert row["survival"] == pytest.approx(expected[0])


def test_a_curve_that_differs_from_an_earlier_one_by_few_is_coarser_or_needs_a_look() -> None:
    frame = many().with_columns(age=pl.Series([99.0] * 3 + [50.0 + place % 9 for place in range(397)]))
    log = OutputLog(frame)
    first = log.survival("months", "died")
    second = log.survival("months", "died", where="age < 90")
    assert second.status is Status.REVIEW or second.frame.height < first.frame.height


def test_events_say_yes_or_no() -> None:
    frame = many().with_columns(died=pl.Series(["dead", "alive"] * 200))
    with pytest.raises(DataError, match="must say yes or no"):
        OutputLog(frame).survival("months", "died")


def test_a_curve_of_few_shows_no_step() -> None:
    output = OutputLog(many().head(12), rules=OutputRules(min_units=10)).survival("months", "died")
    assert output.status is Status.REVIEW
    assert output.frame.height == 0
