"""What comes of post-masking optimisation: the improved file, and how it was come by."""

from dataclasses import dataclass, field
from enum import StrEnum

from sfumato.data import FloatColumn, Microdata, Rows


class Ending(StrEnum):
    """Why an improver stopped."""

    TARGET = "target"
    """The moments are as near to those of the original as was asked for."""
    LIMIT = "limit"
    """The number of steps that it may take was used up."""
    SETTLED = "settled"
    """No further step of its kind brings the moments nearer."""


@dataclass(frozen=True, eq=False)
class Improvement:
    """What an improver made of a masked file.

    Parameters
    ----------
    data
        The improved file.
    name
        The improver's name in recipes.
    ended
        Why it stopped.
    steps, errors, losses
        The trace, first the start: after so many steps, E (the sum of squared differences between the moments of the
        standardised values) and IL1 in percent.
    aimed_loss
        The IL1 to come near to, in percent.
    records
        How many records have changed.
    remarks
        Sentences to be read with the result.
    """

    data: Microdata = field(repr=False)
    name: str
    ended: Ending
    steps: Rows = field(repr=False)
    errors: FloatColumn = field(repr=False)
    losses: FloatColumn = field(repr=False)
    aimed_loss: float
    records: int
    remarks: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """E of the improved file."""
        return float(self.errors[-1])

    @property
    def loss(self) -> float:
        """IL1 of the improved file in percent, against the nearest original records."""
        return float(self.losses[-1])
