"""Trees that follow from the codes of a column: by their first characters, their size, or their order."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import mul

from sfumato.data import Category, Hierarchy
from sfumato.display import format_count
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


def neighbour_tree(codes: Sequence[Category], sizes: Sequence[int]) -> Hierarchy:
    """Join neighbours in the order of the categories, and these groups with their neighbours.

    Parameters
    ----------
    codes
        The categories, in their order.
    sizes
        How many each level joins, the narrowest first; at the end of the order there may be fewer.

    Examples
    --------
    >>> neighbour_tree(["none", "school", "degree"], [2]).recoding(1)
    {'none': 'none to school', 'school': 'none to school', 'degree': 'degree'}
    """
    if not sizes or min(sizes) < 2:
        raise ParameterError(["each level must join 2 or more; name the narrowest first, as in 3, 2"])
    widths = [width for width in accumulate(sizes, mul) if width < len(codes)]
    if not widths:
        raise ParameterError(
            [f"the first level must join fewer than all of them, {format_count(len(codes), 'category')}"]
        )
    rows = []
    for place, code in enumerate(codes):
        groups = [codes[place // width * width :][:width] for width in widths]
        rows.append((code, *(_span(group) for group in groups), EVERYTHING))
    return Hierarchy.from_levels(rows)


def _span(group: Sequence[Category]) -> str:
    return str(group[0]) if len(group) == 1 else f"{group[0]} to {group[-1]}"
