"""The population that a file is a sample of: its table by keys, its size, and who shares the keys of each record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field, InstanceOf, PlainSerializer, WithJsonSchema

from sfumato.contracts import FileRisk
from sfumato.data import Category, Microdata
from sfumato.data.eager_tables import as_table
from sfumato.display import format_compact
from sfumato.errors import DataError, did_you_mean
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import (
    MissingKeys,
    class_sizes,
    class_weights,
    coded_keys,
    identifying_keys_remark,
)
from sfumato.keys.counted_records import copies_of
from sfumato.keys.weights import LARGEST_POPULATION, sampling_weights, weight_remark
from sfumato.numerics.arrays import CodeMatrix, FloatColumn

COUNT = "count"
ROUNDING = 1e-9  # relative: sums of weights may fall short of what they stand for by so much
WHOLE = "without weights or a population the file counts as the whole population: give one of them if it is a sample"

PopulationSize = Annotated[float, Field(gt=0, le=LARGEST_POPULATION)] | None
"""The number of persons in the population, where it is given."""


@dataclass(frozen=True)
class Population:
    """How many persons of the population have each combination of keys.

    Parameters
    ----------
    keys
        The values of each key, one for each combination; none where it is not known.
    counts
        How many persons have each combination.
    """

    keys: Mapping[str, tuple[Category | None, ...]]
    counts: tuple[float, ...]

    def __repr__(self) -> str:
        persons = format_compact(sum(self.counts), 15)
        return f"Population({persons} persons, {len(self.counts)} combinations of {', '.join(self.keys)})"

    def codes_beside(self, who: str, data: Microdata, names: tuple[str, ...]) -> CodeMatrix:
        """Return the keys as codes into the categories of a file and, beyond these, its own; missing is -1.

        Shape keys x combinations.
        """
        for name in names:
            if name not in self.keys:
                raise DataError(
                    f"{who}.population has no column '{name}'{did_you_mean(name, self.keys)}; it must count the "
                    f"persons of each combination of all keys"
                )
        codes = np.full((len(names), len(self.counts)), -1, dtype=np.int64)
        for row, name in enumerate(names):
            place = {category: code for code, category in enumerate(data.codes(name)[1])}
            for column, value in enumerate(self.keys[name]):
                if value is not None:
                    codes[row, column] = place.setdefault(value, len(place))
        return codes

    @property
    def sizes(self) -> FloatColumn:
        """The counts as an array."""
        return np.array(self.counts, dtype=np.float64)


def as_population(value: Any) -> Population:
    """Read the population from a dataframe, or from a mapping of lists, with a column for each key and one `count`.

    Examples
    --------
    >>> as_population({"sex": ["f", "m"], "count": [120, 80]})
    Population(200 persons, 2 combinations of sex)
    """
    if isinstance(value, Population):
        return value
    columns = _columns(value)
    if COUNT not in columns or len(columns) < 2:
        raise ValueError(
            "must have a column for each key and a column 'count' with the number of persons, such as "
            "{sex: [f, m], count: [120, 80]}"
        )
    counts = columns.pop(COUNT)
    if len({len(counts), *(len(column) for column in columns.values())}) > 1:
        raise ValueError("must have columns of the same length")
    if not all(isinstance(count, int | float) and count >= 0 for count in counts):
        raise ValueError("must have counts that are numbers, 0 or more, in every row")
    keys = {name: tuple(None if cell != cell else cell for cell in column) for name, column in columns.items()}
    return Population(keys, tuple(float(count) for count in counts))


def population_table(register: Microdata, columns: tuple[str, ...]) -> Population:
    """Count the persons of a register of the whole population by their keys.

    Parameters
    ----------
    register
        One record for each person, recoded as the file is that is to be released.
    columns
        The keys.

    Examples
    --------
    >>> import polars
    >>> population_table(Microdata(polars.DataFrame({"sex": ["f", "m", "f"]})), ("sex",)).counts
    (2.0, 1.0)
    """
    coded = {name: register.codes(name) for name in register.select(columns)}
    classes = classes_of(np.stack([codes for codes, _ in coded.values()]))
    rows = classes.first_rows()
    keys = {
        name: tuple(None if code < 0 else categories[code] for code in codes[rows].tolist())
        for name, (codes, categories) in coded.items()
    }
    return Population(keys, tuple(classes.sizes().astype(np.float64).tolist()))


def as_columns(population: Population) -> dict[str, list[Any]]:
    """Return the population as `as_population` reads it."""
    return {**{name: list(column) for name, column in population.keys.items()}, COUNT: list(population.counts)}


def _columns(value: Any) -> dict[str, list[Any]]:
    """Return the columns of a dataframe, or of a mapping of lists, as lists."""
    if isinstance(value, Mapping):
        if not all(isinstance(column, list | tuple) for column in value.values()):
            raise ValueError("must have a list for each column, such as {sex: [f, m], count: [120, 80]}")
        return {str(name): list(column) for name, column in value.items()}
    try:
        table = as_table(value)
    except DataError as error:
        raise ValueError(f"must be a table of counts: {error}") from None
    return {name: table[name].to_list() for name in table.columns}


PopulationTable = Annotated[
    InstanceOf[Population],
    BeforeValidator(as_population),
    PlainSerializer(as_columns),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": "array"}}),
]
"""A table of the population: a column for each key, and `count`; a dataframe or a mapping of lists."""


@dataclass(frozen=True, eq=False)
class KeyCounts:
    """The records of a file and those who share their keys.

    Parameters
    ----------
    codes
        The keys of the records as codes, missing as -1 (keys x records).
    in_sample
        How many records have exactly the keys of each, gaps included.
    in_population
        How many persons of the population have the keys of each.
    remark
        A sentence about the keys, if there is something to say.
    """

    codes: CodeMatrix
    in_sample: FloatColumn
    in_population: FloatColumn
    remark: str


def count_by_keys(
    measure: FileRisk, data: Microdata, population: Population | None, weight: str | None, missing: MissingKeys
) -> KeyCounts:
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
    told_apart = missing if population is None else MissingKeys.WILDCARD  # tables of persons know no codes for missing
    names, codes = coded_keys(measure, data, told_apart)
    in_sample = class_sizes(codes, MissingKeys.CATEGORY).astype(np.float64)
    remark = identifying_keys_remark(names, codes)
    if population is None:
        weights = sampling_weights(who, data, weight)
        if weights is None:
            raise DataError(
                f"{who} must know the population: give it as a table of counts by the keys (population), or name the "
                f"column of the weights (weight)"
            )
        remarks = [weight_remark(who, data, weight), remark]
        return KeyCounts(
            codes, in_sample, class_weights(codes, weights, missing), "; ".join(part for part in remarks if part)
        )
    both = np.concatenate([codes, population.codes_beside(who, data, names)], axis=1)
    in_population = class_weights(both, np.concatenate([np.zeros(data.n), population.sizes]), missing)[: data.n]
    few = int(np.count_nonzero(in_population < in_sample * (1 - ROUNDING)))
    if few:
        raise DataError(
            f"{who}.population: {few} of {data.n} records have keys that fewer persons have than records of the file; "
            f"give a table in the categories of the file, recoded as it was, that counts all its persons"
        )
    return KeyCounts(codes, in_sample, in_population, remark)


def population_total(who: str, data: Microdata, weight: str | None, given: PopulationSize) -> tuple[float, str]:
    """Return the number given, else the sum of the weights, else the number of records; and a remark on it.

    Parameters
    ----------
    who
        Whose parameters they are, for messages.
    data
        The file.
    weight
        The column of the weights; that of the role weight when not given.
    given
        The number of persons, where it is given.
    """
    records = int(copies_of(data).sum())
    if given is not None:
        if given < records:
            raise DataError(
                f"{who}.population_size must be no less than the number of records, {records}; got "
                f"{format_compact(given)}: give the "
                f"number of persons that the sample was drawn from"
            )
        return float(given), ""
    weights = sampling_weights(who, data, weight)
    return (float(records), WHOLE) if weights is None else (float(weights.sum()), weight_remark(who, data, weight))
