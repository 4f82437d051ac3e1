"""Masking within strata that another step masks: by the strata of the originals, or by those that are released.

Where the strata are masked later, an original has its own stratum, whatever is released. Where they were masked before,
a released record has its stratum, and who was in it is estimated: by those who were there before, and then, a few
times, by the originals that records are linked to.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sfumato.contracts import Coordinate, Likelihood, MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.coded_columns import combination_codes
from sfumato.intruder.composed.drawn_records import ALL_PAIRS, MAX_STRATA, MIN_LINKED, ROUNDS, likeliest, placed
from sfumato.numerics.arrays import CodeColumn, Rows
from sfumato.numerics.densities import Transitions


def likelihood_by_moved_strata(
    step: MaskingMethod, source: Microdata, file: Microdata, names: tuple[str, ...], *, are_released: bool
) -> Likelihood | None:
    """Return the likelihood of a file that was masked within strata which differ between both files.

    Parameters
    ----------
    step, source
        The method, and the file before it.
    file
        The masked file.
    names
        The columns that the intruder knows.
    are_released
        Whether the strata are those of the masked records, not those of the originals.
    """
    strata = _Strata(step, source, file, names, are_released)
    if not 0 < strata.count <= MAX_STRATA:
        return None
    try:
        return strata.likelihood()
    except SfumatoError:  # as where a column is constant in a stratum
        return None


@dataclass(frozen=True, eq=False)
class _Strata:
    step: MaskingMethod
    source: Microdata
    file: Microdata
    names: tuple[str, ...]
    are_released: bool

    @cached_property
    def numbers(self) -> tuple[CodeColumn, CodeColumn]:
        """The stratum of each original, and that of each masked record as it is released."""
        if not self.are_released:
            return combination_codes([self.source], self.step.strata)[0], np.zeros(0, dtype=np.int64)
        before, after = combination_codes([self.source, self.file], self.step.strata)
        return before, after

    @property
    def count(self) -> int:
        """How many strata there are."""
        return int(max(numbers.max(initial=-1) for numbers in self.numbers)) + 1

    def likelihood(self) -> Likelihood | None:
        """Return the likelihood, by those who are in each stratum or seem to be."""
        members = [np.flatnonzero(self.numbers[0] == stratum) for stratum in range(self.count)]
        found = self.scaled_by(members)
        if not self.are_released:
            return found
        some = np.random.default_rng(0).permutation(self.file.n)[: max(ALL_PAIRS // max(self.source.n, 1), 1)]
        for _ in range(ROUNDS):
            if found is None:
                return None
            links, strata = likeliest(found, self.source.n, self.file.n, some), self.numbers[1][some]
            linked = [np.unique(links[strata == stratum]) for stratum in range(self.count)]
            members = [new if len(new) >= MIN_LINKED else old for new, old in zip(linked, members, strict=True)]
            found = self.scaled_by(members)
        return found

    def scaled_by(self, members: list[Rows]) -> Likelihood | None:
        """Return the likelihood of all strata, each masked as if these originals were in it."""
        method = self.step.replace(within=())
        every, found = (np.arange(self.source.n), np.arange(self.file.n)), []
        sizes = np.zeros(self.count)
        for stratum, scale in enumerate(members):
            rows = every[0] if self.are_released else scale
            records = np.flatnonzero(self.numbers[1] == stratum) if self.are_released else every[1]
            if not len(rows) or not len(records) or not len(scale):
                continue
            block = self.source.take_rows(scale)
            part = method.likelihood(
                self.source.take_rows(rows).as_block_of(block), self.file.take_rows(records), self.names
            )
            if part is None:
                return None
            sizes[stratum] = _log_size(method.bound_to(block), block, self.names)
            some = placed(part, (rows, records), (self.source.n, self.file.n))
            found += [replace(one, is_exact=False) for one in some]
        if not self.are_released:  # a masked record is not rarer where noise spreads records more
            shares = Transitions(np.exp(sizes.min() - sizes)[:, None])
            found.append(Coordinate(self.numbers[0].astype(np.float64), np.zeros(self.file.n), shares, is_exact=False))
        return tuple(found)


def _log_size(method: MaskingMethod, stratum: Microdata, names: tuple[str, ...]) -> float:
    """Return the logarithm of the volume over which a stratum's records are spread; 0 where it is not by noise."""
    noise = method.noise(stratum)
    if noise is None:
        return 0.0
    places = [stratum.select(method.columns).index(name) for name in names]
    covariance = noise.covariance[np.ix_(places, places)]
    return float(0.5 * np.linalg.slogdet(covariance)[1] + len(places) * np.log(noise.shrinkage))
