"""A date is no day of birth where a year of birth or an age says otherwise."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.persons import persons_of


def staff(date: str, born: str) -> pl.DataFrame:
    """Return people whose date is that of being hired or born, many on one day, with their age or year of birth."""
    rng, n = np.random.default_rng(3), 600
    year, day = rng.integers(1955, 2001, n), rng.integers(0, 365, n)
    year[300:], day[300:] = year[:300], day[:300]  # each comes twice
    hired = np.minimum(2020, year + 19 + rng.integers(0, 30, n) % 30)
    hired[300:] = hired[:300]
    shown = (year if date == "born" else hired) - 1970
    days = (shown * 365.25).astype(int) + day
    told = {"birth_year": year} if born == "year" else {"age": 2023 - year}
    return pl.DataFrame(
        {"when": days.astype("datetime64[D]"), **told, "sex": np.array(["f", "m"])[day % 2], "x": rng.random(n)}
    )


@pytest.mark.parametrize("born", ["year", "age"])
def test_only_a_date_that_goes_with_the_age_tells_who_comes_again(born: str) -> None:
    for date in ("born", "hired"):
        frame = staff(date, born)
        data = sf.Microdata(
            frame, sf.Schema.infer(frame).with_roles(key=["when", "sex", *({"age"} & {*frame.columns})])
        )
        found = persons_of(data)
        assert (found is not None and "when" in found.columns) == (date == "born")


def test_a_date_that_is_dropped_numbers_no_household() -> None:
    frame = staff("hired", "year")
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(identifier=["when"], key=["sex"]))
    assert persons_of(data) is None
