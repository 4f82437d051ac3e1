"""Drawing again what does not meet a rule, or copies somebody: records and whole households alike."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.numerics.arrays import Rows

ROUNDS = 100  # how often what breaks a rule is drawn anew
COPY_ROUNDS = 10  # how often copies are

Units = TypeVar("Units")


def redraw_until_met(
    drawn: Units,
    count: int,
    broken_of: Callable[[Units, Rows], Rows],
    redraw: Callable[[Units, Rows, int], Units],
    who: str,
    noun: str,
) -> Units:
    """Return drawn records or households after those that break a rule were drawn anew, until none does.

    Parameters
    ----------
    drawn, count
        What was drawn, and how many they are.
    broken_of
        Finds those of some places that break a rule.
    redraw
        Draws those in some places anew; it is told which round it is, from 1.
    who, noun
        Whose conditions they are, and what is drawn, for the message where they cannot be met.
    """
    broken = broken_of(drawn, np.arange(count))
    for number in range(1, ROUNDS + 1):
        if not broken.size:
            return drawn
        drawn = redraw(drawn, broken, number)
        broken = broken_of(drawn, broken)
    if broken.size:
        raise DataError(
            f"{who}.conditions: {broken.size} of {format_count(count, noun)} still do not meet a condition after "
            f"{ROUNDS} draws; see that the original ones do, and that its columns are drawn"
        )
    return drawn


def redraw_copies(drawn: Units, copies_of: Callable[[Units], Rows], redraw: Callable[[Units, Rows], Units]) -> Units:
    """Return drawn records or households after the copies among them were drawn anew, as often as is worth it."""
    for _ in range(COPY_ROUNDS):
        copies = copies_of(drawn)
        if not copies.size:
            break
        drawn = redraw(drawn, copies)
    return drawn
