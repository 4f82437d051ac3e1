"""Subdomain information loss: information loss inside the strata that users will look at."""

from typing import ClassVar, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.comparison.side_by_side import Comparison, side_by_side
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Category, Kind, Microdata
from sfumato.errors import DataError
from sfumato.loss.values._moments import ROUNDING, Moments, moments
from sfumato.loss.values.information_loss import (
    correlation_error,
    covariance_variation,
    record_variation,
    variation,
)
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.known_means import mean_of_known
from sfumato.numerics.noise_moments import before_rescaling, noise_share
from sfumato.parameters import Columns, GroupSize, Ratio

CodedColumns = dict[str, tuple[CodeColumn, tuple[Category, ...]]]
PARTS = ("ILsub1", "ILsub2", "ILsub3", "ILsub4", "ILsub5")


class Published(NamedTuple):
    """The masked records that users take moments of, and the covariance that they know noise to have added."""

    records: FloatMatrix
    noise: FloatMatrix | None


class SubdomainInformationLoss(LossMeasure):
    """Average the information loss of the subdomains that some columns make, corrected for known noise if asked.

    A subdomain is the records that are equal in all columns of `within`, taken from the original file; a masked record
    belongs to the subdomain of its original. The value is the mean over subdomains of the five parts of
    `InformationLoss` inside each. The parts are `ILsub1` (values), `ILsub2` (means), `ILsub3` (covariances), `ILsub4`
    (variances) and `ILsub5` (correlations), each the mean over subdomains, then the loss of each subdomain by its
    categories.

    With `noise_ratio` d the masked moments are those that a user corrects for noise of covariance d Cov(X): means as
    they are, and covariances V_D - d V / (1 + d), with V_D the covariance of the masked records of the subdomain and V
    that of all masked records. With `rescaled` the masked records are first spread about their means by sqrt(1 + d).
    A variance that comes out negative counts as 0: the subdomain is too small for the noise. The values (`ILsub1`) are
    compared as they are.

    Parameters
    ----------
    columns
        Continuous columns.
    within
        Columns whose equal values make the subdomains; they are read in the original file only, where a missing
        category counts as a category too.
    min_records
        The fewest records, in each of the files, that a subdomain must have to be looked at. Its name and its loss are
        shown: with very few records, the loss gives away their values.
    noise_ratio
        The variance of the noise that was added, as a multiple of the variance of the columns, as the publisher states
        it; none for other masking, or to see what users lose who do not correct.
    rescaled
        Whether the noisy records were rescaled to the variances of the original.

    Meaning
        0: the same values and moments in every subdomain. 100: on average they have changed there by as much as they
        were. There is no upper bound. Methods that keep the moments of the whole file seldom keep those of its parts:
        compare with `InformationLoss`.
    Missing values
        As in `InformationLoss`. A column without any value of the original in a subdomain is left out there; one whose
        values there were all suppressed has lost its moments, which count as 0. A subdomain where no column has a value
        has nothing to lose, and counts 0.
    Source
        Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection, Tables 8 and
        9; the correction from Kim (1990), Subpopulation estimation for the masked data.

    Examples
    --------
    >>> whole, part = moments(np.array([[0.0], [2.0], [4.0], [14.0]])), moments(np.array([[0.0], [10.0]]))
    >>> whole.variances.round(2), part.variances
    (array([38.67]), array([50.]))
    >>> less_noise(part, noise_share(whole.covariances, 0.5)).variances.round(2)
    array([37.11])
    """

    symbol: ClassVar[str] = "ILsub"
    part_symbols: ClassVar[tuple[str, ...]] = PARTS
    family: ClassVar[str] = "values"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    within: Columns = Field(examples=[["sex"]])
    min_records: GroupSize = 30
    noise_ratio: Ratio | None = None
    rescaled: bool = False

    @model_validator(mode="after")
    def _check_rescaled(self) -> Self:
        if self.rescaled and self.noise_ratio is None:
            raise ValueError("SubdomainInformationLoss.rescaled needs the noise_ratio by which records were rescaled")
        return self

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean information loss of the subdomains in percent, by part and by subdomain."""
        files = side_by_side(self, original, masked)
        names = original.select(self.within)
        coded = {name: original.codes(name) for name in names}
        published = self._estimate_published(files.masked)
        domains = self._subdomains(original.stratum_numbers(names), files.rows)
        losses = np.array([subdomain_losses(files, published, before, after) for before, after in domains])
        parts = dict(zip(PARTS, losses.mean(axis=0).tolist(), strict=True))
        parts |= {
            _format_domain(coded, int(before[0])): float(loss.mean())
            for (before, _), loss in zip(domains, losses, strict=True)
        }
        return Measurement(self.name(), self.symbol, float(losses.mean()), parts=parts)

    def _estimate_published(self, masked: FloatMatrix) -> Published:
        """Return the records whose moments users take, and the covariance that noise has added to them."""
        if self.noise_ratio is None:
            return Published(masked, None)
        if self.rescaled:
            masked = before_rescaling(masked, np.nanmean(masked, axis=0), self.noise_ratio)
        return Published(masked, noise_share(moments(masked).covariances, self.noise_ratio))

    def _subdomains(self, domains: CodeColumn, rows: Rows) -> list[tuple[Rows, Rows]]:
        """Return the original and the masked rows of each subdomain that has enough of both."""
        count = int(domains.max()) + 1
        found = zip(_rows_by_number(domains, count), _rows_by_number(domains[rows], count), strict=True)
        enough = [pair for pair in found if min(pair[0].size, pair[1].size) >= self.min_records]
        if not enough:
            raise DataError(
                f"SubdomainInformationLoss.within: none of the {count} subdomains has {self.min_records} records in "
                f"both files; name fewer columns, or lower min_records"
            )
        return enough


def subdomain_losses(files: Comparison, published: Published, before: Rows, after: Rows) -> FloatColumn:
    """Return the five parts of the information loss of some original and some masked rows, in percent."""
    known = ~np.isnan(files.original[before]).all(axis=0)
    if not known.any():
        return np.zeros(5)
    values = record_variation(files.original[np.ix_(files.rows[after], known)], files.masked[np.ix_(after, known)])
    original, masked = (
        moments(_some_value(m))
        for m in (files.original[np.ix_(before, known)], published.records[np.ix_(after, known)])
    )
    if published.noise is not None:
        masked = less_noise(masked, published.noise[np.ix_(known, known)])
    parts = (
        mean_of_known(values),
        mean_of_known(variation(original.means, masked.means)),
        covariance_variation(original, masked),
        mean_of_known(variation(original.variances, masked.variances)),
        correlation_error(original, masked),
    )
    return 100 * np.array(parts)


def less_noise(noisy: Moments, added: FloatMatrix) -> Moments:
    """Return moments less the covariance that noise has added; a variance is at least 0, and 0 where there was none."""
    covariances = np.where(noisy.covariances == 0, 0.0, noisy.covariances - added)
    variances = np.diag(covariances)
    variances = np.where(variances > ROUNDING * noisy.variances, variances, 0.0)
    np.fill_diagonal(covariances, variances)
    spread = np.sqrt(np.outer(variances, variances))
    correlations = np.divide(covariances, spread, out=np.zeros_like(spread), where=spread > 0)
    return Moments(noisy.means, covariances, np.clip(correlations, -1.0, 1.0))


def _some_value(matrix: FloatMatrix) -> FloatMatrix:
    """Return the matrix with columns of zeros, whose moments are 0, in place of those that have no value."""
    return np.where(np.isnan(matrix).all(axis=0), 0.0, matrix)


def _rows_by_number(numbers: CodeColumn, count: int) -> list[Rows]:
    """Return the rows that have each number from 0 to below `count`."""
    ends = np.cumsum(np.bincount(numbers, minlength=count))
    return np.split(np.argsort(numbers, kind="stable"), ends[:-1])


def _format_domain(coded: CodedColumns, row: int) -> str:
    """Return the categories of a row as `region=north, sex=f`."""
    categories = {
        name: listed[codes[row]] if codes[row] >= 0 else "(missing)" for name, (codes, listed) in coded.items()
    }
    return ", ".join(f"{name}={category}" for name, category in categories.items())
