"""Values that several records share as they were made in one stratum, though the stratum itself is masked afterwards.

A mean in the place of the highest incomes of a region is another one in each run. But those who share it lived in one
region, and most of them may still show it: together they name it, and so does the size of the value, as runs tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Microdata
from sfumato.intruder.coded_columns import combination_codes
from sfumato.intruder.learnt.displacements import transition_matrix
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Floats, Rows

LEAST = 1e-12  # probability of a stratum


@dataclass(frozen=True, eq=False)
class RunOfStrata:
    """A column after masking, the released stratum of each record, and its original stratum where that is known."""

    values: FloatColumn
    released: CodeColumn
    strata: CodeColumn


@dataclass(frozen=True, eq=False)
class StratumVotes:
    """How strata are released, and which values their records share, as runs of the recipe show.

    Parameters
    ----------
    log_shares
        The logarithm of how often records of a stratum show each released one (strata x released).
    sizes
        How many originals each stratum has.
    means, deviations
        Of the value that most records of a stratum share, over the runs; NaN where they share none.
    edges
        The mean of the value of a stratum that is nearest to that, as all others lie on one side of it.
    runs
        How many runs there are.
    purity
        The share of groups with one value whose records are all of one stratum.
    """

    log_shares: FloatMatrix
    sizes: FloatColumn
    means: FloatColumn
    deviations: FloatColumn
    edges: FloatColumn
    runs: int
    purity: float

    @classmethod
    def of(cls, runs: Sequence[RunOfStrata], strata: CodeColumn, codes: int) -> "StratumVotes":
        """Return what runs show, given the stratum of each original and how many codes released ones have."""
        before, after = (np.concatenate([getattr(run, part) for run in runs]) for part in ("strata", "released"))
        shares = transition_matrix(before.astype(np.float64), after.astype(np.float64), codes)
        count = int(strata.max(initial=0)) + 1
        shared, pure = np.full((len(runs), count, 2), np.nan), []
        for number, run in enumerate(runs):
            groups = Groups.of(run.values)
            for group in np.argsort(groups.counts, kind="stable").tolist():  # the largest comes last
                inside = run.strata[groups.members(group)]
                pure.append(bool((inside == inside[0]).all()))
                if pure[-1]:
                    shared[number, inside[0]] = (
                        groups.values[group],
                        _nearest_other(run, inside[0], groups.values[group]),
                    )
        (means, edges), (deviations, _) = (part.T for part in _means_and_deviations(shared))
        return cls(
            np.log(shares[:count]),
            np.bincount(strata, minlength=count).astype(np.float64),
            np.where(np.isnan(deviations), np.nan, means),
            deviations,
            edges,
            len(runs),
            float(np.mean(pure)) if pure else 0.0,
        )

    def of_value(self, value: float) -> FloatColumn:
        """Return the log density of a shared value by stratum: that of one more draw beside those of the runs."""
        spread = self.deviations**2 * (1 + 1 / self.runs)
        apart = (value - self.means) ** 2 / spread
        found = -0.5 * np.log(spread) - 0.5 * self.runs * np.log1p(apart / max(self.runs - 1, 1))
        return np.where(np.isnan(found), np.nanmin(found, initial=0.0), found)

    def posterior(self, released: CodeColumn, value: float) -> tuple[FloatColumn, float]:
        """Return how probable each stratum is for records that share a value, and that they are all of one."""
        votes = self.log_shares[:, released].sum(axis=1)
        priors = np.log(self.sizes / self.sizes.sum())
        mixed = float(np.logaddexp.reduce(priors[:, None] + self.log_shares[:, released], axis=0).sum())
        one = float(np.logaddexp.reduce(priors + votes))
        odds = np.log(max(self.purity, LEAST)) - np.log(max(1 - self.purity, 1e-3)) + one - mixed
        named = votes + self.of_value(value)
        shares = np.exp(named - np.logaddexp.reduce(named))
        return shares, float(1 / (1 + np.exp(-np.clip(odds, -700, 700))))


def _means_and_deviations(values: Floats) -> tuple[Floats, Floats]:
    """Return both over the runs, which come first; NaN where fewer than half of them have a value, or none differ."""
    there = ~np.isnan(values)
    counts = there.sum(axis=0)
    means = np.where(there, values, 0.0).sum(axis=0) / np.maximum(counts, 1)
    squares = np.where(there, values - means, 0.0) ** 2
    deviations = np.sqrt(squares.sum(axis=0) / np.maximum(counts - 1, 1))
    is_told = 2 * counts > len(values)
    return np.where(is_told, means, np.nan), np.where(is_told & (deviations > 0.0), deviations, np.nan)


def _nearest_other(run: RunOfStrata, stratum: int, value: float) -> float:
    """Return the value of a stratum that is nearest to one that many share, where all others lie on one side of it."""
    rest = run.values[(run.strata == stratum) & (run.values != value) & ~np.isnan(run.values)]
    if not rest.size or rest.min() < value < rest.max():
        return np.nan
    return float(rest.max() if rest.max() < value else rest.min())


@dataclass(frozen=True, eq=False)
class Groups:
    """Values that several records share, how many do, and the records in the order of their groups."""

    values: FloatColumn
    counts: CodeColumn
    order: Rows
    starts: Rows

    @classmethod
    def of(cls, column: FloatColumn) -> "Groups":
        """Return the groups of records with one value; a value that is missing is none."""
        there = np.flatnonzero(~np.isnan(column))
        values, numbers, counts = np.unique(column[there], return_inverse=True, return_counts=True)
        order = there[np.argsort(numbers, kind="stable")]
        starts, kept = np.cumsum(counts) - counts, counts > 1
        return cls(values[kept], counts[kept], order, starts[kept])

    def members(self, group: int) -> Rows:
        """Return the records of a group."""
        return self.order[self.starts[group] : self.starts[group] + self.counts[group]]


@dataclass(frozen=True, eq=False)
class NamedStrata:
    """What a file tells of the strata of records that share a value."""

    numbers: CodeColumn  # of the stratum of each original
    votes: StratumVotes
    file: RunOfStrata

    @classmethod
    def of(
        cls,
        source: Microdata,
        strata: tuple[str, ...],
        name: str,
        runs: Sequence[tuple[Microdata, Rows]],
        file: Microdata,
    ) -> "NamedStrata":
        """Return that of a column, given the originals with their strata and runs of the recipe with the truth."""
        numbers, *released, own = combination_codes([source, *(data for data, _ in runs), file], strata)
        _, numbers_of = np.unique(numbers, return_inverse=True)
        codes = max(int(part.max(initial=0)) for part in (*released, own, numbers_of)) + 1
        shown = [
            RunOfStrata(data.values(name), part, numbers_of[rows])
            for (data, rows), part in zip(runs, released, strict=True)
        ]
        empty = np.zeros(0, dtype=np.int64)
        return cls(numbers_of, StratumVotes.of(shown, numbers_of, codes), RunOfStrata(file.values(name), own, empty))

    def table(self) -> tuple[FloatMatrix, FloatColumn]:
        """Return how probable strata are by what others with the same value show (strata x kinds), and kinds.

        NaN is the kind of a record that shares its value with nobody. Records of a kind share the value and show the
        same stratum.
        """
        kinds = np.full(len(self.file.values), np.nan)
        columns: list[FloatColumn] = []
        groups = Groups.of(self.file.values)
        for group in range(len(groups.values)):
            members = groups.members(group)
            shown = self.file.released[members]
            for code in np.unique(shown):
                others = np.delete(shown, np.argmax(shown == code))
                shares, purity = self.votes.posterior(others, float(groups.values[group]))
                kinds[members[shown == code]] = len(columns)
                columns.append(purity * shares + (1 - purity) / len(shares))
        return np.maximum(np.reshape(columns, (len(columns), len(self.votes.sizes))).T, LEAST), kinds

    def restored(self) -> CodeColumn:
        """Return the likeliest stratum of each record.

        That is the one in which a value was made that it shares; else the likeliest in which its value may be left.
        """
        found = np.full(len(self.file.values), -1, dtype=np.int64)
        groups = Groups.of(self.file.values)
        for group in range(len(groups.values)):
            members = groups.members(group)
            shares, purity = self.votes.posterior(self.file.released[members], float(groups.values[group]))
            if purity > 0.5:
                found[members] = np.argmax(shares)
        alone = np.flatnonzero(found < 0)
        likely = self.votes.log_shares[:, self.file.released[alone]] + np.log(self.votes.sizes)[:, None]
        sides = np.sign(self.votes.means - self.votes.edges)[:, None]
        beyond = sides * (self.file.values[alone] - self.votes.edges[:, None]) > 0.0
        found[alone] = np.argmax(np.where(beyond, likely + np.log(LEAST), likely), axis=0)
        return found
