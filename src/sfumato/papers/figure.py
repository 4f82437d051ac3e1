"""One figure of a paper: what is printed, what comes out here, and whether they agree."""

from dataclasses import dataclass
from enum import StrEnum


class FigureKind(StrEnum):
    """What agreement can be asked of a figure."""

    EXACT = "exact"
    """Nothing is drawn: all printed digits come out, up to the rounding of printed figures that it is made from."""
    STATISTICAL = "statistical"
    """It depends on draws: it comes out within a tolerance beyond which it is wrong, such as with twice the noise."""
    FINDING = "finding"
    """A sentence of a paper about its pictures: it holds in ours too."""
    REPORT = "report"
    """It is shown and not judged, for the reason in its note: such as a misprint, or that draws differ too much."""


class Verdict(StrEnum):
    """How a figure came out."""

    REPRODUCED = "reproduced"
    WITHIN = "within"
    EXPLAINED = "explained"
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
        What a reader should know: why it is not judged, or which variant was taken.

    Examples
    --------
    >>> Figure("slides, rank swapping 6, Census: DLD", FigureKind.STATISTICAL, 43.76, 43.1, tolerance=2.5).verdict.value
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
        if self.kind is FigureKind.REPORT:
            return Verdict.EXPLAINED
        if self.kind is not FigureKind.STATISTICAL and self._is_near:
            return Verdict.REPRODUCED
        return Verdict.WITHIN if self._is_near else Verdict.DEVIATES

    @property
    def is_judged(self) -> bool:
        """Whether the figure can fail."""
        return self.kind is not FigureKind.REPORT

    @property
    def agrees(self) -> bool:
        """Whether the figure came out as its kind asks; one that is only reported always does."""
        return self.verdict is not Verdict.DEVIATES

    @property
    def _is_near(self) -> bool:
        if isinstance(self.printed, str) or isinstance(self.ours, str):
            return self.printed == self.ours
        return abs(self.ours - self.printed) <= self.tolerance

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
