"""What every job returns: what came out, what must be read with it, and how it ended."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sfumato.display import Table, preformatted, render_notebook


class JobEnding(StrEnum):
    """How a job ended."""

    DONE = "done"
    """As asked."""
    FAILED = "failed"
    """It ran, and something is not as it should be."""
    NOT_MET = "not met"
    """It ran, and a stated limit is not met, or a leak was found."""
    INTERRUPTED = "interrupted"
    """It was stopped from outside; what was done is kept."""


@dataclass(frozen=True, kw_only=True)
class JobResult(ABC):
    """What came of a job.

    Parameters
    ----------
    notices
        Sentences to be read with the result: what was not done, what must be kept confidential, what to do next.
    ending
        How the job ended.
    """

    notices: tuple[str, ...] = ()
    ending: JobEnding = JobEnding.DONE

    @abstractmethod
    def to_dict(self) -> Any:
        """Return the result as plain dicts and lists, ready for JSON."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the result for people."""

    def parts(self) -> Iterable[str | Table]:
        """Return what the result shows to people, in order: its text, unless it has tables."""
        return (str(self),)

    def _repr_html_(self) -> str:
        shown = (preformatted(part) if isinstance(part, str) else part.to_html() for part in self.parts())
        return render_notebook(shown)
