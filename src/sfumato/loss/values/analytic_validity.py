"""Analytic validity: whether what users will compute still comes out, by Winkler's conditions."""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import combinations
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.side_by_side import columns_to_compare, common_codes
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.display import format_count, format_percent
from sfumato.errors import DataError
from sfumato.loss.values._kept_figures import (
    Codes,
    cross,
    distribution_kept,
    moments_kept,
    off_by_column,
    shares_kept,
    totals_kept,
)
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.parameters import Columns, GroupSize

ALLOWED = 5.0  # percent of the figures of a condition that may be off
ENOUGH = 6  # variables that make a file analytically interesting


class AnalyticValidity(LossMeasure):
    """Tell whether a file is analytically valid and interesting: which share of what users compute is off.

    A figure is off where it has moved by more than `tolerance` standard errors of the original: further than another
    sample from the same population would move it. There are three conditions, each with the percent of its figures that
    are off, and the value is their mean:

    - `AVmoments`: means, variances and covariances of the columns, in the whole file and in each subdomain;
    - `AVtables`: the shares of the cells in the tables of each column of `within` and of each two, and the totals of
      the columns by category of one;
    - `AVdistributions`: the columns whose Kolmogorov-Smirnov distance is above 1.358 / sqrt(n).

    The file is called analytically valid where at most 5 % of the figures of the first two are off and at least one
    distribution is kept. `AVvariables` counts the variables that can be validly analysed: columns with a distribution
    that is kept and at most 5 % of the moments that they take part in off, and columns of `within` with no cell of
    their own table off. With six of them the file is called analytically interesting. The remark says both.

    Parameters
    ----------
    columns
        Continuous columns that will be analysed.
    within
        Columns of categories that make the subdomains and the tables, read in each file by itself, as users do.
    min_records
        The fewest records of the original that a subdomain must have to be looked at.
    tolerance
        How many standard errors a figure may move.

    Meaning
        0: everything is within sampling error. 100: nothing is. What sampling error hides depends on the number of
        records: a large file must be kept more exactly.
    Missing values
        Figures are of the values that are there; a missing category is a category. A figure that can no longer be
        computed is off, one that could not be computed in the original is not looked at.
    Source
        Winkler (1998), Re-identification methods for evaluating the confidentiality of analytically valid microdata.
        Research in Official Statistics 1; as quoted in Torra's slides "Masking methods" (2013). How far a figure may
        move is our own choice.

    Examples
    --------
    >>> import polars
    >>> rng = np.random.default_rng(0)
    >>> pay = rng.normal(50, 9, 400)
    >>> people = Microdata(polars.DataFrame({"pay": pay, "sex": ["f", "m"] * 200}))
    >>> noisy = Microdata(polars.DataFrame({"pay": pay + rng.normal(0, 9, 400), "sex": ["f", "m"] * 200}))
    >>> found = AnalyticValidity(columns=("pay",), within=("sex",)).measure(people, noisy)
    >>> found.remark.split(":")[0]
    'not analytically valid, not analytically interesting'
    """

    symbol: ClassVar[str] = "AV"
    part_symbols: ClassVar[tuple[str, ...]] = ("AVmoments", "AVtables", "AVdistributions", "AVvariables")
    part_units: ClassVar[Mapping[str, str]] = {"AVvariables": "variables"}
    family: ClassVar[str] = "values"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    needs_pairs: ClassVar[bool] = False

    columns: Columns
    within: Columns = Field(examples=[["sex"]])
    min_records: GroupSize = 30
    tolerance: Annotated[float, Field(gt=0, le=1000)] = 2.0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of figures that are off, by condition, and the verdict."""
        names = columns_to_compare(self, original, masked)
        before, after = original.matrix(names), masked.matrix(names)
        coded = [_codes_of_both(original, masked, name) for name in _categorical_columns(self, original, masked)]
        whole = Codes(np.zeros(original.n, dtype=np.int64), np.zeros(masked.n, dtype=np.int64), 1)
        by_domain = [
            moments_kept(before[one], after[other], self.tolerance)
            for cells in (whole, reduce(cross, coded))
            for one, other in _rows_by_cell(cells, self.min_records)
        ]
        if not by_domain:
            raise DataError(
                f"AnalyticValidity.min_records must be at most the number of original records, {original.n}; "
                f"got {self.min_records}: take a smaller one"
            )
        by_table = [shares_kept(cells, self.tolerance) for cells in coded]
        by_table += [shares_kept(cross(*pair), self.tolerance) for pair in combinations(coded, 2)]
        totals = [totals_kept(before, after, cells, self.tolerance) for cells in coded]
        distributions = np.array([distribution_kept(*pair) for pair in zip(before.T, after.T, strict=True)])
        analysable = np.count_nonzero(distributions & (off_by_column(by_domain) <= ALLOWED))
        analysable += sum(bool(table.all()) for table in by_table[: len(coded)])
        figures = [figure for domain in by_domain for figure in (domain.means, domain.covariances)]
        conditions = [np.concatenate([each.ravel() for each in group]) for group in (figures, [*by_table, *totals])]
        off = [_percent_off(condition) for condition in (*conditions, distributions.astype(np.float64))]
        return Measurement(
            self.name(),
            self.symbol,
            float(np.mean(off)),
            parts=dict(zip(self.part_symbols, (*off, float(analysable)), strict=True)),
            remark=_verdict(off, len(by_domain), distributions, int(analysable)),
        )


def _verdict(off: list[float], domains: int, distributions: Booleans, analysable: int) -> str:
    is_valid = max(off[:2]) <= ALLOWED and bool(distributions.any())
    is_interesting = is_valid and analysable >= ENOUGH
    return (
        f"{'' if is_valid else 'not '}analytically valid, {'' if is_interesting else 'not '}analytically interesting: "
        f"{format_percent(off[0])} of means and covariances in {format_count(domains, 'domain')} and "
        f"{format_percent(off[1])} of the figures in tables are off; {int(distributions.sum())} of "
        f"{format_count(distributions.size, 'distribution')} and {format_count(analysable, 'variable')} of {ENOUGH} "
        f"that are asked for are kept"
    )


def _percent_off(kept: FloatColumn) -> float:
    """Return the percent of figures that are not kept; NaN are not looked at."""
    judged = kept[~np.isnan(kept)]
    return 100 * float(np.mean(judged == 0)) if judged.size else 0.0


def _categorical_columns(measure: AnalyticValidity, original: Microdata, masked: Microdata) -> tuple[str, ...]:
    names = original.select(measure.within)
    lacking = [name for name in names if name not in masked.schema]
    if lacking or not names:
        raise DataError(
            f"AnalyticValidity.within must name columns that both files have; "
            f"{f'the masked file has no {lacking[0]!r}' if lacking else 'got none'}"
        )
    return names


def _codes_of_both(original: Microdata, masked: Microdata, name: str) -> Codes:
    before, after, categories = common_codes(original, masked, name)
    count = len(categories)
    return Codes(np.where(before < 0, count, before), np.where(after < 0, count, after), count + 1)


def _rows_by_cell(cells: Codes, min_records: int) -> Iterator[tuple[Rows, Rows]]:
    """Yield the rows of both files in each cell that has enough records of the original."""
    for cell in np.flatnonzero(np.bincount(cells.before, minlength=cells.cell_count) >= min_records):
        yield np.flatnonzero(cells.before == cell), np.flatnonzero(cells.after == cell)
