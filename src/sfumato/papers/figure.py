"""One figure of a paper: what is printed, what comes out here, and whether they agree."""

from dataclasses import dataclass, field
from enum import StrEnum


class FigureKind(StrEnum):
    """What agreement can be asked of a figure."""

    EXACT = "exact"
    """Sfumato computes it from data and nothing is drawn: all printed digits come out."""
    STATISTICAL = "statistical"
    """Sfumato computes it, and it depends on draws: it comes out within a tolerance that twice the noise is outside."""
    FINDING = "finding"
    """A sentence of a paper about its pictures or tables: it holds in ours too, or ours cannot tell."""
    PRINT = "print"
    """It follows from other figures in print, up to their rounding: print agrees with itself, whatever Sfumato does."""
    MISPRINT = "misprint"
    """It does not follow from other figures in print, and is shown beside what does."""
    OUTSIDE = "outside"
    """Known not to come out, or too nearly not to, or in a column of which most does not: it differs with any seed."""
    REPORT = "report"
    """It is shown and not judged, for the reason in its note: such as that draws differ too much."""


class Verdict(StrEnum):
    """How a figure came out."""

    REPRODUCED = "reproduced"
    WITHIN = "within"
    UNDECIDED = "undecided"
    """A finding that some of our runs show and others do not: they cannot tell."""
    CONSISTENT = "consistent"
    EXPLAINED = "explained"
    """It is not judged, for a reason, and near to the printed figure or a misprint."""
    DIFFERS = "differs"
    """It does not come out, and the note says what may be behind it; the command does not fail by it."""
    DEVIATES = "deviates"
    """It is judged, and does not come out: the command fails."""


HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "cannot be told apart"
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
    follows
        The other figures in print that it is made of or repeats; nothing where it is evidence of its own.
    runs
        What came out in each of our runs, where there were several.
    is_steady
        Whether these tell the printed noise from other noise, so that the figure could be judged.

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
    follows: str = ""
    runs: tuple[float, ...] = field(default=(), repr=False, compare=False)
    is_steady: bool = field(default=False, repr=False, compare=False)

    @property
    def verdict(self) -> Verdict:
        """How the figure came out."""
        if self.kind is FigureKind.MISPRINT:
            return Verdict.EXPLAINED
        if self.kind is FigureKind.OUTSIDE:
            return Verdict.DIFFERS
        if self.ours == UNDECIDED:
            return Verdict.UNDECIDED
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
    def remark(self) -> str:
        """The note, and from what the figure follows."""
        return "; ".join(part for part in (self.note, self.follows and f"follows from {self.follows}") if part)

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
            "follows": self.follows,
        }
