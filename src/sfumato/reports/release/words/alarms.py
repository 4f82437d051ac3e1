"""Alarms of an assessment as a page says them."""

import re

LOUD = re.compile(r"[A-Z]+(?:,? [A-Z]+)+\b")


def calm(alarm: str) -> str:
    """Return an alarm without the capitals that it begins with; names of columns behind them stay as they are.

    Examples
    --------
    >>> calm("K DOES NOT HOLD for whoever reads a key off other columns.")
    'k does not hold for whoever reads a key off other columns.'
    >>> calm("OTHER COLUMNS TELL A PART OF A KEY: TAX (age).")
    'Other columns tell a part of a key: TAX (age).'
    >>> calm("occupation: 310 of the 327 gaps were in the file before")
    'occupation: 310 of the 327 gaps were in the file before'
    """
    loud = LOUD.match(alarm)
    if loud is None:
        return alarm
    text = f"{loud[0].lower()}{alarm[loud.end() :]}"
    return text if text.startswith("k ") else f"{text[:1].upper()}{text[1:]}"
