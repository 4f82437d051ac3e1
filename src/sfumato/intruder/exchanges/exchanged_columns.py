"""Columns in which a step exchanged values between two records at a time, and what other steps did to each value."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sfumato.contracts import MaskingMethod, columns_present
from sfumato.data import METRIC, Microdata
from sfumato.data.decimals import round_floats
from sfumato.errors import SfumatoError
from sfumato.intruder.certain_files import file_before
from sfumato.intruder.coded_columns import combination_codes
from sfumato.intruder.exchanges.grouped_values import grouped_owners, places_among
from sfumato.intruder.exchanges.ordered_values import keep_order, ordered_owners
from sfumato.intruder.exchanges.partners import Partners, partners_of
from sfumato.intruder.exchanges.value_owners import Owners, equal_owners, likely_owners
from sfumato.intruder.group_means import columns_grouped_alike, equal_records, mean_tolerances
from sfumato.intruder.shadow_masking import FRESH, Runs, Shadow, mask_shadow, shadow_generator, steps_by_column
from sfumato.kernels.keys.counting import classes_of
from sfumato.kernels.linkage.exchange_cells import ExchangedCells
from sfumato.numerics.arrays import CodeColumn, FloatColumn

LEARNT_VALUES, MAX_SHADOWS = 12_000, 12  # the intruder masks small files again, until so many values have moved
EXCHANGED_VALUES, MAX_SWAPS = 60_000, 120  # the same of the swapping alone, whose windows have sharp ends


@dataclass(frozen=True, eq=False)
class ExchangedColumns:
    """The numbers that exactly one step exchanges between records, with what all other steps do to each value.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    masked
        The file.
    names
        The columns that the intruder knows.
    """

    runs: Runs
    masked: Microdata
    names: tuple[str, ...]
    _swapped: dict[int, list[Shadow]] = field(default_factory=dict)
    _cells: dict[str, ExchangedCells | None] = field(default_factory=dict)

    @property
    def original(self) -> Microdata:
        """The original file."""
        return self.runs.original

    @property
    def steps(self) -> tuple[MaskingMethod, ...]:
        """The recipe."""
        return self.runs.steps

    @cached_property
    def swaps(self) -> dict[str, int]:
        """For each exchanged column the number of the step that exchanged it."""
        found = {}
        for name, numbers in steps_by_column(self.steps, self.original, self.names).items():
            swapping = [number for number in numbers if self.steps[number].exchanges_values]
            kinds = {self.original.schema[name].kind, self.masked.schema[name].kind}
            if len(swapping) == 1 and kinds <= METRIC:
                found[name] = swapping[0]
        return found

    def known_values(self, name: str) -> FloatColumn | None:
        """Return the value of each original as the other steps show it, where these draw nothing; else nothing."""
        if not self._others_on(name):
            return self.original.values(name)
        shadows = self._shadows_with(name)[:2]
        if not shadows or any(len(shadow.rows) != self.original.n for shadow in shadows):
            return None
        columns = [shadow.data.values(name)[np.argsort(shadow.rows)] for shadow in shadows]
        return columns[0] if np.array_equal(columns[0], columns[1], equal_nan=True) else None

    @cached_property
    def equal_originals(self) -> CodeColumn:
        """Numbers of the originals, the same for those who are equal before values are exchanged: in groups, say."""
        files = [self._file_before(self.swaps[name], name) for name in self.names if name in self.swaps]
        others = tuple(name for name in self.names if name not in self.swaps)
        codes = [combination_codes([self.original], others)[0]] if others else []
        columns = zip((name for name in self.names if name in self.swaps), files, strict=True)
        codes += [np.unique(file.values(name), return_inverse=True)[1] for name, file in columns]
        return classes_of(np.array(codes, dtype=np.int64)).numbers

    def _file_before(self, number: int, name: str) -> Microdata:
        """Return what the originals are before a step, where a column does not hang on chance; else the originals."""
        found = file_before(self.steps, number, self.original, self.runs.seed, (name,)) if number else self.original
        return self.original if found is None or found.n != self.original.n else found

    def cells(self, name: str) -> ExchangedCells | None:
        """Return whose value each masked record may show in a column, and who exchanges values with whom.

        Nothing where that cannot be learnt, or where values are nobody's.
        """
        if name not in self._cells:
            self._cells[name] = self._found_cells(name)
        return self._cells[name]

    @property
    def are_left(self) -> bool:
        """Whether values of some column were looked for and could not be followed, such as those of large groups."""
        return any(cells is None for cells in self._cells.values())

    def _found_cells(self, name: str) -> ExchangedCells | None:
        owners = self._owners(name)
        partners = None if owners is None else self._partners(name)
        if owners is None or partners is None:
            return None
        return ExchangedCells(
            *owners,
            partners.ranks,
            partners.levels,
            partners.chances,
            partners.totals,
            partners.groups,
            partners.stays,
            self._unshown(owners),
        )

    def _unshown(self, owners: Owners) -> FloatColumn:
        """Return how far the value of each original is shown by nobody, beside the mean; 1 where nobody is left out.

        Whoever has exchanged values with somebody who is left out shows one that that person had, and the own value of
        that partner is nowhere.
        """
        ones = np.ones(self.original.n)
        if self.masked.n >= self.original.n:
            return ones
        records = np.bincount(owners.values[owners.values >= 0], minlength=len(owners.starts) - 1)
        weights = np.repeat(records, np.diff(owners.starts)) * owners.weights
        shown = np.bincount(owners.order[owners.places], weights, minlength=self.original.n)
        left = np.maximum(1.0 - shown, 0.0)
        return ones if left.sum() == 0.0 else np.asarray(left / left.mean(), dtype=np.float64)

    def _owners(self, name: str) -> Owners | None:
        shown, after = self.known_values(name), self.masked.values(name)
        owners = self._ordered_owners(name, is_known=shown is not None)
        owners = equal_owners(shown, after) if owners is None and shown is not None else owners
        owners = self._grouped_owners(name) if owners is None else owners
        if owners is not None or shown is not None:
            return owners
        runs = [(shadow.rows, shadow.data.values(name)) for shadow in self._shadows_with(name)]
        return likely_owners(self.original.values(name), after, runs)

    def _ordered_owners(self, name: str, *, is_known: bool) -> Owners | None:
        """Return whose values these are by their ranks, where all other steps on a column keep their order.

        What originals become before values are exchanged, and is known for sure, tells more: also which of equal ones
        became what.
        """
        swap = self.swaps[name]
        others = [number for number in steps_by_column(self.steps, self.original, (name,))[name] if number != swap]
        if not others or (is_known and max(others) < swap):
            return None
        strata = {self.steps[number].strata for number in others}
        if strata == {()}:
            groups = [np.zeros(file.n, dtype=np.int64) for file in (self.original, self.masked)]
        elif strata == {self.steps[swap].strata} and self._are_released(*strata):
            groups = combination_codes([self.original, self.masked], *strata)
        else:
            return None
        runs = [(shadow.rows, shadow.data.values(name)) for shadow in self._shadows_with(name)]
        known = self.original.values(name)
        is_kept = keep_order(known, groups[0], runs)
        return ordered_owners(known, self.masked.values(name), (groups[0], groups[1])) if is_kept else None

    def _are_released(self, strata: tuple[str, ...]) -> bool:
        """Tell whether strata are those of the original in the release, and no step masks them."""
        touched = steps_by_column(self.steps, self.original, strata)
        return not any(touched.values()) and all(name in self.masked.schema for name in strata)

    def _grouped_owners(self, name: str) -> Owners | None:
        """Return whose values are in groups, where the only other step on a column groups what was exchanged."""
        number = steps_by_column(self.steps, self.original, (name,))[name][-1]
        step, is_last = self.steps[number], len(steps_by_column(self._others, self.original, (name,))[name]) == 1
        if step.family != "microaggregation" or not is_last:
            return None
        grouped = tuple(one for one in columns_present(step.columns, self.masked) if one in self.swaps)
        files = self.runs.keep(("around", number), lambda: self._files_around(number))
        if files is None:
            return None
        before, after = (file.matrix(grouped) for file in files)
        place = grouped.index(name)
        together = next(some for some in columns_grouped_alike(after) if place in some)
        tolerances = mean_tolerances(before[:, together], after[:, together])
        tolerance = float(tolerances[together == place][0])
        values, means = (file[~np.isnan(before[:, place] + after[:, place]), place] for file in (before, after))
        if not np.isfinite(tolerance) or not values.size or np.ptp(values) == 0:
            return None
        rising = np.sort(values)
        apart = places_among(rising, values) - places_among(rising, means)
        groups = equal_records(self.masked.matrix(tuple(grouped[some] for some in together)))
        known = self.original.values(name)
        return grouped_owners(known, self.masked.values(name), groups, tolerance, float(np.nanstd(apart)))

    def _files_around(self, number: int) -> tuple[Microdata, Microdata] | None:
        """Return the files before and after a step in a run of the recipe."""
        rng = shadow_generator(self.runs.seed, FRESH)
        try:
            before = mask_shadow(self.steps[:number], self.original, self.runs.seed, FRESH).data
            after = self.steps[number].mask_beside(self.original, before, rng)
        except SfumatoError:
            return None
        return before, round_floats(after, self.runs.decimals)

    def _partners(self, name: str) -> Partners | None:
        number = self.swaps[name]
        step = self.steps[number].bound_to(self.original)
        if number not in self._swapped:
            self._swapped[number] = self._run((step,), EXCHANGED_VALUES, MAX_SWAPS)
        runs = [shadow.data.values(name)[np.argsort(shadow.rows)] for shadow in self._swapped[number]]
        return partners_of(self.original.values(name), runs, self._groups(step.strata)) if runs else None

    def _groups(self, strata: tuple[str, ...]) -> CodeColumn:
        """Return the strata inside which values were exchanged, as far as they are those of the original."""
        touched = steps_by_column(self.steps, self.original, strata)
        return combination_codes([self.original], tuple(name for name in strata if not touched[name]))[0]

    @cached_property
    def _others(self) -> tuple[MaskingMethod, ...]:
        """The steps that exchange nothing."""
        return tuple(step for step in self.steps if not step.exchanges_values)

    def _others_on(self, name: str) -> bool:
        return bool(steps_by_column(self._others, self.original, (name,))[name])

    @cached_property
    def _shadows(self) -> list[Shadow]:
        """What the other steps alone make of the original."""
        return self._run(self._others)

    def _shadows_with(self, name: str) -> list[Shadow]:
        """Return the shadows if all have the column as a number, otherwise none."""
        schemas = [shadow.data.schema for shadow in self._shadows]
        is_number = all(name in schema and schema[name].kind in METRIC for schema in schemas)
        return self._shadows if is_number else []

    def _run(
        self, steps: tuple[MaskingMethod, ...], values: int = LEARNT_VALUES, most: int = MAX_SHADOWS
    ) -> list[Shadow]:
        """Return the original masked by some steps, several times; nothing where they cannot be run by themselves."""
        count = min(most, max(2, values // max(self.original.n, 1)))
        try:
            return [mask_shadow(steps, self.original, self.runs.seed, number) for number in range(count)]
        except SfumatoError:
            return []
