"""Numbers as readers see them: rounded here, and nowhere before."""

from decimal import Decimal

UNKNOWN = "-"
VOWELS = frozenset("aeiou")
SMALLEST, LARGEST = 1e-9, 1e15  # numbers beyond these are written as powers of ten


def format_number(value: float, decimals: int = 2) -> str:
    """Return a number with a fixed number of decimals and its thousands apart.

    Examples
    --------
    >>> format_number(12.345), format_number(580725.1, 1), format_number(1234, 0), format_number(-1e-9)
    ('12.35', '580,725.1', '1,234', '0.00')
    """
    return f"{round(value, decimals) + 0.0:,.{decimals}f}"  # + 0.0: no minus before nothing


def format_percent(percent: float) -> str:
    """Return a percentage with at most two decimals, as people write it; what is small but not 0 does not look like 0.

    Examples
    --------
    >>> format_percent(100.0), format_percent(7.5), format_percent(0.1234), format_percent(8e-5), format_percent(-0.0)
    ('100 %', '7.5 %', '0.12 %', 'below 0.01 %', '0 %')
    """
    if 0 < abs(percent) < 0.005:
        return "below 0.01 %" if percent > 0 else "above -0.01 %"
    text = format_number(percent)
    return f"{text.rstrip('0').rstrip('.')} %"


def format_compact(value: float | str, digits: int = 6) -> str:
    """Return a number with as few digits as it needs, `digits` at most, or whole where it is large; text as it is.

    Powers of ten are written out, unless nobody could count the zeros.

    Examples
    --------
    >>> format_compact(0.25), format_compact(2.0), format_compact(1234567.8), format_compact("holds")
    ('0.25', '2', '1234568', 'holds')
    >>> format_compact(100.0, 2), format_compact(0.00008293, 3), format_compact(-0.0), format_compact(1e75)
    ('100', '0.0000829', '0', '1e+75')
    """
    if isinstance(value, str):
        return value
    if not (SMALLEST <= abs(value) < LARGEST or value == 0):
        return f"{value:g}"
    if abs(value) >= 10**digits:
        return f"{value:.0f}"
    return f"{Decimal(f'{value + 0.0:.{digits}g}'):f}"  # + 0.0: no minus before nothing


def format_mean(mean: float | None, deviation: float | None = None) -> str:
    """Return a mean with its standard deviation or standard error, where there is one.

    Examples
    --------
    >>> format_mean(12.345, 0.5), format_mean(3.0), format_mean(None)
    ('12.35 ± 0.50', '3.00', '-')
    """
    if mean is None:
        return UNKNOWN
    return format_number(mean) if deviation is None else f"{format_number(mean)} ± {format_number(deviation)}"


def format_count(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural where there is not just one.

    Examples
    --------
    >>> format_count(1, "candidate"), format_count(1200, "run"), format_count(2, "category")
    ('1 candidate', '1,200 runs', '2 categories')
    >>> format_count(2, "key"), format_count(90, "day"), format_count(3, "class")
    ('2 keys', '90 days', '3 classes')
    """
    return f"1 {noun}" if count == 1 else f"{count:,} {_plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def format_cell(value: object) -> str:
    """Return a value as tables show it: two decimals, thousands apart, a dash for what is not known.

    Examples
    --------
    >>> format_cell(12.345), format_cell(7000), format_cell(None), format_cell("town")
    ('12.35', '7,000', '-', 'town')
    """
    if value is None:
        return UNKNOWN
    if isinstance(value, float):
        return format_number(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
