"""One figure of a paper: what is printed, what comes out here, and whether they agree."""

from dataclasses import dataclass
from enum import StrEnum


class FigureKind(StrEnum):
    """What agreement can be asked of a figure."""

    EXACT = "exact"
    """Nothing is drawn: all printed digits come out, up to the rounding of printed figures that it is made from."""
    STATISTICAL = "statistical"
    """It depends on draws, or is counted over many: it comes out within a stated tolerance."""
    REPORT = "report"
    """It is shown and not judged: the print is wrong or not reproducible, or it is a part of a judged figure."""


class Verdict(StrEnum):
    """How a figure came out."""

    EXACT = "exact"
    WITHIN = "within"
    DEVIATES = "deviates"


@dataclass(frozen=True)
class Figure:
    """A printed figure beside ours.

    Parameters
    ----------
    figure
        The paper, and the place of the figure in it.
    kind
        What agreement can be asked.
    printed, ours
        The figure in print, and here.
    tolerance
        How far apart they may be; in an exact figure, what the rounding of the printed figures behind it allows.
    note
        What a reader should know: that the print is wrong, or which variant was taken.

    Examples
    --------
    >>> Figure("slides, rank swapping 2, Census, DLD", FigureKind.STATISTICAL, 73.52, 72.2, tolerance=2.5).verdict.value
    'within'
    """

    figure: str
    kind: FigureKind
    printed: float | str
    ours: float | str
    tolerance: float = 0.0
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        """How the figure came out."""
        if self.printed == self.ours:
            return Verdict.EXACT
        if isinstance(self.printed, str) or isinstance(self.ours, str):
            return Verdict.DEVIATES
        if abs(self.ours - self.printed) > self.tolerance:
            return Verdict.DEVIATES
        return Verdict.EXACT if self.kind is FigureKind.EXACT else Verdict.WITHIN

    @property
    def agrees(self) -> bool:
        """Whether the figure came out as its kind asks; one that is only reported always does."""
        return self.kind is FigureKind.REPORT or self.verdict is not Verdict.DEVIATES

    def to_dict(self) -> dict[str, float | str]:
        """Return the figure as plain values, ready for JSON."""
        return {
            "figure": self.figure,
            "kind": self.kind.value,
            "printed": self.printed,
            "ours": self.ours,
            "tolerance": self.tolerance,
            "verdict": self.verdict.value,
            "note": self.note,
        }
