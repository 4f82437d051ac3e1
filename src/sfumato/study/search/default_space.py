"""The space when nobody names one: the usual methods for the columns of a file, with sensible parameters."""

from collections.abc import Collection
from itertools import product
from typing import Any

from sfumato.data import Microdata, Role, categorical, numeric, role
from sfumato.errors import DataError
from sfumato.study.search.interval import between

MAX_IMPROVED = 5_000  # records; in larger files improving a candidate takes longer than all the rest
MIN_RECORDS = 10  # records
ITERATIONS = 100_000  # a third of the improver's own: a search has many to improve


def default_space(data: Microdata, measured: Collection[str] | None = None) -> list[Any]:
    """Return the entries of the usual space for a file, to be used as they are or changed.

    Numeric columns are masked together, by each of the usual families; categorical keys by invariant PRAM, by local
    suppression or not at all. Where no categorical column is a key, all of them are taken as keys. One entry makes
    whole records equal, numbers and categories together, and drops numbers of households, by which equal records are
    told apart: that holds against anybody. Recoding is not among them: it takes a hierarchy, which only the user knows.

    Parameters
    ----------
    data
        The records to mask.
    measured
        The columns that some figure looks at: what would be masked unseen stays as it is, and weights that it looks at
        are masked with the numbers. All but weights when not given.

    Examples
    --------
    >>> import polars
    >>> for entry in default_space(Microdata(polars.DataFrame({"tax": [i**1.5 for i in range(50)]}))):
    ...     print(*(f"{name} {parameters}" for step in entry for name, parameters in step.items()))
    rank_swapping {'columns': ['tax'], 'window': Interval(low=4.0, high=50, logarithmic=True)}
    additive_noise {'columns': ['tax'], 'scale': Interval(low=0.05, high=2, logarithmic=True)}
    mdav {'columns': ['tax'], 'k': Interval(low=3, high=10, logarithmic=True)}
    microaggregated_hybrid {'columns': ['tax'], 'k': Interval(low=3, high=10, logarithmic=True)}
    shuffling {'columns': ['tax']}
    """
    if data.n < MIN_RECORDS:
        raise DataError(
            f"a search by the usual methods needs at least {MIN_RECORDS} records; the file has {data.n}: take a larger "
            "file, or say which methods to try"
        )
    seen = data.schema.names if measured is None else measured
    weights = data.select(role("weight")) if measured is not None else ()
    numbers = tuple(name for name in observed_columns(data, (*data.select(numeric), *weights)) if name in seen)
    keys = tuple(name for name in _keys(data) if name in seen)
    if not numbers and not keys:
        raise DataError(
            "the file has no numeric or categorical column to mask; give a column the kind and a role in the schema, "
            "or say which methods to try"
        )
    for_numbers = _of_numbers(numbers, data.n) if numbers else [[]]
    for_keys = [[], *_of_keys(keys)] if numbers and keys else _of_keys(keys) if keys else [[]]
    found = [_join_pipelines(first, second) for first, second in product(for_numbers, for_keys)]
    categories = tuple(name for name in observed_columns(data, data.select(categorical)) if name in seen)
    return [*found, *_of_records(data, numbers, categories)]


def observed_columns(data: Microdata, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns that hold a value."""
    return tuple(name for name in columns if data.summary.observed(name))


def _keys(data: Microdata) -> tuple[str, ...]:
    names = observed_columns(data, data.select(categorical))
    return tuple(name for name in names if data.schema[name].role is Role.KEY) or names


def _of_numbers(names: tuple[str, ...], n: int) -> list[Any]:
    """Return pipelines for numeric columns; those with an improver are mappings."""
    columns = list(names)
    sizes = between(3, max(10, n // 10), logarithmic=True)
    swapping = {"rank_swapping": {"columns": columns, "window": between(window_of(n), 50, logarithmic=True)}}
    mdav = {"mdav": {"columns": columns, "k": sizes}}
    found: list[Any] = [
        [swapping],
        [{"additive_noise": {"columns": columns, "scale": between(0.05, 2, logarithmic=True)}}],
        [mdav],
        [{"microaggregated_hybrid": {"columns": columns, "k": sizes}}],
        [{"shuffling": {"columns": columns}}],
    ]
    if len(names) > 1:
        ratios = between(0.01, 2, logarithmic=True)
        found.append([{"correlated_noise": {"columns": columns, "variance_ratio": ratios}}])
        found.append([{"hybrid": {"columns": columns, "original_percent": between(5, 90)}}])
    if len(names) > 2:
        together = between(2, min(len(names) - 1, 5)) if len(names) > 3 else 2
        found.append([{"mdav": {"columns": columns, "k": sizes, "columns_at_a_time": together}}])
    if n <= MAX_IMPROVED and len(names) > 1:
        found.append({"steps": [swapping], "improve": _improver(columns, record_percent=between(5, 50))})
        found.append({"steps": [mdav], "improve": _improver(columns, record_percent=100, keeps_groups=True)})
    return found


def window_of(n: int) -> float:
    """Return the narrowest window of the usual space: two records, or half a percent."""
    return min(25.0, max(0.5, 200 / n))


def _improver(columns: list[str], **others: Any) -> Any:
    settings = {"target_percent": between(20, 100), "max_steps": ITERATIONS, **others}
    return {"post_masking_optimisation": {"columns": columns, **settings}}


def _of_keys(names: tuple[str, ...]) -> list[Any]:
    columns = list(names)
    return [
        [{"invariant_pram": {"columns": columns, "stay": between(50, 98)}}],
        [{"local_suppression": {"columns": columns, "k": between(2, 10)}}],
    ]


def _of_records(data: Microdata, numbers: tuple[str, ...], categories: tuple[str, ...]) -> list[Any]:
    """Return the pipeline by which groups of records become equal in numbers and categories, where there are both."""
    if not numbers or not categories:
        return []
    sizes = between(3, max(10, data.n // 20), logarithmic=True)
    groups = {"categorical_microaggregation": {"columns": [*numbers, *categories], "k": sizes}}
    households = data.select(role("household"))
    return [[*([{"drop_identifiers": {"columns": list(households)}}] if households else []), groups]]


def _join_pipelines(first: Any, second: Any) -> Any:
    """Return the pipeline for numeric columns with the one for keys behind it."""
    if isinstance(first, dict):
        return {**first, "steps": [*first["steps"], *second]}
    return [*first, *second]
