"""Analyses that a user may make of a file: each gives numbers, by name."""

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np

from sfumato.contracts.registry import installed, load_offer
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, PluginError
from sfumato.loss.analyses.clustering_loss import clusters_from, different, free_centres
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.standardisation import z_scores

Analysis = Callable[[Microdata, tuple[str, ...]], Mapping[str, float]]
"""Takes a file and the names of columns, and returns its results by name; a result that is not there counts as 0."""

QUANTILES = (5, 25, 50, 75, 95)
MIN_RECORDS = 2
CLUSTERS, STARTS = 5, 10
GROUP = "sfumato.analyses"
"""The group of entry points by which an installed package offers analyses."""


def means(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the mean of each column."""
    return {name: float(np.nanmean(data.values(name))) for name in names}


def variances(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the variance of each column."""
    return {name: float(_several(data, name).var(ddof=1)) for name in names}


def covariances(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the covariance of each pair of columns, over the records complete in all of them; 0 for a constant one."""
    return _pairs(names, np.atleast_2d(np.cov(_shifted(data, names), rowvar=False)))


def correlations(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the correlation of each pair of columns, over the complete records; 0 for a constant one."""
    covariance = np.atleast_2d(np.cov(_shifted(data, names), rowvar=False))
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
    matrix = _shifted(data, names)
    centred = matrix - matrix.mean(axis=0)
    found = np.linalg.lstsq(centred[:, :-1], centred[:, -1], rcond=None)[0]
    return dict(zip(names[:-1], found.tolist(), strict=True))


def clusters(data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return the sizes and centres of five clusters by k-means on standardised columns, ordered by the first column.

    They are of the records complete in all columns, whatever their order, each from the best of ten starts.
    """
    matrix = _complete(data, names)
    matrix = matrix[np.lexsort(matrix.T[::-1])]
    records = z_scores(matrix)
    if not different(records, CLUSTERS):
        raise DataError(f"FunctionLoss.analysis: clusters need {CLUSTERS} different records complete in the columns")
    cluster = clusters_from(records, free_centres(records, CLUSTERS, STARTS, 0))
    sizes = np.bincount(cluster, minlength=CLUSTERS)
    centres = np.stack([matrix[cluster == number].mean(axis=0) for number in range(CLUSTERS)])
    found = {}
    for place, number in enumerate(np.lexsort(centres.T[::-1]), start=1):
        found[f"size of cluster {place}"] = float(sizes[number])
        found |= {f"{name} of cluster {place}": float(centres[number, j]) for j, name in enumerate(names)}
    return found


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
    "clusters": clusters,
    "counts": counts,
}
"""The analyses by the names that `FunctionLoss` knows; `register_analysis` adds to them."""
NEEDS_NUMBERS = frozenset(ANALYSES) - {"counts"}
NEEDS_TWO = frozenset({"correlations", "slopes"})


def register_analysis(name: str, analysis: Analysis) -> None:
    """Let `FunctionLoss` know a function of your own by a name, in this session; a package offers it by entry points.

    Parameters
    ----------
    name
        The name; one that is taken is refused.
    analysis
        Takes a file and the names of columns, and returns finite numbers by name.

    Examples
    --------
    >>> register_analysis("largest", lambda data, names: {name: float(np.nanmax(data.values(name))) for name in names})
    >>> "largest" in ANALYSES
    True
    >>> del ANALYSES["largest"]
    """
    if name in known_analyses():
        raise DataError(f"register_analysis: there is an analysis called '{name}' already; take another name")
    ANALYSES[name] = analysis


def known_analyses() -> list[str]:
    """Return the names of all analyses: Sfumato's own, those registered, and those that packages offer."""
    return [*ANALYSES, *(name for name in installed(GROUP) if name not in ANALYSES)]


def find_analysis(name: str) -> Analysis:
    """Return the analysis of a name, loaded now if a package offers it."""
    if name in ANALYSES:
        return ANALYSES[name]
    analysis: Analysis = load_offer(name, installed(GROUP)[name])
    if not callable(analysis):
        raise PluginError(f"the analysis '{name}' must be a function of a file and the names of columns")
    return analysis


def results_of(analysis: str, data: Microdata, names: tuple[str, ...]) -> dict[str, float]:
    """Return what an analysis finds in a file, after checking that it is some numbers by name."""
    found = find_analysis(analysis)(data, names)
    who = f"FunctionLoss.analysis: '{analysis}' must return numbers by name"
    if not isinstance(found, Mapping):
        raise DataError(f"{who}; got a {type(found).__name__}")
    if not found:
        raise DataError(f"{who}; got none")
    for name, value in found.items():
        if not isinstance(value, int | float | np.number) or isinstance(value, bool):
            raise DataError(f"{who}; '{name}' is a {type(value).__name__}")
    return {str(name): float(value) for name, value in found.items()}


def comparable_results(
    analysis: str, original: Microdata, masked: Microdata, names: tuple[str, ...]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return what an analysis finds in both files; what can no longer be computed from the masked one is not there."""
    before, after = (results_of(analysis, data, names) for data in (original, masked))
    for name, value in before.items():
        if not np.isfinite(value):
            raise DataError(
                f"FunctionLoss.analysis: '{analysis}' must return finite numbers for the original; '{name}' is {value}"
            )
    return before, {name: value for name, value in after.items() if np.isfinite(value)}


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


def _several(data: Microdata, name: str) -> FloatColumn:
    """Return the values of a column that are there less the first, if they are enough for a variance."""
    values = data.values(name)
    values = values[~np.isnan(values)]
    if values.size < MIN_RECORDS:
        raise DataError(
            f"FunctionLoss.columns: '{name}' needs at least {MIN_RECORDS} values in each file for a variance; one has "
            f"{values.size}"
        )
    return np.asarray(values - values[0], dtype=np.float64)  # so that a constant column has just the variance 0


def _shifted(data: Microdata, names: tuple[str, ...]) -> FloatMatrix:
    """Return the complete records less the first of them, so that a constant column is 0 and not nearly so."""
    matrix = _complete(data, names)
    return np.asarray(matrix - matrix[0], dtype=np.float64)


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
