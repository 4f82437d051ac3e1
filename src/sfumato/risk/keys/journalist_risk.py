"""Journalist risk: an intruder looks for anybody of the population, who may or may not be in the file."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.keys.classes import KEY_KINDS, MissingKeys
from sfumato.parameters import Columns, Percent
from sfumato.risk.keys._population import PopulationTable, count_by_keys


class JournalistRisk(FileRisk):
    """Find how likely a record is identified by somebody who can look up everybody's keys in the population.

    Of the F persons of the population who have the keys of a record one is the right person, so that each guess is
    right once in F. The value is the risk of the record that is found most surely, in percent. Parts are the mean risk
    over the records (`JRA`), which is also what the records have each, and the percent of records whose risk is above
    `max_risk` (`JRL`).

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    population
        How many persons of the population there are by the keys: a dataframe, or a mapping of lists, with a column for
        each key and one called `count`. Its categories must be those of the masked file; `population_table` counts one.
    weight
        Where there is no such table, the column that says how many persons a record stands for; that of the role weight
        when not given. The sum of the weights of a class then is taken for F, which for small classes is a rough
        estimate: `individual_risk` takes account of that.
    max_risk
        The risk in percent above which records are counted.
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own.

    Meaning
        100: at least one record is the only one of its keys in the population. 0 is never reached, but 1 over the size
        of the population is.
    Intruder
        Has a register of the population with the keys of everybody, but does not know who is in the file; wants to name
        some record, no matter whose.
    Missing values
        A missing key as `missing` says. Missing weights, and weights that are not above 0, are refused;
        one below 1 counts as 1.
    Source
        El Emam and Dankar (2008), Protecting privacy using k-anonymity, Journal of the American Medical Informatics
        Association 15. Mean and share above a limit: El Emam (2013), Guide to the de-identification of personal health
        information.

    Examples
    --------
    >>> import polars
    >>> sample = Microdata(polars.DataFrame({"town": ["A", "A", "B", "B"]}))
    >>> found = JournalistRisk(columns=("town",), population={"town": ["A", "B"], "count": [20, 5]}).of(sample)
    >>> found.value, dict(found.parts)
    (20.0, {'JRA': 12.5, 'JRL': 0.0})
    """

    symbol: ClassVar[str] = "JR"
    part_symbols: ClassVar[tuple[str, ...]] = ("JRA", "JRL")
    part_meanings: ClassVar[Mapping[str, str]] = {
        "JRA": "the mean risk, in percent",
        "JRL": "the percent of records above max_risk",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    population: PopulationTable | None = None
    weight: str | None = None
    max_risk: Percent = 20.0
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the risk of the record that is most likely identified."""
        found = count_by_keys(self, data, self.population, self.weight, self.missing)
        risks = 100 / found.in_population
        parts = {"JRA": float(risks.mean()), "JRL": 100 * float(np.mean(risks > self.max_risk))}
        return Measurement(
            self.name(),
            self.symbol,
            float(risks.max()),
            parts=parts,
            per_record=risks,
            record_symbol="JRA",
            remark=found.remark,
        )
