"""How the figures of the papers came out, in a few sentences."""

from collections import Counter
from collections.abc import Iterable

from sfumato.papers.figure import Figure, FigureKind, Verdict


def headline(figures: Iterable[Figure]) -> str:
    """Return how many figures are computed again and judged, and how all came out; print held against print is apart.

    Examples
    --------
    >>> headline([Figure("a", FigureKind.EXACT, 1, 1), Figure("b", FigureKind.REPORT, 1, 2, note="why")])
    '2 figures, of which 1 are computed again and judged (1 exact): 1 reproduced, 0 within, 0 undecided, 0 deviates; 1 differs, 0 undecided, 0 explained; 0 follow from print.'
    """  # noqa: E501
    every = list(figures)
    verdicts = Counter(figure.verdict for figure in every if figure.is_judged)
    unjudged = Counter(figure.verdict for figure in every if not figure.is_judged)
    kinds = Counter(figure.kind for figure in every if figure.is_judged and figure.kind is not FigureKind.PRINT)
    judged = ", ".join(f"{count} {kind}{_own(kind, every)}" for kind, count in kinds.items()) or "none"
    came_out = _count(verdicts, Verdict.REPRODUCED, Verdict.WITHIN, Verdict.UNDECIDED, Verdict.DEVIATES)
    others = _count(unjudged, Verdict.DIFFERS, Verdict.UNDECIDED, Verdict.EXPLAINED)
    consistent = verdicts[Verdict.CONSISTENT]
    return (
        f"{len(every)} figures, of which {kinds.total()} are computed again and judged ({judged}): {came_out}; "
        f"{others}; {consistent} {'follows' if consistent == 1 else 'follow'} from print."
    )


def expected_alarms(figures: Iterable[Figure]) -> float:
    """Return how many right figures are expected outside their tolerances, if runs are normal.

    Examples
    --------
    >>> some = [Figure(name, FigureKind.STATISTICAL, 1, 1, false_alarm=0.1) for name in "ab"]
    >>> expected_alarms(some)
    0.2
    """
    return sum(figure.false_alarm for figure in figures)


def _own(kind: FigureKind, figures: Iterable[Figure]) -> str:
    """Return how many of the statistical figures are evidence of their own, where some are not."""
    of_kind = [figure for figure in figures if figure.kind is kind]
    following = sum(bool(figure.follows) for figure in of_kind)
    return f", {len(of_kind) - following} of their own and {following} that follow from others" if following else ""


def _count(verdicts: Counter[Verdict], *wanted: Verdict) -> str:
    return ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in wanted)
