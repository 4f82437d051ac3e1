"""Combinations of keys: what may be known together, and how many records its values must fit."""

from collections.abc import Mapping
from itertools import combinations as subsets
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
    key_count
        Each choice of so many of them is meant, such as any three, and so of fewer; none means all of them together.
    k
        How many records the values must fit at least; that of the method when not given.

    Examples
    --------
    >>> KeyCombination(key_count=3, k=10).choices(("region", "sex", "age", "job"))[0]
    ('region', 'sex', 'age')
    """

    columns: Strata = ()
    key_count: Annotated[int, Field(ge=1)] | None = None
    k: GroupSize | None = None

    def choices(self, names: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the keys that are meant to be known together, of the columns of this name."""
        return list(subsets(names, self.key_count or len(names)))


def _as_combinations(value: Any) -> Any:
    """Turn the short forms into a list: a number of keys, lists of keys, or either with its group size."""
    if value is None:
        return ()
    if isinstance(value, Mapping):
        return tuple({**_keys_or_number(what, value), "k": k} for what, k in value.items())
    if not isinstance(value, list | tuple):
        return (_keys_or_number(value, value),)
    found = [what if isinstance(what, KeyCombination | Mapping) else _keys_or_number(what, value) for what in value]
    listed = [frozenset(one["columns"]) for one in found if isinstance(one, dict) and set(one) == {"columns"}]
    if len(set(listed)) < len(listed):
        raise ValueError("must list each combination once")
    return tuple(found)


def _keys_or_number(what: Any, value: Any) -> dict[str, Any]:
    """Return what a short form says; refuse what is neither a number of keys nor a list of them."""
    if isinstance(what, int) and not isinstance(what, bool) and what >= 1:
        return {"key_count": what}
    if not (isinstance(what, list | tuple) and what and all(isinstance(name, str) for name in what)):
        raise ValueError(
            f"must be a number of keys, 1 or more, or combinations of keys such as [[sex, age], [region]]; "
            f"got {format_value(value)}"
        )
    if len(set(what)) < len(what):
        raise ValueError("must name each key once in a combination")
    return {"columns": what}


KeyCombinations = Annotated[tuple[KeyCombination, ...], BeforeValidator(_as_combinations)]
"""Combinations of keys: `3` for any three, `[("region", "sex"), ("age", "job")]`, `{("region", "sex"): 5, 3: 20}`."""


def bind_combinations(
    who: str, combinations: tuple[KeyCombination, ...], data: Microdata, keys: tuple[str, ...]
) -> tuple[KeyCombination, ...]:
    """Return the combinations with their columns named one by one, after checking that they are keys."""
    return tuple(_bound(who, combination, data, keys) for combination in combinations)


def known_together(
    who: str, combinations: tuple[KeyCombination, ...], data: Microdata, keys: tuple[str, ...], k: int
) -> dict[tuple[str, ...], int]:
    """Return the sets of keys that may be known together, and how many records the values of each must fit.

    A number stands for so many keys and for fewer; it may be larger than the number of keys. Without combinations all
    keys are known.
    """
    found: dict[tuple[str, ...], int] = {}
    for combination in combinations or (KeyCombination(),):
        names = _columns_of(who, combination, data, keys)
        sizes = range(1, min(combination.key_count, len(names)) + 1) if combination.key_count else (len(names),)
        for choice in (choice for size in sizes for choice in subsets(names, size)):
            found[choice] = max(found.get(choice, 0), combination.k or k)
    return found


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


def largest_demands(needed: CodeColumn) -> CodeColumn:
    """Return the sets of keys that must fit more records than any larger set: who keeps to these keeps to all.

    Examples
    --------
    >>> largest_demands(np.array([5, 3, 5, 3]))
    array([2, 3])
    """
    larger = np.zeros_like(needed)  # the demand on sets with one more key
    for place in range(needed.size.bit_length() - 1):
        halves, above = needed.reshape(-1, 2, 1 << place), larger.reshape(-1, 2, 1 << place)
        above[:, 0] = np.maximum(above[:, 0], halves[:, 1])
    return np.flatnonzero(needed > larger)


def _columns_of(who: str, combination: KeyCombination, data: Microdata, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of a combination one by one, after checking that they are keys."""
    if combination.columns == ():
        return keys
    for name in combination.columns if isinstance(combination.columns, tuple) else ():
        if name not in keys:
            raise ParameterError([f"{who}.combinations: '{name}' is not one of the columns{did_you_mean(name, keys)}"])
    return tuple(name for name in data.select(combination.columns) if name in keys)


def _bound(who: str, combination: KeyCombination, data: Microdata, keys: tuple[str, ...]) -> KeyCombination:
    names = _columns_of(who, combination, data, keys)
    if len(names) < (combination.key_count or 1):
        raise DataError(
            f"{who}.combinations: {combination.key_count or 1} keys are to be known together, but there are only "
            f"{len(names)}; lower the number"
        )
    return combination.replace(columns=names)
