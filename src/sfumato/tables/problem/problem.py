"""What a suppression pattern has to achieve, in arrays: the one form that optimisers, heuristics and audits share."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.tables.cells.name_list import list_names

OUTSIDER = 0  # the number of the intruder who knows no cell
NOBODY_KNOWS: Rows = np.empty(0, dtype=np.int64)
EXACT_SHARE = 1e-3  # of a value: whoever cannot rule out that much more has not worked it out exactly


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """Cells that add up, those to suppress, and what each intruder must not learn.

    A table, several linked tables, or a part of one. Nothing here knows of dimensions, codes or rules.

    Parameters
    ----------
    values
        What each cell holds.
    relations
        The sparse matrix A (relations by cells) with A values = 0: +1 for a part, -1 for its total.
    lower, upper
        The bounds within which every intruder knows each cell to lie, whatever is suppressed.
    costs
        The loss of suppressing each cell; 0 or more.
    primaries
        The cells that must be suppressed and protected.
    upper_levels, lower_levels, sliding_levels
        For each primary: how far above and how far below its value an intruder must be unable to rule values out, and
        how wide the interval of values that remain must be.
    must_suppress
        The cells that are suppressed whatever happens: the primaries, and others for another reason.
    must_publish
        The cells that must be published.
    intruders
        For each intruder the cells whose values that intruder knows beforehand. The first is the outsider, who knows
        none. An intruder is not kept from cells that they know.
    names
        What to call each cell in messages; their numbers when there are none.
    spared
        For each intruder the primaries that they need not be kept from, though they do not know them; nobody has any
        when it is empty. The outsider has none in any case.
    only_exact
        For each intruder whether they need only be kept from working primaries out exactly: they must be unable to
        rule out a value that is a thousandth larger, or larger by the upper level where that is less. False for the
        outsider, and for everybody when it is empty.
    keys
        For each cell a number of 24 bits that follows from its records alone; None where it is not known.
    largest
        For each cell its largest contribution; None in counts, and where it is not known.
    """

    values: FloatColumn
    relations: Any  # scipy.sparse.csr_array
    lower: FloatColumn
    upper: FloatColumn
    costs: FloatColumn
    primaries: Rows
    upper_levels: FloatColumn
    lower_levels: FloatColumn
    sliding_levels: FloatColumn
    must_suppress: Booleans
    must_publish: Booleans
    intruders: tuple[Rows, ...] = (NOBODY_KNOWS,)
    names: tuple[str, ...] = ()
    spared: tuple[Rows, ...] = ()
    only_exact: tuple[bool, ...] = ()
    keys: CodeColumn | None = None
    largest: FloatColumn | None = None

    def __post_init__(self) -> None:
        cells, primaries = self.values.size, self.primaries.size
        if self.relations.shape[1] != cells:
            raise DataError(
                f"Problem: the relations must have {cells} columns, one per cell; got {self.relations.shape[1]}"
            )
        for part, size in (
            ("lower", cells),
            ("upper", cells),
            ("costs", cells),
            ("must_suppress", cells),
            ("must_publish", cells),
            ("upper_levels", primaries),
            ("lower_levels", primaries),
            ("sliding_levels", primaries),
        ):
            if getattr(self, part).shape != (size,):
                raise DataError(f"Problem: {part} must have {size} entries; got {getattr(self, part).shape}")
        for part, given in (("spared", len(self.spared)), ("only_exact", len(self.only_exact))):
            if given and given != len(self.intruders):
                raise DataError(
                    f"Problem: {part} must have {len(self.intruders)} entries, one per intruder, or none at all; "
                    f"got {given}"
                )
        if self.spared and self.spared[0].size:
            raise DataError("Problem: the outsider must be kept from every primary; spared must begin with no cells")
        if self.only_exact and self.only_exact[0]:
            raise DataError("Problem: the outsider must be kept away by whole levels; only_exact must begin with False")

    def __repr__(self) -> str:
        return f"<Problem: {self.size} cells, {self.primaries.size} unsafe, {len(self.intruders)} intruders>"

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.values.size

    @cached_property
    def room_above(self) -> FloatColumn:
        """How far the intruder's upper bound lies above each value."""
        return np.maximum(self.upper - self.values, 0.0)

    @cached_property
    def room_below(self) -> FloatColumn:
        """How far the intruder's lower bound lies below each value."""
        return np.maximum(self.values - self.lower, 0.0)

    def open_to(self, intruder: int) -> Rows:
        """Return the cells that an intruder is not kept from: those that they know, and those that they are spared."""
        known = self.intruders[intruder]
        return np.union1d(known, self.spared[intruder]) if self.spared else known

    @property
    def everybody(self) -> Rows:
        """The numbers of all intruders."""
        return np.arange(len(self.intruders))

    @cached_property
    def one_of_each(self) -> Rows:
        """The outsider, and one of those who are only kept from exact values, where there are any."""
        first: Rows = np.unique(self._kinds, return_index=True)[1]
        return first

    def levels_for(self, intruders: int | Rows, primaries: int | Rows | slice = slice(None)) -> FloatMatrix:
        """Return how far intruders must be kept from primaries, as three rows: above, below, and the width.

        Parameters
        ----------
        intruders
            One intruder; or several with one primary each; or several with all primaries, which gives for each row the
            intruders by the primaries.
        primaries
            The places of the primaries among all of them; all when not given.
        """
        levels: FloatMatrix = self._levels[:, self._kinds[intruders], primaries]
        return levels

    @cached_property
    def _levels(self) -> FloatMatrix:
        """The levels as three rows, whole and for those who are only kept from exact values, by primaries."""
        whole = np.stack([self.upper_levels, self.lower_levels, self.sliding_levels])
        more = EXACT_SHARE * np.maximum(np.abs(self.values[self.primaries]), self.upper_levels)
        exact = np.stack([np.minimum(self.upper_levels, more), *np.zeros((2, self.primaries.size))])
        return np.stack([whole, exact], axis=1)

    @cached_property
    def _kinds(self) -> Rows:
        return np.array(self.only_exact or (False,) * len(self.intruders), dtype=np.int64)

    def cell_name(self, cell: int) -> str:
        """Return what to call a cell in messages."""
        return self.names[cell] if self.names else f"cell {cell}"

    def name_cells(self, cells: Rows, most: int) -> str:
        """Return what to call some cells in messages: the first of them, and how many more there are."""
        return list_names([self.cell_name(cell) for cell in cells.tolist()], most)

    def cost(self, suppressed: Booleans) -> float:
        """Return the cost of the cells that a pattern suppresses beyond those that are suppressed anyway."""
        return float(self.costs[suppressed & ~self.must_suppress].sum())
