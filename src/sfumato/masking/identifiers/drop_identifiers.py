"""Drop identifiers: leave out columns that name a person or firm."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata, role
from sfumato.errors import DataError
from sfumato.parameters import Columns


class DropIdentifiers(MaskingMethod):
    """Leave out columns, such as names, addresses and numbers of persons.

    Parameters
    ----------
    columns
        Columns of any kind; those with the role identifier when nothing else is said. A file without such a column is
        refused, because its schema may only have forgotten them.

    Effect on risk
        Ends re-identification by names and numbers, the first step of every release. Combinations of other columns
        identify still: look at the keys next.
    Effect on utility
        Records can no longer be linked to other files. `Pseudonymise` keeps that possible.
    Missing values
        Go with their columns.
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, chapter 3, direct identifiers.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"name": ["Anna", "Otto"], "age": [31.5, 99.0]}))
    >>> DropIdentifiers(columns=("name",)).mask(people, np.random.default_rng()).frame.columns
    ['age']
    """

    family: ClassVar[str] = "identifiers"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)
    layout: ClassVar[Layout] = Layout.ROWS
    keeps_shape: ClassVar[bool] = False
    drops_only_columns: ClassVar[bool] = True
    needs_values: ClassVar[bool] = False

    columns: Columns = role("identifier")

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return the file without the chosen columns."""
        names = block.select(self.columns)
        if len(names) == len(block.schema.names):
            raise DataError("DropIdentifiers.columns: no column would be left; name fewer")
        return block.without_columns(names)
