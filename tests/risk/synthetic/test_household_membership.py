"""Whole households that were copied are found, whoever stands first in them; those of another sample are not."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.masking import HouseholdSynthesis
from sfumato.risk import HouseholdMembership
from tests.masking.synthesis.made_households import COLUMNS, households

PEOPLE, OTHERS, NEW = (households(400, seed) for seed in (1, 2, 3))
ATTACK = HouseholdMembership(columns=COLUMNS).with_control(OTHERS)


def with_copies(count: int) -> Microdata:
    """Return other households and some of the original, with other numbers and members in another order."""
    copies = PEOPLE.frame.filter(pl.col("home") <= count).with_columns(pl.col("home") + 1000)
    frame = pl.concat([NEW.frame.filter(pl.col("home") > count), copies]).sample(fraction=1.0, shuffle=True, seed=1)
    return Microdata(frame, PEOPLE.schema)


def unique_and_copied(made: Microdata) -> float:
    """Return the percent of households that are unique and stand in the file whole, by brute force."""

    def homes(data: Microdata) -> list[tuple[object, ...]]:
        parts = data.frame.sort("home", *COLUMNS).partition_by("home")
        return [tuple(part.select(COLUMNS).rows()) for part in parts]

    before, after = homes(PEOPLE), set(homes(made))
    return 100 * sum(before.count(home) == 1 and home in after for home in before) / len(before)


def test_copied_households_are_found() -> None:
    found = ATTACK.measure(PEOPLE, with_copies(60))
    assert found.shows_leak
    assert found.value >= 14
    assert "households" in found.remark


@pytest.mark.parametrize("copies", [0, 60])
def test_without_a_control_copies_are_counted(copies: int) -> None:
    made = with_copies(copies)
    found = HouseholdMembership(columns=COLUMNS).measure(PEOPLE, made)
    assert found.value == pytest.approx(unique_and_copied(made))
    assert found.shows_leak is None


def test_copied_members_in_other_households_are_no_copied_household() -> None:
    made = Microdata(PEOPLE.frame.with_columns(home=pl.col("home").shuffle(seed=1)), PEOPLE.schema)
    found = HouseholdMembership(columns=COLUMNS).measure(PEOPLE, made)
    assert found.value == pytest.approx(unique_and_copied(made))
    assert found.value < 10  # who lives alone, and still does


def test_another_sample_and_synthetic_households_show_no_leak() -> None:
    made = HouseholdSynthesis(columns=COLUMNS, relation="relation").mask(PEOPLE, np.random.default_rng(1))
    for file in (NEW, made):
        assert not ATTACK.measure(PEOPLE, file).shows_leak


def test_refuses_files_that_do_not_tell_households() -> None:
    with pytest.raises(DataError, match="the masked file has no column 'home'"):
        HouseholdMembership(columns=COLUMNS).measure(PEOPLE, NEW.without_columns(("home",)))
    with pytest.raises(DataError, match="no column has the role household"):
        HouseholdMembership(columns=COLUMNS).measure(*(file.without_columns(("home",)) for file in (PEOPLE, NEW)))
