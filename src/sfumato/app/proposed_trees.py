"""Trees that follow from the codes of a column: groups by their first characters, or classes of whole numbers."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from sfumato.data import Category, Hierarchy
from sfumato.errors import ParameterError
from sfumato.parameters.hierarchies import EVERYTHING

MASK = "*"


def prefix_tree(codes: Sequence[Category], digits: Sequence[int]) -> Hierarchy:
    """Group codes by their first characters; what is left out of them is masked.

    Parameters
    ----------
    codes
        The categories, all of one length, such as postal codes.
    digits
        How many characters each level adds, the coarsest first; the last ones need not be named.

    Examples
    --------
    >>> prefix_tree(["1010", "1020", "8010"], [1, 1]).recoding(2)
    {'1010': '10**', '1020': '10**', '8010': '80**'}
    """
    lengths = {len(str(code)) for code in codes}
    if len(lengths) != 1:
        raise ParameterError(["codes must all have as many characters, so that their first ones say the same of each"])
    (length,) = lengths
    ends = [end for end in accumulate(digits) if end < length]
    if not ends or min(digits) < 1:
        raise ParameterError([f"first characters must be 1 to {length - 1} in all, as codes have {length}"])
    rows = [(code, *(str(code)[:end] + MASK * (length - end) for end in reversed(ends)), EVERYTHING) for code in codes]
    return Hierarchy.from_levels(rows)


def class_tree(codes: Sequence[Category], widths: Sequence[int]) -> Hierarchy:
    """Put whole numbers into classes, and these into broader ones.

    Parameters
    ----------
    codes
        The categories: whole numbers, such as ages.
    widths
        The width of the classes of each level, the narrowest first; each is a multiple of the one before.

    Examples
    --------
    >>> class_tree([17, 21, 26], [5, 10]).recoding(1)
    {17: '10 to 19', 21: '20 to 29', 26: '20 to 29'}
    """
    numbers = [int(code) for code in codes if not isinstance(code, str) and int(code) == code]
    if len(numbers) != len(codes):
        raise ParameterError(["codes must be whole numbers to be put into classes; group others by their characters"])
    if not widths or min(widths) < 2 or any(broad % narrow or broad == narrow for narrow, broad in pairwise(widths)):
        raise ParameterError(["widths must be 2 or more, the narrowest first, each a multiple of the one before"])
    rows = [
        (code, *(f"{number // width * width} to {number // width * width + width - 1}" for width in widths), EVERYTHING)
        for code, number in zip(codes, numbers, strict=True)
    ]
    return Hierarchy.from_levels(rows)
