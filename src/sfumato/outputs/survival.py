"""Kaplan-Meier curves as outputs: shown at times between which enough records have the event."""

import numpy as np

from sfumato.data import Category, Kind, Microdata
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.outputs.facts import Facts
from sfumato.outputs.judging import Judge
from sfumato.outputs.output import Output, Status
from sfumato.outputs.shown_table import ShownTable
from sfumato.outputs.tabulation import Dimension

SEEN = {"1", "true", "yes", "y", "1.0"}
NOT_SEEN = {"0", "false", "no", "n", "0.0"}
COARSER = (1, 2, 4, 8)  # times as many records for each step, until the audit finds nothing


def survival_output(
    judge: Judge,
    name: str,
    request: str,
    times: FloatColumn,
    seen: FloatColumn,
    by: Dimension | None,
    selected: Booleans,
) -> Output:
    """Return the curve of each group at a few times: the coarsest that is needed to be safe beside other outputs.

    Parameters
    ----------
    judge
        What the output is judged by.
    name, request
        What it is called, and what was asked for.
    times, seen
        For each record the time, and 1 if the event was seen and 0 if not; NaN where that is missing.
    by
        What gives groups.
    selected
        The records to take.
    """
    used = selected & ~np.isnan(times) & ~np.isnan(seen)
    groups = Dimension("records", np.zeros(times.size, dtype=np.int64), ("all",)) if by is None else by
    used &= groups.codes >= 0
    if not used.any():
        raise DataError("survival: no selected record has both a time and whether the event was seen")
    output = None
    for times_coarser in COARSER:
        table, facts = _curves(name, times, seen == 1, groups, used, times_coarser * judge.rules.min_units)
        output = judge.whole(name, request, table, facts, [] if table.rows else ["no step has enough records"])
        if output.status is Status.SAFE:
            return output
    assert output is not None  # noqa: S101
    return output


def kaplan_meier(times: FloatColumn, seen: Booleans, at: FloatColumn) -> FloatColumn:
    """Return the share that has survived each of some times: the product of 1 - events / at risk.

    Examples
    --------
    >>> kaplan_meier(np.array([1.0, 2.0, 2.0, 3.0]), np.array([True, True, False, True]), np.array([1.0, 2.5, 3.0]))
    array([0.75, 0.5 , 0.  ])
    """
    points = np.unique(times[seen])
    at_risk = (times[:, None] >= points).sum(axis=0)
    events = ((times[:, None] == points) & seen[:, None]).sum(axis=0)
    steps = np.concatenate([[1.0], np.cumprod(1 - events / at_risk)])
    return np.asarray(steps[np.searchsorted(points, at, side="right")])


def events_of(data: Microdata, event: str) -> FloatColumn:
    """Return 1 where the event was seen, 0 where not, NaN where that is missing."""
    if data.schema[event].kind is Kind.CONTINUOUS:
        values = data.values(event)
        if not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
            raise DataError(f"survival: '{event}' must be 1 where the event was seen and 0 where not; it has others")
        return values
    codes, categories = data.codes(event)
    return np.append([_as_event(event, category) for category in categories], np.nan)[codes]


def _as_event(event: str, category: Category) -> float:
    word = str(category).lower()
    if word not in SEEN | NOT_SEEN:
        raise DataError(f"survival: '{event}' must say yes or no, 1 or 0, or true or false; it has other categories")
    return 1.0 if word in SEEN else 0.0


def _curves(
    name: str, times: FloatColumn, seen: Booleans, by: Dimension, used: Booleans, min_records: int
) -> tuple[ShownTable, Facts]:
    """Return the curves and what they tell: the records at risk at each step, and the events between steps."""
    from scipy.sparse import csr_array

    rows, figures, sets, labels = [], [], [], []
    for code, category in enumerate(by.categories):
        inside = used & (by.codes == code)
        limits = _limits(times[inside], seen[inside], min_records)
        start = -np.inf
        for limit, survived in zip(limits, kaplan_meier(times[inside], seen[inside], limits), strict=True):
            at_risk = inside & (times > start)
            events = inside & (times > start) & (times <= limit) & seen
            rows.append((str(category), f"{float(limit)!r}"))
            figures.append((int(at_risk.sum()), int(events.sum()), float(survived)))
            sets += [at_risk, events]
            labels += [f"{by.name}={category}, at risk in step {len(rows)}", f"{by.name}={category}, step {len(rows)}"]
            start = limit
    shown = ShownTable((by.name, "time"), tuple(rows), ("at risk", "events", "survival"), tuple(figures))
    membership = np.stack(sets, axis=1) if sets else np.zeros((times.size, 0), dtype=np.bool_)
    patterns, group = np.unique(membership[used], axis=0, return_inverse=True)
    groups = np.full(times.size, -1, dtype=np.int64)
    groups[used] = group.reshape(-1)
    asked = np.ones(len(labels), dtype=np.bool_)
    return shown, Facts(name, groups, csr_array(patterns.T.astype(np.float64)), tuple(labels), asked, asked.copy())


def _limits(times: FloatColumn, seen: Booleans, min_records: int) -> FloatColumn:
    """Return times such that enough records have the event between two of them, and nobody is left over alone.

    As many, or none, are lost from sight in between, and are left behind the last.
    """
    found: list[float] = []
    start = -np.inf
    for limit in np.unique(times[seen]).tolist():
        inside = (times > start) & (times <= limit)
        events, lost = int((inside & seen).sum()), int((inside & ~seen).sum())
        left = int((times > limit).sum())
        is_enough = events >= min_records and (lost == 0 or lost >= min_records)
        if is_enough and (left == 0 or left >= min_records):
            found.append(limit)
            start = limit
    return np.array(found)
