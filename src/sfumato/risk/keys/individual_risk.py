"""Individual risk: how likely each record of a survey is to be re-identified, judged by the sampling weights."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.keys.classes import (
    KEY_KINDS,
    MissingKeys,
    class_sizes,
    class_sizes_and_weights,
    coded_keys,
    identifying_keys_remark,
)
from sfumato.keys.counted_records import copies_of, mean_of_records
from sfumato.keys.individual_risks import individual_risks
from sfumato.keys.weights import sampling_weights, weight_remark
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.parameters import Columns, Percent

UNWEIGHTED = "without weights the file counts as the whole population: name the weight if it is a sample"


class IndividualRisk(FileRisk):
    """Estimate for each record the probability that its person is recognised among all who have the same keys.

    Of the F persons of the population who have the keys of a record the intruder can only take one at random, and is
    right once in F. How many they are is estimated from the weights of the records that have these keys: see
    `sfumato.keys.individual_risks`. The value is the mean risk of the records in percent (the global risk), which is
    also what they have each. Parts are the number of records that are expected to be re-identified (`IRE`), the largest
    risk in percent (`IRM`) and the number of records whose risk is above `max_risk` (`IRL`).

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    weight
        The column that says how many persons of the population a record stands for; that of the role weight when not
        given. In a file without one each record stands for itself, and the risk is one over the size of its class.
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own. As a wildcard a
        suppressed value lowers the risk.
    max_risk
        The risk in percent above which records are counted.
    exact
        Whether to compute the mean of one over F for all classes. Otherwise classes of three records or more get the
        approximation of mu-Argus and sdcMicro, so that figures agree with theirs; it is never below the mean, and above
        by at most 4 percent of it.

    Meaning
        0: nobody is recognised. 100: every record is the only one with its keys in the population. Half the persons
        with risks of 50 are recognised.
    Intruder
        Knows the keys of everybody in the population, but not who is in the sample; sees the masked file.
    Missing values
        Missing keys as `missing` says. Missing weights, and weights that are not above 0, are refused;
        one below 1 counts as 1.
    Source
        Benedetti and Franconi (1998), Statistical and technological solutions for controlled data dissemination;
        Franconi and Polettini (2004), Individual risk estimation in mu-Argus: a review.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"town": ["A", "A", "B"], "persons": [60.0, 50.0, 17.0]})
    >>> found = IndividualRisk(columns=("town",), weight="persons").of(Microdata(people))
    >>> found.per_record.round(2)
    array([ 1.71,  1.71, 17.71])
    >>> {symbol: round(part, 4) for symbol, part in found.parts.items()}
    {'IRE': 0.2114, 'IRM': 17.7076, 'IRL': 1.0}
    """

    symbol: ClassVar[str] = "IR"
    part_symbols: ClassVar[tuple[str, ...]] = ("IRE", "IRM", "IRL")
    part_units: ClassVar[Mapping[str, str]] = {"IRE": "records", "IRL": "records"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "IRE": "records that are expected to be recognised",
        "IRM": "the largest risk, in percent",
        "IRL": "records above max_risk",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    weight: str | None = None
    missing: MissingKeys = MissingKeys.WILDCARD
    max_risk: Percent = 10.0
    exact: bool = False

    def of(self, data: Microdata) -> Measurement:
        """Return the mean risk of the records, and how many are expected to be re-identified."""
        risks, remark = risks_of_records(self, data, self.weight, self.missing, exact=self.exact)
        copies = copies_of(data)
        return Measurement(
            self.name(),
            self.symbol,
            100 * mean_of_records(risks, copies),
            parts=dict(zip(self.part_symbols, summarise_risks(risks, self.max_risk, copies), strict=True)),
            per_record=100 * risks,
            remark=remark,
        )


def risks_of_records(
    measure: FileRisk, data: Microdata, weight: str | None, missing: MissingKeys, *, exact: bool
) -> tuple[FloatColumn, str]:
    """Return the individual risk of each record by the keys of a measure, and a remark on them."""
    names, codes = coded_keys(measure, data, missing)
    who, copies = type(measure).__name__, copies_of(data)
    weights = sampling_weights(who, data, weight)
    if weights is None:
        sizes = class_sizes(codes, missing, copies)
        weighted = sizes.astype(np.float64)
    else:
        sizes, weighted = class_sizes_and_weights(codes, weights, missing, copies)
    remarks = [
        UNWEIGHTED if weights is None else weight_remark(who, data, weight),
        identifying_keys_remark(names, codes, copies),
    ]
    return individual_risks(sizes, weighted, exact=exact), "; ".join(remark for remark in remarks if remark)


def summarise_risks(risks: FloatColumn, max_risk: float, copies: CodeColumn) -> tuple[float, float, float]:
    """Return the expected number of re-identifications, the largest risk in percent, and how many are above a limit.

    `copies` is how many records each risk is that of.

    Examples
    --------
    >>> summarise_risks(np.array([0.5, 0.25]), 40, np.array([1, 2]))
    (1.0, 50.0, 1.0)
    """
    return float((risks * copies).sum()), 100 * float(risks.max()), float(copies[100 * risks > max_risk].sum())
