"""Columns that change for all members of a household together, such as the area of households that are swapped.

Where the release says who lives together, such a change counts once for the household. Where it does not, the intruder
still knows who lived together: all members must be found in one area.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood, MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import combination_codes
from sfumato.intruder.density_fit import DOUBT, are_alike, is_one_of
from sfumato.intruder.household_draws.hidden_draws import are_released, drawn_households
from sfumato.intruder.household_draws.mates import LEAST, Draws, coordinate, likelihood_by_mates
from sfumato.intruder.shadow_masking import FRESH, Runs, Shadow
from sfumato.keys.households import Households
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows

LEARNT_RECORDS, SHADOWS = 100_000, (6, 24)  # records from which chances are learnt, and how many files are made
MAX_CHANCES = 20_000_000  # households by areas
PRIORS = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # how many files the households of an area count for


@dataclass(frozen=True, eq=False)
class MovedHouseholds:
    """Columns whose values all members of a household have in common after masking.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    names
        The columns.
    step, households
        The step that draws once for each household, and these.
    """

    runs: Runs
    names: tuple[str, ...]
    step: MaskingMethod
    households: Households

    @classmethod
    def of(cls, runs: Runs, names: tuple[str, ...], touching: Sequence[int]) -> "MovedHouseholds | None":
        """Return the columns as such, if one of the steps that mask them, and runs of the recipe, show them to be."""
        for number in touching:
            households = drawn_households(runs.steps[number], runs.original)
            if households is not None:
                found = cls(runs, names, runs.steps[number], households)
                return found if found.are_together else None
        return None

    @property
    def are_together(self) -> bool:
        """Whether members have the same values in files that the recipe makes, and these are not too many."""
        return self.runs.keep(("together", self.names), lambda: self._are_together)

    @property
    def _are_together(self) -> bool:
        most = max(int(codes.max(initial=0)) for codes in self._shadow_areas) + 2
        if self.households.count * most > MAX_CHANCES:
            return False
        for shadow, codes in zip(self._shadows, self._shadow_areas, strict=True):
            numbers = self.households.number[shadow.rows]
            area = np.zeros(self.households.count, dtype=np.int64)
            area[numbers] = codes
            if (area[numbers] != codes).any():
                return False
        return True

    @cached_property
    def _shadows(self) -> list[Shadow]:
        count = int(np.clip(LEARNT_RECORDS // max(self.runs.original.n, 1), *SHADOWS))
        count = SHADOWS[0] if any(step.is_search for step in self.runs.steps) else count
        return [self.runs.shadow(number) for number in range(count)]

    def _areas(self, files: Sequence[Microdata]) -> list[CodeColumn]:
        """Return the area of each record of the original and of some files, numbered as they come."""
        found = combination_codes([self.runs.original, *files], self.names)
        _, first, numbers = np.unique(np.concatenate(found), return_index=True, return_inverse=True)
        order = np.argsort(np.argsort(first))  # files that follow change no number
        return np.split(order[numbers], np.cumsum([len(codes) for codes in found])[:-1])

    @cached_property
    def _shadow_areas(self) -> list[CodeColumn]:
        return self._areas([shadow.data for shadow in self._shadows])[1:]

    def areas(self, file: Microdata) -> CodeColumn:
        """Return the area of each record of a file; the last number is for areas that no run has shown."""
        found = self._areas([*(shadow.data for shadow in self._shadows), file])[-1]
        return np.asarray(np.minimum(found, self.chances.shape[1] - 1), dtype=np.int64)

    @property
    def chances(self) -> FloatMatrix:
        """How probable each area is for each household, learnt from what became of it and of those of its area."""
        return self.runs.keep(("chances", self.names), lambda: self._chances)

    @property
    def _chances(self) -> FloatMatrix:
        before = self._areas([shadow.data for shadow in self._shadows])[0][self.households.first_rows]
        span = max(int(codes.max(initial=0)) for codes in [before, *self._shadow_areas]) + 2
        counts = np.zeros((self.households.count, span))
        seen = []
        for shadow, codes in zip(self._shadows, self._shadow_areas, strict=True):
            numbers, first = np.unique(self.households.number[shadow.rows], return_index=True)
            counts[numbers, codes[first]] += 1
            seen.append((numbers, codes[first]))
        pooled = np.zeros((span, span))
        np.add.at(pooled, before, counts)
        total = pooled.sum(axis=0) + LEAST
        pooled += total / total.sum()
        usual = (pooled / pooled.sum(axis=1, keepdims=True))[before]
        return max((_smoothed(counts, usual, prior, seen) for prior in PRIORS), key=lambda found: found[0])[1]

    def fits(self, masked: Microdata, rows: Rows) -> bool:
        """Tell whether households moved in a file about as they do in those that the recipe makes."""
        found = self._log_chances(masked, rows)

        def run(number: int) -> FloatColumn:
            shadow = self.runs.shadow(FRESH + number)
            return self._log_chances(shadow.data, shadow.rows)

        return are_alike(found, run(0), DOUBT) or is_one_of(found, run)

    def _log_chances(self, file: Microdata, rows: Rows) -> FloatColumn:
        """Return for each household of a file how likely its area is."""
        numbers, first = np.unique(self.households.number[rows], return_index=True)
        return np.asarray(np.log(self.chances[numbers, self.areas(file)[first]]), dtype=np.float64)

    def are_released(self, masked: Microdata) -> bool:
        """Tell whether a release says who is in which household."""
        return are_released(self.step, self.runs.original, masked)

    def likelihood(self, masked: Microdata, *, of_household: bool = False) -> Likelihood:
        """Return how likely the area of each record is by itself, or its share in how likely that of all members is."""
        chances = self.chances
        if of_household:
            sizes = np.bincount(self.households.number)
            chances = chances ** (1 / sizes[:, None])
        return (coordinate(self.households.number, self.areas(masked), chances),)

    def likelihood_by_others(
        self, masked: Microdata, others: Likelihood, blocks: tuple[CodeColumn, CodeColumn]
    ) -> Likelihood:
        """Return how likely the area of each record is, given what the release tells of the rest of each household.

        Parameters
        ----------
        masked
            The release.
        others
            The likelihood by all other columns.
        blocks
            The block of each original and of each masked record; records of two blocks are not the same person.
        """
        draws = Draws(np.log(self.chances), None, self.chances.shape[1])
        return likelihood_by_mates(self.areas(masked), draws, self.households, others, blocks)


def _smoothed(
    counts: FloatMatrix, usual: FloatMatrix, prior: float, seen: list[tuple[CodeColumn, CodeColumn]]
) -> tuple[float, FloatMatrix]:
    """Return chances between what was counted and what is usual, and how likely they are where a file is left out."""
    total = counts.sum(axis=1, keepdims=True)
    merit = 0.0
    for numbers, codes in seen:
        left = counts[numbers, codes] - 1 + prior * usual[numbers, codes]
        merit += float(np.log(left / (total[numbers, 0] - 1 + prior)).sum())
    return merit, np.maximum((counts + prior * usual) / (total + prior), LEAST)
