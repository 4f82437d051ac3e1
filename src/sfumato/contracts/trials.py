"""How often an attack was tried: what its figure, its interval and its verdict rest on."""

from dataclasses import dataclass

JOINT_QUESTIONS = 10
"""How many intervals hold together with 95 % confidence, where each is made for its share of the other 5 %."""


@dataclass(frozen=True)
class Trials:
    """What an attack was tried on, and how many comparisons with a control it made.

    Parameters
    ----------
    unit
        What is counted: `persons`, `households` or `descriptions`.
    tried, control_tried
        How many of the file, and of the control; 0 where there is none.
    comparisons
        How many differences from the control were tested, by columns and ways to attack. A leak is called found where
        chance alone, over all of these, shows as much in fewer than 2 of 1,000 files.
    joint_interval
        The ends of an interval of the figure, or of what is above the control where one was given, so wide that ten
        attacks are inside theirs, all of them, with 95 % confidence, whichever of several copies tells most; None where
        the figure has none.
    """

    unit: str
    tried: int
    control_tried: int = 0
    comparisons: int = 1
    joint_interval: tuple[float, float] | None = None
