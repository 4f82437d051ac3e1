"""What a column tells of a date within the class that is released is counted, and k persons are left all the same."""

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.parts.date_parts import date_parts

N = 500


def months_told(born: date) -> int:
    return born.month


def weekday_told(born: date) -> int:
    return born.weekday()


def day_told(born: date) -> int:
    return born.day


def half_told(born: date) -> bool:
    return born.month >= 7


def card_told(born: date) -> date:
    return date(2024 + born.day % 9, born.month, 1 + born.day % 28)


def survey() -> tuple[list[date], pl.DataFrame]:
    rng = np.random.default_rng(3)
    born = [date(1935, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 70 * 365, N)]
    town = rng.choice([*"ABCDE"], N, p=[0.4, 0.25, 0.2, 0.1, 0.05])
    return born, pl.DataFrame({"town": town, "sex": rng.choice([*"fm"], N), "birth_date": born})


@pytest.mark.parametrize(
    ("tell", "sees"),
    [
        (months_told, months_told),
        (weekday_told, weekday_told),
        (day_told, day_told),
        (half_told, half_told),
        (card_told, months_told),
    ],
)
def test_a_part_of_a_date_that_another_column_tells_leaves_k_persons(
    tell: Callable[[date], object], sees: Callable[[date], object]
) -> None:
    born, frame = survey()
    frame = frame.with_columns(pl.Series("other", [tell(one) for one in born]))
    schema = sf.Schema.infer(frame).with_roles(key=["town", "sex", "birth_date"], other=["other"])
    found = sf.protect(sf.Microdata(frame, schema), k=3, limits=["k=3"], seed=1)
    shown = pl.DataFrame(found.data.frame)
    if not found.after.meets_limits:
        return  # said in capitals, which is as good
    became = {old: new for old, new in zip(born, shown["birth_date"], strict=True) if new is not None}
    order = sorted(became)
    told = [None if one is None else (one.month if tell is card_told else one) for one in shown["other"]]
    for town, sex, class_, part in zip(shown["town"], shown["sex"], shown["birth_date"], told, strict=True):
        in_class = [one for one in order if became[one] == class_]
        fitting = sum(
            (town is None or town == frame["town"][who])
            and (sex is None or sex == frame["sex"][who])
            and (class_ is None or in_class[0] <= born[who] <= in_class[-1])
            and (part is None or part == sees(born[who]))
            for who in range(N)
        )
        assert fitting >= 3


def test_the_parts_of_a_date_are_its_month_its_weekday_and_its_day() -> None:
    born, frame = survey()
    frame = frame.with_columns(pl.when(pl.int_range(N) > 0).then("birth_date").alias("birth_date"))
    found = dict(date_parts(sf.Microdata(frame), "birth_date"))
    assert found["the month of birth_date"].tolist() == [-1, *(one.month - 1 for one in born[1:])]
    assert found["the weekday of birth_date"].tolist() == [-1, *(one.weekday() for one in born[1:])]
    assert found["the day of the month of birth_date"].tolist() == [-1, *(one.day - 1 for one in born[1:])]
    firsts = sf.Microdata(frame.with_columns(pl.col("birth_date").dt.truncate("1mo")))
    assert [words.split()[1] for words, _ in date_parts(firsts, "birth_date")] == ["month", "weekday"]
