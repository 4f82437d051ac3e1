"""The cell key method: each cell deviates by what the keys of its records say, so that the same records always do."""

from dataclasses import dataclass
from secrets import token_bytes
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.tables.cells.table import Table
from sfumato.tables.perturbation._perturbation_table import PerturbationTable

if TYPE_CHECKING:
    import polars as pl

KEY_BITS = 24  # so that sums over 500 million records are exact in any order
KEYS = 2**KEY_BITS
EXACT = 2.0**53  # the largest sum that is
MOST_DECIMALS, ROUNDING = 6, 1e-12  # decimals that values may have; sums of decimals are off by so much of them


@dataclass(frozen=True, eq=False)
class Perturbed:
    """A table whose cells deviate from their true values by their cell keys. It does not add up.

    Parameters
    ----------
    table
        The table as it was.
    values
        The values to publish.
    perturbation
        How likely each deviation was.
    share
        For magnitudes: the largest deviation, in percent of a cell's largest contribution; None for counts.
    """

    table: Table
    values: FloatColumn
    perturbation: PerturbationTable
    share: float | None = None

    @property
    def largest_break(self) -> float:
        """By how much the parts of some total differ from it at most, as they are published."""
        return float(np.abs(self.table.relations @ self.values).max(initial=0.0))

    def to_frame(self) -> "pl.DataFrame":
        """Return the cells for publication as a polars dataframe: a column for each dimension, and the values."""
        import polars as pl

        name = "count" if self.table.value_name is None else self.table.value_name
        return self.table.to_frame().select(*self.table.names, pl.Series(name, self.values))

    def __str__(self) -> str:
        changed = int(np.count_nonzero(self.values != self.table.values))
        return (
            f"{self.table.size} cells perturbed by their cell keys, {changed} of them changed; the table does not add "
            f"up any more: parts differ from their total by up to {self.largest_break:.6g}"
        )


def draw_record_keys(count: int, rng: np.random.Generator | None = None) -> CodeColumn:
    """Return a key for each record, a whole number of 24 bits; keep them with the records, and as secret.

    Parameters
    ----------
    count
        How many records there are.
    rng
        Draws the keys; the system does when it is not given, so that nobody can draw them again.
    """
    if rng is not None:
        return rng.integers(0, KEYS, count)
    drawn = np.frombuffer(token_bytes(3 * count), dtype=np.uint8).reshape(count, 3).astype(np.int64)
    return np.asarray(drawn @ np.array([1, 2**8, 2**16]))


def cell_keys(of_keys: Table) -> CodeColumn:
    """Return the key of each cell: the sum of its records' keys, without what exceeds 24 bits.

    Parameters
    ----------
    of_keys
        The table with the records' keys as its value, unweighted: `Table.from_records(people, by, "key")`.
    """
    sums = of_keys.values
    if (sums != np.floor(sums)).any() or (sums < 0).any() or (sums >= EXACT).any():
        raise DataError(
            f"record keys must be whole numbers of {KEY_BITS} bits, added up without weights; the sums in "
            f"'{of_keys.value_name}' are not: draw keys with draw_record_keys, or multiply keys between 0 and 1 by "
            f"{KEYS} and cut them to whole numbers"
        )
    return np.asarray(sums.astype(np.int64) % KEYS)


def perturb(table: Table, of_keys: Table, perturbation: PerturbationTable, *, share: float | None = None) -> Perturbed:
    """Let each cell deviate by what its cell key says.

    A count deviates by what the perturbation table has for it. A magnitude deviates by `share` percent of the cell's
    largest contribution at most: by d / largest of that, with d the deviation that the table has for large counts. It
    is rounded to the decimals that the table's values have.

    Parameters
    ----------
    table
        The table to protect.
    of_keys
        The same cells with the sums of the records' keys: `Table.from_records(people, by, "key")`.
    perturbation
        How likely each deviation is.
    share
        For magnitudes, and only for them: the largest deviation in percent of the largest contribution, up to 100.

    Effect on risk
        Differences between tables tell nothing new, as the same records deviate alike in every table. A cell is known
        to within the largest deviation, and sums over many cells narrow that: compare with `compare_protections`.
    Effect on utility
        No cell is hidden and none is biased; totals are as accurate as small cells, but do not add up.
    Source
        Fraser and Wooton (2005), A proposed method for confidentialising tabular output to protect against
        differencing; Thompson, Broadfoot and Elazar (2013), as for the perturbation table.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"town": [*"AAAAABBBBBBB"], "key": draw_record_keys(12, np.random.default_rng(3))})
    >>> counts, of_keys = Table.from_records(people, ["town"]), Table.from_records(people, ["town"], "key")
    >>> perturb(counts, of_keys, PerturbationTable.of_maximum_entropy(2, 1.0)).values
    array([12.,  5.,  6.])
    """
    _check(table, of_keys, share)
    uniforms = cell_keys(of_keys) / KEYS
    if share is None:
        deviations = perturbation.deviate(table.values.astype(np.int64), uniforms)
        return Perturbed(table, table.values + deviations, perturbation)
    assert table.contributions is not None  # noqa: S101 - checked above
    many = np.full(table.size, len(perturbation.probabilities) - 1)
    shares = perturbation.deviate(many, uniforms) / perturbation.largest * share / 100
    deviating = table.values + shares * table.contributions.amounts[:, 0]
    return Perturbed(table, np.round(deviating, decimals_of(table.values)), perturbation, share)


def decimals_of(values: FloatColumn) -> int:
    """Return how many decimals the values have, six at most: what deviates must not be told by having more.

    Examples
    --------
    >>> decimals_of(np.array([12.0, 3.25])), decimals_of(np.array([1e6]))
    (2, 0)
    """
    for decimals in range(MOST_DECIMALS):
        if np.allclose(values, np.round(values, decimals), rtol=ROUNDING, atol=0):
            return decimals
    return MOST_DECIMALS


def _check(table: Table, of_keys: Table, share: float | None) -> None:
    if table.names != of_keys.names or not np.array_equal(table.codes, of_keys.codes):
        raise DataError("the table of keys must have the cells of the table itself; make both with the same dimensions")
    if share is None and (table.value_name is not None or (table.values != np.floor(table.values)).any()):
        held = "weighted counts" if table.value_name is None else table.value_name
        raise DataError(f"without `share` only whole counts can be perturbed; the table holds {held}")
    if share is not None and table.contributions is None:
        raise DataError("`share` goes with magnitudes whose largest contributions are known; the table holds none")
    if share is not None and not 0 < share <= 100:
        raise ParameterError([f"perturb.share must be in (0, 100]; got {share!r}"])
