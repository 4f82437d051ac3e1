"""What every result has in common: it shows itself in a notebook, and goes on as a dataframe or as plain values."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars


class TabularResult(ABC):
    """A result of a verb. Its text and what a notebook shows of it hold nothing secret: no seed, no value of a record.

    What is drawn of a result is a matplotlib figure, which its method `figure` returns where there is something to
    draw.
    """

    @abstractmethod
    def to_frame(self) -> "polars.DataFrame":
        """Return the result as a polars dataframe."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain dicts and lists, ready for JSON."""

    @abstractmethod
    def _repr_html_(self) -> str:
        """Return what a notebook shows: short, and nothing secret."""

    def to_polars(self) -> "polars.DataFrame":
        """Return what `to_frame` does."""
        return self.to_frame()

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the table of `to_frame` as a pandas dataframe; pandas must be installed."""
        from sfumato.display.frames import as_pandas

        return as_pandas(self.to_frame())
