"""A space: entries that each stand for many candidates, by grids and intervals of their parameters."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from sfumato.contracts import Improver, MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import DocumentError, ParameterError
from sfumato.recipe import Recipe
from sfumato.recipe.checking import prepare_data
from sfumato.study.search.interval import Interval

Values = Mapping[str, Any]
"""The value of each dimension, by its key."""


@dataclass(frozen=True)
class Dimension:
    """A parameter that is open: its values are those of a grid, or all in an interval.

    Parameters
    ----------
    parameter
        Its name in the record.
    values
        The values to choose from.
    is_whole
        Whether only the whole numbers of an interval will do.
    """

    parameter: str
    values: tuple[Any, ...] | Interval
    is_whole: bool = False

    @property
    def ends(self) -> tuple[Any, Any]:
        """The first and the last value."""
        if not isinstance(self.values, Interval):
            return self.values[0], self.values[-1]
        return self.values.whole_ends() if self.is_whole else (self.values.low, self.values.high)

    @property
    def count(self) -> int | None:
        """How many values there are; none when they cannot be counted."""
        if not isinstance(self.values, Interval):
            return len(self.values)
        low, high = self.ends
        return high - low + 1 if self.is_whole else None

    def value(self, number: int) -> Any:
        """Return a value by its number, from 0, where they can be counted."""
        return self.ends[0] + number if isinstance(self.values, Interval) else self.values[number]

    def __str__(self) -> str:
        return f"{self.parameter} {self.values if isinstance(self.values, Interval) else repr(self.values)}"


@dataclass(frozen=True)
class Part:
    """A method or an improver of an entry: what of its parameters is settled, and what is open."""

    record: type[MaskingMethod | Improver]
    settled: Mapping[str, Any]
    open: tuple[Dimension, ...] = ()

    def make(self, values: Mapping[str, Any]) -> MaskingMethod | Improver:
        """Return the record with a value for each open parameter."""
        return self.record(**{**self.settled, **values})

    def at_end(self, end: int) -> MaskingMethod | Improver:
        """Return the record with every open parameter at its first value (0) or at its last (1)."""
        return self.make({dimension.parameter: dimension.ends[end] for dimension in self.open})

    @cached_property
    def text(self) -> str:
        """The same text for the same part."""
        return f"{self.at_end(0)!r} {'; '.join(map(str, self.open))}"


@dataclass(frozen=True)
class Entry:
    """A recipe with open parameters.

    Parameters
    ----------
    steps
        The methods, first one first.
    improver
        What improves the masked data in the end, if anything does.
    """

    steps: tuple[Part, ...]
    improver: Part | None = None

    @property
    def label(self) -> str:
        """What messages call the entry, as `rank_swapping + mdav`."""
        return " + ".join(part.record.name() for part in self.parts)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The methods, and the improver behind them."""
        return self.steps if self.improver is None else (*self.steps, self.improver)

    @cached_property
    def dimensions(self) -> dict[str, Dimension]:
        """The open parameters by a key, which is the same for the same parameter of the same part of other entries."""
        met: Counter[str] = Counter()
        found = {}
        for part in self.parts:
            met[part.record.name()] += 1
            for dimension in part.open:
                found[f"{part.record.name()} {met[part.record.name()]}: {dimension}"] = dimension
        return found

    @property
    def count(self) -> int | None:
        """How many candidates the entry stands for; none when they cannot be counted."""
        counts = [dimension.count for dimension in self.dimensions.values()]
        return None if None in counts else prod(count or 0 for count in counts)

    def recipe(self, values: Values) -> Recipe:
        """Return the candidate that has these values."""
        keys = iter(self.dimensions)
        made = [part.make({dimension.parameter: values[next(keys)] for dimension in part.open}) for part in self.parts]
        return _recipe(made, self.improver is not None)

    def problems(self, data: Microdata) -> list[str]:
        """Say why no candidate of the entry can be run on the data; nothing when some can, as far as is known."""
        found: list[str] = []
        for end in (0, 1):
            recipe = _recipe([part.at_end(end) for part in self.parts], self.improver is not None)
            try:
                prepare_data(data, recipe.schema, recipe.steps, recipe.improve)
            except DocumentError as error:
                found = found or list(error.problems)
            else:
                return []
        return found


@dataclass(frozen=True)
class Space:
    """The entries to choose from; at least one."""

    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        if not self.entries:
            raise ParameterError(["a space must hold at least one entry; got none"])

    @property
    def text(self) -> str:
        """The same text for the same space."""
        return "\n".join(" | ".join(part.text for part in entry.parts) for entry in self.entries)

    @property
    def count(self) -> int | None:
        """How many candidates there are; none when they cannot be counted."""
        counts = [entry.count for entry in self.entries]
        return None if None in counts else sum(count or 0 for count in counts)

    @property
    def dimensions(self) -> dict[str, Dimension]:
        """The open parameters of all entries."""
        return {key: dimension for entry in self.entries for key, dimension in entry.dimensions.items()}

    def all_values(self) -> Iterator[tuple[Entry, dict[str, int]]]:
        """Yield every candidate of a space that can be counted: its entry, and the number of each value."""
        for entry in self.entries:
            sizes = [dimension.count or 1 for dimension in entry.dimensions.values()]
            for place in range(prod(sizes)):
                numbers = {}
                for key, size in zip(entry.dimensions, sizes, strict=True):
                    place, numbers[key] = divmod(place, size)
                yield entry, numbers


def _recipe(made: list[MaskingMethod | Improver], is_improved: bool) -> Recipe:
    return Recipe(steps=made[:-1], improve=made[-1]) if is_improved else Recipe(steps=made)
