"""Persons who have several records: k records with the same keys may be of one person."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata, column_names, role
from sfumato.data.distinct_values import NESTED, factorise
from sfumato.display import format_count
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import MissingKeys, class_sizes, key_codes, visible_codes
from sfumato.keys.households import MIN_TOGETHER, agreement_in_households
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, Rows

REPEATED = "SEVERAL RECORDS ARE OF ONE PERSON"
MAX_LOOKED = 3_000  # kinds of records whose persons are counted one by one, where gaps fit several


class RepeatedPersons(NamedTuple):
    """Who is found because records of one person were counted as several.

    Parameters
    ----------
    column
        The identifier that tells whose a record is.
    records
        How many records, at least, are in groups of fewer than k persons, a gap fitting every value.
    strict_records
        How many are in groups of k or more records and fewer persons, a gap being a value of its own.
    smallest, strict_smallest
        The fewest persons of a group, a gap fitting every value, and a gap being a value of its own.
    remark
        That in words.
    """

    column: str
    records: int
    strict_records: int
    smallest: int
    strict_smallest: int
    remark: str


def repeated_persons(original: Microdata, masked: Microdata, names: tuple[str, ...], k: int) -> RepeatedPersons | None:
    """Return how many persons the groups of equal keys hold; None where no identifier tells that some have several.

    Parameters
    ----------
    original, masked
        The file with its identifiers, and as it is released, in the same order.
    names, k
        The keys, and how many persons should fit what each record shows.
    """
    column = person_column(original) if names else ""
    if not column:
        return None
    persons = _persons_by(original, column)
    fitting = persons_fitting(key_codes(masked, names), persons, k)
    visible = visible_codes(masked, names)
    strict, sizes = _persons_of_classes(visible, persons), class_sizes(visible, MissingKeys.CATEGORY)
    hidden = int(np.count_nonzero((strict < k) & (sizes >= k)))
    records, count = int(np.count_nonzero(fitting < k)), int(persons.max()) + 1
    return RepeatedPersons(
        column,
        records,
        hidden,
        int(fitting.min()),
        int(strict.min()),
        f"{REPEATED}: by {column}, {format_count(masked.n, 'record')} are of {count:,} persons. k counts records: at "
        f"least {records:,} are in groups that fewer than {k} persons fit, and {hidden:,} in groups of {k} or more "
        f"equal records, gaps included, that are of fewer persons, whatever k, l or t is told elsewhere. Keep "
        f"one record of each person, or protect a file with one row for each and release what repeats as a table",
    )


def numbers_of_persons(data: Microdata, rows: Rows | None = None) -> CodeColumn | None:
    """Return a number for the person of each record, or of some; None where nobody has several."""
    column = person_column(data)
    if not column:
        return None
    return _persons_by(data, column) if rows is None else _persons_by(data, column)[rows]


def _persons_by(data: Microdata, column: str) -> CodeColumn:
    """Return a number for the person of each record, one without an identifier being a person of its own."""
    codes = factorise(data.table[column])[0]
    return np.asarray(np.unique(np.where(codes < 0, data.n + np.arange(data.n), codes), return_inverse=True)[1])


def person_column(data: Microdata) -> str:
    """Return the identifier that several records share because they are of one person; empty where there is none.

    It is named like the number of a person, or records that share it have one sex and one day of birth; households
    have several.
    """
    personal = tuple(name for name in data.schema.names if column_names.is_personal(name))
    for name in data.select(role("identifier")):
        if isinstance(data.table[name].dtype, NESTED) or column_names.is_household(name):
            continue
        codes = factorise(data.table[name])[0]
        sizes = np.bincount(codes[codes >= 0])
        if sizes[sizes > 1].sum() < MIN_TOGETHER * data.n:
            continue
        agree = len(agreement_in_households(data, personal, (name,))) == len(personal) if personal else False
        if agree or column_names.is_person_number(name):
            return name
    return ""


def persons_fitting(codes: CodeMatrix, persons: CodeColumn, k: int) -> CodeColumn:
    """Return for each record how many persons have one that fits it, a gap fitting every value; k if enough.

    Examples
    --------
    >>> persons_fitting(np.array([[0, 0, 0, 1, -1]]), np.array([7, 7, 7, 8, 9]), 3)
    array([2, 2, 2, 2, 3])
    """
    classes = classes_of(codes)
    fitting = np.minimum(_persons_of_classes(codes, persons)[classes.first_rows()], k)
    if (codes < 0).any():
        shown = codes[:, classes.first_rows()]
        order = np.argsort(classes.numbers, kind="stable")
        starts = np.searchsorted(classes.numbers[order], np.arange(classes.count + 1))
        few = np.flatnonzero(fitting < k)
        fitting[few[MAX_LOOKED:]] = k  # not looked at, so that "at least" holds
        for one in few[:MAX_LOOKED]:
            alike = ((shown < 0) | (shown[:, [one]] < 0) | (shown == shown[:, [one]])).all(axis=0)
            rows = np.concatenate([order[starts[c] : starts[c + 1]] for c in np.flatnonzero(alike)])
            fitting[one] = min(np.unique(persons[rows]).size, k)
    return np.asarray(fitting[classes.numbers], dtype=np.int64)


def _persons_of_classes(codes: CodeMatrix, persons: CodeColumn) -> CodeColumn:
    """Return for each record how many persons have one with equal codes."""
    numbers, count = classes_of(codes).numbers, int(persons.max()) + 1
    held = np.unique(numbers * count + persons) // count
    return np.asarray(np.bincount(held)[numbers], dtype=np.int64)
