"""What is known of cells before any rule is asked: that they are safe, must be protected, suppressed or published."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from sfumato.data import Category
from sfumato.documents.record import Record
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.cells.table import Table


class Status(StrEnum):
    """What is decided of a cell beforehand."""

    SAFE = "safe"
    """No primary, whatever the rules say; it may be suppressed to protect others."""
    PROTECT = "protect"
    """A primary, whatever the rules say."""
    SUPPRESS = "suppress"
    """Suppressed, but nothing needs to keep an intruder from it."""
    PUBLISH = "publish"
    """Never suppressed to protect others; refused for a cell that rules call unsafe, unless given as safe before."""


def _as_where(value: object) -> object:
    if isinstance(value, Mapping) and not value:
        raise ValueError("must name at least one dimension with its code; got none")
    return value


class GivenCell(Record):
    """What is given of some cells of a table.

    Parameters
    ----------
    where
        The cells: those that have these codes, whatever their codes in other dimensions. `{"product": "00"}` means all
        cells of that product.
    table
        The table of a publication whose cells are meant, by its name; when not given all that have such cells. What is
        decided of a cell holds in every table that has the same one.
    status
        What is decided of them.
    protection_level
        With `protect`: the upper protection level; when not given that of the rules, or a tenth of the value if that is
        more.
    cost
        What suppressing one of them costs, in place of what the table's costs say.
    reason
        Why it is so decided, for those who review it: with `safe` it says why cells that rules call unsafe harm nobody.
    """

    where: Annotated[dict[str, Category], BeforeValidator(_as_where)]
    table: str | None = None
    status: Status | None = None
    protection_level: float | None = Field(default=None, gt=0)
    cost: float | None = Field(default=None, ge=0)
    reason: str | None = None

    @model_validator(mode="after")
    def _check_status(self) -> "GivenCell":
        if self.status is None and self.cost is None:
            raise ValueError("GivenCell: give a status or a cost; got neither")
        if self.protection_level is not None and self.status is not Status.PROTECT:
            raise ValueError("GivenCell.protection_level goes with status protect; leave it out otherwise")
        return self


def cells_where(table: Table, where: Mapping[str, Category]) -> Rows:
    """Return the cells that have some codes, of which there must be some."""
    found = table.cells_with(**where)
    if not found.size:
        meant = ", ".join(f"{name}={code}" for name, code in where.items())
        raise DataError(f"{meant} is given, but the table has no such cell; take it out")
    return found


def default_level(values: FloatColumn) -> FloatColumn:
    """Return the level of cells that are to be protected without saying how far: a tenth of the value, 1 for 0."""
    return np.where(values == 0, 1.0, np.abs(values) / 10)
