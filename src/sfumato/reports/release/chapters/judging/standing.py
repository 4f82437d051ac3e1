"""How a file stands against an intruder: the cut, the words for both sides of it, and a line of the verdict."""

from enum import StrEnum
from typing import NamedTuple

MAX_FOUND = 10.0  # percent: the chance or share up to which the table calls the file safe against somebody
NOISE = 1e-9  # percent: what adding up leaves
SINGLING_OUT, LINKABILITY, INFERENCE = "singling out", "linkability", "inference"


class Standing(StrEnum):
    """What the verdict says of a file and an intruder."""

    SAFE = "safe"
    SAFE_AS_TRIED = "safe by the attack that was tried"
    """An attack finds little, and nothing proves that a better one does not find more."""
    ON_AVERAGE = "safe on average only"
    """The mean over persons is within the cut, and not that of each."""
    ON_CONDITION = "safe only if nobody knows what was taken out of whom"
    NOT_SAFE = "NOT safe"
    UNTESTED = "NOT TESTED"
    OPEN = "not judged"


class Judged(NamedTuple):
    """An intruder: who it is, what they find, how the file stands against them, and what a headline calls them.

    The headline names nobody whom the file is not judged against. The question is that of the law: singling out,
    linkability or inference.
    """

    who: str
    found: str
    standing: Standing
    short: str = ""
    question: str = SINGLING_OUT


def standing_by(percent: float) -> Standing:
    """Return how a file stands against somebody who finds so much."""
    return Standing.SAFE if percent <= MAX_FOUND + NOISE else Standing.NOT_SAFE
