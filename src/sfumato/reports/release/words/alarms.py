"""Alarms of an assessment as a page says them."""


def calm(alarm: str) -> str:
    """Return an alarm without its capitals.

    Examples
    --------
    >>> calm("K DOES NOT HOLD for whoever reads a key off other columns.")
    'k does not hold for whoever reads a key off other columns.'
    >>> calm("SOME MEANS TELL THE AMOUNT OF ONE person or household.")
    'Some means tell the amount of one person or household.'
    """
    text = " ".join(word.lower() if word.isupper() else word for word in alarm.split(" "))
    return text if text.startswith("k ") else f"{text[:1].upper()}{text[1:]}"
