"""Whole numbers that are all different as the numbers of persons, files and entries of registers are."""

from sfumato.numerics.arrays import FloatColumn

MIN_DIGITS = 6
NO_CHANCE = 14.0  # minus the logarithm of a millionth
REGISTER_DOUBT = (
    "guessed continuous, though its whole numbers are different in nearly every record; if they number persons, files "
    "or entries of a register, give it the role identifier"
)
HOUSEHOLD_DOUBT = (
    "guessed continuous, though records that stand together share its whole numbers; if these are numbers of "
    "households, give it the role household, if of persons or firms, identifier"
)


def are_long_and_as_long(numbers: FloatColumn) -> bool:
    """Tell whether numbers have many digits, and all as many."""
    low, high = int(numbers.min()), int(numbers.max())
    return low >= 10 ** (MIN_DIGITS - 1) and len(str(low)) == len(str(high))


def are_numbering(numbers: FloatColumn) -> bool:
    """Tell whether numbers that are all different are so by no chance, or rise from record to record.

    Of n numbers drawn from m none is drawn twice with a chance of exp(-n (n - 1) / 2m) at most, and amounts crowd.

    Examples
    --------
    >>> import numpy as np
    >>> are_numbering(np.random.default_rng(0).permutation(600)[:200]), are_numbering(np.array([3.0, 90, 400, 7]))
    (True, False)
    """
    steps, span = numbers[1:] - numbers[:-1], float(numbers.max() - numbers.min()) + 1
    is_rising = bool((steps > 0).all() or (steps < 0).all())
    return is_rising or numbers.size * (numbers.size - 1) / (2 * span) >= NO_CHANCE
