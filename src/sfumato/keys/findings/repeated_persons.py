"""Persons who have several records: k records with the same keys may be of one person."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata, Role
from sfumato.display import format_count
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import MissingKeys, class_sizes, visible_codes
from sfumato.keys.findings.counted_units import NAME, how_told
from sfumato.keys.fitting_persons import expected_codes
from sfumato.keys.hinting_columns import released_keys
from sfumato.keys.persons import Persons, persons_of
from sfumato.keys.ruled_out import ReleasedKey
from sfumato.numerics.arrays import CodeColumn, CodeMatrix

REPEATED = "SEVERAL RECORDS ARE OF ONE PERSON"
MAX_LOOKED = 3_000  # kinds of records whose persons are counted one by one, where gaps fit several


class RepeatedPersons(NamedTuple):
    """Who is found because records of one person were counted as several.

    Parameters
    ----------
    column
        The identifier that tells whose a record is, or what many records share by no chance, as a day of birth.
    records
        How many records, at least, fewer than k persons fit, by what each shows: its own gaps fit every value.
    strict_records
        How many are in groups of k or more records and fewer persons, a gap being a value of its own.
    smallest, strict_smallest
        The fewest persons of a group, a gap fitting every value, and a gap being a value of its own.
    remark
        That in words.
    alone
        How many of the records one person alone fits.
    """

    column: str
    records: int
    strict_records: int
    smallest: int
    strict_smallest: int
    remark: str
    alone: int = 0


def repeated_persons(original: Microdata, masked: Microdata, names: tuple[str, ...], k: int) -> RepeatedPersons | None:
    """Return how many persons the groups of equal keys hold; None where no identifier tells that some have several.

    Parameters
    ----------
    original, masked
        The file with its identifiers, and as it is released, in the same order.
    names, k
        The keys, and how many persons should fit what each record shows.
    """
    found = persons_of(original) if names else None
    if found is None or not found.has_several:
        return None
    persons = found.number
    keys = released_keys(masked, names, original, np.arange(masked.n))
    shown, known = np.array([key.after for key in keys]), np.array([known_codes(key) for key in keys])
    fitting = persons_fitting(shown, known, persons, k)
    visible = visible_codes(masked, names)
    strict, sizes = _persons_of_classes(visible, persons), class_sizes(visible, MissingKeys.CATEGORY)
    hidden = int(np.count_nonzero((strict < k) & (sizes >= k)))
    guessed = ", AS IT SEEMS" if found.is_guessed else ""
    told = f"{how_told(found)}, so that" if found.period else f"{how_told(found)},"
    records = int(np.count_nonzero(fitting < k))
    return RepeatedPersons(
        found.column,
        records,
        hidden,
        int(fitting.min()),
        int(strict.min()),
        f"{REPEATED}{guessed}: {told} {format_count(masked.n, 'record')} are of {found.count:,} persons, and k records "
        f"may be of fewer: at least {records:,} are in groups that fewer than {k} persons fit, and {hidden:,} in "
        f"groups of {k} or more equal records, gaps included, that are of fewer persons, whatever k, l or t is told "
        f"elsewhere. Keep one record of each person, or protect a file with one row for each and release what repeats "
        f"as a table"
        f"{_released_words(found, original, masked)}",
        int(np.count_nonzero(fitting < 2)),
    )


def _released_words(found: Persons, original: Microdata, masked: Microdata) -> str:
    """Return what to do where it is guessed whose a record is, or where a number of persons is released."""
    columns = found.columns
    if found.is_guessed:
        return f". {NAME.removesuffix('.')}"
    if columns[0] not in masked.schema.names or original.schema[columns[0]].role is Role.IDENTIFIER:
        return ""
    return f". {columns[0]} numbers persons and is released: give it the role identifier"


def known_codes(key: ReleasedKey) -> CodeColumn:
    """Return what each person would show of a key if nothing were suppressed, -1 where that is not known."""
    return np.where(key.before < 0, -1, expected_codes(key)[0])


def persons_fitting(shown: CodeMatrix, known: CodeMatrix, persons: CodeColumn, k: int) -> CodeColumn:
    """Return for each record how many persons fit what it shows; k if enough.

    Parameters
    ----------
    shown, known
        What each record shows (keys x records), and would show if nothing were suppressed; a gap, -1, fits every value.
    persons, k
        The person of each record, and how many are enough.

    Examples
    --------
    >>> codes = np.array([[0, 0, 0, 1, -1]])
    >>> persons_fitting(codes, np.array([[0, 0, 0, 1, 1]]), np.array([7, 7, 7, 8, 9]), 3)
    array([1, 1, 1, 2, 3])
    """
    classes = classes_of(shown)
    fitting = np.minimum(_persons_of_classes(shown, persons)[classes.first_rows()], k)
    if (shown < 0).any() or (known < 0).any():
        seen, alike = shown[:, classes.first_rows()], classes_of(known)
        held = known[:, alike.first_rows()]
        order = np.argsort(alike.numbers, kind="stable")
        starts = np.searchsorted(alike.numbers[order], np.arange(alike.count + 1))
        few = np.flatnonzero(fitting < k)
        fitting[few[MAX_LOOKED:]] = k  # not looked at, so that "at least" holds
        for one in few[:MAX_LOOKED]:
            fits = ((held < 0) | (seen[:, [one]] < 0) | (held == seen[:, [one]])).all(axis=0)
            rows = np.concatenate([order[starts[c] : starts[c + 1]] for c in np.flatnonzero(fits)])
            fitting[one] = min(np.unique(persons[rows]).size, k)
    return np.asarray(fitting[classes.numbers], dtype=np.int64)


def _persons_of_classes(codes: CodeMatrix, persons: CodeColumn) -> CodeColumn:
    """Return for each record how many persons have one with equal codes."""
    numbers, count = classes_of(codes).numbers, int(persons.max()) + 1
    held = np.unique(numbers * count + persons) // count
    return np.asarray(np.bincount(held)[numbers], dtype=np.int64)
