"""How far one masked record is linked to its original, as an intruder knows one column after another."""

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers

TIE = 1e-9  # distances that differ by less than this part are equal


@compiled
def link_share(originals: Floats, points: Floats, row: int, right: int, known: int, nearer: Integers) -> float:
    """Return the chance that the right original is drawn from those that are nearest by the first `known` columns.

    Parameters
    ----------
    originals, points
        Standardised values of the original and of the masked records, shapes (n, d) and (m, d).
    row, right
        The masked record, and the original in question.
    known
        How many columns the intruder knows.
    nearer
        For each number of columns less 1, an original that may be nearer than the right one: input, looked at first,
        and output.
    """
    own = _apart(originals, right, points, row, known)
    lower, upper = own * (1 - TIE), own * (1 + TIE)
    if _apart(originals, nearer[known - 1], points, row, known) < lower:
        return 0.0
    ties = 0
    for other in range(len(originals)):
        away = 0.0
        for j in range(known):
            away += (originals[other, j] - points[row, j]) ** 2
            if away > upper:
                break
        if away < lower:
            nearer[known - 1] = other
            return 0.0
        ties += away <= upper
    return 1.0 / max(ties, 1)  # rounding may leave out the right one itself


@compiled
def _apart(originals: Floats, other: int, points: Floats, row: int, known: int) -> float:
    """Return the squared distance of a masked record from an original by the first columns."""
    away = 0.0
    for j in range(known):
        away += (originals[other, j] - points[row, j]) ** 2
    return away


@compiled
def link_shares(originals: Floats, points: Floats, right: Integers, links: Floats, nearer: Integers) -> None:
    """Fill in the link share of each masked record for each number of known columns; `links` and `nearer` are outputs.

    Parameters
    ----------
    originals, points
        As for `link_share`.
    right
        The original of each masked record, shape (m,).
    links, nearer
        Outputs, shape (m, k): the shares when 1 to k columns are known, and an original that is nearer where there is.
    """
    for row in range(len(points)):
        for known in range(1, links.shape[1] + 1):
            links[row, known - 1] = link_share(originals, points, row, right[row], known, nearer[row])
