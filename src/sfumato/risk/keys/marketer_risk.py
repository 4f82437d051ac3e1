"""Marketer risk: an intruder links the whole file to a register and wants as many right links as possible."""

from collections.abc import Mapping
from typing import ClassVar

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.keys.classes import KEY_KINDS, MissingKeys
from sfumato.parameters import Columns
from sfumato.risk.keys._population import PopulationTable, count_by_keys


class MarketerRisk(FileRisk):
    """Say how many records are linked to the right person when all are linked to a register of the population.

    A record whose keys F persons of the population have is given one of them at random, and rightly once in F. The
    value is the percent of records that are expected to be linked rightly: the sum over the classes of f / F, over the
    number of records; the figure per record is its 1 / F. The part `MRE` is the expected number of right links.

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
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own.

    Meaning
        0: hardly any link is right. 100: all are, because every record is the only one of its keys in the population.
    Intruder
        Has a register of the population with the keys of everybody, links every record, and does not need to know which
        links are right.
    Missing values
        A missing key as `missing` says. Missing weights, and weights that are not above 0, are refused;
        one below 1 counts as 1.
    Source
        Dankar and El Emam (2010), A method for evaluating marketer re-identification risk, Proceedings of the EDBT/ICDT
        Workshops.

    Examples
    --------
    >>> import polars
    >>> sample = Microdata(polars.DataFrame({"town": ["A", "A", "B", "B"]}))
    >>> found = MarketerRisk(columns=("town",), population={"town": ["A", "B"], "count": [20, 5]}).of(sample)
    >>> found.value, dict(found.parts)
    (12.5, {'MRE': 0.5})
    """

    symbol: ClassVar[str] = "MR"
    part_symbols: ClassVar[tuple[str, ...]] = ("MRE",)
    part_units: ClassVar[Mapping[str, str]] = {"MRE": "records"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "MRE": "records that are expected to be linked rightly",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    population: PopulationTable | None = None
    weight: str | None = None
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records that are expected to be linked rightly."""
        found = count_by_keys(self, data, self.population, self.weight, self.missing)
        risks = 100 / found.in_population
        parts = {"MRE": float(risks.sum()) / 100}
        value = float(risks.mean())
        return Measurement(self.name(), self.symbol, value, parts=parts, per_record=risks, remark=found.remark)
