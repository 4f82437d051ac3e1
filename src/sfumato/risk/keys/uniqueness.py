"""Uniqueness: who is the only one with some keys, in the file and, by estimation, in the population."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.keys.classes import KEY_KINDS, MissingKeys, class_sizes, coded_keys, identifying_keys_remark
from sfumato.keys.counted_records import copies_of, mean_of_records
from sfumato.parameters import Columns
from sfumato.risk.keys._population import PopulationSize, population_total
from sfumato.risk.keys._super_populations import MODELS, UniquesEstimate, count_matches, estimate_uniques


class Uniqueness(FileRisk):
    """Estimate how many records are the only ones with their keys, not just in the file but in the population.

    A record that is unique in the sample may have doubles among those who were not asked. How many are unique in the
    population as well is estimated by models of how the class sizes came about: for samples of up to a tenth of the
    population by Pitman's, for larger ones by the smaller one of the estimates of Zayatz and of the slide negative
    binomial model (the rule of Dankar et al.); where a model has no solution, by that of Zayatz, and the remark says
    so. The value is the percent of records that are unique in the population; each record has the probability that it
    is, which is 0 for those with doubles in the file. Parts are the percent of records that are unique in the file
    (`PUS`), how many of these are unique in the population, in percent (`PUC`), the number of persons who are unique in
    the population (`PUN`), the sampling fraction in percent (`PUF`), and the percent of the population that each model
    takes for unique.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    weight
        The column that says how many persons of the population a record stands for; that of the role weight when not
        given. Only their sum is used, as the size of the population.
    population_size
        The number of persons in the population, instead of the sum of the weights. Without either the file is the
        population.
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own.

    Meaning
        0: nobody is unique in the population. 100: everybody is. Who is unique there and in the file is surely the
        person who has these keys.
    Intruder
        Knows the keys of everybody in the population, but not who is in the sample; looks for records that can be only
        one person. Sees the masked file.
    Missing values
        A missing key as `missing` says. As a wildcard, a record with gaps is a double of all whom it fits; the models
        then take a record that has s - 1 doubles for a part of 1 / s of a class. As a category, each code that stands
        for missing is one too. Missing weights, and weights that are not above 0, are refused;
        one below 1 counts as 1.
    Source
        Dankar, El Emam, Neisa and Roffey (2012), Estimating the re-identification risk of clinical data sets; the
        models: Hoshino (2001), Applying Pitman's sampling formula to microdata disclosure risk assessment; Zayatz
        (1991), Estimation of the number of unique population elements using a sample; Chen and Keller-McNulty (1998),
        Estimation of identification disclosure risk in microdata.

    Examples
    --------
    >>> import polars
    >>> job = ["clerk"] * 12 + ["cook"] * 5 + ["smith"] * 2 + ["judge", "diver", "bishop"]
    >>> found = Uniqueness(columns=("job",), population_size=500).of(Microdata(polars.DataFrame({"job": job})))
    >>> {symbol: round(found.parts[symbol], 1) for symbol in ("PUS", "PUC", "PUN", "PUF")}
    {'PUS': 13.6, 'PUC': 5.4, 'PUN': 3.7, 'PUF': 4.4}
    >>> round(found.value, 2), found.remark
    (0.74, "estimated by Pitman's model")
    """

    symbol: ClassVar[str] = "PU"
    part_symbols: ClassVar[tuple[str, ...]] = ("PUS", "PUC", "PUN", "PUF")
    part_units: ClassVar[Mapping[str, str]] = {"PUN": "persons"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "PUS": "the percent that is unique in the file",
        "PUC": "the percent of these that is unique in the population",
        "PUN": "persons who are unique in the population",
        "PUF": "the percent of the population that is in the file",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    weight: str | None = None
    population_size: PopulationSize = None
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records that are unique in the population, by the model that the rule takes."""
        names, codes = coded_keys(self, data, self.missing)
        persons, remark = population_total(type(self).__name__, data, self.weight, self.population_size)
        copies = copies_of(data)
        records, matches = int(copies.sum()), class_sizes(codes, self.missing, copies)
        estimate = estimate_uniques(count_matches(matches, copies), persons)
        alone = matches == 1
        probability = unique_probability(int(alone.sum()), estimate.uniques * records / persons)
        per_record = 100 * probability * alone
        figures = 100 * float(alone.sum()) / records, 100 * probability, estimate.uniques, 100 * records / persons
        remarks = [remark or estimate_remark(estimate), identifying_keys_remark(names, codes, copies)]
        return Measurement(
            self.name(),
            self.symbol,
            mean_of_records(per_record, copies),
            parts={
                **dict(zip(self.part_symbols, figures, strict=True)),
                **{model: 100 * uniques / persons for model, uniques in estimate.by_model.items()},
            },
            per_record=np.asarray(per_record, dtype=np.float64),
            remark="; ".join(part for part in remarks if part),
        )


def unique_probability(sample_uniques: int, expected: float) -> float:
    """Return the probability that a sample unique is a population unique, of whom some are expected in the sample.

    Examples
    --------
    >>> unique_probability(40, 10.0), unique_probability(40, 50.0), unique_probability(0, 0.0)
    (0.25, 1.0, 0.0)
    """
    return min(expected / sample_uniques, 1.0) if sample_uniques else 0.0


def estimate_remark(estimate: UniquesEstimate) -> str:
    """Return a sentence about the model that was taken, and about those without a solution."""
    if not estimate.by_model:
        return ""
    without = [title for model, title in MODELS.items() if model not in estimate.by_model]
    has = "has" if len(without) == 1 else "have"
    return f"estimated by {MODELS[estimate.model]}" + (
        f"; {' and '.join(without)} {has} no solution for this file" if without else ""
    )
