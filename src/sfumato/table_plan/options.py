"""The parameters of the protections other than suppression, as a specification writes them."""

from pydantic import Field, model_validator

from sfumato.documents.record import Record
from sfumato.tables.perturbation.controlled_adjustment import Kept, MoveCost


class Rounding(Record):
    """Controlled rounding; see `sfumato.tables.round_controlled`.

    Parameters
    ----------
    base
        What all cells become multiples of.
    max_steps
        How many bases more than to the next multiple a cell may move at most.
    time_limit
        In seconds, for each group of cells that depend on each other.
    """

    base: float = Field(gt=0)
    max_steps: int = Field(default=3, ge=0)
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
    """The cell key method; see `sfumato.tables.perturb`.

    Parameters
    ----------
    largest
        The largest deviation of a count.
    variance
        The variance of the deviations.
    smallest
        The smallest count besides 0 that is ever published.
    share
        For magnitudes: the largest deviation, in percent of a cell's largest contribution.
    key
        The column of the records' keys. Without it keys are drawn for this run alone.
    seed
        Where the draws of keys begin; from the system when not given.
    """

    largest: int = Field(ge=1)
    variance: float = Field(gt=0)
    smallest: int = Field(default=1, ge=1)
    share: float | None = Field(default=None, gt=0, le=100)
    key: str | None = None
    seed: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _keys_are_given_or_drawn(self) -> "CellKeying":
        if self.key is not None and self.seed is not None:
            raise ValueError("CellKeying: a seed draws keys and 'key' names a column of them; keep one")
        return self
