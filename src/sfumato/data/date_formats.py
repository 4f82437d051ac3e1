"""How dates are written as text: formats such as dd/mm/yyyy, and which of them some texts can be read in."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
MISSING_WORDS = frozenset({"", "NA", "N/A", "NaN", "nan", "NULL", "null", "."})
TOKEN = re.compile("yyyy|month|mon|mm|m|dd|d|hh|ss|[a-z]|[^a-z]+", re.IGNORECASE)
PATTERNS = {
    "yyyy": "[0-9]{4}",
    "mm": "[0-9]{2}",
    "m": "[0-9]{1,2}",
    "dd": "[0-9]{2}",
    "d": "[0-9]{1,2}",
    "hh": "[0-9]{2}",
    "ss": "[0-9]{2}",
    "mon": "|".join(month[:3] for month in MONTHS),
    "month": "|".join(MONTHS),
}
PARTS = {"yyyy": "year", "mm": "month", "m": "month", "dd": "day", "d": "day", "hh": "hour", "ss": "second"}
NAMED = ("mon", "month")
EXAMPLES = "dd/mm/yyyy, mm/dd/yyyy, d.m.yyyy, yyyymmdd, d Mon yyyy or dd/mm/yyyy hh:mm:ss"
DAYS = (
    *(f"yyyy{mark}mm{mark}dd" for mark in "-/."),
    *(f"dd{mark}mm{mark}yyyy" for mark in "/.-"),
    *(f"mm{mark}dd{mark}yyyy" for mark in "/.-"),
    *(f"d{mark}m{mark}yyyy" for mark in "/.-"),
    *(f"m{mark}d{mark}yyyy" for mark in "/.-"),
    *(f"yyyy{mark}m{mark}d" for mark in "-/."),
    *(f"{day}{mark}{month}{mark}yyyy" for day in ("dd", "d") for mark in (" ", "-", "") for month in ("Mon", "Month")),
    *(f"{month} {day}, yyyy" for day in ("dd", "d") for month in ("Mon", "Month")),
    "yyyymmdd",
)
CLOCKS = ("", " hh:mm:ss", " hh:mm", "Thh:mm:ss", "Thh:mm")
UNREAD_CLOCK = "([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?)?"
UNREAD = {
    "with years of two digits": re.compile(
        rf"([0-9]{{1,2}}([./-])[0-9]{{1,2}}\2|[0-9]{{1,2}}[ -][A-Za-z]{{3,9}}[ -])'?[0-9]{{2}}{UNREAD_CLOCK}"
    ),
    "with a clock of twelve hours": re.compile(r".*[0-9]{4}.* [0-9]{1,2}(:[0-9]{2}){1,2} ?[AaPp]\.?[Mm]\.?"),
    "with names of months that are not English": re.compile(
        rf"[0-9]{{1,2}}\.?[ -](de )?[^\W\d_]{{3,10}}\.?[ -](de )?[0-9]{{4}}{UNREAD_CLOCK}"
    ),
}
"""Dates as they are often written and are not read here, beside how they are written."""
MIN_DIGITS, MAX_DIGITS = 5, 14  # of a day and a year at least, of a day, month, year and time at most
MIN_SHARE = 0.9  # of different texts that are dates, for a column to be one of dates with others among them
YEARS = (1700, 2200)  # beyond these a text that looks like a date is not taken for one unless somebody says so


@dataclass(frozen=True)
class DateFormat:
    """A way to write dates: `yyyy`, `mm` or `m`, `dd` or `d`, `Mon` or `Month`, and `hh:mm` or `hh:mm:ss`.

    Names of months are English; they are written in capitals, small letters or both, as the format has them.

    Examples
    --------
    >>> DateFormat("dd/mm/yyyy").read("29/02/2000"), DateFormat("dd/mm/yyyy").read("29/02/2001")
    (datetime.datetime(2000, 2, 29, 0, 0), None)
    >>> DateFormat("d MON yyyy hh:mm").write(datetime(1990, 2, 1, 8, 30))
    '1 FEB 1990 08:30'
    """

    text: str

    @cached_property
    def tokens(self) -> tuple[tuple[str, str], ...]:
        """The pieces of the format, and the part of a date that each stands for; none where it is as it is."""
        found: list[tuple[str, str]] = []
        for piece in TOKEN.findall(self.text):
            small = piece.lower()
            if small in NAMED:
                part = "month"
            elif small == "mm" and any(before == "hour" for _, before in found):
                part = "minute"
            else:
                part = PARTS.get(small, "")
            found.append((piece, part))
        return tuple(found)

    @property
    def is_valid(self) -> bool:
        """Whether each part of a date is there once, hours with minutes, and nothing else but marks and a T."""
        parts = [part for _, part in self.tokens if part]
        clock = [part for part in parts if part in ("hour", "minute", "second")]
        words = [
            piece for piece, part in self.tokens if not part and piece != "T" and any(each.isalnum() for each in piece)
        ]
        return (
            sorted(set(parts) - set(clock)) == ["day", "month", "year"]
            and len(set(parts)) == len(parts)
            and clock in ([], ["hour", "minute"], ["hour", "minute", "second"])
            and not words
        )

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What a text in this format looks like."""
        pieces = [f"(?P<{part}>{PATTERNS[piece.lower()]})" if part else re.escape(piece) for piece, part in self.tokens]
        return re.compile("".join(pieces), re.IGNORECASE)

    def read(self, text: str) -> datetime | None:
        """Return the moment that a text tells, none where it tells none in this format."""
        found = self.pattern.fullmatch(text.strip())
        if found is None:
            return None
        parts = {part: _number(cell) for part, cell in found.groupdict().items()}
        try:
            return datetime(**parts)  # type: ignore[arg-type]
        except ValueError:
            return None

    def write(self, moment: datetime) -> str:
        """Return a moment as text."""
        return "".join(_piece(piece, part, moment) if part else piece for piece, part in self.tokens)


@cache
def date_format(text: str) -> DateFormat:
    """Return a format, its pattern made once."""
    return DateFormat(text)


def _number(cell: str) -> int:
    return int(cell) if cell.isdigit() else [month[:3].lower() for month in MONTHS].index(cell[:3].lower()) + 1


def _piece(piece: str, part: str, moment: datetime) -> str:
    value: int = getattr(moment, part)
    if piece.lower() not in NAMED:
        return f"{value:0{len(piece)}d}" if len(piece) > 1 else str(value)
    name = MONTHS[value - 1] if piece.lower() == "month" else MONTHS[value - 1][:3]
    return name.upper() if piece.isupper() else name.lower() if piece.islower() else name


@cache
def usual_formats() -> tuple[DateFormat, ...]:
    """Return the formats that are looked for, those with leading zeros before those without."""
    return tuple(date_format(day + clock) for day in DAYS for clock in CLOCKS)


def fitting_formats(texts: Sequence[str], *, any_year: bool = False) -> tuple[DateFormat, ...]:
    """Return the formats in which all of some texts are dates and that read them differently; the tidiest of each.

    Parameters
    ----------
    texts
        The texts; words for missing are passed over.
    any_year
        Whether dates of any year count, not only those of the last centuries.

    Examples
    --------
    >>> [form.text for form in fitting_formats(["01/02/1990", "31/12/1985"])]
    ['dd/mm/yyyy']
    >>> [form.text for form in fitting_formats(["01/02/1990", "3/12/1985"])]
    ['d/m/yyyy', 'm/d/yyyy']
    """
    told = [text for text in texts if text.strip() not in MISSING_WORDS]
    if not told:
        return ()
    found: dict[tuple[datetime, ...], DateFormat] = {}
    for form in formats_of(told[0]):
        read = tuple(_moments(form, told, any_year))
        if len(read) == len(told) and read not in found:
            found[read] = _in_the_case_of(form, told[0])
    return tuple(found.values())


def nearly_fitting_format(texts: Sequence[str]) -> tuple[str, frozenset[str]]:
    """Return the format in which nearly all of some texts are dates, and those that are none; nothing if none is so.

    Examples
    --------
    >>> form, others = nearly_fitting_format([*(f"{day}/12/1985" for day in range(11, 31)), "31/02/1985"])
    >>> form, len(others)
    ('dd/mm/yyyy', 1)
    """
    told = [text for text in texts if text.strip() not in MISSING_WORDS]
    first = next((text for text in told if formats_of(text)), "")
    unread = {form.text: frozenset(text for text in told if form.read(text) is None) for form in formats_of(first)}
    best = min(unread, key=lambda form: len(unread[form]), default="")
    return (best, unread[best]) if best and len(unread[best]) <= (1 - MIN_SHARE) * len(told) else ("", frozenset())


def unread_form(texts: Sequence[str]) -> str:
    """Return how nearly all of some texts are written that look like dates and are not read; nothing if they do not.

    Examples
    --------
    >>> unread_form(["31.12.85", "01.02.90"]), unread_form(["1. März 1990"]), unread_form(["12/31/1985 08:30 PM"])
    ('with years of two digits', 'with names of months that are not English', 'with a clock of twelve hours')
    """
    told = [text.strip() for text in texts if text.strip() not in MISSING_WORDS]
    found = (how for how, form in UNREAD.items() if sum(map(bool, map(form.fullmatch, told))) >= MIN_SHARE * len(told))
    return next(found, "") if told else ""


def formats_of(text: str) -> list[DateFormat]:
    """Return the usual formats in which one text is a date."""
    if not MIN_DIGITS <= sum(character.isdigit() for character in text) <= MAX_DIGITS:
        return []
    return [form for form in usual_formats() if form.read(text) is not None]


def _moments(form: DateFormat, texts: Sequence[str], any_year: bool) -> Iterable[datetime]:
    """Yield what the texts tell, up to the first that tells nothing."""
    for text in texts:
        moment = form.read(text)
        if moment is None or not (any_year or YEARS[0] <= moment.year <= YEARS[1]):
            return
        yield moment


def _in_the_case_of(form: DateFormat, text: str) -> DateFormat:
    """Return the format with the names of months written in capitals or not, as a text has them."""
    found = form.pattern.fullmatch(text.strip())
    name = found["month"] if found else ""
    if not name.isalpha():
        return form
    changed = [
        (piece.upper() if name.isupper() else piece.lower() if name.islower() else piece)
        if piece.lower() in NAMED
        else piece
        for piece, _ in form.tokens
    ]
    return date_format("".join(changed))
