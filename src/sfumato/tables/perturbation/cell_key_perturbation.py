"""Cell key perturbation: each cell deviates by what the keys of its records say, so that the same records always do."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.display import format_compact
from sfumato.documents import ExistingFile
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Percent
from sfumato.tables.cells.cell_keys import KEYS
from sfumato.tables.perturbation_table import PerturbationTable
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import OnProgress, ProtectedCells, Protection, known_between

MAX_DECIMALS, ROUNDING = 6, 1e-12  # decimals that values may have; sums of decimals are off by so much of them


class CellKeyPerturbation(Protection):
    """Let each cell deviate by what its cell key says, alike in every table of the same records.

    A count deviates by what a perturbation table of maximum entropy has for it. A magnitude deviates by `max_percent`
    of the cell's largest contribution at most: by d / `max_deviation` of that, with d the deviation that the table has
    for large counts. It is rounded to the decimals that the table's values have.

    Parameters
    ----------
    max_deviation
        The largest deviation of a count.
    variance
        The variance of the deviations from every count but 0; below `max_deviation`.
    min_count
        The smallest count besides 0 that is ever published.
    ptable
        In place of those three, a CSV file of a perturbation table: a row for each count and result with its
        probability, in columns `i`, `j` and `p`, as R's ptable writes them, or `count`, `result` and `probability`.
    max_percent
        For magnitudes, and only for them: the largest deviation, in percent of a cell's largest contribution.

    Effect on risk
        Differences between tables tell nothing new, as the same records deviate alike in every table. A cell is known
        to within the largest deviation, and sums over many cells narrow that: compare with `compare_protections`.
    Effect on utility
        No cell is suppressed and none is biased; totals are as accurate as small cells, but do not add up.
    Source
        Fraser and Wooton (2005), A proposed method for confidentialising tabular output to protect against
        differencing; Thompson, Broadfoot and Elazar (2013), as for the perturbation table.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables import Table, draw_record_keys, protect
    >>> people = pl.DataFrame({"town": [*"AAAAABBBBBBB"], "key": draw_record_keys(12, np.random.default_rng(3))})
    >>> counts = Table.from_records(people, ["town"], key="key")
    >>> protect(counts, CellKeyPerturbation(max_deviation=2, variance=1)).values()
    array([12.,  5.,  6.])
    """

    family: ClassVar[str] = "perturbation"
    needs_rules: ClassVar[bool] = False
    needs_keys: ClassVar[bool] = True

    max_deviation: int | None = Field(default=None, ge=1, le=1000, examples=[3])
    variance: float | None = Field(default=None, gt=0, examples=[2.0])
    min_count: int | None = Field(default=None, ge=1)
    max_percent: Percent | None = None
    ptable: ExistingFile | None = None

    @model_validator(mode="after")
    def _check_one_table(self) -> Self:
        made = {"max_deviation": self.max_deviation, "variance": self.variance, "min_count": self.min_count}
        given = [name for name, parameter in made.items() if parameter is not None]
        if self.ptable is not None and given:
            raise ValueError(f"ptable stands in place of {', '.join(made)}; leave out {', '.join(given)}, or ptable")
        if self.ptable is None and (self.max_deviation is None or self.variance is None):
            raise ValueError("max_deviation and variance are needed, or the file of a perturbation table as ptable")
        return self

    @property
    def perturbation(self) -> PerturbationTable:
        """How likely each deviation is."""
        if self.ptable is not None:
            return PerturbationTable.read_csv(self.ptable)
        return PerturbationTable.of_maximum_entropy(
            self.max_deviation or 0, self.variance or 0.0, min_count=self.min_count or 1
        )

    def protect(self, problem: Problem, rng: np.random.Generator, on_progress: OnProgress = None) -> "Perturbed":
        """Return the cells with their deviations; nothing is drawn."""
        return perturb(problem, self.perturbation, max_percent=self.max_percent)


@dataclass(frozen=True, eq=False, repr=False)
class Perturbed(ProtectedCells):
    """Cells that deviate from their true values by their cell keys. They do not add up.

    Parameters
    ----------
    values
        The cells as they were.
    perturbed
        The cells to publish.
    perturbation
        How likely each deviation was.
    max_percent
        For magnitudes: the largest deviation, in percent of a cell's largest contribution; None for counts.
    largest_break
        By how much the parts of some total differ from it at most, as they are published.
    """

    values: FloatColumn
    perturbed: FloatColumn
    perturbation: PerturbationTable
    max_percent: float | None
    largest_break: float

    @property
    def notice(self) -> str:
        """That figures deviate."""
        return "Figures deviate a little from the true ones to protect contributors; they need not add up."

    def publish(self, problem: Problem) -> FloatColumn:
        """Return the perturbed cells."""
        return self.perturbed

    def bounds(self, problem: Problem) -> tuple[FloatColumn, FloatColumn]:
        """Return what the true values can be.

        A count lies between the smallest and the largest count that can have become what is published. A magnitude z
        lies between z / (1 + share) and z / (1 - share), and what rounding adds, as no contribution to it is larger
        than the whole; where values may be negative no bound follows.
        """
        if self.max_percent is None:
            smallest, largest = self.perturbation.origins(np.rint(self.perturbed).astype(np.int64))
            return known_between(problem, smallest.astype(np.float64), largest.astype(np.float64))
        if (problem.lower < 0).any():
            return problem.lower, problem.upper
        share, rounding = self.max_percent / 100, 0.5 * 10.0 ** -decimals_of(self.values)
        lower, upper = self.perturbed - rounding, self.perturbed + rounding
        largest_values = upper / (1 - share) if share < 1 else np.full(upper.size, np.inf)
        return known_between(problem, lower / (1 + share), largest_values)

    def to_dict(self) -> dict[str, Any]:
        """Return by how much sums are broken at most."""
        return {"largest_break": self.largest_break}

    def __str__(self) -> str:
        changed = int(np.count_nonzero(self.perturbed != self.values))
        return (
            f"{self.values.size} cells perturbed by their cell keys, {changed} of them changed; the table does not add "
            f"up any more: parts differ from their total by up to {format_compact(self.largest_break)}"
        )


def perturb(problem: Problem, perturbation: PerturbationTable, *, max_percent: float | None = None) -> Perturbed:
    """Return the cells of a problem, each with the deviation that its key stands for.

    Parameters
    ----------
    problem
        The cells with their keys; which of them are unsafe plays no part.
    perturbation
        How likely each deviation is.
    max_percent
        As in `CellKeyPerturbation`.
    """
    if problem.keys is None:
        raise DataError(
            "cell key perturbation: the cells have no keys; name the column of keys, of records or of cells, as `key`"
        )
    uniforms, values = problem.keys / KEYS, problem.values
    if max_percent is None:
        if problem.largest is not None or (values != np.floor(values)).any():
            held = "weighted counts" if problem.largest is None else "magnitudes"
            raise DataError(f"without `max_percent` only whole counts can be perturbed; the table holds {held}")
        perturbed = values + perturbation.deviate(values.astype(np.int64), uniforms)
    else:
        if problem.largest is None:
            raise DataError("`max_percent` goes with magnitudes; the table holds counts: leave it out")
        many = np.full(problem.size, len(perturbation.probabilities) - 1)
        shares = perturbation.deviate(many, uniforms) / perturbation.max_deviation * max_percent / 100
        perturbed = np.round(values + shares * problem.largest, decimals_of(values))
    largest_break = float(np.abs(problem.relations @ perturbed).max(initial=0.0))
    return Perturbed(values, perturbed, perturbation, max_percent, largest_break)


def decimals_of(values: FloatColumn) -> int:
    """Return how many decimals the values have, six at most: what deviates must not be told by having more.

    Examples
    --------
    >>> decimals_of(np.array([12.0, 3.25])), decimals_of(np.array([1e6]))
    (2, 0)
    """
    for decimals in range(MAX_DECIMALS):
        if np.allclose(values, np.round(values, decimals), rtol=ROUNDING, atol=0):
            return decimals
    return MAX_DECIMALS
