"""An output: what may be shown of what a researcher asked for, and why not all of it."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sfumato.display import Table, as_sentence, bullet_list, heading, paragraph, render_notebook
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError
from sfumato.outputs.facts import Facts
from sfumato.outputs.shown_table import ShownTable

if TYPE_CHECKING:
    import polars


class Status(StrEnum):
    """What may be done with an output."""

    SAFE = "safe"
    """All of it may be shown."""
    PROTECTED = "protected"
    """It may be shown as it is returned: some cells are hidden or rounded."""
    REVIEW = "review"
    """The output checker has to look at it, and the researcher has to say why it is needed."""
    UNSAFE = "unsafe"
    """It may not be shown as it was asked for."""


NEEDS_REASON = (Status.REVIEW, Status.UNSAFE)


@dataclass(frozen=True, eq=False)
class Output(TabularResult):
    """What may be shown of one request, in the dataframe library of the data.

    Parameters
    ----------
    name
        What it is called in the log.
    request
        What was asked for.
    status
        What may be done with it.
    reasons
        Why, in sentences.
    shown
        What may be shown.
    facts
        What it tells of sets of records; None where that is nothing that adds up.
    hidden
        How many cells are hidden.
    exception
        Why it is to be released although its status does not allow it; empty for none.
    backend
        The dataframe library of the data.
    """

    name: str
    request: str
    status: Status
    reasons: tuple[str, ...]
    shown: ShownTable
    facts: Facts | None = field(default=None, repr=False)
    hidden: int = 0
    exception: str = ""
    backend: str = "polars"

    @property
    def frame(self) -> Any:
        """What may be shown, as a dataframe of the library that the data are in; hidden cells are missing."""
        return self.shown.to_frame(self.backend)

    @property
    def needs_reason(self) -> bool:
        """Whether it can only be released as an exception, and none is given."""
        return self.status in NEEDS_REASON and not self.exception

    def with_exception(self, reason: str) -> "Output":
        """Return the output as an exception; one without a reason is refused."""
        if not reason.strip():
            raise DataError(f"{self.name}: an exception needs a reason; say why it is safe or needed all the same")
        return replace(self, exception=reason.strip())

    def display(self) -> Table:
        """Return what may be shown as a table for people."""
        return self.shown.to_display(f"{self.name}: {self.request}")

    def to_frame(self) -> "polars.DataFrame":
        """Return what may be shown as a polars dataframe, whatever library the data are in."""
        shown: polars.DataFrame = self.shown.to_frame()
        return shown

    def to_dict(self) -> dict[str, Any]:
        """Return all that the record of an output holds: no figure but the shown ones."""
        return {
            "name": self.name,
            "request": self.request,
            "status": str(self.status),
            "reasons": list(self.reasons),
            "hidden": self.hidden,
            "exception": self.exception,
            "shown": self.shown.to_dict(),
        }

    def __str__(self) -> str:
        lines = [self.display().to_text(), f"Status: {self.status}.", *map(as_sentence, self.reasons)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [self.display().to_html(), heading(f"Status: {self.status}", 4)]
        return render_notebook([*parts, bullet_list(self.reasons) if self.reasons else paragraph("Nothing is hidden.")])
