"""Household risk: whoever recognises one member of a household finds them all."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, Role, role
from sfumato.errors import DataError
from sfumato.keys.classes import KEY_KINDS, MissingKeys
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.ranking import dense_numbers
from sfumato.parameters import Columns, Percent
from sfumato.risk.keys.individual_risk import risks_of_records, summarise_risks


class HouseholdRisk(FileRisk):
    """Estimate for each record the probability that some member of its household is recognised.

    Members are linked in the file, so that with one of them all are found. If their individual risks are r1, r2, ...
    and they are recognised independently, each of them has the risk 1 - (1 - r1) (1 - r2) ... The value is the mean of
    the records in percent, which is also what they have each. Parts are the number of records that are expected to be
    re-identified (`HRE`), the largest risk in percent (`HRM`), the number of records whose risk is above `max_risk`
    (`HRL`) and the number of households that are expected to be found (`HRH`).

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    household
        The column that says which household a record belongs to; that of the role household when not given.
    weight
        The column that says how many persons of the population a record stands for; that of the role weight when not
        given. In a file without one each record stands for itself.
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own.
    max_risk
        The risk in percent above which records are counted.
    exact
        As in `individual_risk`.

    Meaning
        0: nobody is recognised. 100: in every household somebody surely is.
    Intruder
        Knows the keys of everybody in the population, and who lives together; sees the masked file with its
        households. An intruder who also puts the keys of the members together, or knows how many they are, finds more:
        make the size of the household a key too.
    Missing values
        Missing keys as `missing` says. A record without a household is one on its own. Missing weights, and weights
        that are not above 0, are refused; one below 1 counts as 1.
    Source
        Franconi and Polettini (2004), Individual risk estimation in mu-Argus: a review.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"home": [1, 1, 2], "job": ["smith", "cook", "cook"]})
    >>> found = HouseholdRisk(columns=("job",), household="home").of(Microdata(people))
    >>> found.per_record
    array([100., 100.,  50.])
    """

    symbol: ClassVar[str] = "HR"
    part_symbols: ClassVar[tuple[str, ...]] = ("HRE", "HRM", "HRL", "HRH")
    part_units: ClassVar[Mapping[str, str]] = {"HRE": "records", "HRL": "records", "HRH": "households"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "HRE": "records that are expected to be recognised",
        "HRM": "the largest risk, in percent",
        "HRL": "records above max_risk",
        "HRH": "households that are expected to be found",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    household: str | None = None
    weight: str | None = None
    missing: MissingKeys = MissingKeys.WILDCARD
    max_risk: Percent = 10.0
    exact: bool = False

    def of(self, data: Microdata) -> Measurement:
        """Return the mean risk of the records by their households, and how many are expected to be found."""
        numbers = household_numbers(type(self).__name__, data, self.household)
        alone, remark = risks_of_records(self, data, self.weight, self.missing, exact=self.exact)
        by_household = household_risks(alone, numbers)
        risks = by_household[numbers]
        figures = (
            *summarise_risks(risks, self.max_risk, np.ones(risks.size, dtype=np.int64)),
            float(by_household.sum()),
        )
        return Measurement(
            self.name(),
            self.symbol,
            100 * float(risks.mean()),
            parts=dict(zip(self.part_symbols, figures, strict=True)),
            per_record=100 * risks,
            remark=remark,
        )


def household_numbers(who: str, data: Microdata, household: str | None) -> CodeColumn:
    """Return for each record the number of its household, all numbers in use; one without a household is on its own."""
    having = [variable.name for variable in data.schema.variables if variable.role is Role.HOUSEHOLD]
    if household is None and len(having) != 1:
        came = f"the columns {', '.join(having)} have" if having else "no column has"
        raise DataError(f"{who}.household: {came} the role household; name the one that tells who lives together")
    codes, _ = data.codes(household or having[0])
    alone = codes < 0
    return dense_numbers(np.where(alone, -1 - np.arange(data.n), codes))


def household_risks(risks: FloatColumn, numbers: CodeColumn) -> FloatColumn:
    """Return for each household, by its number, the probability that some member is recognised.

    Examples
    --------
    >>> household_risks(np.array([0.5, 0.5, 0.1]), np.array([0, 0, 1]))
    array([0.75, 0.1 ])
    """
    with np.errstate(divide="ignore"):  # a sure risk has no logarithm but the right limit
        unseen = np.bincount(numbers, weights=np.log1p(-np.minimum(risks, 1)))
    return np.asarray(-np.expm1(unseen), dtype=np.float64)
