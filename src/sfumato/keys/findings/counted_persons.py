"""What figures on risk count where some persons have several records: one of each person and combination of keys."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import visible_codes
from sfumato.keys.persons import numbers_of_persons
from sfumato.keys.weights import sampling_weights
from sfumato.numerics.arrays import CodeColumn

PERSONS_COUNTED = (
    "the figures count one record of each person, and where the keys of a person differ between records one for each"
)


class CountedPersons(NamedTuple):
    """A file in which each person has one record for each combination of keys.

    Parameters
    ----------
    data
        These records: of equal ones that of the smallest weight, so that the order of the file does not matter.
    places
        For each record of the file the place of the one that stands for it.
    """

    data: Microdata
    places: CodeColumn


def count_persons(
    data: Microdata, names: tuple[str, ...], teller: Microdata, weight: str | None = None
) -> CountedPersons | None:
    """Return one record of each person and combination of keys; None where nobody has several records.

    Parameters
    ----------
    data, names
        The file and its keys.
    teller
        What tells whose each record is, in the same order: the file itself, or what it was masked from.
    weight
        The column of the weights; that of the role weight when not given.
    """
    persons = numbers_of_persons(teller)
    if persons is None:
        return None
    weights = sampling_weights("risk_report", data, weight)
    order = np.arange(data.n) if weights is None else np.argsort(weights, kind="stable")
    classes = classes_of(np.vstack([persons, visible_codes(data, names)])[:, order])
    places = np.empty(data.n, dtype=np.int64)
    places[order] = classes.numbers
    return CountedPersons(data.take_rows(order[classes.first_rows()]), places)
