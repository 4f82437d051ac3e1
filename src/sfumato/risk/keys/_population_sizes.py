"""How many persons of the population have the keys of each record: counted, or estimated by weights."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import FileRisk
from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.keys.classes import MissingKeys, class_sizes, class_weights, coded_keys, sampling_weights, telling_remark
from sfumato.numerics.arrays import CodeMatrix, FloatColumn
from sfumato.risk.keys._population import Population

ROUNDING = 1e-9  # relative: sums of weights may fall short of what they stand for by so much


@dataclass(frozen=True, eq=False)
class PopulationSizes:
    """The records of a file and those who share their keys.

    Parameters
    ----------
    codes
        The keys of the records as codes, missing as -1 (keys x records).
    here
        How many records have exactly the keys of each, gaps included.
    there
        How many persons of the population have the keys of each.
    remark
        A sentence about the keys, if there is something to say.
    """

    codes: CodeMatrix
    here: FloatColumn
    there: FloatColumn
    remark: str


def population_sizes(
    measure: FileRisk, data: Microdata, population: Population | None, weight: str | None, missing: MissingKeys
) -> PopulationSizes:
    """Return how many share the keys of each record, in the file and in the population.

    Parameters
    ----------
    measure, data
        Who asks, and the file.
    population
        The table of the population; its gaps are read as those of the file are.
    weight
        The column of the weights, of which the sums are taken where there is no table.
    missing
        What a missing key is.
    """
    who = type(measure).__name__
    names, codes = coded_keys(measure, data)
    here = class_sizes(codes, MissingKeys.CATEGORY).astype(np.float64)
    remark = telling_remark(names, codes)
    if population is None:
        weights = sampling_weights(who, data, weight)
        if weights is None:
            raise DataError(
                f"{who} must know the population: give it as a table of counts by the keys (population), or name the "
                f"column of the weights (weight)"
            )
        return PopulationSizes(codes, here, class_weights(codes, weights, missing), remark)
    both = np.concatenate([codes, population.codes_beside(who, data, names)], axis=1)
    there = class_weights(both, np.concatenate([np.zeros(data.n), population.sizes]), missing)[: data.n]
    few = int(np.count_nonzero(there < here * (1 - ROUNDING)))
    if few:
        raise DataError(
            f"{who}.population: {few} of {data.n} records have keys that fewer persons have than records of the file; "
            f"give a table in the categories of the file, recoded as it was, that counts all its persons"
        )
    return PopulationSizes(codes, here, there, remark)
