"""The rules that outputs of a project are judged by."""

from enum import StrEnum

from pydantic import Field

from sfumato.documents.record import Record
from sfumato.tables import AnyOf, Dominance, MinUnits, PPercent


class Concern(StrEnum):
    """What is done about something that no rule forbids, but that somebody may want to look at."""

    REVIEW = "review"
    """The output checker has to look at it."""
    NOTE = "note"
    """It is said beside the output."""
    IGNORE = "ignore"
    """Nothing."""


class OutputRules(Record):
    """What an output must keep to; one set for all outputs of a project.

    Parameters
    ----------
    min_units
        The smallest number of records that a cell, a model's category or a step of a curve may stand for.
    dominance_n, dominance_percent
        A sum or mean is unsafe when its `dominance_n` largest contributions exceed `dominance_percent` of it.
    p
        A sum or mean is unsafe when its second largest contributor can estimate the largest to within `p` percent.
    min_freedom
        The fewest residual degrees of freedom of a model.
    max_leverage
        The largest weight, in percent, that a single record may have in its own fitted value before somebody must look.
    full_cells
        What to do where everybody of a group falls into one category, so that membership tells the category.
    zero_cells
        What to do where nobody of a group falls into a category.
    rounding
        Round every shown count to a multiple of this; 0 shows counts as they are.

    Examples
    --------
    >>> OutputRules(min_units=5).p
    10.0
    """

    min_units: int = Field(default=10, ge=2)
    dominance_n: int = Field(default=2, ge=1)
    dominance_percent: float = Field(default=90.0, gt=0, lt=100)
    p: float = Field(default=10.0, gt=0, le=1000)
    min_freedom: int = Field(default=10, ge=1)
    max_leverage: float = Field(default=50.0, gt=0, le=100)
    full_cells: Concern = Concern.REVIEW
    zero_cells: Concern = Concern.NOTE
    rounding: int = Field(default=0, ge=0)

    def of_sums(self, *, squares: bool = False) -> AnyOf:
        """Return the rules of sums and means; of sums of squares only the number of records counts."""
        enough = MinUnits(units=self.min_units)
        if squares:
            return AnyOf(rules=(enough,))
        return enough | Dominance(n=self.dominance_n, max_percent=self.dominance_percent) | PPercent(p=self.p)
