"""Analyses that a user may make of a file: each gives numbers, by name."""

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatMatrix

Analysis = Callable[[Microdata, tuple[str, ...]], Mapping[str, float]]
"""Takes a file and the names of columns, and returns its results by name; a result that is not there counts as 0."""

QUANTILES = (5, 25, 50, 75, 95)
MIN_RECORDS = 2


def means(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the mean of each column."""
    return {name: float(np.nanmean(data.values(name))) for name in names}


def variances(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the variance of each column."""
    return {name: float(np.nanvar(data.values(name), ddof=1)) for name in names}


def covariances(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the covariance of each pair of columns, over the records complete in all of them."""
    return _pairs(names, np.atleast_2d(np.cov(_complete(data, names), rowvar=False)))


def correlations(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the correlation of each pair of columns, over the complete records; 0 for a constant one."""
    covariance = np.atleast_2d(np.cov(_complete(data, names), rowvar=False))
    deviations = np.sqrt(np.diag(covariance))
    sizes = np.outer(deviations, deviations)
    return _pairs(names, np.divide(covariance, sizes, out=np.zeros_like(covariance), where=sizes > 0))


def quantiles(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return quantiles of each column."""
    return {
        f"{name} {percent} %": float(np.nanpercentile(data.values(name), percent))
        for name in names
        for percent in QUANTILES
    }


def slopes(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the slopes of the least-squares regression of the last column on the others before it, with a constant."""
    matrix = _complete(data, names)
    centred = matrix - matrix.mean(axis=0)
    found = np.linalg.lstsq(centred[:, :-1], centred[:, -1], rcond=None)[0]
    return dict(zip(names[:-1], found.tolist(), strict=True))


def counts(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return how many records have each combination of categories, gaps included."""
    coded = [data.codes(name) for name in names]
    rows, numbers = np.unique(np.stack([codes for codes, _ in coded]), axis=1, return_counts=True)
    labels = [
        " x ".join(
            "missing" if code < 0 else str(categories[code]) for code, (_, categories) in zip(row, coded, strict=True)
        )
        for row in rows.T
    ]
    return dict(zip(labels, numbers.astype(np.float64).tolist(), strict=True))


ANALYSES: dict[str, Analysis] = {
    "means": means,
    "variances": variances,
    "covariances": covariances,
    "correlations": correlations,
    "quantiles": quantiles,
    "slopes": slopes,
    "counts": counts,
}
"""The analyses by the names that `FunctionLoss` knows; `register_analysis` adds to them."""
NEEDS_NUMBERS = frozenset(ANALYSES) - {"counts"}
NEEDS_TWO = frozenset({"correlations", "slopes"})


def register_analysis(name: str, analysis: Analysis) -> None:
    """Let `FunctionLoss` know a function of your own by a name, in Python, in YAML and on the command line.

    Parameters
    ----------
    name
        The name; one that is taken is refused.
    analysis
        Takes a file and the names of columns, and returns numbers by name.

    Examples
    --------
    >>> register_analysis("largest", lambda data, names: {name: float(np.nanmax(data.values(name))) for name in names})
    >>> "largest" in ANALYSES
    True
    >>> del ANALYSES["largest"]
    """
    if name in ANALYSES:
        raise DataError(f"register_analysis: there is an analysis called '{name}' already; take another name")
    ANALYSES[name] = analysis


def check_kinds(analysis: str, data: Microdata, names: tuple[str, ...]) -> None:
    """Refuse columns that an analysis cannot take."""
    for name in names:
        kind = data.schema[name].kind
        if analysis in NEEDS_NUMBERS and kind is not Kind.CONTINUOUS:
            raise DataError(f"FunctionLoss.columns: '{name}' is {kind}; {analysis} are of continuous columns")
        if analysis == "counts" and kind not in (Kind.NOMINAL, Kind.ORDINAL):
            raise DataError(f"FunctionLoss.columns: '{name}' is {kind}; counts are of categories")
    if analysis in NEEDS_TWO and len(names) < 2:
        raise DataError(f"FunctionLoss.columns: {analysis} need at least 2 columns; got {len(names)}")


def _complete(data: Microdata, names: tuple[str, ...]) -> FloatMatrix:
    matrix = data.matrix(names)
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    if len(complete) < MIN_RECORDS:
        raise DataError(
            f"FunctionLoss needs at least {MIN_RECORDS} records complete in {', '.join(names)}; there are "
            f"{len(complete)}"
        )
    return complete


def _pairs(names: tuple[str, ...], matrix: FloatMatrix) -> dict[str, float]:
    return {f"{one} x {other}": float(matrix[i, j]) for (i, one), (j, other) in combinations(enumerate(names), 2)} or {
        f"{names[0]} x {names[0]}": float(matrix[0, 0])
    }
