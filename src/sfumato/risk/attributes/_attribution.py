"""Attribution: what the masked records of a class tell about the confidential value of a person in it."""

from dataclasses import dataclass

import numpy as np

from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import MissingKeys, class_weights
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn


@dataclass(frozen=True, eq=False)
class Attribution:
    """How far the value of each person is guessed right, 0 to 1; NaN where a person has no value to guess.

    Parameters
    ----------
    drawn
        By drawing a record of the class: the share of its records that have the right value.
    most_frequent
        By the most frequent value of the class; where several are, the chance to pick the right one of them.
    certain
        Whether all records of the class have the right value.
    """

    drawn: FloatColumn
    most_frequent: FloatColumn
    certain: FloatColumn


def key_classes(persons: CodeMatrix, records: CodeMatrix) -> tuple[CodeColumn, CodeColumn]:
    """Return the classes of persons and records that are equal in all columns, numbered alike; missing is a category.

    Examples
    --------
    >>> key_classes(np.array([[0, 1], [2, -1]]), np.array([[2, -1], [2, 0], [0, 1]]))
    (array([0, 1]), array([1, 2, 0]))
    """
    numbers = classes_of(np.concatenate([persons, records]).T).numbers
    return numbers[: len(persons)], numbers[len(persons) :]


def attribution(
    classes: CodeColumn, values: CodeColumn, masked_classes: CodeColumn, masked_values: CodeColumn
) -> Attribution:
    """Return how far the masked records of their classes give away the values of some persons.

    Parameters
    ----------
    classes, values
        The class and the original value of each person.
    masked_classes, masked_values
        Those of each masked record, numbered alike. A value of -1 is missing: such a record tells nothing, and a class
        of such records, or of none, guesses nothing right. Some masked value must be there.

    Examples
    --------
    >>> found = attribution(np.array([0, 0, 1]), np.array([5, 6, 6]), np.array([0, 0, 0, 1]), np.array([5, 5, 6, 6]))
    >>> found.drawn.round(2), found.most_frequent, found.certain
    (array([0.67, 0.33, 1. ]), array([1., 0., 1.]), array([0., 0., 1.]))
    """
    telling = masked_values >= 0
    width = max(values.max(), masked_values.max()) + 1
    number = max(classes.max(), masked_classes.max()) + 1
    kinds, counts = np.unique(masked_classes[telling] * width + masked_values[telling], return_counts=True)
    of_class = kinds // width
    sizes = np.bincount(of_class, weights=counts, minlength=number)
    largest = np.zeros(number)
    np.maximum.at(largest, of_class, counts)
    equally_large = np.bincount(of_class, weights=counts == largest[of_class], minlength=number)
    agreeing = _look_up(classes * width + values, kinds, counts)
    drawn = agreeing / np.maximum(sizes[classes], 1)
    modal = np.where(agreeing == largest[classes], 1 / np.maximum(equally_large[classes], 1), 0.0)
    guesses = drawn, np.where(agreeing > 0, modal, 0.0), (drawn == 1).astype(np.float64)
    return Attribution(*(np.where(values >= 0, guess, np.nan) for guess in guesses))


def fitting_attribution(
    persons: CodeMatrix, values: CodeColumn, records: CodeMatrix, masked_values: CodeColumn
) -> Attribution:
    """Return how far the masked records that fit the keys of some persons give away their values.

    Parameters
    ----------
    persons, values
        The keys (persons x keys) and the original value of each person; a key of -1 is missing and fits every other.
    records, masked_values
        Those of each masked record; a value of -1 is missing, as for `attribution`.

    Examples
    --------
    >>> found = fitting_attribution(np.array([[0], [1]]), np.array([5, 6]), np.array([[0], [-1]]), np.array([5, 6]))
    >>> found.drawn, found.certain
    (array([0.5, 1. ]), array([0., 1.]))
    """
    different, place = np.unique(persons, axis=0, return_inverse=True)
    keys = np.concatenate([different, records]).T
    nobody = np.zeros(len(different))
    width = max(values.max(), masked_values.max()) + 1
    counts = np.stack(
        [
            class_weights(keys, np.concatenate([nobody, masked_values == value]), MissingKeys.WILDCARD)[
                : len(different)
            ]
            for value in range(width)
        ],
        axis=1,
    )[place.ravel()]
    largest, sizes = counts.max(axis=1), counts.sum(axis=1)
    agreeing = counts[np.arange(values.size), np.maximum(values, 0)]
    drawn = agreeing / np.maximum(sizes, 1)
    modal = (agreeing == largest) / np.maximum((counts == largest[:, None]).sum(axis=1), 1)
    guesses = drawn, np.where(agreeing > 0, modal, 0.0), (drawn == 1).astype(np.float64)
    return Attribution(*(np.where(values >= 0, guess, np.nan) for guess in guesses))


def _look_up(asked: CodeColumn, kinds: CodeColumn, counts: CodeColumn) -> CodeColumn:
    """Return the count of each kind asked for, 0 where there is none; kinds are rising."""
    places = np.minimum(np.searchsorted(kinds, asked), kinds.size - 1)
    return np.where(kinds[places] == asked, counts[places], 0)
