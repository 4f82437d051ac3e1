"""Noise that is scaled by a sample: the intruder estimates who is in it, from the release itself.

With the scale of the whole file some records can be linked. The linked originals are about the sample, and their scale
is nearer to the one that was used; so records are linked again by that, a few times. Runs of the intruder's own, whose
truth they know, tell whether this helps.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sfumato.contracts import Coordinate, Likelihood, MaskingMethod
from sfumato.data import CATEGORICAL, Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.coded_columns import combination_codes
from sfumato.intruder.pair_scores import PAIRS_AT_A_TIME, log_likelihoods, places
from sfumato.numerics.arrays import CodeColumn, Rows

ROUNDS = 4
MIN_LINKED = 30  # originals by which noise can be scaled
MAX_STRATA = 20
ALL_PAIRS = 20_000_000  # that are compared; in larger files a sample has about the scale of the whole


def drawn_likelihoods(
    stated: tuple[Likelihood, Likelihood],
    step: MaskingMethod,
    source: Microdata,
    files: tuple[Microdata, Microdata],
    names: tuple[str, ...],
    truth: Rows,
) -> tuple[Likelihood, Likelihood]:
    """Return the likelihood of the masked file and of a shadow, scaled by the records that they seem to come from.

    Parameters
    ----------
    stated
        Both as the method states them for the whole file.
    step, source
        The method, and the file before it as that would be with all records.
    files
        The masked file, and the shadow.
    names
        The columns that the intruder knows.
    truth
        For each record of the shadow the row of the original.
    """
    adds_noise = type(step).noise is not MaskingMethod.noise
    if not adds_noise or source.n * max(file.n for file in files) > ALL_PAIRS:
        return stated
    samples = [_Sample(step, source, file, names) for file in files]
    if samples[0].strata[0].max(initial=0) >= MAX_STRATA:
        return stated
    found = [sample.estimated(one) for sample, one in zip(samples, stated, strict=True)]
    right = [np.count_nonzero(samples[1].links(one) == truth) for one in (stated[1], found[1])]
    return (found[0], found[1]) if right[1] >= right[0] else stated


def likelihood_of_sample(
    step: MaskingMethod, source: Microdata, file: Microdata, names: tuple[str, ...], rows: Rows
) -> Likelihood | None:
    """Return the likelihood of a file whose noise is scaled by the originals in these rows, if it can be told."""
    try:
        return _Sample(step, source, file, names).scaled_by(np.unique(rows))
    except SfumatoError:
        return None


def goes_by_records(step: MaskingMethod, source: Microdata, file: Microdata, names: tuple[str, ...]) -> bool:
    """Tell whether the likelihood of a file depends on which records are masked with each other.

    So it does where noise is scaled by their covariance, and not where each value is multiplied by a draw of its own.
    """
    some = np.arange(0, source.n, 2)  # and so many that no category is lost
    for name in (name for name in names if source.schema[name].kind in CATEGORICAL):
        some = np.union1d(some, np.unique(source.codes(name)[0], return_index=True)[1])
    method = step.replace(within=()) if step.strata else step
    try:
        found = [
            method.likelihood(block, file, names) for block in (source, source.as_block_of(source.take_rows(some)))
        ]
    except SfumatoError:
        return True
    if found[0] is None or found[1] is None or len(found[0]) != len(found[1]):
        return True
    return not all(map(_is_same, found[0], found[1]))


def _is_same(one: Coordinate, other: Coordinate) -> bool:
    if (
        one.joint is not None
        or other.joint is not None
        or one.density.grid().table.shape != other.density.grid().table.shape
    ):
        return False
    pairs = (
        (one.before, other.before),
        (one.after, other.after),
        (one.density.grid().table, other.density.grid().table),
    )
    return all(np.allclose(*pair, equal_nan=True) for pair in pairs)


@dataclass(frozen=True, eq=False)
class _Sample:
    """A file whose noise is scaled by those of the originals that are in it."""

    step: MaskingMethod
    source: Microdata
    file: Microdata
    names: tuple[str, ...]

    @cached_property
    def strata(self) -> tuple[CodeColumn, CodeColumn]:
        """The stratum of each original and of each masked record."""
        before, after = combination_codes([self.source, self.file], self.step.strata)
        return before, after

    def estimated(self, likelihood: Likelihood) -> Likelihood:
        """Return the likelihood whose noise is scaled by those originals that records are linked to by it."""
        for _ in range(ROUNDS):
            linked = np.unique(self.links(likelihood))
            try:
                again = self.scaled_by(linked)
            except SfumatoError:  # as where a column is constant in these
                again = None
            if again is None:
                return likelihood
            likelihood = again
        return likelihood

    def scaled_by(self, linked: Rows) -> Likelihood | None:
        """Return the likelihood of noise that is scaled by some originals, in each stratum by those that are there."""
        method = self.step.replace(within=()) if self.step.strata else self.step
        found: Likelihood = ()
        for stratum in np.unique(self.strata[1]):
            rows, records = (np.flatnonzero(numbers == stratum) for numbers in self.strata)
            chosen = np.intersect1d(linked, rows)
            if len(chosen) < MIN_LINKED:
                if not self.step.strata:
                    return None
                chosen = rows  # too few tell
            if not len(rows):
                continue
            scale = self.source.take_rows(chosen)
            part = method.likelihood(
                self.source.take_rows(rows).as_block_of(scale), self.file.take_rows(records), self.names
            )
            if part is None:
                return None
            found += placed(part, (rows, records), (self.source.n, self.file.n))
        return found

    def links(self, likelihood: Likelihood) -> Rows:
        """Return the likeliest original of each masked record, in its stratum."""
        return likeliest(likelihood, self.source.n, self.file.n, np.arange(self.file.n), self.strata)


def likeliest(
    likelihood: Likelihood,
    originals: int,
    masked: int,
    records: Rows,
    strata: tuple[CodeColumn, CodeColumn] | None = None,
) -> Rows:
    """Return the likeliest original of some masked records, in their stratum where strata of both are given."""
    before, after = places(likelihood, originals, masked)
    every, step = np.arange(originals), max(PAIRS_AT_A_TIME // originals, 1)
    found = [np.empty(0, dtype=np.int64)]
    for start in range(0, len(records), step):
        some = records[start : start + step]
        scores = log_likelihoods(likelihood, before, after[some], np.tile(every, (len(some), 1)))
        if strata is not None:
            scores[strata[1][some, None] != strata[0]] = -np.inf
        found.append(scores.argmax(axis=1))
    return np.concatenate(found)


def placed(likelihood: Likelihood, rows: tuple[Rows, Rows], counts: tuple[int, int]) -> Likelihood:
    """Return coordinates of some originals and masked records among all; the others have no place in them."""
    found = []
    for one in likelihood:
        before, after = (np.full(count, np.nan) for count in counts)
        before[rows[0]], after[rows[1]] = one.before, one.after
        found.append(replace(one, before=before, after=after))
    return tuple(found)
