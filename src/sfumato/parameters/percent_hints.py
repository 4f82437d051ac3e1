"""What to say where a percentage is asked for and a share was perhaps meant: 0.05 may stand for 5 %."""

from sfumato.display import format_compact


def may_be_share(value: float) -> bool:
    """Tell whether a percentage may have been written as a share.

    Examples
    --------
    >>> may_be_share(0.05), may_be_share(5.0), may_be_share(0.0)
    (True, False, False)
    """
    return 0 < value < 1


def percent_hint(name: str, value: float) -> str:
    """Return how a percentage below 1 is understood, and what to write if a share was meant.

    Examples
    --------
    >>> percent_hint("max_suppressed", 0.05)
    'max_suppressed 0.05 is 0.05 percent; did you mean 5 %? Then write 5'
    """
    share, percent = format_compact(value), format_compact(100 * value)
    return f"{name} {share} is {share} percent; did you mean {percent} %? Then write {percent}"
