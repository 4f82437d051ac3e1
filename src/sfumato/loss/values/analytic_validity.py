"""Analytic validity: whether what users will compute still comes out, by Winkler's conditions."""

from collections.abc import Iterator, Mapping, Sequence
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
from sfumato.loss.values._sampling_limits import PercentsOff, sampling_limits
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.parameters import Columns, GroupSize

ALLOWED = 5.0  # percent of the figures of a condition that may be gone or clearly off
CLEARLY = 2.0  # times as far off as by chance in one of 20 samples
ENOUGH = 6  # variables that make a file analytically interesting


class AnalyticValidity(LossMeasure):
    """Tell whether a file is analytically valid and interesting: which share of what users compute is off.

    The yardstick is another sample from the same population, as long as the masked file. A figure is off where it has
    moved by more than `tolerance` standard errors of the difference of two such samples, which are sqrt(1 + n / m)
    times those of the original for files of n and m records. There are three conditions, each with the percent of its
    figures that are off, and the value is their mean:

    - `AVmoments`: means, variances and covariances of the columns, in the whole file and in each subdomain;
    - `AVtables`: the shares of the cells in the tables of each column of `within` and of each two, and the totals of
      the columns by category of one;
    - `AVdistributions`: the columns whose Kolmogorov-Smirnov distance is above 1.358 sqrt(1 / n + 1 / m), as that of
      one in 20 samples is.

    Some figures are off in another sample too, and often many at once, as they go together: a share of women that is
    off takes the totals of women with it. How many may be is found by drawing 200 pairs of samples from the original
    with replacement. The file is called analytically valid where no more of the figures of the first two conditions are
    off than in 97.5 % of these samples, each, at most 5 % are gone or off by more than twice the tolerance, which no
    sample explains, nor more of the means and covariances of the whole file, which those of small domains would hide,
    and at least one distribution is kept: 92 to 95 % of samples pass. `AVvariables` counts the variables that can be
    validly analysed: columns with a distribution that is kept and moments that are kept in the same sense, and columns
    of `within` with no more of the cells of their own table off than that, and none clearly. With six of them the file
    is called analytically interesting. The remark says all this.

    Parameters
    ----------
    columns
        Continuous columns that will be analysed.
    within
        Columns of categories that make the subdomains and the tables, read in each file by itself, as users do.
    min_records
        The fewest records of the original that a subdomain must have to be looked at.
    tolerance
        How many standard errors of the difference of two samples a figure may move.
    seed
        Where the draws begin that tell how many figures are off in another sample.

    Meaning
        0: everything is within sampling error. 100: nothing is. Another sample of the same population has about 5.
        What sampling error hides depends on the number of records: a large file must be kept more exactly.
    Missing values
        Figures are of the values that are there; a missing category is a category. A figure that can no longer be
        computed is off, one that could not be computed in the original is not looked at.
    Source
        Winkler (1998), Re-identification methods for evaluating the confidentiality of analytically valid microdata.
        Research in Official Statistics 1; as quoted in Torra's slides "Masking methods" (2013). How far a figure may
        move, and how many may, is our own choice. Samples with replacement: Efron (1979), Bootstrap methods.

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
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of figures that are off, by condition, and the verdict."""
        names = columns_to_compare(self, original, masked)
        before, after = original.matrix(names), masked.matrix(names)
        coded = [_codes_of_both(original, masked, name) for name in _categorical_columns(self, original, masked)]
        whole = Codes(np.zeros(original.n, dtype=np.int64), np.zeros(masked.n, dtype=np.int64), 1)
        domains = [rows for cells in (whole, reduce(cross, coded)) for rows in _rows_by_cell(cells, self.min_records)]
        if not domains:
            raise DataError(
                f"AnalyticValidity.min_records must be at most the number of original records, {original.n}; "
                f"got {self.min_records}: take a smaller one"
            )
        tables = [*coded, *(cross(*pair) for pair in combinations(coded, 2))]
        ratio = masked.n / original.n
        far = self.tolerance * np.sqrt(1 + 1 / ratio)
        off, clearly_off = (
            _figures_off(before, after, domains, tables, len(coded), reach) for reach in (far, CLEARLY * far)
        )
        in_whole = _figures_off(before, after, domains[:1], tables, len(coded), CLEARLY * far).moments
        rng, of_domains = np.random.default_rng(self.seed), [rows for rows, _ in domains]
        limits = sampling_limits(before, of_domains, tables, len(coded), ratio, self.tolerance, rng)
        distributions = np.array([distribution_kept(*pair, ratio) for pair in zip(before.T, after.T, strict=True)])
        columns = distributions & (off.columns <= limits.columns) & (clearly_off.columns <= ALLOWED)
        own_tables = (off.own_tables <= limits.own_tables) & (clearly_off.own_tables == 0)
        analysable = int(np.count_nonzero(columns) + np.count_nonzero(own_tables))
        percents = (off.moments, off.tables, _percent_off(distributions.astype(np.float64)))
        return Measurement(
            self.name(),
            self.symbol,
            float(np.mean(percents)),
            parts=dict(zip(self.part_symbols, (*percents, float(analysable)), strict=True)),
            remark=_verdict(off, clearly_off, in_whole, limits, len(domains), distributions, analysable),
        )


def _verdict(
    off: PercentsOff,
    clearly_off: PercentsOff,
    in_whole: float,
    limits: PercentsOff,
    domains: int,
    distributions: Booleans,
    analysable: int,
) -> str:
    is_damaged = max(clearly_off.moments, clearly_off.tables, in_whole) > ALLOWED
    is_valid = off.moments <= limits.moments and off.tables <= limits.tables and not is_damaged and distributions.any()
    is_interesting = is_valid and analysable >= ENOUGH
    return (
        f"{'' if is_valid else 'not '}analytically valid, {'' if is_interesting else 'not '}analytically interesting: "
        f"{format_percent(off.moments)} of means and covariances in {format_count(domains, 'domain')} and "
        f"{format_percent(off.tables)} of the figures in tables are off, and in another sample up to "
        f"{format_percent(limits.moments)} and {format_percent(limits.tables)} may be; "
        f"{format_percent(clearly_off.moments)} and {format_percent(clearly_off.tables)} are gone or clearly off, "
        f"and {format_percent(in_whole)} of the means and covariances of the whole file; "
        f"{int(distributions.sum())} of {format_count(distributions.size, 'distribution')} and "
        f"{format_count(analysable, 'variable')} of {ENOUGH} that are asked for are kept"
    )


def _figures_off(
    before: FloatMatrix,
    after: FloatMatrix,
    domains: Sequence[tuple[Rows, Rows]],
    tables: Sequence[Codes],
    own: int,
    far: float,
) -> PercentsOff:
    """Return the percent of figures that moved by more than `far` standard errors, or are gone."""
    by_domain = [moments_kept(before[one], after[other], far) for one, other in domains]
    moments = [figure.ravel() for domain in by_domain for figure in (domain.means, domain.covariances)]
    shares = [shares_kept(cells, far) for cells in tables]
    totals = [totals_kept(before, after, cells, far).ravel() for cells in tables[:own]]
    return PercentsOff(
        _percent_off(np.concatenate(moments)),
        _percent_off(np.concatenate([*shares, *totals])),
        off_by_column(by_domain),
        np.array([_percent_off(table) for table in shares[:own]]),
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
