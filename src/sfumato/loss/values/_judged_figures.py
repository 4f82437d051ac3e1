"""The figures of two files that are judged: which share of them is off, and which share may be."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.loss.values._kept_figures import Codes, moments_kept, off_by_column, shares_kept, totals_kept
from sfumato.loss.values._kept_relations import MovedRelations
from sfumato.loss.values._sampling_limits import PercentsOff, sampling_limits
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows


@dataclass(frozen=True, eq=False)
class JudgedFigures:
    """Two files and what is judged in them.

    Parameters
    ----------
    before, after
        The columns of both files (records x columns, missing is NaN).
    domains
        The rows of both files in each domain; the first is the whole file.
    moved
        How far the correlations of each domain moved.
    tables
        The tables of shares; the first `own` are of one column of categories, and have totals too.
    ratio
        How long the masked file is, as a part of the original.
    seed
        Where the draws of samples begin.
    """

    before: FloatMatrix
    after: FloatMatrix
    domains: Sequence[tuple[Rows, Rows]]
    moved: Sequence[MovedRelations]
    tables: Sequence[Codes]
    own: int
    ratio: float
    seed: int

    def errors(self, tolerance: float) -> float:
        """Return in standard errors of the original what is some of those of the difference of two samples."""
        return float(tolerance * np.sqrt(1 + 1 / self.ratio))

    def off(self, tolerance: float) -> PercentsOff:
        """Return the percent of figures that moved by more than so many errors of a difference, or are gone."""
        far = self.errors(tolerance)
        by_domain = [moments_kept(self.before[one], self.after[other], far) for one, other in self.domains]
        moments = [figure.ravel() for domain in by_domain for figure in (domain.means, domain.covariances)]
        relations = [np.where(np.isnan(part.by_errors), np.nan, part.by_errors <= far) for part in self.moved]
        shares = [shares_kept(cells, far) for cells in self.tables]
        totals = [totals_kept(self.before, self.after, cells, far).ravel() for cells in self.tables[: self.own]]
        return PercentsOff(
            percent_off(np.concatenate(moments)),
            percent_off(np.concatenate([part.ravel() for part in relations])),
            percent_off(np.concatenate([*shares, *totals, []])),
            off_by_column(by_domain, relations),
            np.array([percent_off(table) for table in shares[: self.own]]),
        )

    def limits(self, tolerance: float) -> PercentsOff:
        """Return the percent of figures that are off by as much in another sample, at most."""
        rows, rng = [rows for rows, _ in self.domains], np.random.default_rng(self.seed)
        return sampling_limits(self.before, rows, self.tables, self.own, self.ratio, tolerance, rng)

    def of_whole(self) -> "JudgedFigures":
        """Return the moments and relations of the whole file alone."""
        return replace(self, domains=self.domains[:1], moved=self.moved[:1], tables=(), own=0)

    @property
    def lost(self) -> FloatColumn:
        """How far each correlation would move if it became 0, in standard errors; NaN for those not judged."""
        return np.concatenate([part.if_lost.ravel() for part in self.moved])


def percent_off(kept: FloatColumn) -> float:
    """Return the percent of figures that are not kept; NaN are not looked at."""
    judged = kept[~np.isnan(kept)]
    return 100 * float(np.mean(judged == 0)) if judged.size else 0.0
