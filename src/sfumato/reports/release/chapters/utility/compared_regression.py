"""A regression as a user of a release may run it, on both files: coefficients, errors and what can be told from 0."""

from typing import NamedTuple

import numpy as np

from sfumato.comparison.recoding import has_same_classes
from sfumato.data import CATEGORICAL, Kind, Microdata, Role
from sfumato.data.kinds import CONTENT_ROLES
from sfumato.errors import SfumatoError
from sfumato.regression import LinearRegression
from sfumato.regression.comparison import fit_intervals, interval_overlaps
from sfumato.reports.release.chapters.utility.compared_statistics import differs, numbers_of_both

MAX_PREDICTORS = 4
MAX_LEVELS = 8  # categories of a predictor
CONSTANT = "constant"


class ComparedCoefficient(NamedTuple):
    """A coefficient in both files, how much of its two 95 % confidence intervals is common, and half of each."""

    name: str
    before: float
    after: float
    overlap: float
    reach_before: float
    reach_after: float

    @property
    def is_outside(self) -> bool:
        """Whether the released coefficient lies outside the interval from the original."""
        return abs(self.after - self.before) > self.reach_before

    @property
    def is_clear_before(self) -> bool:
        """Whether the interval from the original leaves 0 out."""
        return abs(self.before) > self.reach_before

    @property
    def is_clear_after(self) -> bool:
        """Whether the interval from the released file leaves 0 out."""
        return abs(self.after) > self.reach_after


class ComparedRegression(NamedTuple):
    """A regression on both files: coefficients that both tell, records of each, and what not both tell."""

    formula: str
    coefficients: tuple[ComparedCoefficient, ...]
    records_before: int
    records_after: int
    untold: tuple[str, ...] = ()

    @property
    def effects(self) -> tuple[ComparedCoefficient, ...]:
        """All coefficients but the constant."""
        return tuple(one for one in self.coefficients if one.name != CONSTANT)

    @property
    def widening(self) -> float:
        """How many times as wide the interval of an effect is as it was: the middle one of all."""
        ratios = [one.reach_after / one.reach_before for one in self.effects if one.reach_before > 0]
        return float(np.median(ratios)) if ratios else 1.0


def compare_regression(original: Microdata, released: Microdata) -> ComparedRegression | None:
    """Return a regression as a user may run it, on both files; None where no variables suit, or it cannot be fitted.

    The first confidential number is explained, or the last number where none is, by up to four other variables that
    are the same in both files. Of a number with one value only there is nothing to explain.
    """
    both = numbers_of_both(original, released)
    numbers = tuple(name for name in both if differs(original, name) and differs(released, name))
    confidential = [name for name in numbers if original.schema[name].role is Role.CONFIDENTIAL]
    if not numbers:
        return None
    response = confidential[0] if confidential else numbers[-1]
    others = [
        one.name
        for one in original.schema.variables
        if one.name != response
        and one.role in CONTENT_ROLES
        and one.name in released.schema
        and _is_predictor(original, released, one.name, numbers)
    ]
    others.sort(key=lambda name: original.schema[name].role is not Role.KEY)  # keys first, in the order of the file
    if not others:
        return None
    formula = f"{response} ~ {' + '.join(others[:MAX_PREDICTORS])}"
    try:
        before, after = LinearRegression(formula).fit_all([original, released])
    except (SfumatoError, np.linalg.LinAlgError):
        return None
    intervals = [fit_intervals(one) for one in (before, after)]
    rows = zip(
        before.names,
        before.estimates.tolist(),
        after.estimates.tolist(),
        interval_overlaps(*intervals).tolist(),
        *((np.diff(one, axis=1)[:, 0] / 2).tolist() for one in intervals),
        strict=True,
    )
    known = tuple(ComparedCoefficient(*row) for row in rows if np.isfinite(row[1:]).all())
    told = {one.name for one in known}
    untold = tuple(name for name in before.names if name not in told)
    return ComparedRegression(formula, known, before.records, after.records, untold) if known else None


def _is_predictor(original: Microdata, released: Microdata, name: str, numbers: tuple[str, ...]) -> bool:
    if original.schema[name].kind is Kind.CONTINUOUS:
        return name in numbers
    if original.schema[name].kind not in CATEGORICAL:
        return False
    is_small = 1 < original.summary.distinct(name) <= MAX_LEVELS
    return is_small and bool(released.observed(name).any()) and has_same_classes(original, released, name)
