"""The keys of a file: what others may know of a person, and which of them whole households share."""

from dataclasses import dataclass

import numpy as np

from sfumato.data import CATEGORICAL, CodeColumn, Kind, Microdata, Role
from sfumato.errors import DataError, KindError


@dataclass(frozen=True)
class Keys:
    """The keys of a file.

    Parameters
    ----------
    categories
        Nominal and ordinal keys.
    numbers
        Continuous keys, such as an age: they are released in classes, and so become ordinal.
    """

    categories: tuple[str, ...]
    numbers: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all keys, numbers last."""
        return self.categories + self.numbers


def keys_of(data: Microdata) -> Keys:
    """Return the keys of a file, after checking that there are some and that all have values."""
    names = tuple(variable.name for variable in data.schema.variables if variable.role is Role.KEY)
    if not names:
        raise DataError(
            "protect: no column has the role key; give it to the columns that others may know of a person, as in "
            "schema.with_roles(key=['age', 'sex', 'region'])"
        )
    for name in names:
        if data.schema[name].kind is Kind.DATE:
            raise KindError(
                f"protect: the key '{name}' is a date; drop it, or replace it by an age or a year before protecting"
            )
        if not data.observed(name).any():
            raise DataError(f"protect: the key '{name}' has no observed value; leave it out of the file")
    categories = tuple(name for name in names if data.schema[name].kind in CATEGORICAL)
    return Keys(categories, tuple(name for name in names if name not in categories))


def shared_by_households(data: Microdata, names: tuple[str, ...], households: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of which no two members of a household have different values; a missing one differs from none."""
    if not households:
        return ()
    number = data.stratum_numbers(households)
    return tuple(name for name in names if _is_shared(data.codes(name)[0], number))


def _is_shared(codes: CodeColumn, number: CodeColumn) -> bool:
    """Tell whether known codes are equal wherever numbers are; some must have company, or it says nothing."""
    known = codes >= 0
    pairs = np.unique(np.stack([number[known], codes[known]]), axis=1)
    households = np.unique(pairs[0]).size
    return bool(pairs.shape[1] == households < int(np.count_nonzero(known)))
