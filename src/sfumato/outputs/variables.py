"""The variables that outputs add up: a key for each, and its value for each record of the project."""

from collections.abc import Mapping

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.outputs.audit.joint_audit import variable_name
from sfumato.outputs.audit.measures import SQUARE
from sfumato.storage.digests import bytes_sha256


class Variables:
    """The variables of a project, and those that a log adds.

    Parameters
    ----------
    known
        The values of variables of the project by their keys, NaN where they are missing.
    places
        Where each record of the log's file stands among the records of the project.
    records
        How many the project has.
    """

    def __init__(self, known: Mapping[str, FloatColumn], places: Rows, records: int) -> None:
        self._places, self._records = places, records
        self.values = dict(known)

    def add(self, name: str, column: FloatColumn) -> str:
        """Return the key of a variable: that of the project if no record has another value there, else a new one."""
        values = np.full(self._records, np.nan)
        values[self._places] = column
        for key, known in self.values.items():
            both = ~np.isnan(known) & ~np.isnan(values)
            if variable_name(key) == name and (known[both] == values[both]).all():
                self.values[key] = np.where(np.isnan(known), values, known)
                return key
        key = f"{name}#{bytes_sha256(values.tobytes())[:12]}"
        self.values[key] = values
        return key

    def add_squares(self, name: str, column: FloatColumn) -> str:
        """Return the key of the squares of a variable."""
        return self.add(f"{SQUARE}{name}", column**2)
