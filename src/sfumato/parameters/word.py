"""A word of the vocabulary: what fields of this name mean, and in which unit."""

from typing import NamedTuple

PERCENT = "percent"
RECORDS = "records"
COLUMNS = "column names, or a rule"
DEVIATIONS = "standard deviations"


class Word(NamedTuple):
    """What a field of this name means, and its unit where it has one."""

    meaning: str
    unit: str = ""
