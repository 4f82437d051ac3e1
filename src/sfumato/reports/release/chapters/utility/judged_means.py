"""How far a mean may move: about as with the original, with care, or not reliable; by its spread and by itself."""

from collections.abc import Sequence

from sfumato.reports.release.chapters.utility.compared_statistics import ComparedMean

CLOSE, FAR = 5.0, 20.0  # percent that a share, a mean or a table may move: hardly, and too far
CLOSE_AMOUNT, FAR_AMOUNT = 2.0, 10.0  # percent of the mean or the total
AS_BEFORE, WITH_CARE, NOT_RELIABLE = "about as with the original", "with care", "not reliable"


def severity(mean: ComparedMean) -> float:
    """Return how far a mean moved, of its spread or of itself, whichever is worse: 1 no longer close, 2 too far.

    Examples
    --------
    >>> severity(ComparedMean("capital", 700.0, 350.0, 7000.0, 7000.0, 0.0, 0.0)) > 2  # by half
    True
    """
    scales = ((abs(mean.change), CLOSE, FAR), (abs(mean.relative_change), CLOSE_AMOUNT, FAR_AMOUNT))
    return max(moved / close if moved < close else 1 + (moved - close) / (far - close) for moved, close, far in scales)


def judgement(mean: ComparedMean) -> str:
    """Return what users can still make of a mean, in the words of the table on what users can do."""
    worst = severity(mean)
    return NOT_RELIABLE if worst > 2 else AS_BEFORE if worst < 1 else WITH_CARE


def worst_mean(means: Sequence[ComparedMean]) -> ComparedMean:
    """Return the mean that moved farthest."""
    return max(means, key=severity)
