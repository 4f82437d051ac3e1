"""Compare protections of the same table: what each suppresses and changes, and how near intruders still come."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display import (
    Column,
    Table,
    bullet_list,
    detail_column,
    format_compact,
    header_column,
    heading,
    render_notebook,
    render_page,
    split_columns,
)
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn
from sfumato.tables.audit.audit import Intervals, audit
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.protection import ProtectedCells

if TYPE_CHECKING:
    import polars as pl

PAGE_WIDTH = 110  # characters of a row of a page
EQUALITY_TOLERANCE = 1e-9  # of the largest value: two values nearer than that are the same


@dataclass(frozen=True)
class ProtectionMeasures:
    """What one protection costs and achieves.

    Parameters
    ----------
    name
        The protection.
    suppressed_cells, suppressed_value
        The cells that are suppressed, and their absolute values, in percent of all.
    changed_cells
        The cells that are published with another value, in percent of all.
    mean_deviation, largest_deviation
        Of the published cells from their true values.
    mean_relative_deviation, largest_relative_deviation
        The same in percent of the true value, over published cells that are not 0.
    hellinger
        The Hellinger distance between published and true values of the published cells, taken as distributions: 0 for
        the same shares, 1 for none in common; NaN where a value is negative.
    largest_break
        By how much parts differ from their total at most, where all are published.
    protected_primaries
        The primaries whose values an intruder cannot narrow down to less than their levels, in percent of all
        primaries; NaN where there are none.
    disclosed_primaries
        The primaries whose values an intruder works out exactly, in percent of all primaries; NaN where there are none.
    narrowest_interval
        The width of the interval that the intruder finds, as a multiple of the width that the levels ask for, of the
        primary where it is least, of all whose whole interval was found; NaN where there are none.
    """

    name: str
    suppressed_cells: float
    suppressed_value: float
    changed_cells: float
    mean_deviation: float
    largest_deviation: float
    mean_relative_deviation: float
    largest_relative_deviation: float
    hellinger: float
    largest_break: float
    protected_primaries: float
    disclosed_primaries: float
    narrowest_interval: float


@dataclass(frozen=True)
class ProtectionComparison(TabularResult):
    """The same measures for several protections; they are computed with the true values, so judge before sharing them.

    Parameters
    ----------
    measures
        One entry for each protection.
    """

    measures: tuple[ProtectionMeasures, ...]

    def to_frame(self) -> "pl.DataFrame":
        """Return the measures as a polars dataframe, a row for each protection."""
        import polars as pl

        return pl.DataFrame([asdict(each) for each in self.measures])

    def to_dict(self) -> dict[str, Any]:
        """Return the measures as plain dicts and lists, ready for JSON; what is not defined is None."""
        rows = ([(name, value) for name, value in asdict(each).items()] for each in self.measures)
        return {"protections": [{name: None if value != value else value for name, value in row} for row in rows]}

    def to_table(self) -> Table:
        """Return the measures as a table, a column for each protection."""
        names = [field.name for field in fields(ProtectionMeasures)[1:]]
        return Table(
            columns=(header_column(), *(Column(each.name) for each in self.measures)),
            rows=tuple((LABELS[name], *(_figure(getattr(each, name)) for each in self.measures)) for name in names),
        )

    def to_page(self, title: str, facts: Sequence[str] = ()) -> str:
        """Return the measures as an HTML page that stands alone, with what each of them says.

        Parameters
        ----------
        title
            The heading.
        facts
            Sentences to put above the measures, such as what each protection did.
        """
        meanings = Table(
            (header_column(), detail_column()), tuple((LABELS[name], meaning) for name, meaning in MEANINGS.items())
        )
        parts = [
            bullet_list(facts),
            *(block.to_html() for block in split_columns(self.to_table(), PAGE_WIDTH)),
            heading("What the measures say"),
            meanings.to_html(),
        ]
        return render_page(title, parts if facts else parts[1:], notice=CONFIDENTIAL)

    def __str__(self) -> str:
        return self.to_table().to_text()

    def _repr_html_(self) -> str:
        return render_notebook([self.to_table().to_html()])


LABELS = {
    "suppressed_cells": "cells suppressed, %",
    "suppressed_value": "value suppressed, %",
    "changed_cells": "cells changed, %",
    "mean_deviation": "mean deviation",
    "largest_deviation": "largest deviation",
    "mean_relative_deviation": "mean deviation, % of the value",
    "largest_relative_deviation": "largest deviation, % of the value",
    "hellinger": "Hellinger distance",
    "largest_break": "largest break of a sum",
    "protected_primaries": "primaries protected, %",
    "disclosed_primaries": "primaries worked out exactly, %",
    "narrowest_interval": "narrowest interval, 1 = as the levels ask",
}

MEANINGS = {
    "suppressed_value": "the absolute values of suppressed cells, of all",
    "mean_deviation": "of published cells from their true values",
    "hellinger": "between published and true shares: 0 for the same, 1 for none in common",
    "largest_break": "by how much published parts differ from their published total at most",
    "protected_primaries": "approximate disclosure: unsafe cells that nobody narrows down further than the rules allow",
    "disclosed_primaries": "exact disclosure: unsafe cells of which one value alone fits all that is published",
    "narrowest_interval": "the unsafe cell that is narrowed down most, in units of what the rules ask for",
}
CONFIDENTIAL = "The figures are computed with the true values: keep them inside."


def compare_protections(
    protections: Mapping[str, ProtectedCells],
    problem: Problem,
    *,
    insiders: bool = False,
    intervals: Intervals | str = Intervals.PRIMARIES,
) -> ProtectionComparison:
    """Measure several protections of the same cells alike.

    The intruder knows what is published, each method with its parameters, the bounds of the problem, and that the true
    values add up; two linear programmes for each primary say what that comes to.

    Parameters
    ----------
    protections
        What each protection made of the cells, by the name to call it.
    problem
        The cells, their true values, the primaries and their levels.
    insiders
        Whether the problem's other intruders count too, who know some cells beforehand; much slower.
    intervals
        Of which primaries the whole interval is wanted, as for `audit`: with `unprotected`, much quicker for tables of
        thousands of cells, `narrowest_interval` is that of the primaries that are not protected.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from sfumato.tables import ControlledRounding, OptimalSuppression
    >>> ones, no, first = np.ones(4), np.zeros(4, dtype=bool), np.arange(4) == 0
    >>> problem = Problem(
    ...     np.array([5.0, 32.0, 21.0, 58.0]), csr_array([[1.0, 1.0, 1.0, -1.0]]), 0 * ones, 99 * ones, ones,
    ...     primaries=np.array([0]), upper_levels=np.array([3.0]), lower_levels=np.array([3.0]),
    ...     sliding_levels=np.zeros(1), must_suppress=first, must_publish=no,
    ... )
    >>> rng = np.random.default_rng(0)
    >>> protections = {"suppression": OptimalSuppression(), "rounding": ControlledRounding(base=10)}
    >>> outcomes = {name: protection.protect(problem, rng) for name, protection in protections.items()}
    >>> compare_protections(outcomes, problem).to_frame().select("name", "suppressed_cells", "largest_deviation")
    shape: (2, 3)
    ┌─────────────┬──────────────────┬───────────────────┐
    │ name        ┆ suppressed_cells ┆ largest_deviation │
    │ ---         ┆ ---              ┆ ---               │
    │ str         ┆ f64              ┆ f64               │
    ╞═════════════╪══════════════════╪═══════════════════╡
    │ suppression ┆ 50.0             ┆ 0.0               │
    │ rounding    ┆ 0.0              ┆ 5.0               │
    └─────────────┴──────────────────┴───────────────────┘
    """
    if not protections:
        raise DataError("compare_protections: at least one protection is needed; got none")
    measures = (_measure(name, cells, problem, insiders, intervals) for name, cells in protections.items())
    return ProtectionComparison(tuple(measures))


def _measure(
    name: str, protection: ProtectedCells, problem: Problem, insiders: bool, intervals: Intervals | str
) -> ProtectionMeasures:
    published = protection.publish(problem)
    if published.shape != (problem.size,):
        raise DataError(f"{name}: it must have the {problem.size} cells of the problem; got {published.size}")
    suppressed, sizes = np.isnan(published), np.abs(problem.values)
    moved = np.where(suppressed, 0.0, np.abs(published - problem.values))[~suppressed]
    moved = np.where(moved <= EQUALITY_TOLERANCE * float(sizes.max(initial=0.0)), 0.0, moved)
    nonzero = problem.values[~suppressed] != 0
    relative = 100 * moved[nonzero] / sizes[~suppressed][nonzero]
    protected, disclosed, narrowest = _safety(protection, problem, insiders, intervals)
    return ProtectionMeasures(
        name=name,
        suppressed_cells=100 * float(suppressed.mean()),
        suppressed_value=100 * float(sizes[suppressed].sum() / max(float(sizes.sum()), np.finfo(float).tiny)),
        changed_cells=100 * int(np.count_nonzero(moved)) / problem.size,
        mean_deviation=float(moved.mean()) if moved.size else 0.0,
        largest_deviation=float(moved.max(initial=0.0)),
        mean_relative_deviation=float(relative.mean()) if relative.size else 0.0,
        largest_relative_deviation=float(relative.max(initial=0.0)),
        hellinger=_hellinger(published[~suppressed], problem.values[~suppressed]),
        largest_break=_largest_break(published, problem),
        protected_primaries=protected,
        disclosed_primaries=disclosed,
        narrowest_interval=narrowest,
    )


def _safety(
    protection: ProtectedCells, problem: Problem, insiders: bool, intervals: Intervals | str
) -> tuple[float, float, float]:
    """Return the percentages of primaries that are protected, and worked out exactly, and the narrowest interval.

    The interval is measured by what the levels ask for.
    """
    if not problem.primaries.size:
        return np.nan, np.nan, np.nan
    watched = problem if insiders else replace(problem, intruders=(NOBODY_KNOWS,), spared=(), only_exact=())
    lower, upper = protection.bounds(problem)
    found = audit(replace(watched, lower=lower, upper=upper), upper > lower, intervals=intervals)
    widths = np.full(problem.size, np.inf)
    widths[problem.primaries[~found.suppressed[problem.primaries]]] = 0.0
    whole = found.is_whole
    np.minimum.at(widths, found.cells[whole], (found.upper - found.lower)[whole])
    wanted = np.maximum(problem.upper_levels + problem.lower_levels, problem.sliding_levels)
    counted = (wanted > 0) & np.isfinite(widths[problem.primaries])
    narrowest = float((widths[problem.primaries][counted] / wanted[counted]).min()) if counted.any() else np.nan
    is_exact = widths[problem.primaries] <= EQUALITY_TOLERANCE * float(np.abs(problem.values).max(initial=0.0))
    return 100 * (1 - found.unprotected.size / problem.primaries.size), 100 * float(is_exact.mean()), narrowest


def _hellinger(published: FloatColumn, true: FloatColumn) -> float:
    if not published.size or (published < 0).any() or (true < 0).any() or not published.sum() or not true.sum():
        return np.nan
    shares = np.sqrt(published / published.sum()), np.sqrt(true / true.sum())
    return float(np.sqrt(((shares[0] - shares[1]) ** 2).sum() / 2))


def _largest_break(published: FloatColumn, problem: Problem) -> float:
    """Return the largest rest of the relations whose cells are all published; rounding is none."""
    suppressed = np.isnan(published)
    is_whole = abs(problem.relations) @ suppressed.astype(np.float64) == 0
    rests = np.abs(problem.relations @ np.where(suppressed, 0.0, published))[is_whole]
    largest = float(rests.max(initial=0.0))
    return 0.0 if largest <= EQUALITY_TOLERANCE * float(np.abs(problem.values).max(initial=0.0)) else largest


def _figure(value: float) -> str:
    return "-" if np.isnan(value) else format_compact(value, 4)
