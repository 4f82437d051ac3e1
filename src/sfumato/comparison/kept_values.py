"""Count which values of a masked file came out as they went in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import Category, Microdata, Variable
from sfumato.display import format_compact
from sfumato.numerics.arrays import Booleans


@dataclass(frozen=True)
class KeptValues:
    """How many values a column had, how many of them stayed as they were, and in how many rows anything differs."""

    values: int
    kept: int
    differing: int

    def __add__(self, other: "KeptValues") -> "KeptValues":
        return KeptValues(self.values + other.values, self.kept + other.kept, self.differing + other.differing)


def count_kept_values(original: Microdata, masked: Microdata) -> dict[str, KeptValues]:
    """Return the counts of each column that has the same type in both files, which have the same records in order."""
    before, after, found = original.table, masked.table, {}
    for name in (name for name in after.columns if name in before.columns):
        if before[name].dtype != after[name].dtype:
            continue
        differs, observed = _differs(before[name], after[name]), _observed(original, name)
        kept = ~differs.to_numpy() & observed
        for code in _new_meanings(original.schema[name], masked.schema[name]):
            if isinstance(code, str) != before[name].dtype.is_numeric():  # only then it can be one of the values
                kept &= ~(before[name] == code).fill_null(False).to_numpy()
        found[name] = KeptValues(int(observed.sum()), int(kept.sum()), int(differs.sum()))
    return found


def unchanged_names(counts: Mapping[str, KeptValues]) -> tuple[str, ...]:
    """Return the columns in which nothing differs."""
    return tuple(name for name, count in counts.items() if not count.differing)


def kept_percents(counts: Mapping[str, KeptValues]) -> dict[str, float]:
    """Return how many values of each column stayed, in percent; not where all did, or none."""
    return {
        name: round(100 * count.kept / count.values, 2)
        for name, count in counts.items()
        if 0 < count.kept < count.values
    }


def kept_value_notices(percents: Mapping[str, float]) -> list[str]:
    """Return how many values of masked columns stayed as they were, most first, where that is one in a hundred or more.

    Examples
    --------
    >>> kept_value_notices({"age": 2.25, "children": 81.5, "income": 0.1})
    ['Values that stayed as they were: children 81.5 %, age 2.25 %.']
    """
    told = sorted((name for name, percent in percents.items() if percent >= 1), key=lambda name: -percents[name])
    listed = ", ".join(f"{name} {format_compact(percents[name])} %" for name in told)
    return [f"Values that stayed as they were: {listed}."] if told else []


def _observed(data: Microdata, name: str) -> Booleans:
    """Tell which cells hold a value: a code for "no answer" is none, and that it stayed tells nothing of masking."""
    if data.schema[name].missing_codes or data.schema[name].missing_ranges:
        return data.observed(name)
    return np.asarray(~data.table[name].is_null().to_numpy(), dtype=np.bool_)


def _new_meanings(before: Variable, after: Variable) -> list[Category]:
    """Return the codes that stand for something else than before, as a 1 that now means 1 to 2."""
    return [code for code, label in after.value_labels.items() if before.value_labels.get(code) != label]


def _differs(before: Any, after: Any) -> Any:
    """Return where two series of one type differ; both missing is no difference."""
    if isinstance(before.dtype, nw.Categorical | nw.Enum):  # two lists of categories cannot be compared as they are
        before, after = before.cast(nw.String), after.cast(nw.String)
    return (before != after).fill_null(False) | (before.is_null() != after.is_null())
