"""Which keys of a file are released as categories, and which as numbers."""

from dataclasses import dataclass

import numpy as np

from sfumato.data import CATEGORICAL, CodeColumn, Kind, Microdata, Role
from sfumato.errors import DataError, KindError

MOST_NUMBERS = 150  # a key with at most so many different whole numbers, such as an age, is released in classes


@dataclass(frozen=True)
class Keys:
    """The keys of a file by how they are protected.

    Parameters
    ----------
    categories
        Nominal and ordinal keys.
    classed
        Keys that are few whole numbers, such as an age: others know them as they stand, so that they are released in
        classes and count as categories.
    numbers
        All other continuous keys, in the order of the file.
    """

    categories: tuple[str, ...]
    classed: tuple[str, ...]
    numbers: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """All keys: categories, then numbers in classes, then other numbers."""
        return self.categories + self.classed + self.numbers

    @property
    def released_as_categories(self) -> tuple[str, ...]:
        """The keys that are categories in the end, those of whole numbers last."""
        return self.categories + self.classed


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
    numbers = [name for name in names if data.schema[name].kind not in CATEGORICAL]
    classed = tuple(name for name in numbers if _is_classed(data, name))
    return Keys(
        tuple(name for name in names if name not in numbers),
        classed,
        tuple(name for name in numbers if name not in classed),
    )


def shared_by_households(data: Microdata, names: tuple[str, ...], households: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys that are the same, or missing, for all members of every household."""
    if not households:
        return ()
    number = data.stratum_numbers(households)
    return tuple(name for name in names if _is_constant(data.codes(name)[0], number))


def _is_classed(data: Microdata, name: str) -> bool:
    values = data.values(name)[data.observed(name)]
    return bool((values == np.round(values)).all()) and np.unique(values).size <= MOST_NUMBERS


def _is_constant(codes: CodeColumn, number: CodeColumn) -> bool:
    """Tell whether records with the same number have the same code; somebody must have company, or it says nothing."""
    order = np.argsort(number, kind="stable")
    together = number[order][1:] == number[order][:-1]
    return bool(together.any()) and bool((codes[order][1:] == codes[order][:-1])[together].all())
