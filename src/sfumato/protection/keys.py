"""The keys of a file: what others may know of a person."""

from dataclasses import dataclass
from decimal import Decimal

from sfumato.data import CATEGORICAL, Kind, Microdata, Role
from sfumato.data.dates import is_calendar
from sfumato.errors import DataError, KindError

JOINABLE = (str, int, float, Decimal)


@dataclass(frozen=True)
class Keys:
    """The keys of a file.

    Parameters
    ----------
    categories
        Nominal and ordinal keys.
    numbers
        Continuous keys, such as an age, which are released in classes and so become ordinal; and dates, of which that
        is true unless enough records share each day.
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
        if data.schema[name].kind is Kind.DATE and not is_calendar(data.table[name]):
            raise KindError(
                f"protect: the key '{name}' holds times of day or durations, which have no broader classes; make it a "
                f"number of hours or days, or drop it before protecting"
            )
        if not data.observed(name).any():
            raise DataError(f"protect: the key '{name}' has no observed value; leave it out of the file")
        is_number = data.schema[name].kind not in CATEGORICAL
        if not is_number and not all(isinstance(value, JOINABLE) for value in data.summary.categories(name)):
            raise KindError(
                f"protect: the key '{name}' holds dates, bytes or other objects, whose categories cannot be joined; "
                f"make it text or numbers, give dates the kind date, or drop it before protecting"
            )
    categories = tuple(name for name in names if data.schema[name].kind in CATEGORICAL)
    return Keys(categories, tuple(name for name in names if name not in categories))
