"""How a figure with two ends is read: what an attack found is at least so much, unless the bound is the same."""

from sfumato.display import format_number

NOTHING_PROVEN = 99.5  # percent, from which on a bound rules out hardly anything
NO_BOUND_AT = 100.0  # percent: a bound of all records is none
FAR = 10.0  # percent points between both ends
LITTLE = 3.0  # percent points between the ends of small figures, where half of what was found is less
SAME = 0.1  # percent points, below which both ends are one


def leaves_much(value: float, bound: float | None) -> bool:
    """Tell whether so much is left between what an attack found and what nobody exceeds that only the first is known.

    That is more than ten points, or than half of what was found. Without a bound nothing is ruled out.

    Examples
    --------
    >>> [leaves_much(*ends) for ends in ((32.5, 33.9), (4.4, 12.3), (38.0, 99.87), (1.0, 2.4), (97.0, None))]
    [False, True, True, False, False]
    """
    most = 100.0 if bound is None else bound
    return most - value > min(FAR, max(value / 2, LITTLE))


def shows_interval(value: float, bound: float | None) -> bool:
    """Tell whether the interval of an attack may stand beside its figure: not where it would pass for that of the risk.

    So it would where nothing is proven beyond what the attack found, or much is left between both ends.

    Examples
    --------
    >>> [shows_interval(*ends) for ends in ((32.5, 33.9), (38.0, 99.87), (94.9, 99.9), (90.5, 100.0), (100.0, 100.0))]
    [True, False, False, False, True]
    """
    most = NO_BOUND_AT if bound is None else bound
    return not leaves_much(value, bound) and (most < NOTHING_PROVEN or not lower_end(value, bound))


def lower_end(value: float, bound: float | None) -> str:
    """Return the words that stand before what an attack found: empty where it is proven that nobody finds more.

    Examples
    --------
    >>> [lower_end(*ends) for ends in ((32.5, 33.9), (38.0, None), (20.0, 20.0), (100.0, None))]
    ['at least ', 'at least ', '', '']
    """
    most = 100.0 if bound is None else bound
    return "at least " if most - value >= SAME else ""


def not_ruled_out(value: float, bound: float | None) -> str:
    """Return what is not ruled out beyond what an attack found, as a clause; empty where the bound is near.

    Examples
    --------
    >>> not_ruled_out(38.0, 99.87), not_ruled_out(32.5, 33.9)
    ('so many were found, and up to 99.9 % are not ruled out', '')
    """
    if not leaves_much(value, bound):
        return ""
    most = "100" if bound is None else f"{bound:.1f}"
    return f"so many were found, and up to {most} % are not ruled out"


def format_both_ends(value: float, bound: float) -> str:
    """Return both ends of a figure for a table.

    Examples
    --------
    >>> format_both_ends(38.0, 99.87), format_both_ends(32.5, 33.9)
    ('at least 38.00, not ruled out up to 99.87', '32.50 to 33.90')
    """
    if leaves_much(value, bound):
        return f"at least {format_number(value)}, not ruled out up to {format_number(bound)}"
    return f"{format_number(value)} to {format_number(bound)}"
