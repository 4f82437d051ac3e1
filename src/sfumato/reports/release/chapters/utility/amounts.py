"""Which numbers are amounts, so that their total means something: incomes add up, ages and rates do not."""

from sfumato.data import Microdata, Role, column_names
from sfumato.reports.release.chapters.utility.kept_structure import find_sums

TIMES = ("day", "days", "month", "months", "year", "years")
NO_AMOUNTS = (
    *TIMES,
    "%",
    "percent",
    "points",
    "score",
    "cm",
    "m",
    "kg",
    "kg/m2",
    "mmhg",
    "bpm",
    "°c",
    "mg/dl",
    "mmol/l",
)
"""Units of numbers that nobody adds up over persons."""
NAMED_OTHERWISE = (
    column_names.is_age,
    column_names.is_body_measure,
    column_names.is_weight,
    column_names.is_plain_weight,
)
"""What numbers are named like that are no amounts."""


def amounts_of(original: Microdata, released: Microdata, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some numbers that are amounts.

    Parts and totals of a sum between variables are, and so are confidential numbers and those named like money, but
    none that is a key, named like an age, a weight or a measure of a body, or in a unit that nobody adds up.
    """
    summed = {name for rule in find_sums(original, released) for name in (rule.total, *rule.terms)}
    return tuple(name for name in names if _is_amount(original, name, is_summed=name in summed))


def _is_amount(data: Microdata, name: str, *, is_summed: bool) -> bool:
    variable = data.schema[name]
    if variable.role is Role.KEY or variable.unit.strip().lower() in NO_AMOUNTS:
        return False
    if is_summed:
        return True
    texts = [text for text in (name, variable.label) if text]
    if any(named(text) for text in texts for named in NAMED_OTHERWISE):
        return False
    return variable.role is Role.CONFIDENTIAL or any(map(column_names.is_usually_confidential, texts))
