"""A column of an original and of a synthetic file as shares of records, for a picture that singles nobody out."""

from dataclasses import dataclass, replace

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata
from sfumato.display import format_count
from sfumato.numerics.arrays import Booleans, FloatColumn

MIN_RECORDS = 10
"""The fewest original records that a bar of a picture stands for."""
MAX_BARS = 12
BINS = 24
MISSING = "missing"
OTHER = "other"


@dataclass(frozen=True, eq=False)
class ColumnShares:
    """The shares of both files in the classes of a column.

    Parameters
    ----------
    name
        The column.
    labels
        What the bars stand for: categories, and for a number `missing` at most.
    edges
        The edges of the classes of a number, which come before the labels; none for categories.
    original, synthetic
        The percent of the records of each file in each class.
    is_date
        Whether the edges are days, counted as `sfumato.data.dates` does.
    """

    name: str
    labels: tuple[str, ...]
    edges: FloatColumn
    original: FloatColumn
    synthetic: FloatColumn
    is_date: bool = False


def column_shares(original: Microdata, synthetic: Microdata, name: str) -> ColumnShares:
    """Return the shares of a column; classes with fewer than ten original records are joined with others."""
    if (kind := original.schema[name].kind) in (Kind.CONTINUOUS, Kind.DATE):
        shares = _shares_of_numbers(name, original.values(name), synthetic.values(name))
        return replace(shares, is_date=kind is Kind.DATE)
    return _shares_of_categories(original, synthetic, name)


def _shares_of_categories(original: Microdata, synthetic: Microdata, name: str) -> ColumnShares:
    """Return the commonest categories in their order, the rest as one."""
    before, after, categories = common_codes(original, synthetic, name)
    labels = original.schema[name].value_labels
    texts = [str(labels.get(category, category)) for category in categories]
    counts = [np.bincount(codes[codes >= 0], minlength=len(texts)).astype(np.float64) for codes in (before, after)]
    commonest = np.argsort(-counts[0], kind="stable")[:MAX_BARS]
    shown = np.sort(commonest[counts[0][commonest] >= MIN_RECORDS])
    rest = np.setdiff1d(np.arange(len(texts)), shown)
    missing = [(codes < 0).sum() for codes in (before, after)]
    columns = [np.append(count[shown], [count[rest].sum(), gap]) for count, gap in zip(counts, missing, strict=True)]
    names = [*(texts[place] for place in shown), f"{OTHER} ({format_count(len(rest), 'category')})", MISSING]
    held = np.array([True] * len(shown) + [columns[0][-2] + columns[1][-2] > 0, columns[0][-1] + columns[1][-1] > 0])
    return _as_shares(name, names, np.empty(0), columns[0], columns[1], held)


def _shares_of_numbers(name: str, before: FloatColumn, after: FloatColumn) -> ColumnShares:
    """Return a histogram between the smallest and the largest percent of the original; these are in its ends."""
    known = np.sort(before[~np.isnan(before)])
    edges = _bin_edges(known)
    columns = [
        np.append(
            np.histogram(np.clip(values[~np.isnan(values)], edges[0], edges[-1]), edges)[0].astype(np.float64),
            np.isnan(values).sum(),
        )
        for values in (before, after)
    ]
    held = np.ones(len(columns[0]), dtype=np.bool_)
    held[-1] = columns[0][-1] + columns[1][-1] > 0
    return _as_shares(name, [MISSING], edges, columns[0], columns[1], held)


def _bin_edges(values: FloatColumn) -> FloatColumn:
    """Return equally wide bins, joined with the next until each holds enough records of the original."""
    if not values.size:
        return np.array([0.0, 1.0])
    beyond = min(max(values.size // 100, MIN_RECORDS), (values.size - 1) // 2)
    low, high = float(values[beyond]), float(values[-1 - beyond])
    if low == high:
        low, high = low - 0.5, high + 0.5
    wanted = np.linspace(low, high, BINS + 1)
    counts = np.histogram(np.clip(values, low, high), wanted)[0]
    edges, held = [wanted[0]], 0
    for count, edge in zip(counts, wanted[1:], strict=True):
        held += int(count)
        if held >= MIN_RECORDS:
            edges.append(edge)
            held = 0
    edges = [*edges[:-1], wanted[-1]] if len(edges) > 1 else [wanted[0], wanted[-1]]
    return np.array(edges)


def _as_shares(
    name: str, labels: list[str], edges: FloatColumn, before: FloatColumn, after: FloatColumn, held: Booleans
) -> ColumnShares:
    """Return both as percentages, densities in the place of numbers that are not held."""
    bins = max(len(edges) - 1, 0)
    texts = tuple(label for label, is_held in zip(labels, held[bins:], strict=True) if is_held)
    shares = [100 * column[held] / max(column.sum(), 1) for column in (before, after)]
    return ColumnShares(name, texts, edges, shares[0], shares[1])
