"""The shape of a column for a small chart: bars over classes of numbers, or over the most frequent categories."""

from typing import Any

import numpy as np

from sfumato.data import METRIC, Kind, Microdata
from sfumato.data.dates import day_of
from sfumato.display import format_compact
from sfumato.numerics.arrays import FloatColumn

BARS = 24
MAX_CATEGORIES = 12
CENTRE = (0.5, 99.5)  # percent between which numbers are shown; the first and the last bar hold what lies beyond
OTHERS, MISSING = "others", "missing"


def shapes(original: Microdata, masked: Microdata | None, name: str) -> dict[str, Any]:
    """Return the bars of a column before and after masking, in percent of the records: labels, before, after.

    A column that has become one of another kind, as an age in classes, has bars of its own: became, with labels, after.
    """
    if masked is None or name not in masked.schema:
        return _bars(original, None, name)
    if masked.schema[name].kind == original.schema[name].kind:
        return _bars(original, masked, name)
    after = _bars(masked, None, name)
    return {**_bars(original, None, name), "became": {"labels": after["labels"], "after": after["before"]}}


def _bars(original: Microdata, masked: Microdata | None, name: str) -> dict[str, Any]:
    is_number = original.schema[name].kind in METRIC
    return (_number_bars if is_number else _category_bars)(original, masked, name)


def _number_bars(original: Microdata, masked: Microdata | None, name: str) -> dict[str, Any]:
    values = original.values(name)
    known = values[np.isfinite(values)]
    if not known.size:
        return {"labels": [], "before": []}
    low, high = np.percentile(known, CENTRE)
    edges = np.linspace(low, high, BARS + 1) if high > low else np.array([low - 0.5, low + 0.5])
    decimals = 1 - int(np.floor(np.log10(edges[1] - edges[0])))  # a tenth of a bar is as fine as anybody reads
    middles = np.round((edges[1:] + edges[:-1]) / 2, decimals)
    is_date = original.schema[name].kind == "date"
    labels = [str(day_of(middle)) if is_date else format_compact(float(middle)) for middle in middles]
    bars = {"labels": labels, "before": _percents(values, edges)}
    return bars if masked is None else {**bars, "after": _percents(masked.values(name), edges)}


def _percents(values: FloatColumn, edges: FloatColumn) -> list[float]:
    known = np.clip(values[np.isfinite(values)], edges[0], edges[-1])
    return [round(100 * count / max(len(values), 1), 3) for count in np.histogram(known, edges)[0].tolist()]


def _category_bars(original: Microdata, masked: Microdata | None, name: str) -> dict[str, Any]:
    files = [_category_percents(data, name) for data in (original, masked) if data is not None]
    frequent = sorted(files[0], key=lambda one: -files[0][one])[:MAX_CATEGORIES]
    new = [one for file in files[1:] for one in file if one not in files[0]][:MAX_CATEGORIES]
    if original.schema[name].kind is Kind.ORDINAL:
        frequent = [one for one in files[0] if one in frequent]  # in their order
    shown = [one for one in (*frequent, *new) if one != MISSING]
    bars = [[round(file.get(one, 0.0), 3) for one in shown] for file in files]
    rest = [round(sum(share for one, share in file.items() if one not in (*shown, MISSING)), 3) for file in files]
    gaps = [round(file.get(MISSING, 0.0), 3) for file in files]
    labels = list(shown)
    for label, extra in ((OTHERS, rest), (MISSING, gaps)):
        if any(extra):
            labels.append(label)
            bars = [[*bar, more] for bar, more in zip(bars, extra, strict=True)]
    return {"labels": labels, **dict(zip(("before", "after"), bars, strict=False))}


def _category_percents(data: Microdata, name: str) -> dict[str, float]:
    codes, categories = data.codes(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    labels = data.schema[name].value_labels
    total = max(data.n, 1)
    percents = {
        str(labels.get(category, category)): 100 * int(count) / total
        for category, count in zip(categories, counts, strict=True)
        if count
    }
    gaps = int((codes < 0).sum())
    return {**percents, MISSING: 100 * gaps / total} if gaps else percents
