"""Combinations of keys, each to be common enough in a file."""

from collections.abc import Mapping
from itertools import combinations
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field

from sfumato.data import Microdata
from sfumato.documents import Record, format_value
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters import GroupSize, Strata


class KeyCombination(Record):
    """Keys that an intruder may know together, and how many records their values must fit.

    Parameters
    ----------
    columns
        The keys; with none all keys of the method.
    size
        Each choice of so many of them is meant, such as any three; none means all of them together.
    k
        How many records the values must fit at least; that of the method when not given.

    Examples
    --------
    >>> KeyCombination(size=3, k=10).choices(("region", "sex", "age", "job"))[0]
    ('region', 'sex', 'age')
    """

    columns: Strata = ()
    size: Annotated[int, Field(ge=1)] | None = None
    k: GroupSize | None = None

    def choices(self, names: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the keys that are meant to be known together, of the columns of this name."""
        return list(combinations(names, self.size or len(names)))


def _as_combinations(value: Any) -> Any:
    """Turn the short forms into a list: a number of keys, lists of keys, or either with its group size."""
    if value is None:
        return ()
    if isinstance(value, int):
        return ({"size": value},)
    if isinstance(value, Mapping):
        return tuple({**_keys_or_number(what), "k": size} for what, size in value.items())
    if not isinstance(value, list | tuple):
        raise ValueError(f"must be a number of keys, or a list of combinations of keys; got {format_value(value)}")
    return tuple(_keys_or_number(what) if isinstance(what, int | list | tuple) else what for what in value)


def _keys_or_number(what: Any) -> dict[str, Any]:
    return {"size": what} if isinstance(what, int) else {"columns": what}


KeyCombinations = Annotated[tuple[KeyCombination, ...], BeforeValidator(_as_combinations)]
"""Combinations of keys: `3` for any three, `[("region", "sex"), ("age", "job")]`, `{("region", "sex"): 5, 3: 20}`."""


def bind_combinations(
    who: str, combinations: tuple[KeyCombination, ...], data: Microdata, keys: tuple[str, ...]
) -> tuple[KeyCombination, ...]:
    """Return the combinations with their columns named one by one, after checking that they are keys."""
    return tuple(_bound(who, combination, data, keys) for combination in combinations)


def needed_fits(combinations: tuple[KeyCombination, ...], keys: tuple[str, ...], k: int) -> CodeColumn:
    """Return how many records the values of each set of keys must fit, those of the sets of no combination none.

    Parameters
    ----------
    combinations
        What may be known together, columns named; with none all keys are.
    keys
        The keys; a set of them is a number whose bit j stands for the key j.
    k
        The group size of combinations without their own.

    Notes
    -----
    Who knows more knows less too, so that a set must fit as many records as the largest demand on what holds it.

    Examples
    --------
    >>> needed_fits((KeyCombination(columns=("sex",), k=5), KeyCombination()), ("region", "sex"), 3)
    array([5, 3, 5, 3])
    """
    bits = {name: 1 << place for place, name in enumerate(keys)}
    needed = np.zeros(1 << len(keys), dtype=np.int64)
    for combination in combinations or (KeyCombination(columns=keys),):
        for choice in combination.choices(combination.columns or keys):  # type: ignore[arg-type]
            known = sum(bits[name] for name in choice)
            needed[known] = max(needed[known], combination.k or k)
    for place in range(len(keys)):
        halves = needed.reshape(-1, 2, 1 << place)
        halves[:, 0] = np.maximum(halves[:, 0], halves[:, 1])
    return needed


def _bound(who: str, combination: KeyCombination, data: Microdata, keys: tuple[str, ...]) -> KeyCombination:
    if combination.columns == ():
        names = keys
    else:
        for name in combination.columns if isinstance(combination.columns, tuple) else ():
            if name not in keys:
                raise ParameterError(
                    [f"{who}.combinations: '{name}' is not one of the columns{did_you_mean(name, keys)}"]
                )
        names = tuple(name for name in data.select(combination.columns) if name in keys)
    if len(names) < (combination.size or 1):
        raise DataError(
            f"{who}.combinations: {combination.size or 1} keys are to be known together, but there are only "
            f"{len(names)}; lower the size"
        )
    return combination.replace(columns=names)
