"""What k counts: a sentence on whose each record is, beside every figure of persons."""

from sfumato.data import Microdata
from sfumato.display import format_count
from sfumato.keys.persons import Persons, persons_of

OPTION = "(the option person; numbers_persons in the schema)"
"""Where that column is named, unless one clicks."""

ASSUMED = (
    "Counted as persons: each record, as no column tells otherwise. If a person may have several records, name the "
    f"column that numbers the persons {OPTION}."
)
NAME = f"Name the column that numbers the persons {OPTION}; a running number says that each record is of another one."
ASSUMED_OF_FOLDER = "Counted as persons: each record; in a folder, persons who have several records are not looked for."


def counted_as(data: Microdata) -> str:
    """Return what is counted as a person in a file, and how to say otherwise.

    Examples
    --------
    >>> import polars
    >>> from sfumato.data import Schema
    >>> frame = polars.DataFrame({"patient": [7, 7, 8], "sex": [*"ffm"]})
    >>> print(counted_as(Microdata(frame, Schema.infer(frame).with_persons("patient"))))
    Counted as persons: the 3 records are of 2 persons, by patient.
    """
    found = persons_of(data)
    if found is None:
        return ASSUMED
    records = format_count(data.n, "record")
    if not found.has_several:
        return f"Counted as persons: each of the {records} is of another person, by {found.column}."
    persons = format_count(found.count, "person")
    if found.is_said:
        return f"Counted as persons: the {records} are of {persons}, by {found.column}."
    if not found.is_guessed:
        return (
            f"Counted as persons: the {records} are of {persons}, by {found.column}, though no schema says so. {NAME}"
        )
    return f"Counted as persons: the {records} seem to be of {persons}, {how_told(found)}. {NAME}"


def how_told(found: Persons) -> str:
    """Return what tells whose the records are."""
    if found.period:
        return f"as records that agree in {found.column} differ in {found.period} far more often than by chance"
    return f"by {found.column}"
