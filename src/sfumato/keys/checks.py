"""Refuse keys, households and sensitive columns that a method cannot protect."""

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import CATEGORICAL, Microdata
from sfumato.display import format_count
from sfumato.errors import DataError, KindError, ParameterError, did_you_mean
from sfumato.keys.cells import Importance, fill_from_household
from sfumato.keys.households import households_of

MAKE_CLASSES = (
    "make classes of it first, by mask with a recipe that has the step discretisation, and go on with the file that it "
    "writes"
)
"""What to do with a continuous column where categories are expected."""


def check_keys(who: str, names: tuple[str, ...], importance: Importance | None, most: int) -> None:
    """Refuse too many keys, and an importance of a column that is not a key."""
    if len(names) > most:
        raise DataError(
            f"{who}.columns: there may be at most {most}; got {len(names)}: leave out those that an intruder "
            f"does not know"
        )
    for name in importance or {}:
        if name not in names:
            raise ParameterError([f"{who}.importance: '{name}' is not one of the columns{did_you_mean(name, names)}"])


def check_size(who: str, n: int, k: int) -> None:
    """Refuse a file or stratum with fewer records than a group must have."""
    if n < k:
        raise DataError(f"{who}.k must be at most {n}, the number of records (of a stratum); got {k}")


def check_household_columns(
    who: str,
    data: Microdata,
    keys: tuple[str, ...],
    shared: tuple[str, ...],
    household: tuple[str, ...],
    within: tuple[str, ...],
) -> None:
    """Refuse household columns that are no keys, come without households, or differ inside one; strata likewise."""
    if not shared:
        return
    for name in shared:
        if name not in keys:
            raise ParameterError(
                [f"{who}.household_columns: '{name}' is not one of the columns{did_you_mean(name, keys)}"]
            )
    if not household:
        raise DataError(
            f"{who}.household must name the column that tells the households when there are household_columns; got "
            f"none: name it, or give it the role household"
        )
    households = households_of(data, household)
    for name in shared:
        apart = households.count_mixed(fill_from_household(data.codes(name)[0], households))
        if apart:
            raise DataError(
                f"{who}.household_columns: the members of {_household_count(apart)} differ in '{name}'; "
                f"make them equal first, or leave '{name}' out"
            )
    for name in within:
        apart = households.count_mixed(data.stratum_numbers((name,)))
        if apart:
            raise DataError(
                f"{who}.within: the members of {_household_count(apart)} differ in '{name}', or only some of them "
                f"have a value; make them equal first, or leave '{name}' out"
            )


def check_missing_codes(who: str, data: Microdata, names: tuple[str, ...]) -> None:
    """Refuse keys in which records hold codes that stand for missing: these stay visible, and can be rare."""
    for name in names:
        series = data.table[name]
        empty = np.asarray(series.is_null().to_numpy(), dtype=np.bool_)
        if series.dtype.is_float():
            empty = empty | np.isnan(series.cast(nw.Float64).to_numpy())
        if not (data.observed(name) | empty).all():
            raise DataError(
                f"{who}.columns: '{name}' holds missing codes, which stay visible and can be rare; make them empty "
                f"cells first, or say of no code that it stands for missing: each is a category then"
            )


def check_sensitive(who: str, data: Microdata, names: tuple[str, ...], sensitive: str, different: int) -> None:
    """Refuse a sensitive column that is a key, is not categorical, or has fewer values than each class must have."""
    if sensitive in names:
        raise DataError(f"{who}.sensitive: '{sensitive}' is one of the keys; name another column, or make it no key")
    kind = data.schema[sensitive].kind
    if kind not in CATEGORICAL:
        raise KindError(
            f"{who}.sensitive: '{sensitive}' is {kind}; expected a nominal or ordinal column: {MAKE_CLASSES}"
        )
    held = sum(count > 0 for count in data.summary.counts(sensitive).values())
    least = max(different, 1)
    if held < least:
        raise DataError(
            f"{who}.sensitive: '{sensitive}' has {format_count(held, 'different value')} in the file; each class "
            f"must have {least}: ask for fewer"
        )


def _household_count(households: int) -> str:
    return format_count(households, "household")
