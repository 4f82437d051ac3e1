"""One figure of a paper: what is printed, what comes out here, and whether they agree."""

from dataclasses import dataclass
from enum import StrEnum


class FigureKind(StrEnum):
    """What agreement can be asked of a figure."""

    EXACT = "exact"
    """Sfumato computes it from data and nothing is drawn: all printed digits come out."""
    STATISTICAL = "statistical"
    """Sfumato computes it, and it depends on draws: it comes out within a tolerance that twice the noise is outside."""
    FINDING = "finding"
    """A sentence of a paper about its pictures: it holds in ours too."""
    PRINT = "print"
    """It follows from other figures in print, up to their rounding: print agrees with itself, whatever Sfumato does."""
    MISPRINT = "misprint"
    """It does not follow from other figures in print, and is shown beside what does."""
    OUTSIDE = "outside"
    """It could be judged, and with some seed it is outside its tolerance: it differs, however near this run ends."""
    REPORT = "report"
    """It is shown and not judged, for the reason in its note: such as that draws differ too much."""


class Verdict(StrEnum):
    """How a figure came out."""

    REPRODUCED = "reproduced"
    WITHIN = "within"
    CONSISTENT = "consistent"
    EXPLAINED = "explained"
    """It is not judged, for a reason, and near to the printed figure or a misprint."""
    DIFFERS = "differs"
    """It does not come out, and the note says what may be behind it; the command does not fail by it."""
    DEVIATES = "deviates"
    """It is judged, and does not come out: the command fails."""


UNJUDGED = {FigureKind.MISPRINT, FigureKind.OUTSIDE, FigureKind.REPORT}
IF_NEAR = {
    FigureKind.EXACT: Verdict.REPRODUCED,
    FigureKind.STATISTICAL: Verdict.WITHIN,
    FigureKind.FINDING: Verdict.REPRODUCED,
    FigureKind.PRINT: Verdict.CONSISTENT,
    FigureKind.REPORT: Verdict.EXPLAINED,
}


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
        How far apart they may be; where a figure follows from print, what the rounding behind it allows.
    note
        What a reader should know: why it is not judged, or which variant was taken.
    false_alarm
        The chance that a statistical figure is outside the tolerance though it is right.

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
    false_alarm: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """How the figure came out."""
        if self.kind is FigureKind.MISPRINT:
            return Verdict.EXPLAINED
        if self.kind is FigureKind.OUTSIDE:
            return Verdict.DIFFERS
        if self._is_near:
            return IF_NEAR[self.kind]
        return Verdict.DIFFERS if self.kind is FigureKind.REPORT else Verdict.DEVIATES

    @property
    def is_judged(self) -> bool:
        """Whether the figure can fail."""
        return self.kind not in UNJUDGED

    @property
    def agrees(self) -> bool:
        """Whether the figure came out as its kind asks; one that is not judged always does."""
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


HOLDS, FAILS = "holds", "does not hold"


def finding(figure: str, holds: bool, note: str = "", unjudged: str = "") -> Figure:
    """Return a sentence of a paper with whether it holds here; it is judged unless `unjudged` says why not.

    Examples
    --------
    >>> finding("a paper: more is less", False, unjudged="not judged: nor in its table").verdict.value
    'differs'
    """
    kind = FigureKind.REPORT if unjudged else FigureKind.FINDING
    return Figure(figure, kind, HOLDS, HOLDS if holds else FAILS, note=unjudged or note)
