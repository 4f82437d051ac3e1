"""What a step draws once for a household where later steps change what it made, as when shifted dates are rounded."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood, MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.coded_columns import coded_columns
from sfumato.intruder.household_draws.hidden_draws import are_released, drawn_households
from sfumato.intruder.household_draws.mates import Draws, likelihood_by_mates
from sfumato.intruder.shadow_masking import Runs, shadow_generator
from sfumato.keys.households import Households
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Floats, Rows

MAX_SHOWN = 4_000_000  # records by draws
FIT = 0.99  # of the households, at least, show what some draw brings about


@dataclass(frozen=True, eq=False)
class FollowedDraws:
    """Columns that a step changes by one draw for each household, and others later without any draw.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    names
        The columns.
    steps
        The steps that change them: first the one that draws.
    households
        Those for which it draws.
    """

    runs: Runs
    names: tuple[str, ...]
    steps: tuple[MaskingMethod, ...]
    households: Households

    @classmethod
    def of(
        cls, runs: Runs, masked: Microdata, names: tuple[str, ...], touching: dict[str, list[int]]
    ) -> "FollowedDraws | None":
        """Return the columns as such, if what they show after each draw can be told and the release has no numbers."""
        numbers = sorted({number for name in names for number in touching[name]})
        first = runs.steps[numbers[0]]
        households = drawn_households(first, runs.original)
        if households is None or len(numbers) < 2 or are_released(first, runs.original, masked):
            return None
        if any(touching[name][0] != numbers[0] for name in names):
            return None
        found = cls(runs, names, tuple(runs.steps[number] for number in numbers), households)
        return None if found.values_by_draw.size == 0 else found

    @property
    def values_by_draw(self) -> Floats:
        """What each original shows after each draw (originals x draws x columns); empty where it cannot be told."""
        return self.runs.keep(("shown", self.names), self._find_values)

    def _find_values(self) -> Floats:
        original = self.runs.original
        try:
            file = self.steps[0].bound_to(original).drawn_file(original, MAX_SHOWN)
            runs = [] if file is None else [self._after(file, number) for number in range(2)]
        except SfumatoError:
            runs = []
        if not runs or runs[0] is None or runs[1] is None or not np.array_equal(runs[0], runs[1], equal_nan=True):
            return np.zeros((0, 0, 0))
        by_draw = runs[0].reshape(-1, original.n, len(self.names))
        return np.ascontiguousarray(by_draw.transpose(1, 0, 2))

    def _after(self, file: Microdata, number: int) -> FloatMatrix | None:
        """Return what a file shows after the later steps."""
        rng, ids = shadow_generator(self.runs.seed, number), file.row_ids
        for step in self.steps[1:]:
            file = step.mask_beside(self.runs.original, file, rng)
        return self._values(file) if np.array_equal(file.row_ids, ids) else None

    def _values(self, file: Microdata) -> FloatMatrix | None:
        columns = [coded_columns([self.runs.original, file], name) for name in self.names]
        return np.column_stack([column[-1] for column, _ in columns]) if all(told for _, told in columns) else None

    @cached_property
    def _draws(self) -> tuple[Draws, list[FloatColumn], CodeColumn]:
        shown = self.values_by_draw
        levels = [np.unique(shown[:, :, column]) for column in range(shown.shape[2])]
        numbers = self._numbers(shown.reshape(-1, shown.shape[2]), levels)
        known, codes = np.unique(numbers, return_inverse=True)
        count = shown.shape[1]
        draws = Draws(np.full((1, count), -np.log(count)), codes.reshape(shown.shape[:2]), len(known) + 1)
        return draws, levels, known

    @staticmethod
    def _numbers(values: FloatMatrix, levels: list[FloatColumn]) -> CodeColumn:
        """Return a number for each combination of values; -1 where some value is not among the levels."""
        total = np.zeros(len(values), dtype=np.int64)
        is_known = np.ones(len(values), dtype=np.bool_)
        for column, level in zip(values.T, levels, strict=True):
            place = np.minimum(np.searchsorted(level, column), len(level) - 1)
            is_known &= (level[place] == column) | (np.isnan(level[place]) & np.isnan(column))
            total = total * len(level) + place
        return np.where(is_known, total, -1)

    def seen(self, masked: Microdata) -> CodeColumn | None:
        """Return what each masked record shows; the last number is for what no draw brings about."""
        draws, levels, known = self._draws
        values = self._values(masked)
        if values is None:
            return None
        numbers = self._numbers(values, levels)
        place = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
        return np.where(known[place] == numbers, place, draws.shown_count - 1)

    def fits(self, masked: Microdata, rows: Rows) -> bool:
        """Tell whether the members of nearly all households show what one draw brings about."""
        seen, shown = self.seen(masked), self._draws[0].shown
        if seen is None or shown is None:
            return False
        agree = (shown[rows] == seen[:, None]).astype(np.float64)
        number = self.households.number[rows]
        least = np.ones((self.households.count, agree.shape[1]))
        np.minimum.at(least, number, agree)
        return bool(least[np.unique(number)].any(axis=1).mean() >= FIT)

    def likelihood_by_others(
        self, masked: Microdata, others: Likelihood, blocks: tuple[CodeColumn, CodeColumn]
    ) -> Likelihood:
        """Return how likely what each record shows is, given what the release tells of the rest of each household."""
        seen = self.seen(masked)
        return () if seen is None else likelihood_by_mates(seen, self._draws[0], self.households, others, blocks)
