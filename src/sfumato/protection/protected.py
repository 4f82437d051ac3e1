"""A protected file: the records, how they were made, and what is left of the risk."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato.assessment import Assessment
from sfumato.data import Microdata
from sfumato.display.tabular_result import TabularResult
from sfumato.keys.findings.person_side import PersonSide
from sfumato.keys.learning.learnt_intruder import LearntIntruder
from sfumato.masking import LocalSuppression
from sfumato.parameters.limits import SUPPRESSED
from sfumato.protection.promises import Promise
from sfumato.recipe import Recipe
from sfumato.reports import RiskReport

if TYPE_CHECKING:
    import polars


class KeyChange(NamedTuple):
    """What became of one key."""

    key: str
    values: int
    """How many records have a value."""
    different_before: int
    different_after: int
    suppressed: float
    """The percent of its values that were suppressed."""
    loss: float
    """How much of what it told is lost, in percent: 0 where every value is shown, 100 where none is."""


@dataclass(frozen=True)
class Protected(TabularResult):
    """A protected file, how it was made, and what that cost.

    Parameters
    ----------
    data
        The masked records, in the order of the original.
    recipe
        The steps that made them, with their seed; run on the original file it gives the same again.
    assessment
        The information loss, and what an intruder still learns from numbers.
    before, after
        The risk of the keys in the original file and in the masked one.
    keys
        What became of each key: how many values it had and has, and the percent of its values that were suppressed.
    promises
        What was asked of the file by design, and what was counted in it.
    unchanged
        The columns that are released as they were.
    max_suppressed, hinted
        How many percent of the key values were to be suppressed at most, and how many values are suppressed because
        other columns tell a part of a key.
    hinting
        The columns that were found to tell a part of a key, each by itself.
    side
        Who is left with few records for somebody who looks for one person by the keys and what other columns tell.
    learnt
        Whom somebody finds who learns from other records what goes with what.
    unchanged_percent
        How many values of each masked column stayed as they were, in percent, where some but not all did.
    alarms
        For whom, or in what, the protection does not hold, in short; the remarks tell how much.
    remarks
        Sentences to be read before the file is released.
    whole_records
        Whether each record was made equal to others in every column.
    """

    data: Microdata = field(repr=False)
    recipe: Recipe = field(repr=False)  # it holds the seed
    assessment: Assessment = field(repr=False)
    before: RiskReport = field(repr=False)
    after: RiskReport = field(repr=False)
    keys: tuple[KeyChange, ...]
    promises: tuple[Promise, ...] = field(default=(), repr=False)
    unchanged: tuple[str, ...] = ()
    max_suppressed: float = 100.0
    hinted: int = 0
    hinting: tuple[str, ...] = ()
    side: PersonSide | None = field(default=None, repr=False)
    learnt: LearntIntruder | None = field(default=None, repr=False)
    unchanged_percent: Mapping[str, float] = field(default_factory=dict)
    alarms: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    whole_records: bool = False

    @cached_property
    def released(self) -> Microdata:
        """The masked records as they may leave the house: in random order, with new numbers of households."""
        return self.recipe.release(self.data)

    @property
    def knows_all_keys(self) -> bool:
        """Whether the protection is against somebody who knows all keys of a person, and not only some together."""
        steps = [step for step in self.recipe.steps if isinstance(step, LocalSuppression)]
        return not (steps and steps[0].combinations)

    @property
    def suppressed(self) -> float:
        """The percent of all key values that were suppressed."""
        values = sum(row.values for row in self.keys)
        return sum(row.suppressed * row.values for row in self.keys) / max(values, 1)

    @property
    def limits_suppression(self) -> bool:
        """Whether a limit on what is suppressed was given, and not only aimed at."""
        return any(checked.limit.figure == SUPPRESSED for checked in self.after.limits)

    @property
    def exceeds_suppression(self) -> bool:
        """Whether more of the key values are suppressed than was asked for or aimed at, those by hints included."""
        return self.suppressed > self.max_suppressed

    @property
    def key_loss(self) -> float:
        """How much of what the keys told is lost, in percent: the mean over the keys."""
        return sum(row.loss for row in self.keys) / len(self.keys)

    def to_frame(self) -> "polars.DataFrame":
        """Return what became of each key as a polars dataframe; `data.frame` holds the records."""
        import polars

        text, number = polars.String, polars.Float64
        schema = dict.fromkeys(KeyChange._fields, polars.Int64) | {"key": text, "suppressed": number, "loss": number}
        return polars.DataFrame([tuple(row) for row in self.keys], schema=schema, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain dicts and lists, ready for JSON; without records, and without the seed."""
        return {
            "recipe": self.recipe.replace(seed=None).to_yaml(),
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "keys": [row._asdict() for row in self.keys],
            "promises": [asdict(promise) for promise in self.promises],
            "suppressed": self.suppressed,
            "max_suppressed": self.max_suppressed,
            "hinted": self.hinted,
            "hinting": list(self.hinting),
            "persons_found": None if self.side is None else self.side._asdict(),
            "learnt": None if self.learnt is None else self.learnt._asdict(),
            "key_loss": self.key_loss,
            "assessment": self.assessment.to_dict(),
            "unchanged": list(self.unchanged),
            "unchanged_percent": dict(self.unchanged_percent),
            "alarms": list(self.alarms),
            "remarks": list(self.remarks),
            "whole_records": self.whole_records,
        }

    def __str__(self) -> str:
        from sfumato.protection.rendering import render_text

        return render_text(self)

    def _repr_html_(self) -> str:
        from sfumato.protection.rendering import render_cell

        return render_cell(self)

    def to_html(self, title: str = "Protection of the file") -> str:
        """Return what was done, and the risk before and after it, as an HTML page that stands alone."""
        from sfumato.protection.rendering import render_html

        return render_html(self, title)
