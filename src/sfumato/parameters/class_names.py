"""What classes are called, in any language: one record of patterns, wherever classes are made."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from string import Formatter
from typing import Annotated

from pydantic import AfterValidator

from sfumato.data import Category
from sfumato.data.column_recoding import text_of
from sfumato.documents import Record

LAST = "last"


def _check_pattern(*groups: tuple[str, ...]) -> AfterValidator:
    """Return a check that a pattern has at least one word of each group in braces, and no other word."""
    known = [word for group in groups for word in group]
    wanted = " and ".join(" or ".join(f"{{{word}}}" for word in group) for group in groups)

    def check(pattern: str) -> str:
        try:
            words = [word for _, word, form, conversion in Formatter().parse(pattern) if word is not None]
        except ValueError:
            words = [""]
        if not set(words) <= set(known) or not all(set(words) & set(group) for group in groups):
            raise ValueError(f"must be a pattern with {wanted}, and nothing else in braces; got '{pattern}'")
        return pattern

    return AfterValidator(check)


class ClassNames(Record):
    """Patterns for the names of classes; `{low}` and `{high}` stand for the bounds.

    Parameters
    ----------
    lowest
        The class of all numbers below `{high}`.
    between
        A class from `{low}` to below `{high}`. `{last}` is the last whole number of the class, for columns of whole
        numbers: with `{low}-{last}` the class from 20 to below 30 is called `20-29`.
    highest
        The class of all numbers from `{low}` on.
    joined
        Several values or categories from `{low}` to `{high}`, both included.

    Examples
    --------
    >>> ClassNames(lowest="<{high}", between="{low}-{last}", highest="{low}+").of_breaks((20, 30, 31))
    ('<20', '20-29', '30', '31+')
    """

    lowest: Annotated[str, _check_pattern(("high", LAST))] = "below {high}"
    between: Annotated[str, _check_pattern(("low",), ("high", LAST))] = "{low} to below {high}"
    highest: Annotated[str, _check_pattern(("low",))] = "{low} or more"
    joined: Annotated[str, _check_pattern(("low",), ("high",))] = "{low} to {high}"

    @property
    def needs_whole_numbers(self) -> bool:
        """Whether a pattern of classes asks for the last whole number."""
        return f"{{{LAST}}}" in self.lowest + self.between

    def of_breaks(self, breaks: Sequence[float]) -> tuple[str, ...]:
        """Return the names of the classes that breaks make, lowest first."""
        first, last = breaks[0], breaks[-1]
        return (
            self.lowest.format(high=text_of(first), last=_last_below(first)),
            *(self._between(low, high) for low, high in pairwise(breaks)),
            self.highest.format(low=text_of(last)),
        )

    def of_range(self, low: Category, high: Category) -> str:
        """Return the name of a range that includes both its ends; of a single value that value.

        Examples
        --------
        >>> ClassNames().of_range(20, 34.5), ClassNames(joined="{low}..{high}").of_range("bad", "fair")
        ('20 to 34.5', 'bad..fair')
        """
        return text_of(low) if low == high else self.joined.format(low=text_of(low), high=text_of(high))

    def _between(self, low: float, high: float) -> str:
        if self.needs_whole_numbers and text_of(low) == _last_below(high):
            return text_of(low)
        return self.between.format(low=text_of(low), high=text_of(high), last=_last_below(high))


def _last_below(high: float) -> str:
    return str(ceil(high) - 1)
