"""A column of an original and of a synthetic file as shares of records, for a picture that singles nobody out."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata
from sfumato.data.column_recoding import text_of
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
        What the bars stand for: categories; for a number the ways to be missing, which have no bars.
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
        return replace(_shares_of_numbers(original, synthetic, name), is_date=kind is Kind.DATE)
    return _shares_of_categories(original, synthetic, name)


def _shares_of_categories(original: Microdata, synthetic: Microdata, name: str) -> ColumnShares:
    """Return the commonest categories in their order, the rest as one."""
    before, after, categories = common_codes(original, synthetic, name)
    labels = original.schema[name].value_labels
    texts = [str(labels.get(category, category)) for category in categories]
    counts = [np.bincount(codes[codes >= 0], minlength=len(texts)).astype(np.float64) for codes in (before, after)]
    commonest = np.argsort(-counts[0], kind="stable")[:MAX_BARS]
    shown = commonest[counts[0][commonest] >= MIN_RECORDS]
    missing = [int((codes < 0).sum()) for codes in (before, after)]
    joined = missing if 0 < missing[0] < MIN_RECORDS else [0, 0]
    while shown.size and 0 < counts[0].sum() - counts[0][shown].sum() + joined[0] < MIN_RECORDS:
        shown = shown[:-1]  # the rarest joins those that are too few by themselves
    shown = np.sort(shown)
    rest = np.setdiff1d(np.arange(len(texts)), shown)
    columns = [
        np.append(count[shown], [count[rest].sum() + more, gap - more])
        for count, gap, more in zip(counts, missing, joined, strict=True)
    ]
    others = f"{OTHER} ({format_count(len(rest), 'category')}{' and ' + MISSING if joined[0] else ''})"
    names = [*(texts[place] for place in shown), others, MISSING]
    held = np.array([True] * len(shown) + [columns[0][-2] + columns[1][-2] > 0, columns[0][-1] + columns[1][-1] > 0])
    return _as_shares(name, names, np.empty(0), columns[0], columns[1], held)


def _shares_of_numbers(original: Microdata, synthetic: Microdata, name: str) -> ColumnShares:
    """Return a histogram between the smallest and the largest percent of the original; these are in its ends."""
    known = [values[~np.isnan(values)] for values in (original.values(name), synthetic.values(name))]
    gaps = [_gaps(file, name) for file in (original, synthetic)]
    codes = sorted(code for code in gaps[0] if code != MISSING and gaps[0][code] >= MIN_RECORDS)
    edges = _bin_edges(np.sort(known[0]))
    columns = []
    for values, found in zip(known, gaps, strict=True):
        of_code = [found[code] for code in codes]
        bars = np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0]
        columns.append(np.array([*bars, *of_code, found.total() - sum(of_code)], dtype=np.float64))
    held = np.ones(len(columns[0]), dtype=np.bool_)
    held[-1] = columns[0][-1] >= MIN_RECORDS or (columns[0][-1] == 0 and columns[1][-1] > 0)
    return _as_shares(name, [*codes, f"{OTHER} {MISSING}" if codes else MISSING], edges, columns[0], columns[1], held)


def _gaps(file: Microdata, name: str) -> Counter[str]:
    """Return how many cells show which code for no answer, or nothing."""
    labels = file.schema[name].value_labels
    cells = file.table.get_column(name)[np.flatnonzero(~file.observed(name))].to_list()
    return Counter(MISSING if cell is None or cell != cell else str(labels.get(cell, text_of(cell))) for cell in cells)


def _bin_edges(values: FloatColumn) -> FloatColumn:
    """Return equally wide bins, joined with the next until each holds enough records of the original.

    Whole numbers stand in the middle of bins that hold equally many of them.

    Examples
    --------
    >>> _bin_edges(np.repeat(np.arange(6.0), [300, 200, 150, 50, 7, 4]))
    array([-0.5,  0.5,  1.5,  2.5,  3.5,  4.5])
    """
    if not values.size:
        return np.array([0.0, 1.0])
    beyond = min(max(values.size // 100, MIN_RECORDS), (values.size - 1) // 2)
    low, high = float(values[beyond]), float(values[-1 - beyond])
    if np.array_equal(np.round(values), values):
        width = -(-int(high - low + 1) // BINS)
        wanted = np.arange(low - 0.5, high + 0.5 + width, width)
    else:
        wanted = np.linspace(low, high, BINS + 1) if low < high else np.array([low - 0.5, high + 0.5])
    counts = np.histogram(np.clip(values, wanted[0], wanted[-1]), wanted)[0]
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
