"""E-mail addresses, telephone numbers, numbers of people, such as K900123, and sentences in text."""

import re
from typing import Any

import narwhals.stable.v2 as nw

SAMPLE = 200  # values that are looked at
MIN_SHARE = 0.8
MIN_WORDS = 3  # of a remark: "is the bishop"
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w+")
PHONE = re.compile(r"(\+|\(?0)[\d\s()/.-]{6,20}\d")
SERIAL = re.compile(r"[A-Za-z]{1,4}[-_/ ]?\d{5,12}")
LETTERS_AND_DIGITS = re.compile(r"(?=(?:.*[A-Za-z]){2})(?=(?:.*\d){2})[A-Za-z\d]{8,24}")
DATE_WITH_MONTH = re.compile(r"\d{1,2}[A-Za-z]{3,9}\d{2,4}")
CALENDAR_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")


def holds_contacts(values: nw.Series[Any]) -> bool:
    """Tell whether text is e-mail addresses or telephone numbers.

    Examples
    --------
    >>> import polars
    >>> texts = (["ann@example.org"], ["030 123456"], ["01.02.1990"])
    >>> [holds_contacts(nw.from_native(polars.Series(text), series_only=True)) for text in texts]
    [True, True, False]
    """
    texts = [str(value) for value in values.head(SAMPLE).to_list()]
    contacts = [text for text in texts if EMAIL.fullmatch(text) or _is_phone(text)]
    return len(contacts) >= max(1, MIN_SHARE * len(texts))


def _is_phone(text: str) -> bool:
    return bool(PHONE.fullmatch(text)) and not CALENDAR_DATE.fullmatch(text)


def holds_serial_numbers(values: nw.Series[Any]) -> bool:
    """Tell whether text is as people and cases are numbered: long numbers behind a few letters, or letters and digits.

    The latter, as tax codes have them, are all equally long.

    Examples
    --------
    >>> import polars
    >>> texts = (["K900014", "K900021"], ["RSSMRA85T10A562S", "VRDLGU70A01F205X"], ["DE111", "DE112"], ["2019-01234"])
    >>> [holds_serial_numbers(nw.from_native(polars.Series(text), series_only=True)) for text in texts]
    [True, True, False, False]
    """
    texts = [str(value) for value in values.head(SAMPLE).to_list()]
    least = max(1, MIN_SHARE * len(texts))
    mixed = [len(text) for text in texts if LETTERS_AND_DIGITS.fullmatch(text) and not DATE_WITH_MONTH.fullmatch(text)]
    return (
        sum(bool(SERIAL.fullmatch(text)) for text in texts) >= least
        or max(map(mixed.count, {*mixed}), default=0) >= least
    )


def holds_sentences(values: nw.Series[Any]) -> bool:
    """Tell whether some text has as many words as no category has."""
    texts = values.unique().to_list() if values.dtype == nw.String else []
    return any(len(text.split()) >= MIN_WORDS for text in texts)
