"""Who has a value at all, and who one of the few that many have: missing values, zeros and other spikes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.errors import DataError
from sfumato.masking.synthesis._grids.grids import find_spikes
from sfumato.masking.synthesis._models.contract import Drawn, FittedModel, Settings
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.masking.synthesis._trees.donor_trees import DonorTree, draw_from_leaves, fit_donor_tree
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

ORDINARY, MISSING = 0, 1  # spikes have the numbers from 2, codes for other ways to be missing those after them


def states_of(column: ObservedColumn, fewest: int) -> CodeColumn:
    """Return the state of each record: 0 with an ordinary value, 1 without one, from 2 with a number that many have.

    Many are `fewest` at least. Each further code that stands for missing is a state after these.

    Examples
    --------
    >>> from sfumato.data import Kind
    >>> wages = np.array([0.0] * 20 + [np.nan] + [float(wage) for wage in range(1, 11)])
    >>> np.bincount(states_of(ObservedColumn("wage", Kind.CONTINUOUS, wages), 5))
    array([10,  1, 20])
    """
    is_missing = np.isnan(column.values)
    states = np.where(is_missing, MISSING, ORDINARY)
    if not column.is_number or is_missing.all():
        return column.tell_gaps(states)
    spikes = find_spikes(column.values, fewest)
    if spikes.size:
        place = np.minimum(np.searchsorted(spikes, column.values), spikes.size - 1)
        states = np.where(spikes[place] == column.values, place + 2, states)
    return column.tell_gaps(states)


@dataclass(frozen=True, eq=False)
class DonorModel:
    """Donors of whole cells, drawn from the leaves of a tree.

    Parameters
    ----------
    tree
        The tree.
    names
        The columns that it predicts from.
    donors, leaves, weights
        The rows that lend, the leaf of each, and its weight there.
    """

    tree: DonorTree
    names: tuple[str, ...]
    donors: Rows
    leaves: CodeColumn
    weights: FloatColumn

    @classmethod
    def fit(
        cls,
        response: CodeColumn | FloatColumn,
        rows: Rows,
        before: Sequence[ObservedColumn],
        settings: Settings,
        rng: np.random.Generator,
    ) -> "DonorModel":
        """Return the model of a response of some rows, which lend their cells."""
        tree = fit_donor_tree(response, before, rows, settings.min_leaf, settings.fewest, rng)
        leaves = tree.leaves([column.values[rows] for column in before], rows.size)
        return cls(tree, tuple(column.name for column in before), rows, leaves, settings.weights(rows.size, rng))

    def wanted(self, before: Drawn, n: int) -> CodeColumn:
        """Return the leaf of each synthetic record."""
        return self.tree.leaves([before[name] for name in self.names], n)

    def pull(self, before: Drawn, leaves: CodeColumn) -> FloatColumn:
        """Return how far each record is drawn up within its leaf."""
        return self.tree.pull(leaves, [before[name] for name in self.names])

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return cells of donors."""
        places = draw_from_leaves(self.leaves, self.wanted(before, n), self.weights, rng.random(n))
        return DrawnColumn.copied(self.donors[places])


@dataclass(frozen=True, eq=False)
class StatedModel:
    """A column in two stages: the state of each record, then the values of those with an ordinary one.

    Parameters
    ----------
    column, states
        The original column, and the state of each of its records.
    state_model
        Who is in which state; none where all have an ordinary value.
    value_model
        The values; none where nobody has an ordinary one.
    """

    column: ObservedColumn
    states: CodeColumn
    state_model: DonorModel | None
    value_model: FittedModel | None

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return states, and values in the place of the ordinary one.

        No cell with a number is copied: it may stand as another one in the column that models see.
        """
        everybody = DrawnColumn.copied(np.full(n, np.argmax(self.states == ORDINARY)))
        drawn = everybody if self.state_model is None else self.state_model.draw(before, n, rng)
        if self.column.is_number:
            drawn = DrawnColumn(drawn.donors, self.column.values[drawn.donors])
        takers = np.flatnonzero(self.states[drawn.donors] == ORDINARY)
        if not takers.size or self.value_model is None:
            return drawn
        theirs = {name: values[takers] for name, values in before.items()}
        found = self.value_model.draw(theirs, takers.size, rng)
        if self.column.grid is not None:
            found = DrawnColumn(found.donors, self.column.grid.round(found.numbers))
        return drawn.replace_rows(takers, found)


def fit_stated(
    column: ObservedColumn,
    before: Sequence[ObservedColumn],
    settings: Settings,
    rng: np.random.Generator,
    fit_ordinary: Callable[[Rows], FittedModel],
) -> StatedModel:
    """Return the model of a column: a tree for its states, and what `fit_ordinary` makes of the other rows."""
    states = states_of(column, settings.fewest)
    state_model = fit_states(column.name, states, before, settings, rng)
    rows = np.flatnonzero(states == ORDINARY)
    return StatedModel(column, states, state_model, fit_ordinary(rows) if rows.size else None)


def fit_states(
    name: str, states: CodeColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
) -> DonorModel | None:
    """Return the model of the states of a column; one that fewer than `fewest` records are in is not drawn."""
    if not states.any():
        return None
    lent = common_rows(name, states, settings.fewest)
    classes = np.unique(states[lent], return_inverse=True)[1]
    return DonorModel.fit(classes, lent, before, settings, rng)


def common_rows(name: str, codes: CodeColumn, fewest: int) -> Rows:
    """Return the rows of a column whose code at least `fewest` rows have; refuse one in which none has so many."""
    rows = np.flatnonzero(np.bincount(codes)[codes] >= fewest)
    if not rows.size:
        raise DataError(
            f"no category of '{name}' is that of {fewest} records, in the file or in a "
            f"stratum, so that each would point to somebody; join categories or strata, or leave the column out"
        )
    return rows
