"""Why cells are suppressed."""

import polars as pl
import pytest

from sfumato.tables import GivenCell, MinUnits, OptimalSuppression, Table, protect
from sfumato.tables.rendering import reasons as room
from sfumato.tables.rendering.reasons import NOT_EXPLAINED

PEOPLE = pl.DataFrame(
    {"town": ["A"] * 9 + ["B"] * 12 + ["C"] * 8, "ill": [*"y", *"n" * 8, *"y" * 5, *"n" * 7, *"y" * 4, *"n" * 4]}
)
COUNTS = Table.from_records(PEOPLE, ["town", "ill"])


def test_each_suppressed_cell_has_its_reason() -> None:
    suppress = GivenCell(where={"town": "C", "ill": "n"}, status="suppress")
    protected = protect(COUNTS, OptimalSuppression(), rule=MinUnits(units=3), given_cells=[suppress])
    said = dict(zip(COUNTS.cell_names, room.reasons(protected)[0], strict=True))
    assert said["town=A, ill=y"] == "unsafe by min_units(3)"
    assert said["town=C, ill=n"] == "suppressed as given"
    assert said["town=C, ill=y"] == "protects town=A, ill=y"
    assert said["town=Total, ill=Total"] == ""
    assert sum(text != "" for text in said.values()) == int(protected.pattern.suppressed.sum())


def test_many_secondaries_are_not_explained_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    protected = protect(COUNTS, OptimalSuppression(), rule=MinUnits(units=3))
    monkeypatch.setattr(room, "MAX_WORK", 0)
    assert NOT_EXPLAINED in room.reasons(protected)[0]
