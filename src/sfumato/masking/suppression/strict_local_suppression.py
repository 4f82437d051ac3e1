"""Strict local suppression: make values missing until every combination, gaps included, occurs often enough."""

from typing import Annotated, ClassVar, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata, role
from sfumato.display import format_compact
from sfumato.keys.cells import Importance, cell_costs, without_cells
from sfumato.keys.checks import check_household_columns, check_keys, check_sensitive, check_size
from sfumato.keys.classes import key_codes, visible_codes
from sfumato.keys.households import Households, households_of
from sfumato.masking.suppression._column_sets import bits_of, holds, price_of_sets
from sfumato.masking.suppression._diverse_groups import Diversity, SensitiveColumn, cells_of_diverse_groups
from sfumato.masking.suppression._optimal_suppression import Suppression, optimal_suppression
from sfumato.masking.suppression._record_groups import join_rare_records
from sfumato.masking.suppression.local_suppression import cells_of_single_records, row_numbers
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn
from sfumato.parameters import Columns, GroupSize, Strata

MAX_COLUMNS = 12  # all sets of columns may be tried, and they double with each


class StrictLocalSuppression(MaskingMethod):
    """Make few key values missing, so that each combination of key values and gaps is that of `k` records.

    A missing value counts as a category of its own: the masked file is k-anonymous however its gaps are read. A rare
    record joins others, which then lose the same values.

    Parameters
    ----------
    columns
        Nominal, ordinal or date columns, the keys; at most 12.
    k
        How many records, itself included, each record must be equal to at least.
    importance
        How much a value of a column is worth, as in `{region: 3, sex: 0.5}`; 1 for the columns not named. Important
        columns are suppressed less.
    max_nodes
        How many nodes of a branch and bound search to spend on finding the fewest cells. With 0 there is no search: a
        moment for any number of records, and on most files 10 to 20 percent more cells than the fewest. From 1 on the
        fewest, or nearly, are found where the records that differ are some hundred, which takes seconds to minutes.
        `strict_suppression_bound` tells how many are needed at least. Not with `household_columns`, `l` or `t`.
    sensitive
        Nominal or ordinal columns of what nobody should learn from the keys; needed with `l` and `t`.
    l
        How many different values of each sensitive column each group of equal records must have: l-diversity.
    t
        How far the distribution of a sensitive column in a group may be from that in the file, 0 to 1: t-closeness, by
        the earth mover's distance, over the order of an ordinal column.
    household_columns
        The keys that all members of a household have in common: one of them is suppressed for a whole household or not
        at all, and for all of them where one came without it. The members that have a value must have the same.
    household
        The column, or columns, that tell which household a record belongs to; needed with `household_columns`.
    within
        Columns whose equal values make the strata; records must then be equal to others of their stratum.

    Effect on risk
        Each record is equal to at least `k - 1` others in all keys, so that nobody can be singled out by them,
        not even by an intruder who knows all keys of a person and that the person is in the file. With `l` or `t` the
        sensitive values cannot be read off a group either.
    Effect on utility
        As with `LocalSuppression`, but more cells are needed, some of them in records that were not rare, so that a
        rare one has company. On a household survey with seven keys they were 404, and 357 with a search, which are
        the fewest; `LocalSuppression` needs 283.
    Missing values
        Stay missing and are equal to each other only. A code that stands for missing is seen by readers: it counts as
        a value of its own, and is made an empty cell where it is rare. A record without a household is one on its own.
        Suppressed cells are missing: an integer or true/false column of pandas becomes a nullable one.
    Source
        The problem: Meyerson and Williams (2004), On the complexity of optimal k-anonymity; it is NP-hard. Here sets of
        columns are tried by rising cost per record that they make safe, so that the result is good, not always the
        least: rare records that become equal without the set form a group, if need be with spare ones of large groups.
        With `max_nodes` an integer programme is solved from there. Groups that are not diverse are joined with the
        cheapest others with which they are. The conditions: Machanavajjhala et al. (2007), l-diversity: privacy beyond
        k-anonymity; Li, Li and Venkatasubramanian (2007), t-closeness.

    Examples
    --------
    >>> keys = np.array([[0, 0], [0, 0], [0, 0], [0, 1], [2, 2], [2, 2]])
    >>> cells_of_equal_groups(keys, 2, np.array([1.0, 1.0])).astype(int).T
    array([[0, 0, 0, 0, 0, 0],
           [0, 0, 1, 1, 0, 0]])
    """

    family: ClassVar[str] = "suppression"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL | {Kind.DATE}
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_missing: ClassVar[bool] = False

    columns: Columns = Field(examples=[["region", "sex", "marital_status", "education"]])
    k: GroupSize = 3
    importance: Importance | None = None
    max_nodes: Annotated[int, Field(ge=0, le=100_000_000)] = 0
    sensitive: Strata = ()
    l: Annotated[int, Field(ge=2)] | None = None
    t: Annotated[float, Field(gt=0, le=1)] | None = None
    household_columns: Strata = ()
    household: Strata = role("household")
    within: Strata = ()

    def detail(self) -> str:
        """Return the size of the groups, and how gaps count."""
        asked = [f"groups of {self.k}", "a gap as a value of its own"]
        asked += [] if self.l is None else [f"l = {self.l} for what is sensitive"]
        asked += [] if self.t is None else [f"no farther than {format_compact(self.t)} from the file"]
        return ", ".join(asked)

    @model_validator(mode="after")
    def _check_conditions(self) -> Self:
        has_conditions = self.l is not None or self.t is not None
        if has_conditions != (self.sensitive != ()):
            given = "l or t" if has_conditions else "sensitive"
            raise ValueError(f"StrictLocalSuppression needs sensitive with l or t, or neither; got only {given}")
        if self.max_nodes and (has_conditions or self.household_columns != ()):
            raise ValueError("StrictLocalSuppression.max_nodes must be left out with household_columns, l or t")
        return self

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them, their importance and households."""
        bound = super().bound_to(data)
        keys, who = data.select(bound.columns), type(self).__name__
        check_keys(who, keys, self.importance, MAX_COLUMNS)
        shared, household = data.select(self.household_columns), data.select(self.household)
        check_household_columns(who, data, keys, shared, household, bound.strata)
        sensitive = data.select(self.sensitive)
        for name in sensitive:
            check_sensitive(who, data, keys, name, self.l or 1)
        return bound.replace(household_columns=shared, household=household, sensitive=sensitive)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block in which no combination of keys is rare."""
        names = block.select(self.columns)
        return without_cells(block, names, self.suppression(block).cells)

    def suppression(self, block: Microdata) -> Suppression:
        """Return the cells to suppress in a block, what they cost, and what any that suffice cost at least."""
        names = block.select(self.columns)
        check_size(type(self).__name__, block.n, self.k)
        worth = cell_costs(names, self.importance)
        codes = np.ascontiguousarray(visible_codes(block, names).T)
        shared, diversity = block.select(self.household_columns), self.diversity(block)
        if shared or diversity is not None:
            is_shared = np.array([name in shared for name in names])
            told = is_shared & (key_codes(block, names).T < 0)  # by a code too: the others know better
            households = households_of(block, block.select(self.household) if shared else ())
            known = np.where(told, -1, codes)
            cells = cells_of_equal_households(known, self.k, worth, households, is_shared, diversity)
            cells |= told & (codes >= 0)
        else:
            cells = cells_of_equal_groups(codes, self.k, worth)
        if self.max_nodes and cells.any():
            return optimal_suppression(codes, self.k, worth, cells, self.max_nodes)
        return Suppression(cells, float((cells * worth).sum()), 0.0)

    def diversity(self, data: Microdata) -> Diversity | None:
        """Return what groups must be like in the sensitive columns; none where nothing is asked for."""
        names = data.select(self.sensitive)
        columns = tuple(sensitive_column(data, name) for name in names)
        return Diversity(columns, self.l or 0, 1.0 if self.t is None else self.t) if columns else None


class SuppressionBound(NamedTuple):
    """What suppressed cells cost, what any that suffice cost at least, and the difference.

    Parameters
    ----------
    cost
        The number of the cells, or their importance.
    bound
        A number that no choice of cells is below.
    gap
        The difference in percent of the cost: better cells would save at most so much; 0 is proof that there are none.
    """

    cost: float
    bound: float
    gap: float


def strict_suppression_bound(method: StrictLocalSuppression, data: Microdata) -> SuppressionBound:
    """Return what the cells cost that a method suppresses in a file, and a bound below the cost of all that suffice.

    The bound is that of the search, for a method with `max_nodes`; else the cost of `LocalSuppression`, which asks for
    less and is solved exactly.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"town": ["A", "A", "A", "B", "B"], "sex": ["f", "f", "m", "m", "m"]}))
    >>> strict_suppression_bound(StrictLocalSuppression(columns=("town", "sex"), k=2, max_nodes=10), people)
    SuppressionBound(cost=3.0, bound=3.0, gap=0.0)
    """
    bound_method = method.bound_to(data)
    names = data.select(bound_method.columns)
    worth = cell_costs(names, method.importance)
    cost = bound = 0.0
    for rows in data.strata(bound_method.strata) if bound_method.strata else [np.arange(data.n)]:
        block = data.take_rows(rows)
        found = bound_method.suppression(block)
        codes = np.ascontiguousarray(visible_codes(block, names).T)
        weaker = (cells_of_single_records(codes, method.k, worth) * worth).sum()
        cost, bound = cost + found.cost, bound + max(found.bound, min(float(weaker), found.cost))
    return SuppressionBound(cost, bound, 100 * (cost - bound) / cost if cost else 0.0)


def cells_of_equal_groups(codes: CodeColumn, k: int, importance: FloatColumn) -> Booleans:
    """Return which cells to suppress (records x columns).

    Parameters
    ----------
    codes
        The keys as codes, records x columns; negative where missing.
    k
        How many records must be equal at least; the file has as many.
    importance
        What a cell of each column costs.
    """
    number = row_numbers(codes)
    by_number, copies = np.argsort(number, kind="stable"), np.bincount(number)
    first = by_number[np.cumsum(copies) - copies]
    groups = join_rare_records(codes[first], copies, k, importance)
    by_unit = np.argsort(groups.unit, kind="stable")
    form, is_rare = np.empty_like(number), np.empty(number.shape, dtype=np.bool_)
    form[by_number] = np.repeat(groups.form[by_unit], groups.copies[by_unit])
    is_rare[by_number] = np.repeat(groups.is_rare[by_unit], groups.copies[by_unit])
    form = join_cheapest_groups(codes, form, is_rare, importance)
    return np.asarray(holds(form[:, None], np.arange(codes.shape[1])) & (codes >= 0), dtype=np.bool_)


def cells_of_equal_households(
    codes: CodeColumn,
    k: int,
    importance: FloatColumn,
    households: Households,
    is_shared: Booleans,
    diversity: Diversity | None = None,
) -> Booleans:
    """Return which cells to suppress (records x columns) where households lose what they share together.

    What one member loses all lose, which may leave others alone; these are joined anew, until nothing is added. A
    column that one member came without is suppressed for all.

    Parameters
    ----------
    codes, k, importance
        See `cells_of_equal_groups`.
    households, is_shared
        Which records belong together, and which columns are suppressed for all of a household or none.
    diversity
        What groups must be like in sensitive columns, if anything is asked for.
    """
    shown = codes.copy()
    while True:
        for place in np.flatnonzero(is_shared):
            shown[households.lowest(shown[:, place])[households.number] < 0, place] = -1
        more = cells_of_equal_groups(shown, k, importance)
        if diversity is not None and not more.any():
            more = cells_of_diverse_groups(shown, diversity, importance)
        if not more.any():
            return np.asarray((shown < 0) & (codes >= 0), dtype=np.bool_)
        shown[more] = -1


def sensitive_column(data: Microdata, name: str) -> SensitiveColumn:
    """Return a sensitive column with the distribution of its values."""
    counts = np.array(list(data.summary.counts(name).values()), dtype=np.float64)
    overall = counts / max(counts.sum(), 1.0)
    return SensitiveColumn(data.codes(name)[0] + 1, overall, data.schema[name].kind is Kind.ORDINAL)


def join_cheapest_groups(codes: CodeColumn, form: CodeColumn, is_rare: Booleans, importance: FloatColumn) -> CodeColumn:
    """Return the forms after each rare record has joined the group where that costs least."""
    form, price = form.copy(), price_of_sets(importance)
    columns = np.arange(codes.shape[1])
    settled = np.flatnonzero(~is_rare)
    for row in np.flatnonzero(is_rare):
        visible = np.where(holds(form[settled, None], columns), -1, codes[settled])
        number = row_numbers(visible)
        _, first, sizes = np.unique(number, return_index=True, return_counts=True)
        before = form[settled[first]]
        after = before | form[row] | bits_of((visible[first] >= 0) & (visible[first] != codes[row]))
        costs = sizes * (price[after] - price[before]) + price[after]
        cheapest = int(np.argmin(costs))
        settled = np.append(settled, row)
        form[settled[np.append(number == cheapest, True)]] = after[cheapest]
    return form
