"""Local suppression: make values missing so that no combination of key values is rare."""

from enum import StrEnum
from typing import ClassVar, Self

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata, role
from sfumato.errors import ParameterError
from sfumato.kernels.keys.counting import classes_of
from sfumato.kernels.keys.suppression import cheapest_sets
from sfumato.keys.cells import Importance, cell_costs, without_cells
from sfumato.keys.checks import check_household_columns, check_keys, check_size
from sfumato.keys.classes import key_codes
from sfumato.keys.combinations import KeyCombinations, bind_combinations, needed_fits
from sfumato.keys.counted_records import copies_of
from sfumato.keys.households import Households, households_of
from sfumato.masking.suppression._column_sets import sets_by_cost
from sfumato.masking.suppression._joint_suppression import cells_of_households, missing_columns
from sfumato.masking.suppression._wildcard_suppression import cells_with_wildcards
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn
from sfumato.parameters import Columns, GroupSize, Strata

MAX_COLUMNS = 16  # the sets of columns that are tried double with each

ROWS_WORTH_COUNTING = 10  # a count of all records takes about as long as so many comparisons with each of them


class Wildcards(StrEnum):
    """Whose missing values fit every value."""

    OWN = "own"
    """Those of the record that is to be safe: its gaps hide its values, those of others tell nothing about it."""
    ALL = "all"
    """Those of all records, as mu-Argus and sdcMicro count: whoever lacks a value may have it."""


class LocalSuppression(MaskingMethod):
    """Make as few key values missing as possible, so that `k` records have what is left of each record.

    A record is safe when the values that it still shows are those of `k` records of the file, itself included.
    So it is made safe by its own missing values alone: a record that lacks one of these values does not count for it.
    (If it did, `k - 1` records without any value would make the whole file safe.) For each record the cheapest
    cells are found, so that the number of suppressed cells, or their importance, is the least possible. With
    `wildcards: all` the gaps of others count as fitting too, as in other programs: that takes fewer cells, and promises
    less.

    Parameters
    ----------
    columns
        Nominal, ordinal or date columns, the keys; at most 16.
    k
        How many records at least, itself included, must have the values that a record shows.
    importance
        How much a value of a column is worth, as in `{region: 3, sex: 0.5}`; 1 for the columns not named. Important
        columns are suppressed less.
    combinations
        What an intruder may know at once, when that is less than all keys: `3` for any three keys, or a list of
        combinations, or these with group sizes of their own, as in `{("region", "sex"): 5, 3: 20}`; in a recipe
        `[{columns: [region, sex], k: 5}, {key_count: 3, k: 20}]`. Enough records must then
        have what is left of each record in each of them. With none, all keys are known at once.
    wildcards
        Whose missing values fit every value: `own`, those of the record that is to be safe, or `all`, those of others
        too, as mu-Argus and sdcMicro count. `all` is not for household columns.
    household_columns
        The keys that all members of a household have in common, such as the region or the type of dwelling: one of
        them is suppressed for a whole household or not at all, since otherwise one member would tell of the other. The
        members that have a value must have the same.
    household
        The column, or columns, that tell which household a record belongs to; needed with `household_columns`.
    within
        Columns whose equal values make the strata; the records that count are then those of the same stratum.

    Effect on risk
        No combination of key values that a record shows is one of fewer than `k` records of the file as it
        came, though some of them may have lost one of the values. The masked file is then k-anonymous as mu-Argus and
        sdcMicro count it, where a missing value agrees with every value. Somebody who knows that a person with a unique
        combination is in the file can still find the record that lost a value: `StrictLocalSuppression` prevents that
        at the price of more cells. With `wildcards: all` only the second of these holds: what a record shows may be
        all its own in the original file, and hidden by nothing but the gaps of others; who leaves those records out
        finds it.
    Effect on utility
        All other values stay true. What is suppressed is not missing at random: rare categories lose most. Recode
        first, suppress what is left.
    Missing values
        Stay missing and protect their record, which shows less; to others it does not count where it lacks a value that
        they show. Codes that stand for missing stay too. A record without a household is one on its own. A household
        column that only some members have is known of all: it is counted, and suppressed, as if all had it.
        Suppressed cells are missing: an integer or true/false column of pandas becomes a nullable one.
    Source
        De Waal and Willenborg (1998), Optimal local suppression in microdata, Journal of Official Statistics 14. Of
        equally cheap choices that which leaves what most records have is taken, then the first columns; with
        combinations or households the first columns. With `wildcards: all` records are made safe one after another, and
        cells that the gaps of others make needless are restored; not always the least, and no more than sdcMicro needs
        on the files that were tried (200 and 293 on its household survey, 283 with `own`).

    Examples
    --------
    >>> keys = np.array([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> cells_of_single_records(keys, 2, np.array([1.0, 1.0])).astype(int)
    array([[0, 0],
           [0, 0],
           [0, 1],
           [1, 0]])
    """

    family: ClassVar[str] = "suppression"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL | {Kind.DATE}
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_missing: ClassVar[bool] = False

    columns: Columns = Field(examples=[["region", "sex", "marital_status", "education"]])
    k: GroupSize = 3
    importance: Importance | None = None
    combinations: KeyCombinations = ()
    wildcards: Wildcards = Wildcards.OWN
    household_columns: Strata = ()
    household: Strata = role("household")
    within: Strata = ()

    def detail(self) -> str:
        """Return the size of the groups, and whose gaps count where it is not only a record's own."""
        return f"groups of {self.k}" + (", all gaps as wildcards" if self.wildcards is Wildcards.ALL else "")

    @property
    def masks_by_kind(self) -> bool:
        """Whether equal records lose the same values: not where a household or the gaps of others count."""
        return not self.household_columns and self.wildcards is Wildcards.OWN

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them, their importance and households."""
        bound = super().bound_to(data)
        keys = data.select(bound.columns)
        check_keys(type(self).__name__, keys, self.importance, MAX_COLUMNS)
        shared, household = data.select(self.household_columns), data.select(self.household)
        if shared and self.wildcards is Wildcards.ALL:
            raise ParameterError(
                [
                    f"{type(self).__name__}.wildcards must be 'own' where there are household_columns, which members "
                    f"tell of each other; got 'all'"
                ]
            )
        check_household_columns(type(self).__name__, data, keys, shared, household, bound.strata)
        combinations = bind_combinations(type(self).__name__, self.combinations, data, keys)
        return bound.replace(combinations=combinations, household_columns=shared, household=household if shared else ())

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block without the values that put records at risk."""
        names = block.select(self.columns)
        codes = np.ascontiguousarray(key_codes(block, names).T)
        worth = cell_costs(names, self.importance)
        needed = needed_fits(self.combinations, names, self.k)
        copies = copies_of(block)
        check_size(type(self).__name__, int(copies.sum()), int(needed.max()))
        shared = block.select(self.household_columns)
        is_shared = np.array([name in shared for name in names])
        households = households_of(block, block.select(self.household) if shared else ())
        if self.combinations:
            cells = cells_of_households(codes, needed, worth, households, is_shared, copies)
        else:
            cells = cells_to_suppress(codes, self.k, worth, households, is_shared, copies)
        if self.wildcards is Wildcards.ALL and cells.any():
            cells = cells_with_wildcards(codes, needed, worth, cells)
        return without_cells(block, names, cells)


def cells_to_suppress(
    codes: CodeColumn,
    k: int,
    importance: FloatColumn,
    households: Households,
    is_shared: Booleans,
    copies: CodeColumn | None = None,
) -> Booleans:
    """Return which cells to suppress (records x columns) so that each combination of all keys fits `k` records.

    Parameters
    ----------
    codes, k, importance
        See `cells_of_single_records`.
    households, is_shared
        Which records belong together, and which columns are suppressed for all of a household or none.
    copies
        How many records each row stands for; one when not given.
    """
    if not is_shared.any():
        return cells_of_single_records(codes, k, importance, copies)
    needed = needed_fits((), tuple(map(str, range(codes.shape[1]))), k)
    return cells_of_households(codes, needed, importance, households, is_shared, copies)


def cells_of_single_records(
    codes: CodeColumn, k: int, importance: FloatColumn, copies: CodeColumn | None = None
) -> Booleans:
    """Return which cells to suppress (records x columns), record by record.

    Parameters
    ----------
    codes
        The keys as codes, records x columns; negative where missing.
    k
        How many records at least must have what is left of each; the file has as many.
    importance
        What a cell of each column costs.
    copies
        How many records each row stands for; one when not given.
    """
    classes = classes_of(codes.T)
    different, sizes = np.ascontiguousarray(codes[classes.first_rows()]), classes.sizes(copies)
    sets, costs = sets_by_cost(importance)
    rare = np.flatnonzero(sizes < k)
    chosen, left = sets_by_counting(different, sizes, rare, k, sets, costs)
    chosen[left] = cheapest_sets(different, sizes, left, k, sets, costs)
    bits = 1 << np.arange(codes.shape[1])
    return np.asarray(((chosen[classes.numbers][:, None] & bits) > 0) & (codes >= 0), dtype=np.bool_)


def sets_by_counting(
    records: CodeColumn, copies: CodeColumn, rows: CodeColumn, k: int, sets: CodeColumn, costs: FloatColumn
) -> tuple[CodeColumn, CodeColumn]:
    """Return what `cheapest_sets` would, with the columns that a record lacks, and the rows that it is still to do.

    Counting the records without some columns serves all rows at once; it is worth while as long as rows are many. A
    row waits until the columns that it lacks are left out: those cost it nothing, and the sets that hold them come in
    the order of what they cost it.
    """
    chosen, left = np.zeros(len(records), dtype=np.int64), rows
    missing = missing_columns(records)
    for cost in np.unique(costs[1:]):
        batch = sets[costs == cost]
        if left.size < ROWS_WORTH_COUNTING * batch.size:
            break
        shown_most = np.full(left.size, k - 1)
        for columns in batch:
            kept = (columns >> np.arange(records.shape[1]) & 1) == 0
            classes = classes_of(records[:, kept].T)
            showing = classes.totals(copies.astype(np.float64))[classes.numbers[left]].astype(np.int64)
            better = (showing > shown_most) & (missing[left] & ~columns == 0)
            chosen[left[better]], shown_most[better] = columns, showing[better]
        left = left[shown_most < k]
    return chosen, left


def row_numbers(codes: CodeColumn) -> CodeColumn:
    """Return a number for each row, the same for equal rows: 0, 1, ..."""
    number = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        _, number = np.unique(number * (column.max(initial=0) + 2) + column + 1, return_inverse=True)
    return number
