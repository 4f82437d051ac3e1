"""The parameters of the protections other than suppression, as a specification writes them."""

from pydantic import Field

from sfumato.record import Record
from sfumato.tables.adjustment import Kept, MoveCost


class Rounding(Record):
    """Controlled rounding; see `sfumato.tables.round_controlled`.

    Parameters
    ----------
    base
        What all cells become multiples of.
    most_steps
        How many bases more than to the next multiple a cell may move at most.
    time_limit
        In seconds, for each group of cells that depend on each other.
    """

    base: float = Field(gt=0)
    most_steps: int = Field(default=3, ge=0)
    time_limit: float = Field(default=60.0, gt=0)


class Adjusting(Record):
    """Controlled adjustment; see `sfumato.tables.adjust`.

    Parameters
    ----------
    cost
        What moving a cell costs: `relative` to its value or `absolute`.
    keeps
        Which cells stay as they are: `nothing`, `grand_totals` or `totals`.
    time_limit
        In seconds; 0 keeps the directions that were drawn.
    seed
        Where the draws begin; from the system when not given.
    """

    cost: MoveCost = MoveCost.RELATIVE
    keeps: Kept = Kept.NOTHING
    time_limit: float = Field(default=30.0, ge=0)
    seed: int | None = Field(default=None, ge=0)


class CellKeying(Record):
    """The cell key method."""
