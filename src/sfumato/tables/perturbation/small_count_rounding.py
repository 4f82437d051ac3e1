"""Small count rounding: counts below a base become 0 or the base, all others stay, and totals are added up anew."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from sfumato.errors import DataError
from sfumato.kernels.tables.small_counts import settle_small
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.perturbation._inner_cells import sums_of_inner
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import OnProgress, ProtectedCells, Protection, known_between

ROUNDS = 20  # other counts that each count at the base is held against, each time
ANY_NUMBER = -(2**40)  # of counts at the base that a sum may have; far below any that is counted


class SmallCountRounding(Protection):
    """Round counts below a base to 0 or the base so that totals stay near, and leave all other counts as they are.

    Only inner cells are rounded, those that are no total; every total is the sum of what its inner cells became. Zeros
    stay. A total below the base becomes 0 or the base too, and so no count between them is published. Which counts
    become 0 and which the base begins with a draw, each by its chance of being nearer, and changes as long as that
    brings the totals nearer to the true ones, by the sum of their squared differences.

    Parameters
    ----------
    base
        The smallest count besides 0 that is published.

    Effect on risk
        Nobody sees a count between 0 and the base: a published 0 may stand for each of them, and a published base too.
        Larger inner cells are exact, and whoever knows the method can tell that. Where rules say what is unsafe, the
        audit tells which unsafe cells that leaves open: those of `base` and more.
    Effect on utility
        No cell is suppressed, all sums hold, and inner cells of the base and more are exact. Totals are off by what
        rounding leaves, which is kept small for all of them together.
    Source
        Langsrud and Heldal (2018), An algorithm for small count rounding of tabular data, for the idea.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables import Table, protect
    >>> people = pl.DataFrame({"town": [*"AAAAAAAABBBBBBBBCCCCCCCC"], "sick": [*"ynnnnnnnyynnnnnnyyynnnnn"]})
    >>> table = Table.from_records(people, ["town", "sick"])
    >>> rounded = protect(table, SmallCountRounding(base=3), seed=1)
    >>> rounded.values()[[table.cell(town=town, sick="n") for town in "ABC"]]
    array([7., 6., 5.])
    >>> sorted(rounded.values()[[table.cell(town=town, sick="y") for town in "ABC"]].tolist())
    [0.0, 3.0, 3.0]
    """

    family: ClassVar[str] = "perturbation"
    needs_rules: ClassVar[bool] = False

    base: int = Field(ge=2, le=1_000_000, examples=[3])

    def protect(self, problem: Problem, rng: np.random.Generator, on_progress: OnProgress = None) -> "SmallRounded":
        """Return the cells with small counts rounded."""
        return round_small(problem, self.base, rng)


@dataclass(frozen=True, eq=False, repr=False)
class SmallRounded(ProtectedCells):
    """Counts of which small ones are rounded. They add up.

    Parameters
    ----------
    values
        The cells as they were.
    rounded
        The cells to publish.
    base
        The smallest count besides 0 that is published.
    inner
        Which cells are no totals.
    sums
        The sparse matrix that makes all cells of the inner ones.
    """

    values: FloatColumn
    rounded: FloatColumn
    base: int
    inner: Booleans
    sums: Any  # scipy.sparse.csr_array

    @property
    def notice(self) -> str:
        """That small counts are rounded."""
        return (
            f"Counts below {self.base} are rounded to 0 or {self.base} to protect people; totals are sums of rounded "
            "counts."
        )

    def publish(self, problem: Problem) -> FloatColumn:
        """Return the rounded cells."""
        return self.rounded

    def bounds(self, problem: Problem) -> tuple[FloatColumn, FloatColumn]:
        """Return what the true counts can be.

        An inner cell of 0 may have been anything below the base, one of the base anything up to it but 0, and every
        other is exact. A total lies between the sums of what its inner cells can be; and as totals below the base are
        rounded too, one that is published above it is no less than that.
        """
        lowest = np.where(self.rounded == self.base, 1.0, self.rounded)
        highest = np.where(self.rounded == 0, self.base - 1.0, self.rounded)
        lower, upper = self.sums @ np.where(self.inner, lowest, 0.0), self.sums @ np.where(self.inner, highest, 0.0)
        lower = np.where(self.rounded > self.base, np.maximum(lower, self.base), lower)
        return known_between(problem, lower, upper)

    def to_dict(self) -> dict[str, Any]:
        """Return the base, how many cells changed, and how far totals are off."""
        off = np.abs(self.rounded - self.values)
        return {
            "base": self.base,
            "changed": int(np.count_nonzero(off)),
            "largest_deviation": float(off.max(initial=0.0)),
            "mean_deviation_of_totals": float(off[~self.inner].mean()) if (~self.inner).any() else 0.0,
        }

    def __str__(self) -> str:
        small = int(np.count_nonzero((self.values > 0) & (self.values < self.base) & self.inner))
        return (
            f"{self.values.size} cells, of whose inner ones {small} are below {self.base} and became 0 or {self.base}"
        )


def round_small(problem: Problem, base: int, rng: np.random.Generator) -> SmallRounded:
    """Return counts of which those below a base became 0 or the base.

    Parameters
    ----------
    problem
        The counts and their relations; which of them are unsafe plays no part.
    base
        As in `SmallCountRounding`.
    rng
        Draws where the search begins.
    """
    values = problem.values
    wrong = np.flatnonzero((values != np.rint(values)) | (values < 0))
    if wrong.size:
        raise DataError(
            f"small_count_rounding: it rounds counts, whole numbers of 0 or more; {wrong.size} cells hold others, "
            f"{problem.cell_name(int(wrong[0]))} among them; take controlled_rounding"
        )
    inner, sums = sums_of_inner(problem)
    is_small = (values > 0) & (values < base)
    cells = np.flatnonzero(is_small & inner)
    columns = sums.tocsc()[:, cells]
    starts, parts = columns.indptr.astype(np.int64), columns.indices.astype(np.int64)
    rests = -(columns @ values[cells])
    ups = np.where(is_small, 0, ANY_NUMBER)
    is_up = _draw_start(starts, parts, rng.random(cells.size) < values[cells] / base, ups)
    rests += base * (columns @ is_up.astype(np.float64))
    others = rng.integers(0, max(cells.size, 1), (ROUNDS, cells.size))
    settle_small(starts, parts, float(base), others, rests, ups, is_up)
    return SmallRounded(values, np.rint(values + rests), base, inner, sums)


def _draw_start(starts: Any, parts: Any, drawn: Booleans, ups: Any) -> Booleans:
    """Return which counts are at the base in the beginning; `ups` counts them in place."""
    is_up = np.zeros(drawn.size, dtype=np.bool_)
    for count in np.flatnonzero(drawn).tolist():
        mine = parts[starts[count] : starts[count + 1]]
        if (ups[mine] <= 0).all():
            is_up[count] = True
            ups[mine] += 1
    return is_up
