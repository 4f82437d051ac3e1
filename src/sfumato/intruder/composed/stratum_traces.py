"""Values that name the stratum in which they were made, though the stratum itself is masked afterwards.

A value that was exchanged or drawn within a region belonged to somebody of that region, and the weight of a sample by
regions tells how many were drawn there. Whatever is done to the region later, such a value still names it. Whoever runs
the recipe sees which values come up in which stratum.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood, columns_present
from sfumato.data import METRIC, Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.coded_columns import coded_columns, combination_codes, equality_codes
from sfumato.intruder.composed.shared_values import NamedStrata
from sfumato.intruder.shadow_masking import Runs, Shadow
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Transitions

MAX_STRATA = 500
RECORDS, SHADOWS = 20_000, (3, 12)  # that tell which values come up where, and in how many shadows; one more is tried
MAX_WRONG = 0.25  # of the records: values that never came up in their stratum


def stratum_traces(
    runs: Runs, masked: Microdata, names: list[str], touching: dict[str, list[int]], rows: Rows | None
) -> Likelihood:
    """Return a coordinate for each column whose values name strata that later steps mask.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    masked
        The release.
    names
        The columns whose masking is learnt: a density that is stated has all that their values tell.
    touching
        For each column that the intruder knows the numbers of the steps that change it.
    rows
        The original of each masked record, on which it is tried too; None where the recipe fits for sure.
    """
    found: list[Coordinate] = []
    for number, step in enumerate(runs.steps):
        strata = columns_present(getattr(step, "within", ()), runs.original)  # of a sample, too
        is_masked_later = strata and set(strata) <= set(touching) and any(touching[name] for name in strata)
        if not is_masked_later or any(earlier <= number for name in strata for earlier in touching[name]):
            continue
        (numbers,) = combination_codes([runs.original], strata)
        if numbers.max(initial=0) >= MAX_STRATA:
            continue
        for name in columns_present(step.columns, runs.original):
            if name in names and name not in strata and touching[name][-1] == number:
                (finer,) = combination_codes([runs.original], (*strata, name))
                is_weight = step.family == "sampling" and finer.max(initial=0) < MAX_STRATA
                trace = _Trace(runs, name, strata, finer if is_weight else numbers)
                found += trace.coordinates(masked, rows) or trace.of_shared_values(masked)
    return tuple(found)


@dataclass(frozen=True, eq=False)
class _Trace:
    """A column, and the stratum of each original; where weights are multiplied, those of a stratum with one weight."""

    runs: Runs
    name: str
    columns: tuple[str, ...]
    strata: CodeColumn

    def shadows(self) -> list[Shadow]:
        """Return files that the intruder masked; nothing where the recipe refuses one."""
        try:
            number = int(np.clip(RECORDS // max(self.runs.original.n, 1), *SHADOWS))
            return [self.runs.shadow(place) for place in range(number + 1)]
        except SfumatoError:
            return []

    def of_shared_values(self, masked: Microdata) -> Likelihood:
        """Return what records that share a value tell of each other's stratum; nothing where none do."""
        is_number = all(file.schema[self.name].kind in METRIC for file in (self.runs.original, masked))
        shadows = self.shadows() if is_number else []
        if not shadows:
            return ()
        runs = [(shadow.data, shadow.rows) for shadow in shadows]
        named = NamedStrata.of(self.runs.original, self.columns, self.name, runs, masked)
        table, kinds = named.table()
        if not table.size:
            return ()
        return (Coordinate(named.numbers.astype(np.float64), kinds, Transitions(table), is_exact=False),)

    def coordinates(self, masked: Microdata, rows: Rows | None) -> Likelihood:
        """Return the kind of each value beside the stratum of each original; nothing where kinds tell nothing.

        Values of one kind come up in the same strata.
        """
        if not self.shadows():
            return ()
        *shadows, tried = self.shadows()
        files = [(tried.data, tried.rows)] if rows is None else [(tried.data, tried.rows), (masked, rows)]
        kinds = [self.kinds_of(shadows, file) for file, _ in files]
        wrong = max(kind.share_of_wrong(self.strata[owners]) for kind, (_, owners) in zip(kinds, files, strict=True))
        told = kinds[-1] if rows is not None else self.kinds_of(shadows, masked)
        if wrong > MAX_WRONG or told.count < 2:
            return ()
        chance = max(wrong, 1 / (2 * masked.n))
        table = (1 - chance) * told.shares + chance / told.count
        return (Coordinate(self.strata.astype(np.float64), told.asked, Transitions(table), is_exact=False),)

    def kinds_of(self, shadows: list[Shadow], file: Microdata) -> "_Kinds":
        """Return the kinds of the values of a file, by the strata of the shadows in which they come up."""
        columns, _ = coded_columns([*(shadow.data for shadow in shadows), file], self.name)
        strata = np.concatenate([self.strata[shadow.rows] for shadow in shadows])
        codes, asked = equality_codes(np.concatenate(columns[:-1]), columns[-1])
        count, strata_count = int(max(codes.max(initial=-1), asked.max(initial=-1))) + 1, int(self.strata.max()) + 1
        there = np.unique(codes * strata_count + strata)
        marks = np.random.default_rng(0).integers(0, 2**63, strata_count)
        looks = np.zeros(count, dtype=np.int64)
        np.bitwise_xor.at(looks, there // strata_count, marks[there % strata_count])  # the same for the same strata
        _, kinds = np.unique(looks, return_inverse=True)
        often = np.zeros((strata_count, int(kinds.max(initial=-1)) + 1))
        np.add.at(often, (strata, kinds[codes]), 1.0)
        shares = often / np.maximum(often.sum(axis=1, keepdims=True), 1.0)
        is_known = np.isin(asked, codes) & ~np.isnan(columns[-1])
        return _Kinds(shares, np.where(is_known, kinds[asked].astype(np.float64), np.nan))


@dataclass(frozen=True, eq=False)
class _Kinds:
    """How often values of each kind come up in each stratum (strata x kinds), and the kind of each value of a file.

    NaN is a value that never came up.
    """

    shares: FloatMatrix
    asked: FloatColumn

    @property
    def count(self) -> int:
        """How many kinds there are."""
        return int(self.shares.shape[1])

    def share_of_wrong(self, strata: CodeColumn) -> float:
        """Return the share of values of a kind that never came up in the stratum of their record, or never at all."""
        is_known = ~np.isnan(self.asked)
        found = self.shares[strata[is_known], self.asked[is_known].astype(np.int64)]
        return float(1 - np.count_nonzero(found) / max(len(strata), 1))
