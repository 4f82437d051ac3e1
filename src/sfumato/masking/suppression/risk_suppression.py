"""Risk suppression: make values missing so that no record's individual risk is above a limit."""

from typing import ClassVar, Self

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata, role
from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.kernels.keys.counting import classes_of
from sfumato.kernels.keys.unsafe_sets import totals_of_sets
from sfumato.keys.cells import Importance, cell_costs, without_cells
from sfumato.keys.checks import check_household_columns, check_keys
from sfumato.keys.classes import key_codes
from sfumato.keys.households import Households, households_of
from sfumato.keys.individual_risks import individual_risks
from sfumato.keys.weights import sampling_weights
from sfumato.masking.suppression._joint_suppression import (
    cheapest_cells,
    counting_is_quicker,
    keys_known_in_household,
    missing_columns,
    records_showing,
)
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.parameters import Columns, Percent, Strata

MAX_COLUMNS = 12  # the sets of columns that are tried double with each


class RiskSuppression(MaskingMethod):
    """Make as few key values missing as possible, so that the individual risk of no record is above `max_risk`.

    The individual risk is the probability that a record's person is recognised among all persons of the population who
    have the keys that it shows, as estimated from the weights: see `IndividualRisk`. The less a record shows, the more
    persons are like it. Each record is made safe by its own missing values alone, as with `LocalSuppression`: counted
    are the records of the file, and their weights, that have all values that it shows.

    Parameters
    ----------
    columns
        Nominal, ordinal or date columns, the keys; at most 12.
    max_risk
        The largest risk that a record may have, in percent.
    weight
        The column that says how many persons of the population a record stands for; that of the role weight when not
        given. In a file without one each record stands for itself.
    importance
        How much a value of a column is worth, as in `{region: 3, sex: 0.5}`; 1 for the columns not named. Important
        columns are suppressed less.
    household_columns
        The keys that all members of a household have in common: one of them is suppressed for a whole household or not
        at all. The members that have a value must have the same.
    household
        The column, or columns, that tell which household a record belongs to; needed with `household_columns`.
    within
        Columns whose equal values make the strata; a person is then looked for in the stratum of the record.

    Effect on risk
        No record's `IndividualRisk` is above the limit, be it estimated as here or with all missing keys as wildcards,
        which is lower. Unlike a group size, the limit takes into account how much of the population is in the sample:
        where few are, few cells are needed.
    Effect on utility
        All other values stay true. What is suppressed is not missing at random: rare categories lose most. Recode
        first, suppress what is left.
    Missing values
        Stay missing and protect their record, which shows less; to others it does not count where it lacks a value that
        they show. Codes that stand for missing stay too. A household column that only some members have is counted,
        and suppressed, as if all had it. Suppressed cells are missing: an integer or true/false column of pandas
        becomes a nullable one. Missing weights, and weights that are not above 0, are refused;
        one below 1 counts as 1.
    Source
        The risk: Franconi and Polettini (2004), Individual risk estimation in mu-Argus: a review. The suppression: De
        Waal and Willenborg (1998), Optimal local suppression in microdata, Journal of Official Statistics 14; here
        with the risk instead of a count. The least cells are found; of equally cheap choices the first columns.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"town": ["A", "A", "B"], "sex": ["f", "f", "f"], "persons": [60.0, 50.0, 17.0]})
    >>> method = RiskSuppression(columns=("town", "sex"), max_risk=10, weight="persons")
    >>> method.mask(Microdata(people), np.random.default_rng(0)).frame["town"].to_list()
    ['A', 'A', None]
    """

    family: ClassVar[str] = "suppression"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL | {Kind.DATE}
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_missing: ClassVar[bool] = False

    columns: Columns = Field(examples=[["region", "sex", "marital_status", "education"]])
    max_risk: Percent = 10.0
    weight: str | None = None
    importance: Importance | None = None
    household_columns: Strata = ()
    household: Strata = role("household")
    within: Strata = ()

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them, the weights and the households."""
        bound = super().bound_to(data)
        keys, who = data.select(bound.columns), type(self).__name__
        check_keys(who, keys, self.importance, MAX_COLUMNS)
        shared, household = data.select(self.household_columns), data.select(self.household)
        check_household_columns(who, data, keys, shared, household, bound.strata)
        sampling_weights(who, data, self.weight)
        return bound.replace(household_columns=shared, household=household)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block without the values that make a record too risky."""
        names, shared = block.select(self.columns), block.select(self.household_columns)
        weights = sampling_weights(type(self).__name__, block, self.weight)
        weights = np.ones(block.n) if weights is None else weights
        _check_limit(block.n, float(weights.sum()), self.max_risk)
        cells = cells_at_risk(
            np.ascontiguousarray(key_codes(block, names).T),
            weights,
            self.max_risk,
            cell_costs(names, self.importance),
            households_of(block, block.select(self.household) if shared else ()),
            np.array([name in shared for name in names]),
        )
        return without_cells(block, names, cells)


def cells_at_risk(
    codes: CodeColumn,
    weights: FloatColumn,
    max_risk: float,
    importance: FloatColumn,
    households: Households,
    is_shared: Booleans,
) -> Booleans:
    """Return which cells to suppress (records x columns), of the least importance in all.

    Parameters
    ----------
    codes
        The keys as codes, records x columns; negative where missing.
    weights
        How many persons each record stands for, at least 1.
    max_risk
        The largest risk in percent, no less than that of a record without any key.
    importance
        What a cell of each column costs.
    households, is_shared
        Which records belong together, and which columns are suppressed for all of a household or none.

    Notes
    -----
    The values of whoever shows less are those of more records, and each of them, standing for one person at least,
    lowers the risk.
    """
    known = keys_known_in_household(codes, households, is_shared)
    classes = classes_of(known.T)
    records = np.ascontiguousarray(known[classes.first_rows()])
    held = np.stack((classes.sizes().astype(np.float64), classes.totals(weights)), axis=1)
    sets = np.arange(1, 1 << codes.shape[1])

    def rare_of(rows: Rows) -> Booleans:
        return _risky_sets(records, held, rows, sets, max_risk)

    at_risk = 100 * _risks(records, held, int(sets[-1])) > max_risk
    return cheapest_cells(codes, classes.numbers, at_risk, sets, rare_of, importance, households, is_shared)


def _risky_sets(records: CodeColumn, held: FloatMatrix, rows: Rows, sets: CodeColumn, max_risk: float) -> Booleans:
    """Return for some records and each set of columns whether it is too risky to show its values (rows x sets)."""
    risky, totals = np.empty((rows.size, sets.size), dtype=np.bool_), np.empty((2, sets.size + 1))
    missing = missing_columns(records[rows])  # what a record shows of a set that holds one of these is a set too
    if counting_is_quicker(records, rows.size, sets.size):
        for place, kept in enumerate(sets.tolist()):
            risky[:, place] = (missing & kept == 0) & (100 * _risks(records, held, kept)[rows] > max_risk)
        return risky
    for place, row in enumerate(rows):
        totals_of_sets(records, held, int(row), totals)
        fitting, persons = totals[:, sets.size - sets]  # by what is left out, which is all that is not kept
        risky[place] = (missing[place] & sets == 0) & (100 * individual_risks(fitting, persons) > max_risk)
    return risky


def _risks(records: CodeColumn, held: FloatMatrix, kept: int) -> FloatColumn:
    """Return the risk of each record when it shows just a set of columns; more where it lacks some of them."""
    return individual_risks(records_showing(records, held[:, 0], kept), records_showing(records, held[:, 1], kept))


def _check_limit(n: int, persons: float, max_risk: float) -> None:
    """Refuse a limit that not even a record without any key meets."""
    least = 100 * float(individual_risks(np.array([n]), np.array([persons]))[0])
    if least > max_risk:
        raise DataError(
            f"RiskSuppression.max_risk must be at least {format_compact(1.005 * least, 3)} %, the risk of a record "
            f"without any key among {n} records (of a stratum) that stand for {format_compact(persons)} persons; got "
            f"{format_compact(max_risk)}"
        )
