"""The classes that a column is shown in: bins of a number, categories, and the ways to be missing."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata, Role
from sfumato.data.column_recoding import labelled_text
from sfumato.display import format_compact, format_count
from sfumato.numerics.arrays import CodeColumn, FloatColumn

MIN_RECORDS = 10
"""The fewest original records that a bar of a picture stands for."""
MAX_BARS = 12
LARGE = 0.05  # of the records: a category of so many keeps its own bar
BINS = 24
MANY = 0.1  # of the records: a number that so many have stands beside the bars, which it would leave no height to
MISSING = "missing"
OTHER = "other"


@dataclass(frozen=True, eq=False)
class ColumnClasses:
    """The class of each record of both files.

    Parameters
    ----------
    name
        The column.
    labels
        Categories; of a number the classes without a bin, which come after the bins: a number that many have, and ways
        to be missing.
    edges
        The edges of the bins of a number, equally wide; none for categories.
    original, synthetic
        The class of each record.
    within
        For each label of a number the bin that it lies in; -1 for ways to be missing, and for numbers `made`.
    is_date
        Whether the edges are days, counted as `sfumato.data.dates` does.
    untold
        The places of classes that too few original records are in for a bar, and that no small class can join.
    made
        The places of numbers that many synthetic records have, and fewer than ten of the original, if any: these stay
        in their bin.
    """

    name: str
    labels: tuple[str, ...]
    edges: FloatColumn
    original: CodeColumn
    synthetic: CodeColumn
    within: tuple[int, ...] = ()
    is_date: bool = False
    untold: tuple[int, ...] = ()
    made: tuple[int, ...] = ()

    @property
    def bins(self) -> int:
        """How many bins there are."""
        return max(len(self.edges) - 1, 0)


def classify(original: Microdata, synthetic: Microdata, name: str) -> ColumnClasses:
    """Return the classes of a column, made such that none of a category holds fewer than ten original records."""
    if original.schema[name].kind in (Kind.CONTINUOUS, Kind.DATE):
        return _classify_numbers(original, synthetic, name)
    return _classify_categories(original, synthetic, name)


def _classify_categories(original: Microdata, synthetic: Microdata, name: str) -> ColumnClasses:
    """Return the commonest categories in their order, the rest as one."""
    before, after, categories = common_codes(original, synthetic, name)
    labels = original.schema[name].value_labels
    texts = [labelled_text(category, labels) for category in categories]
    counts = np.bincount(before[before >= 0], minlength=len(texts))
    commonest = np.argsort(-counts, kind="stable")[:MAX_BARS]
    shown = commonest[counts[commonest] >= MIN_RECORDS]
    missing = int((before < 0).sum())
    joins_missing = 0 < missing < MIN_RECORDS
    too_few = True
    while too_few := 0 < counts.sum() - counts[shown].sum() + missing * joins_missing < MIN_RECORDS:
        if not shown.size or counts[shown[-1]] >= LARGE * original.n:
            break
        shown = shown[:-1]  # the rarest joins those that are too few by themselves, unless it is a large one
    shown = np.sort(shown)
    rest = len(texts) - shown.size
    others = f"{OTHER} ({format_count(rest, 'category')}{' and ' + MISSING if joins_missing else ''})"
    places = np.full(len(texts) + 1, shown.size)  # the last one is that of missing values
    places[shown] = np.arange(shown.size)
    places[-1] = shown.size + (not joins_missing)
    codes = [places[column] for column in (before, after)]
    if not rest:
        others = MISSING
    untold = shown.size if too_few else -1
    return _used_classes(name, [*(texts[place] for place in shown), others, MISSING], codes[0], codes[1], untold)


def _used_classes(
    name: str, labels: list[str], before: CodeColumn, after: CodeColumn, untold: int = -1
) -> ColumnClasses:
    """Return classes of categories without those that no record of either file is in."""
    used, codes = np.unique(np.concatenate([before, after]), return_inverse=True)
    names = tuple(labels[place] for place in used.tolist())
    places = tuple(np.flatnonzero(used == untold).tolist())
    return ColumnClasses(name, names, np.empty(0), codes[: before.size], codes[before.size :], untold=places)


def _classify_numbers(original: Microdata, synthetic: Microdata, name: str) -> ColumnClasses:
    """Return bins between the smallest and the largest percent of either file; what lies beyond is in the last ones.

    A number that many records of a file have is a class of its own; where they are of the other file only, original
    records that have it stay in its bin, so that none of few is told. A weight has bins alone: nobody asks how many
    records have one of its values.
    """
    values = [file.values(name) for file in (original, synthetic)]
    gaps = [_gaps(file, name) for file in (original, synthetic)]
    known = np.sort(values[0][~np.isnan(values[0])])
    shown = np.sort(values[1][~np.isnan(values[1])])
    is_number = original.schema[name].kind is Kind.CONTINUOUS
    is_number = is_number and original.schema[name].role is not Role.WEIGHT
    apart = numbers_apart(known, original.n) if is_number else []
    has_bins = is_number and np.unique(known).size > BINS
    made = [one for one in _common_numbers(shown, synthetic.n) if one not in apart] if has_bins else []
    apart += [one for one in made if (known == one).sum() >= MIN_RECORDS]
    made = [one for one in made if one not in apart]
    edges = equal_bins(known[~np.isin(known, apart)])
    edges = widened(edges, shown[~np.isin(shown, [*apart, *made])])
    told = Counter(gap for gap in gaps[0] if gap and gap != MISSING)
    codes = sorted(code for code, count in told.items() if count >= MIN_RECORDS)
    rest = f"{OTHER} {MISSING}" if codes else MISSING
    labels = [*map(format_compact, [*apart, *made]), *codes, rest]
    own = len(apart) + len(made)
    classes = []
    for numbers, ways, alone in zip(values, gaps, (apart, [*apart, *made]), strict=True):
        places = np.searchsorted(edges, np.nan_to_num(numbers), side="right") - 1
        column = np.clip(places, 0, len(edges) - 2)
        for number, value in enumerate(alone):
            column[numbers == value] = len(edges) - 1 + number
        for row in np.flatnonzero(np.isnan(numbers)).tolist():
            column[row] = len(edges) - 1 + labels.index(ways[row] if ways[row] in codes else rest, own)
        classes.append(column)
    within = [int(np.clip(np.searchsorted(edges, value, side="right") - 1, 0, len(edges) - 2)) for value in apart]
    return ColumnClasses(
        name,
        tuple(labels),
        edges,
        classes[0],
        classes[1],
        (*within, *[-1] * (len(labels) - len(apart))),
        original.schema[name].kind is Kind.DATE,
        made=tuple(range(len(edges) - 1 + len(apart), len(edges) - 1 + own)),
    )


def _gaps(file: Microdata, name: str) -> list[str]:
    """Return for each record the code for no answer that its cell shows, or that nothing is there; blank for values."""
    labels = file.schema[name].value_labels
    gaps = [""] * file.n
    rows = np.flatnonzero(~file.observed(name))
    for row, cell in zip(rows.tolist(), file.table.get_column(name)[rows].to_list(), strict=True):
        gaps[row] = MISSING if cell is None or cell != cell else labelled_text(cell, labels)
    return gaps


def numbers_apart(values: FloatColumn, n: int) -> list[float]:
    """Return the numbers, of values in their order, that a tenth of the records have among many others.

    Examples
    --------
    >>> numbers_apart(np.sort([0.0] * 20 + [float(pay) for pay in range(50)]), 70)
    [0.0]
    >>> numbers_apart(np.repeat(np.arange(6.0), 10), 60)  # of few numbers each has its bar
    []
    """
    return _common_numbers(values, n) if np.unique(values).size > BINS else []


def _common_numbers(values: FloatColumn, n: int) -> list[float]:
    """Return the numbers that a tenth of the records have, and ten at least."""
    distinct, counts = np.unique(values, return_counts=True)
    return [float(value) for value in distinct[counts >= max(MANY * n, MIN_RECORDS)]]


def equal_bins(values: FloatColumn) -> FloatColumn:
    """Return the edges of equally wide bins for values in their order, the outermost percent beyond them.

    They are round numbers, so that no edge is the value of a record. Whole numbers stand in the middle of bins that
    hold equally many of them.

    Examples
    --------
    >>> equal_bins(np.repeat(np.arange(6.0), [300, 200, 150, 50, 7, 4]))
    array([-0.5,  0.5,  1.5,  2.5,  3.5,  4.5])
    """
    if not values.size:
        return np.array([0.0, 1.0])
    beyond = _beyond(values.size)
    low, high = float(values[beyond]), float(values[-1 - beyond])
    if np.array_equal(np.round(values), values):
        width = max(_round_up((high - low + 1) / BINS), 1.0)
        return np.arange(np.floor(low / width) * width - 0.5, high + 0.5 + width, width)
    width = _round_up((high - low) / BINS if low < high else max(abs(low), 1.0))
    return np.arange(np.floor(low / width), max(np.ceil(high / width), np.floor(low / width) + 1) + 1) * width


def widened(edges: FloatColumn, values: FloatColumn) -> FloatColumn:
    """Return the edges with bins of the same width added, up to the smallest and the largest percent of other values.

    Where that would be far more bins than there are, one wide one on that side.

    Examples
    --------
    >>> widened(np.array([4.0, 6.0, 8.0]), np.arange(30.0) / 3)
    array([2., 4., 6., 8.])
    >>> widened(np.array([4.0, 6.0, 8.0]), np.array([]))
    array([4., 6., 8.])
    """
    if not values.size:
        return edges
    beyond, width = _beyond(values.size), float(edges[1] - edges[0])
    below = max(int(np.ceil((edges[0] - float(values[beyond])) / width)), 0)
    above = max(int(np.floor((float(values[-1 - beyond]) - edges[-1]) / width)) + 1, 0)
    lower = np.arange(below, 0, -1) if below <= BINS else np.array([below])
    upper = np.arange(1, above + 1) if above <= BINS else np.array([above])
    return np.concatenate([edges[0] - lower * width, edges, edges[-1] + upper * width])


def _beyond(size: int) -> int:
    """Return how many of so many values lie beyond the outermost edge on a side: a percent, and ten at least."""
    return min(max(size // 100, MIN_RECORDS), (size - 1) // 2)


def _round_up(width: float) -> float:
    """Return the next number from 1, 2, 2.5 and 5 times a power of ten; from 1 on whole numbers only.

    Examples
    --------
    >>> _round_up(0.3), _round_up(1.2), _round_up(21.0), _round_up(600.0)
    (0.5, 2.0, 25.0, 1000.0)
    """
    power = 10.0 ** np.floor(np.log10(width))
    steps = (1.0, 2.0, 2.5, 5.0, 10.0) if power != 1.0 else (1.0, 2.0, 5.0, 10.0)
    return float(next(step * power for step in steps if step * power >= width * (1 - 1e-12)))
