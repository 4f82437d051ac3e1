"""What a manifest says of an improvement: its figures and remarks, without any record."""

from typing import Self

from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.documents.record import Record


class ImprovementFacts(Record):
    """What came of improving a masked file, without any of its records.

    Parameters
    ----------
    name, ended
        The improver's name in recipes, and why it stopped.
    steps_taken
        How many steps it took.
    error_before, error_after
        E, the sum of squared differences between the moments of the standardised values.
    loss_before, loss_after, aimed_loss
        IL1 in percent, and the IL1 to come near to, if one was aimed at.
    records
        How many records have changed.
    remarks
        Sentences to be read with the result.
    """

    name: str
    ended: ImprovementEnding
    steps_taken: int
    error_before: float
    error_after: float
    loss_before: float
    loss_after: float
    aimed_loss: float | None = None
    records: int
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, improvement: Improvement) -> Self:
        """Return what a manifest says of an improvement."""
        return cls(
            name=improvement.name,
            ended=improvement.ended,
            steps_taken=int(improvement.steps[-1]),
            error_before=float(improvement.errors[0]),
            error_after=improvement.error,
            loss_before=float(improvement.losses[0]),
            loss_after=improvement.loss,
            aimed_loss=improvement.aimed_loss,
            records=improvement.records,
            remarks=improvement.remarks,
        )
