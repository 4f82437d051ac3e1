"""The suspected codes of a whole file: each column is looked through once."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.data.missing_code_suspicion import code_evidence
from sfumato.data.recognition import suspected_codes as room
from sfumato.data.recognition.missing_code_places import Scale

NAMES = ("age", "visits", "income")


@pytest.fixture
def people() -> Microdata:
    rng = np.random.default_rng(3)
    ages = np.append(rng.integers(18, 80, 300), [99] * 8)
    visits = np.append(rng.integers(0, 90, 300), [99] * 8)
    return Microdata(pl.DataFrame({"age": ages, "visits": visits, "income": rng.lognormal(8, 1, 308).round(2)}))


def test_no_column_is_looked_through_twice(people: Microdata, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def look(pieces, variable, ascending):  # type: ignore[no-untyped-def]
        seen.append(variable.name)
        return code_evidence(pieces, variable, ascending)

    monkeypatch.setattr(room, "code_evidence", look)
    assert [suspect.code for name in NAMES for suspect in people.summary.suspected_codes(name)]
    assert sorted(seen) == sorted(NAMES)


def test_columns_too_long_to_keep_give_the_same(people: Microdata, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [people.summary.suspected_codes(name) for name in NAMES]
    monkeypatch.setattr(room, "MAX_KEPT", 0)
    again = Microdata(people.frame, people.schema)
    assert [again.summary.suspected_codes(name) for name in reversed(NAMES)] == found[::-1]


@pytest.mark.parametrize("sizes", [(0,), (5, 0, 7), (40, 1, 30)])
def test_pieces_make_the_scale_of_the_whole(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(4)
    pieces = [rng.integers(-4, 9, size).astype(np.float64) for size in sizes]
    values, counts = np.unique(np.concatenate(pieces), return_counts=True)
    scale = Scale.of_pieces(pieces)
    assert (scale.values.tolist(), scale.counts.tolist()) == (values.tolist(), counts.tolist())


def test_numbers_that_are_in_order_already_have_the_same_codes(people: Microdata) -> None:
    wanted = {name: people.summary.suspected_codes(name) for name in NAMES}
    again = Microdata(people.frame)
    for name in NAMES:
        again.summary.quantile(name, 0.5)  # puts the numbers in order, and keeps them
    assert {name: again.summary.suspected_codes(name) for name in NAMES} == wanted
    assert [suspect.code for suspect in wanted["age"]] == [99]


def test_the_scale_of_numbers_in_order_is_that_of_the_numbers() -> None:
    values = np.array([3.0, -1.0, 3.0, 0.5, -1.0, -1.0])
    for some in (values, values[:1], values[:0]):
        found, wanted = Scale.of_ascending(np.sort(some)), Scale.of(some)
        assert found.values.tolist() == wanted.values.tolist()
        assert found.counts.tolist() == wanted.counts.tolist()
