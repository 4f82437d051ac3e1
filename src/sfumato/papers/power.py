"""Whether the figures of the papers can fail: the same experiments with less and with more noise."""

from collections.abc import Iterable
from dataclasses import dataclass

from sfumato.papers import PAPERS
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files

STATISTICAL = (
    "slides, rank swapping",
    "slides, IPSO",
    "slides, fuzzy clustering",
    "Census report, Table 1",
    "Census report, Table 2",
    "Census report, Table 3",
    "post-masking",
    "post-masking optimised",
)
"""The parts with figures that depend on noise, or on how much is optimised."""
HALVED, DOUBLED = 0.5, 2.0


@dataclass(frozen=True)
class Power:
    """How many of the judged figures fail that should, and which do not."""

    judged: int
    passed: tuple[Figure, ...]

    @property
    def failed_percent(self) -> float:
        """The percent of the judged figures that fail."""
        return 100 * (1 - len(self.passed) / self.judged) if self.judged else 0.0


def power(files: Files, seed: int, parts: Iterable[str] = STATISTICAL, strength: float = DOUBLED) -> Power:
    """Judge the statistical figures of some parts with so many times the window, ratio of variances or noise.

    A figure that passes with twice of it does not tell too much noise, one that passes with half of it not too little.
    """
    figures = [figure for part in parts for figure in PAPERS[part](files, seed, strength)]
    judged = [figure for figure in figures if figure.kind is FigureKind.STATISTICAL]
    return Power(len(judged), tuple(figure for figure in judged if figure.agrees))
