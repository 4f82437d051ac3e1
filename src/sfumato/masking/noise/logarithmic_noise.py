"""Logarithmic noise: correlated noise on the logarithms of positive columns."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, Likelihood, MaskingMethod, Noise
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError
from sfumato.masking.noise._last_bits import drop_last_bits
from sfumato.masking.noise._linear_relations import drop_residuals, leaves_traces
from sfumato.masking.noise._noise_likelihood import noise_likelihood
from sfumato.masking.noise._rounding_units import is_coarse, rounding_unit
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.covariances import complete_covariances, estimated_covariances
from sfumato.numerics.normal_draws import correlated_normals
from sfumato.numerics.portable.exponentials import exp, log
from sfumato.parameters import Columns, Ratio


class LogarithmicNoise(MaskingMethod):
    """Add normal noise to the logarithms of positive columns, correlated as the logarithms are.

    This is multiplicative noise with factors that are correlated between the columns of a record: columns that
    rise and fall together are multiplied by similar factors, so that their ratios are kept better.

    Parameters
    ----------
    columns
        Continuous columns of positive values, masked together. Integer columns get rounded values.
    variance_ratio
        Covariance of the noise, as a multiple of the covariance of the logarithms.

    Effect on risk
        Falls as `variance_ratio` grows; outliers are hidden like others, as they are none among the logarithms. Where
        columns are strongly correlated, the noise is tiny across the correlations, and an intruder who links the
        logarithms by the Mahalanobis distance finds most records: measure `LikelihoodLinkage` or `WorstCaseLinkage`
        with the recipe.
    Effect on utility
        Keeps means in expectation, and means of subdomains; correlations of the logarithms, and with them elasticities
        (regressions of logarithms on each other), are kept in expectation. The variances of the logarithms are
        multiplied by 1 + variance_ratio; those of the values grow by more. A total is no longer the sum of its parts:
        leave it out and add up.
    Missing values
        Stay missing. The covariance of the logarithms is then estimated from all records, as by `CorrelatedNoise`. At
        least 2 records must be complete in `columns`. A value of 0 or below, and a constant column, are refused.
    Source
        Kim and Winkler (2003), Multiplicative noise for masking continuous data, second scheme; the l metric of
        Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection, was made for
        it. Half the variance of the noise is taken off the logarithms, so that means stay.

    Examples
    --------
    >>> values, covariance = np.array([[100.0], [200.0]]), np.array([[0.04]])
    >>> add_to_logarithms(values, covariance, np.random.default_rng(0)).round(1)
    array([[100.5], [190.9]])
    """

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns = Field(examples=[["expenditure"]])
    variance_ratio: Ratio = 0.1

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        """Return the normal density of the noise on the logarithms, in the coordinates in which it is white."""
        every = original.select(self.columns)
        covariance = self._covariance(original, every)
        released = masked.matrix(names)
        units = [rounding_unit(column) for column in released.T]
        is_whole = [original.table[name].dtype.is_integer() for name in names]
        shift = np.diag(covariance)[[every.index(name) for name in names]] / 2
        logarithms = log(original.matrix(every))
        before = _file_of(every, logarithms)
        after = _file_of(names, np.log(_positive(released, units)) + shift)
        is_exact = not leaves_traces(logarithms, covariance)
        noise = Noise(covariance, 1.0, np.zeros(len(every)), is_exact=is_exact)
        found = noise_likelihood(self.replace(columns=every), before, after, names, lambda _: noise)
        smallest = float(np.linalg.eigvalsh(covariance)[0])
        is_rounded = any(is_whole) or any(is_coarse(column, smallest) for column in released.T)
        return tuple(replace(coordinate, is_exact=coordinate.is_exact and not is_rounded) for coordinate in found)

    def noise(self, stratum: Microdata) -> Noise:
        """Return the noise on the logarithms."""
        names = stratum.select(self.columns)
        return Noise(self._covariance(stratum, names), 1.0, np.zeros(len(names)), of_logarithms=True)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with noise on the logarithms of the chosen columns."""
        names = block.select(self.columns)
        covariance = self._covariance(block, names)
        return block.map_matrix(names, lambda matrix: drop_last_bits(add_to_logarithms(matrix, covariance, rng)))

    def _covariance(self, block: Microdata, names: tuple[str, ...]) -> FloatMatrix:
        """Return the covariance of the noise, after checking that there are logarithms and that they vary."""
        matrix = block.matrix(names)
        for name, column in zip(names, matrix.T, strict=True):
            bad = int(np.count_nonzero(column <= 0))
            if bad:
                raise DataError(
                    f"LogarithmicNoise.columns: '{name}' must be positive, as 0 and negative values have no logarithm; "
                    f"{bad} of {block.n} are not: leave it out, or take MultiplicativeNoise"
                )
            if np.nanmax(column) == np.nanmin(column):
                raise DataError(
                    f"LogarithmicNoise.columns: '{name}' is constant, so noise in proportion would change nothing; "
                    f"leave it out"
                )
        logarithms = log(matrix)
        complete = int((~np.isnan(logarithms)).all(axis=1).sum())
        if complete < 2:
            raise DataError(
                f"LogarithmicNoise needs at least 2 records complete in {', '.join(names)}; there are {complete}"
            )
        some = logarithms[(~np.isnan(logarithms)).any(axis=1)]
        covariances = complete_covariances if complete == len(some) else estimated_covariances
        return np.asarray(self.variance_ratio * covariances(some), dtype=np.float64)


def add_to_logarithms(matrix: FloatMatrix, covariance: FloatMatrix, rng: np.random.Generator) -> FloatMatrix:
    """Return positive records (records x columns) times exp of normal noise, less half its variance."""
    noise = correlated_normals(len(matrix), covariance, rng) - np.diag(covariance) / 2
    logarithms = log(matrix)
    return np.asarray(matrix * exp(noise + drop_residuals(logarithms, covariance) - logarithms), dtype=np.float64)


def _positive(matrix: FloatMatrix, units: list[float]) -> FloatMatrix:
    """Return masked values that have logarithms: what was rounded to 0 is half of what the others are multiples of."""
    smallest = np.where(np.array(units) > 0, np.array(units) / 2, np.nan)
    return np.where(matrix > 0, matrix, np.where(np.isnan(matrix), np.nan, smallest))


def _file_of(names: tuple[str, ...], matrix: FloatMatrix) -> Microdata:
    import polars

    frame = polars.DataFrame(matrix, schema=list(names)).fill_nan(None)
    return Microdata(frame, Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in names)))
