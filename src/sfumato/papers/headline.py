"""How the figures of the papers came out, in one sentence."""

from collections import Counter
from collections.abc import Iterable
from math import prod

from sfumato.papers.figure import Figure, FigureKind, Verdict


def headline(figures: Iterable[Figure]) -> str:
    """Return how many figures are computed again and judged, and how all came out; print held against print is apart.

    Examples
    --------
    >>> headline([Figure("a", FigureKind.EXACT, 1, 1), Figure("b", FigureKind.REPORT, 1, 2, note="why")])
    '2 figures, of which 1 are computed again and judged (1 exact): 1 reproduced, 0 within, 0 deviates; 1 differs, 0 explained; 0 follow from print.'
    """  # noqa: E501
    every = list(figures)
    verdicts = Counter(figure.verdict for figure in every)
    kinds = Counter(figure.kind for figure in every if figure.is_judged and figure.kind is not FigureKind.PRINT)
    judged = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"
    came_out = _count(verdicts, Verdict.REPRODUCED, Verdict.WITHIN, Verdict.DEVIATES)
    others = _count(verdicts, Verdict.DIFFERS, Verdict.EXPLAINED)
    consistent = verdicts[Verdict.CONSISTENT]
    return (
        f"{len(every)} figures, of which {kinds.total()} are computed again and judged ({judged}): {came_out}; "
        f"{others}; {consistent} {'follows' if consistent == 1 else 'follow'} from print."
    )


def chance_of_alarm(figures: Iterable[Figure]) -> tuple[float, float]:
    """Return how many right figures are expected outside their tolerances, and the chance that any is.

    Runs are taken as normal, and figures as independent.

    Examples
    --------
    >>> some = [Figure(name, FigureKind.STATISTICAL, 1, 1, false_alarm=0.1) for name in "ab"]
    >>> [round(figure, 2) for figure in chance_of_alarm(some)]
    [0.2, 0.19]
    """
    chances = [figure.false_alarm for figure in figures]
    return sum(chances), 1 - prod(1 - chance for chance in chances)


def _count(verdicts: Counter[Verdict], *wanted: Verdict) -> str:
    return ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in wanted)
