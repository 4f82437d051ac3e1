"""Hint suppression: make key values missing where other columns help to tell whose record it is."""

from functools import partial
from typing import ClassVar, Self

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata, role
from sfumato.errors import ParameterError
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.cells import Importance, cell_costs, without_cells
from sfumato.keys.checks import check_household_columns, check_keys
from sfumato.keys.classes import visible_codes
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.gaps.own_gaps import own_gaps, ruled_out_by_own_gaps
from sfumato.keys.gaps.telling_gaps import exposed_by_gaps, ruled_out_by_gaps
from sfumato.keys.hinting_columns import Hint, KnownHints, hinting_columns, released_keys
from sfumato.keys.households import Households, households_of
from sfumato.keys.ruled_out import RuledOut
from sfumato.masking.suppression._column_sets import sets_by_cost
from sfumato.masking.suppression._followed_gaps import follow_gaps
from sfumato.masking.suppression._other_values import Lost, values_for_persons, values_for_records
from sfumato.masking.suppression._refilled_groups import refill_groups
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, Rows
from sfumato.parameters import Columns, GroupSize, Strata

MAX_COLUMNS = 16  # the sets of columns that are tried double with each
MAX_ROUNDS = 8  # a gap in a key may make another column a hint


class HintSuppression(MaskingMethod):
    """Make key values missing until `k` persons fit each record, for somebody who takes hints from other columns too.

    A key that was made broader, or lost a value, may be told in part by a column that is no key: in a survey each
    region has weights of its own, and who is employed is no child. This step compares the file with what it was
    before the first step, finds what each value of the other columns rules out of the keys as they were, and
    suppresses in each record the cheapest key values so that `k` persons have what is left and are not ruled out. It
    comes last, when all other columns are as they will be released.

    Parameters
    ----------
    columns
        The keys, as in `LocalSuppression`; at most 16.
    k
        How many persons at least, the right one included, must fit what a record shows.
    importance
        How much a value of a column is worth, as in `{region: 3, sex: 0.5}`; 1 for the columns not named.
    strict
        Whether each record must stay equal to `k - 1` others in all keys, gaps included, as `StrictLocalSuppression`
        left them: others then lose the same values.
    keeps_groups
        Whether all records that are equal lose what one of them loses, so that groups stay as diverse as they are.
    both_sides
        Whether `k` records must also fit each person, for somebody who looks for one person by the keys and what other
        columns and gaps tell: records of others then lose values which that person has not.
    other_columns
        Columns that are no keys and may lose single values where no gap in a key helps, as these columns rule out all
        but a few records or persons; none when nothing is said.
    household_columns
        The keys that all members of a household have in common: what one member loses of them all lose.
    household
        The column, or columns, that tell which household a record belongs to; needed with `household_columns`.

    Effect on risk
        Somebody who knows the keys of everybody in the file as they were, how they were recoded, and which values of
        other columns go with which of them, finds no record that fewer than `k` persons fit. What one column says
        where chance would hardly (once in a million) make it so is taken for such knowledge, and so are the ranges of
        weights in all categories of a key with which they go. So is what the sum, difference, product or ratio of two
        columns of numbers tells, as an income and that by head tell the size of a household, and what the gaps of a key
        tell that nearly all had one value. A record whose other columns leave fewer than `k` persons of the whole file
        cannot be helped by gaps in its keys, and stays as it is: drop that column, mask it, or name it in
        `other_columns`. Where its own gaps do,
        others lose the same keys until `k` records look alike.
        From the other side, somebody who looks for one person may be left with fewer than `k` records: those of others
        show keys that the person has not. With `both_sides` the records that come nearest lose these, so that `k` are
        left, gaps and all columns counted at once; where other columns rule out all but a few records, none does.
    Effect on utility
        The other columns stay as they are. Rare categories lose most, as with `LocalSuppression`.
    Missing values
        Stay missing and fit everybody, but where some values of another column stand beside nothing but gaps of a key,
        as nobody below 15 has an occupation: such a gap fits those who have one too. Suppressed cells are missing: an
        integer or true/false column of pandas becomes a nullable one.
    Source
        De Waal and Willenborg (1998), Optimal local suppression in microdata, Journal of Official Statistics 14, for
        the promise, with fewer persons counted here; De Waal and Willenborg (1997), Statistical disclosure control and
        sampling weights, for what weights tell of strata.

    Examples
    --------
    >>> import polars
    >>> town, weight = [*"A" * 30, *"B" * 30, *"C" * 2], [*range(100, 130), *range(30), 50, 51]
    >>> people = Microdata(polars.DataFrame({"town": town, "sex": [*"fm" * 31], "weight": weight}))
    >>> joined = people.with_column(people.schema["town"], ["A", "A"] * 15 + ["other"] * 32)
    >>> step = HintSuppression(columns=("town", "sex"), k=17)
    >>> masked = step.mask_beside(people, joined, np.random.default_rng(0))
    >>> masked.frame["sex"].null_count()
    60
    """

    family: ClassVar[str] = "suppression"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL | {Kind.DATE}
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_missing: ClassVar[bool] = False
    needs_values: ClassVar[bool] = False
    reads_original: ClassVar[bool] = True

    columns: Columns = Field(examples=[["region", "sex", "marital_status", "education"]])
    k: GroupSize = 3
    importance: Importance | None = None
    strict: bool = False
    keeps_groups: bool = False
    both_sides: bool = False
    other_columns: Strata = ()
    household_columns: Strata = ()
    household: Strata = role("household")

    def detail(self) -> str:
        """Return how many persons must fit."""
        sides = f", and {self.k} records each person" if self.both_sides else ""
        others = ", where need be without single values of these" if self.other_columns else ""
        return f"{self.k} persons fit{sides}, by what was looked for in other columns{others}"

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them, their importance and households."""
        bound = super().bound_to(data)
        keys, who = data.select(bound.columns), type(self).__name__
        check_keys(who, keys, self.importance, MAX_COLUMNS)
        shared, household = data.select(self.household_columns), data.select(self.household)
        check_household_columns(who, data, keys, shared, household, ())
        others = data.select(self.other_columns)
        if both := [name for name in others if name in keys]:
            raise ParameterError([f"{who}.other_columns: '{both[0]}' is one of the keys; name it once"])
        return bound.replace(household_columns=shared, household=household, other_columns=others)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of a file whose keys are as they were, without the values that put records at risk."""
        return self.mask_beside(block, block, rng)

    def mask_beside(self, original: Microdata, data: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of `data` without the key values that put records at risk; they were as in `original`."""
        return self.mask_knowing(original, data, KnownHints())

    def mask_knowing(self, original: Microdata, data: Microdata, known: KnownHints) -> Microdata:
        """Return the same as `mask_beside`; what columns are known to rule out is not looked for again."""
        bound, rows = self.bound_to(data), original.rows_of(data.row_ids)
        names, shared = data.select(bound.columns), data.select(bound.household_columns)
        homes = households_of(data, data.select(bound.household) if shared else ())
        is_shared = np.array([name in shared for name in names])
        worth = cell_costs(names, self.importance) * np.where(is_shared, data.n / homes.count, 1.0)
        own = known.find(("own gaps", *names), partial(own_gaps, original, names))
        others = data.select(bound.other_columns)
        for _ in range(MAX_ROUNDS * (1 + self.both_sides + 2 * bool(others))):
            keys, hints = hinting_columns(data, names, original, rows, known)
            file = FittingPersons.of(keys, [hint.ruled for hint in hints])
            cells = cells_to_suppress(file, self.k, worth)
            if gaps := [*ruled_out_by_gaps(keys), *ruled_out_by_own_gaps(own, data, rows)]:
                cells = self._hide_telling_gaps(file, gaps, cells, visible_codes(data, names), worth)
            if self.both_sides and not cells.any():
                cells = file.ruled_by((*file.ruled, *gaps)).cells_for_persons(worth, self.k)
            lost: Lost = {}
            if others and not cells.any():
                cells, lost = self._lose_other_values(file, hints, gaps, others, worth)
            if not cells.any() and not lost:
                break
            data = without_cells(data, tuple(lost), np.array([*lost.values()]).T) if lost else data
            needs_groups = self.strict or self.keeps_groups
            seen = visible_codes(data, names) if needs_groups else np.empty((0, data.n), dtype=np.int64)
            spread = self._spread(cells, seen, homes, is_shared)
            if spread is None:
                break
            data = without_cells(data, names, spread)
            if self.both_sides or lost:
                continue
            after = released_keys(data, names, original, rows)
            is_as_before = all(one.is_ruled_as(other) for one, other in zip(keys, after, strict=True))
            gaps = [*ruled_out_by_gaps(after), *ruled_out_by_own_gaps(own, data, rows)] if is_as_before else []
            if is_as_before and not (gaps and self._exposes(FittingPersons.of(after, ()), gaps, data, names)):
                break
        return data

    def _exposes(self, file: FittingPersons, gaps: list[RuledOut], data: Microdata, names: tuple[str, ...]) -> bool:
        """Tell whether what gaps tell exposes somebody."""
        return bool(exposed_by_gaps(file, gaps, visible_codes(data, names), self.k)[0].size)

    def _lose_other_values(
        self,
        file: FittingPersons,
        hints: list[Hint],
        gaps: list[RuledOut],
        others: tuple[str, ...],
        worth: FloatColumn,
    ) -> tuple[Booleans, Lost]:
        """Return the cells of keys and the other values to suppress where no gap in a key helps: records first."""
        lost = values_for_records(file, hints, others, self.k)
        if lost or not self.both_sides:
            return np.zeros(file.classes.shown.T.shape, dtype=np.bool_), lost
        return values_for_persons(file, hints, gaps, others, worth, self.k)

    def _hide_telling_gaps(
        self, file: FittingPersons, gaps: list[RuledOut], cells: Booleans, seen: CodeMatrix, worth: FloatColumn
    ) -> Booleans:
        """Return the cells with those that hide whom gaps expose that tell their value: of their own, or of others."""
        rows, _ = exposed_by_gaps(file, gaps, np.where(cells.T, -1, seen), self.k)
        if not rows.size:
            return cells
        helped = cells_to_suppress(file.ruled_by((*file.ruled, *gaps)), self.k, worth, rows)[rows]
        by_gaps = cells_to_suppress(file.ruled_by(gaps), self.k, worth, rows)[rows]
        chosen = np.where(helped.any(axis=1, keepdims=True), helped, by_gaps)
        cells = cells.copy()
        cells[rows] |= chosen
        return follow_gaps(seen, file.classes.shown >= 0, cells, rows[~chosen.any(axis=1)], self.k)

    def _spread(self, cells: Booleans, seen: CodeMatrix, homes: Households, is_shared: Booleans) -> Booleans | None:
        """Return the cells with those that others lose for the sake of their household or group; None if endless."""
        for _ in range(MAX_ROUNDS):
            held = np.where(is_shared, _spread_to_classes(cells, homes.number), cells)
            if self.keeps_groups:
                held = _spread_to_classes(held, classes_of(seen).numbers)
            elif self.strict:
                held = refill_groups(seen, held, self.k)
            if (held == cells).all():
                return held
            cells = held
        return None


def cells_to_suppress(file: FittingPersons, k: int, importance: FloatColumn, rows: Rows | None = None) -> Booleans:
    """Return which cells to suppress (records x columns) so that k persons fit each record that can be helped.

    Parameters
    ----------
    file
        What records show, what persons would, and what other columns rule out.
    k
        How many persons must fit.
    importance
        What a cell of each column costs.
    rows
        The records that are looked at; the others keep their cells. None: all.
    """
    bits = 1 << np.arange(len(file.classes.shown))
    lacking = bits @ (file.classes.shown < 0)
    chosen = np.zeros(lacking.size, dtype=np.int64)
    waiting = np.arange(lacking.size) if rows is None else rows
    waiting = waiting[file.counts(waiting, k) < k]
    nothing = np.zeros(len(file.classes.shown), dtype=np.bool_)
    waiting = waiting[file.counts_without(waiting, nothing, k) >= k]
    for columns in sets_by_cost(importance)[0]:
        if not waiting.size:
            break
        asked = lacking[waiting] & ~columns == 0
        able = waiting[asked]
        if able.size:
            enough = file.counts_without(able, bits & columns == 0, k) >= k
            chosen[able[enough]] = columns
            asked[asked] = enough
            waiting = waiting[~asked]
    return np.asarray(((chosen[:, None] & bits) > 0) & (file.classes.shown.T >= 0), dtype=np.bool_)


def _spread_to_classes(cells: Booleans, numbers: CodeColumn) -> Booleans:
    """Return the cells with those of one record for all of its class."""
    held = np.zeros((int(numbers.max(initial=-1)) + 1, cells.shape[1]), dtype=np.bool_)
    np.logical_or.at(held, numbers, cells)
    return held[numbers]
