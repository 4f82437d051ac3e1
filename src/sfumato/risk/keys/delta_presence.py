"""Delta-presence: how certain an intruder can be that a person of the population is in the file, or is not."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.display import format_compact
from sfumato.keys.classes import KEY_KINDS, MissingKeys, class_weights
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns, InPercent, Percent
from sfumato.risk.keys._population import KeyCounts, Population, PopulationTable, count_by_keys

ROUNDING = 1e-9  # percent: a presence outside the range by less is a rounding error


class DeltaPresence(FileRisk):
    """Say how surely the persons of a population are known to be in the file, from how many of each kind are.

    Where F persons of the population have the keys of f records, each of them is in the file with probability f / F.
    The value is the percent of records whose persons have, on average, a presence outside the range from
    `min_presence` to `max_presence`. Parts are the largest presence (`DPM`), the smallest (`DPS`), and the percent of
    the population with a presence outside the range (`DPP`). The last two look at all combinations of the population
    table, of which some may have no record; where only weights are known they look at those of the file.

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
        when not given. The sum of the weights of a class then is taken for F.
    min_presence
        The smallest presence in percent that is allowed: 0 where it does no harm to be known to be absent.
    max_presence
        The largest presence in percent that is allowed. The source leaves both, its delta, to the user.
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own.

    Meaning
        0: nobody in the file is known to be in it more surely than `max_presence`, nor less than `min_presence`. 100:
        everybody is. It matters where being in the file is itself confidential, as in a register of patients.
    Intruder
        Has a register of the population with the keys of everybody; sees the masked file and wants to know who is in
        it.
    Missing values
        A missing key as `missing` says. As a wildcard, a record with gaps adds to the presence of all whom it fits, one
        over their number to each. Missing weights, and weights that are not above 0, are refused;
        one below 1 counts as 1.
    Source
        Nergiz, Atzori and Clifton (2007), Hiding the presence of individuals from shared databases, Proceedings of the
        ACM SIGMOD conference.

    Examples
    --------
    >>> import polars
    >>> sample = Microdata(polars.DataFrame({"town": ["A", "A", "B", "B"]}))
    >>> towns = {"town": ["A", "B", "C"], "count": [20, 2, 28]}
    >>> found = DeltaPresence(columns=("town",), population=towns).of(sample)
    >>> found.value, dict(found.parts)
    (50.0, {'DPM': 100.0, 'DPS': 0.0, 'DPP': 4.0})
    """

    symbol: ClassVar[str] = "DP"
    part_symbols: ClassVar[tuple[str, ...]] = ("DPM", "DPS", "DPP")
    part_meanings: ClassVar[Mapping[str, str]] = {
        "DPM": "the largest presence, in percent",
        "DPS": "the smallest presence, in percent",
        "DPP": "the percent of the population outside the range",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    population: PopulationTable | None = None
    weight: str | None = None
    min_presence: Annotated[InPercent, Field(ge=0, le=100)] = 0.0
    max_presence: Percent = 50.0
    missing: MissingKeys = MissingKeys.WILDCARD

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.min_presence > self.max_presence:
            raise ValueError(
                f"DeltaPresence.min_presence must be at most {format_compact(self.max_presence)}, which is "
                "`max_presence`; "
                f"got {format_compact(self.min_presence)}"
            )
        return self

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records whose persons are too surely known to be in the file, or not to be."""
        found = count_by_keys(self, data, self.population, self.weight, self.missing)
        if self.population is None:  # a class of the file stands for as many persons as it has weight
            presence = 100 * np.minimum(class_weights(found.codes, 1 / found.in_population, self.missing), 1.0)
            of_persons, persons = presence, found.in_population / found.in_sample
        else:
            of_persons, presence = presence_of_persons(self, data, self.population, found)
            persons = self.population.sizes
        outside = np.where(self._is_outside(presence), 100.0, 0.0)
        parts = {
            "DPM": float(of_persons.max(initial=0.0, where=persons > 0)),
            "DPS": float(of_persons.min(initial=100.0, where=persons > 0)),
            "DPP": 100 * float(np.average(self._is_outside(of_persons), weights=persons)),
        }
        value = float(outside.mean())
        return Measurement(self.name(), self.symbol, value, parts=parts, per_record=outside, remark=found.remark)

    def _is_outside(self, presence: FloatColumn) -> FloatColumn:
        outside = (presence < self.min_presence - ROUNDING) | (presence > self.max_presence + ROUNDING)
        return outside.astype(np.float64)


def presence_of_persons(
    measure: DeltaPresence, data: Microdata, population: Population, found: KeyCounts
) -> tuple[FloatColumn, FloatColumn]:
    """Return how probably persons are in the file, in percent: for each combination of the population, and each record.

    Each record gives each of the F persons whom it fits a probability of 1 / F; a record has the mean presence of the
    persons whom it fits.
    """
    known = population.codes_beside(type(measure).__name__, data, data.select(measure.columns))
    both = np.concatenate([found.codes, known], axis=1)
    shares = class_weights(both, np.concatenate([1 / found.in_population, np.zeros(known.shape[1])]), measure.missing)
    of_persons = 100 * np.minimum(shares[data.n :], 1.0)
    summed = class_weights(both, np.concatenate([np.zeros(data.n), of_persons * population.sizes]), measure.missing)
    return of_persons, summed[: data.n] / found.in_population
