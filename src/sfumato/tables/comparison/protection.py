"""What is published of a table under any protection, and what that alone tells an attacker of each cell."""

from dataclasses import dataclass

import numpy as np

from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.audit.components import check_pattern
from sfumato.tables.perturbation.cell_key_perturbation import Perturbed, decimals_of
from sfumato.tables.perturbation.controlled_adjustment import Adjusted
from sfumato.tables.perturbation.controlled_rounding import Rounded
from sfumato.tables.problem.problem import Problem


@dataclass(frozen=True, eq=False)
class Protection:
    """A table as it is published, and the bounds that an attacker who knows the method can put on every cell.

    Parameters
    ----------
    name
        What to call it in comparisons.
    values
        The published values; NaN where a cell is hidden.
    lower, upper
        Between what the true value of each cell lies, by its published value, the method and its parameters, and what
        every attacker knows beforehand. What follows from the sums is not in them yet.
    """

    name: str
    values: FloatColumn
    lower: FloatColumn
    upper: FloatColumn

    @property
    def hidden(self) -> Booleans:
        """The cells that are hidden."""
        return np.isnan(self.values)


def protection_by_suppression(problem: Problem, suppressed: Booleans, *, name: str = "suppression") -> Protection:
    """Return what is published when some cells are hidden: nothing is known of those but what was known before."""
    check_pattern(problem, suppressed)
    values = problem.values
    lower, upper = np.where(suppressed, problem.lower, values), np.where(suppressed, problem.upper, values)
    return Protection(name, np.where(suppressed, np.nan, values), lower, upper)


def protection_by_rounding(problem: Problem, rounded: Rounded, *, name: str = "rounding") -> Protection:
    """Return what is published of a rounded table.

    Each true value lies less than a base (and as many more as steps were needed) from what is published. Where all
    values are whole numbers, as counts are, that is a base less one at most; elsewhere the bounds are approached.
    """
    reach = rounded.base * (1 + rounded.steps)
    are_whole = bool((problem.values == np.rint(problem.values)).all()) and reach == np.rint(reach)
    return _around(problem, name, rounded.rounded, reach - are_whole)


def protection_by_adjustment(
    problem: Problem, adjusted: Adjusted, *, reach: float | None = None, name: str = "adjustment"
) -> Protection:
    """Return what is published of an adjusted table.

    Parameters
    ----------
    problem
        The cells.
    adjusted
        The adjustment.
    reach
        How far the attacker knows cells to have moved at most: what the publisher says of it, and no less than the
        largest move. When not given it is the largest move itself. That is harsh, as nothing in the table tells it:
        the primary that moved furthest then lies at the end of its interval, and counts as exposed.
    name
        What to call it in comparisons.
    """
    if reach is not None and not reach >= adjusted.largest_move:
        raise ParameterError([f"protection_by_adjustment.reach must be no less than the largest move; got {reach!r}"])
    return _around(problem, name, adjusted.adjusted, adjusted.largest_move if reach is None else reach)


def protection_by_cell_key(problem: Problem, perturbed: Perturbed, *, name: str = "cell key") -> Protection:
    """Return what is published of a perturbed table.

    A count lies between the smallest and the largest count that can have become what is published. A magnitude z lies
    between z / (1 + share) and z / (1 - share), and what rounding adds, as no contribution to it is larger than the
    whole; where values may be negative no bound follows.
    """
    _check_size(problem, perturbed.values)
    if perturbed.share is None:
        smallest, largest = perturbed.perturbation.origins(np.rint(perturbed.values).astype(np.int64))
        return _within(problem, name, perturbed.values, smallest.astype(np.float64), largest.astype(np.float64))
    if (problem.lower < 0).any():
        return Protection(name, perturbed.values, problem.lower, problem.upper)
    share, rounding = perturbed.share / 100, 0.5 * 10.0 ** -decimals_of(perturbed.table.values)
    lower, upper = perturbed.values - rounding, perturbed.values + rounding
    largest_values = upper / (1 - share) if share < 1 else np.full(problem.size, np.inf)
    return _within(problem, name, perturbed.values, lower / (1 + share), largest_values)


def _around(problem: Problem, name: str, values: FloatColumn, reach: float) -> Protection:
    _check_size(problem, values)
    return _within(problem, name, values, values - reach, values + reach)


def _within(problem: Problem, name: str, values: FloatColumn, lower: FloatColumn, upper: FloatColumn) -> Protection:
    return Protection(name, values, np.maximum(lower, problem.lower), np.minimum(upper, problem.upper))


def _check_size(problem: Problem, values: FloatColumn) -> None:
    if values.shape != (problem.size,):
        raise DataError(
            f"the protected table must have the {problem.size} cells of the problem, in their order; got {values.size}"
        )
