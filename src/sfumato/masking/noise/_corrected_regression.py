"""For users of noisy data: regressions of the original records, with interactions, estimated from the masked ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.masking.noise._noise_correction import NOISES, Noise, check_noise, noise_covariance, unscaled_noise
from sfumato.masking.noise.mixture_noise import MixtureNoise
from sfumato.numerics.arrays import FloatColumn, FloatMatrix

INTERCEPT = "intercept"
MAX_FACTORS = 3  # of an interaction

Product = tuple[int, ...]
"""The places of the variables that are multiplied; none for a constant of 1."""


@dataclass(frozen=True, eq=False)
class CorrectedRegression:
    """A least squares regression of the original records, as far as noisy ones tell it.

    Parameters
    ----------
    terms
        The intercept, then the terms; a category stands behind its column, as `sex[m]`.
    coefficients, standard_errors
        Of each term. The errors are those of the estimate from this file: of sampling, and of the noise.
    uncorrected
        The coefficients of the noisy records themselves.
    n
        How many records, complete in all columns, the estimate is from.
    """

    terms: tuple[str, ...]
    coefficients: FloatColumn
    standard_errors: FloatColumn
    uncorrected: FloatColumn
    n: int


@dataclass(frozen=True, eq=False)
class _Variables:
    """Numbers and categories as numbers (records x variables), with the covariance of the noise on them.

    That is `share` of the covariance of the noisy variables themselves, as far as they were estimated so.
    """

    names: tuple[str, ...]
    matrix: FloatMatrix
    noise: FloatMatrix
    share: float


def corrected_regression(
    masked: Microdata, noise: Noise, *, response: str, terms: Sequence[str]
) -> CorrectedRegression:
    """Return a regression of the original records, from noisy data and what is known of the noise.

    Noise on an explanatory column draws its coefficient towards 0, and more so that of an interaction. With noise of a
    known covariance the moments of the original records are estimated without bias from the noisy ones, in place of a
    product of noisy values by the Hermite polynomial that has the original product as its mean (x y - s_xy for two
    values whose noises have the covariance s_xy), and the coefficients solve the normal equations of these moments.

    Parameters
    ----------
    masked
        The noisy records.
    noise
        The method that masked them, with the parameters that the publisher states.
    response
        The column that is explained, a number, noisy or not.
    terms
        Columns, and their interactions as `age:income` or `sex:income`; `income:income` is a square. Columns that have
        no noise are taken as they are, and categories as differences from the first one.

    Notes
    -----
    Interactions take moments of the fourth order or a higher one, which are known for normal noise only: with
    `MixtureNoise` they are refused. Records that lack a value in one of the columns are left out. The larger the
    noise and the higher the order, the larger the standard errors. They count that the covariance
    of the noise is itself estimated, as a share of that of the noisy columns. Columns of integers are rounded after the
    noise, and the error of rounding is taken as part of it, and as normal: where the noise has a deviation below 0.5,
    squares and cubes of such a column are not quite corrected.

    References
    ----------
    Fuller (1993), Masking procedures for microdata disclosure limitation, Journal of Official Statistics 9, and (1987),
    Measurement error models; Kim (1986), A method for limiting disclosure in microdata based on random noise and
    transformation; as quoted by Yancey, Winkler and Creecy (2002), section 3.2.

    Examples
    --------
    >>> import polars
    >>> from sfumato.masking import CorrelatedNoise
    >>> rng = np.random.default_rng(0)
    >>> income = rng.normal(30, 5, 5000)
    >>> tax = 2 + 0.3 * income + rng.normal(0, 1, 5000)
    >>> noise = CorrelatedNoise(columns=("income",), variance_ratio=0.5)
    >>> noisy = noise.mask(Microdata(polars.DataFrame({"income": income, "tax": tax})), rng)
    >>> found = corrected_regression(noisy, noise, response="tax", terms=["income"])
    >>> found.coefficients.round(2), found.uncorrected.round(2)  # the noisy slope is 1 / 1.5 of it
    (array([1.82, 0.31]), array([4.89, 0.2 ]))
    """
    check_noise("corrected_regression", masked, noise, NOISES)
    if isinstance(terms, str):
        raise ParameterError(
            [f"corrected_regression.terms must be a list of columns and interactions, as ['{terms}']; got a text"]
        )
    if not terms:
        raise ParameterError(["corrected_regression.terms must name at least one column; got none"])
    split = [tuple(term.split(":")) for term in terms]
    variables, places = _variables(masked, noise, (response, *(name for term in split for name in term)))
    if masked.schema[response].kind is not Kind.CONTINUOUS:
        raise DataError(f"corrected_regression.response must be a column of numbers; '{response}' has categories")
    if isinstance(noise, MixtureNoise) and any(len(term) > 1 for term in split):
        raise DataError(
            "corrected_regression.terms: the fourth moments of mixture noise are not those of normal noise, so that "
            "interactions cannot be corrected; leave them out"
        )
    products: list[Product] = [(), *(product for term in split for product in _products(term, places))]
    labels = (INTERCEPT, *(":".join(variables.names[place] for place in product) for product in products[1:]))
    if len(set(labels)) < len(labels):
        raise ParameterError(["corrected_regression.terms must name each term once; one is repeated"])
    explained = places[response][0]
    plain = _Variables(variables.names, variables.matrix, np.zeros_like(variables.noise), 0.0)
    found, errors = _solve(variables, products, explained)
    return CorrectedRegression(labels, found, errors, _solve(plain, products, explained)[0], len(variables.matrix))


def unbiased_product(product: Product, matrix: FloatMatrix, noise: FloatMatrix) -> FloatColumn:
    """Return for each noisy record what has the product of the original values as its mean, for normal noise.

    With He(A) that of a product A: He(A x) = x He(A) - the sum over y in A of cov(x, y) He(A without y).

    Examples
    --------
    >>> unbiased_product((0, 0), np.array([[3.0]]), np.array([[2.0]]))  # x^2 - s^2
    array([7.])
    """
    if not product:
        return np.ones(len(matrix))
    *rest, last = product
    found = matrix[:, last] * unbiased_product(tuple(rest), matrix, noise)
    for place, other in enumerate(rest):
        if noise[last, other]:
            without = tuple(rest[:place] + rest[place + 1 :])
            found = found - noise[last, other] * unbiased_product(without, matrix, noise)
    return np.asarray(found, dtype=np.float64)


def _solve(variables: _Variables, products: list[Product], response: int) -> tuple[FloatColumn, FloatColumn]:
    """Return the coefficients and their standard errors by the sandwich of the estimated normal equations."""
    scale = np.maximum(np.abs(variables.matrix).max(axis=0), 1e-300)  # so that powers of large values are told apart
    matrix, noise = variables.matrix / scale, variables.noise / np.outer(scale, scale)
    normal = np.array(
        [[unbiased_product((*one, *other), matrix, noise).mean() for other in products] for one in products]
    )
    size = np.sqrt(np.maximum(np.diag(normal), 1e-300))
    if np.linalg.eigvalsh(normal / np.outer(size, size))[0] <= 1e-12:
        raise DataError(
            "corrected_regression: less the noise the columns determine each other, or there are too few records for "
            "so much noise; take fewer terms"
        )
    right = [unbiased_product((*one, response), matrix, noise).mean() for one in products]
    coefficients = np.linalg.solve(normal, right)
    scores = _scores(matrix, noise, products, response, coefficients)
    for (one, other), moves in _estimated_noise(matrix, noise, variables.share).items():
        step = np.zeros_like(noise)
        step[one, other] = step[other, one] = 1e-4
        up, down = (
            _scores(matrix, noise + change, products, response, coefficients).mean(axis=1) for change in (step, -step)
        )
        scores += np.outer((up - down) / 2e-4, moves)
    inverse = np.linalg.inv(normal)
    errors = np.sqrt(np.diag(inverse @ np.cov(scores) @ inverse) / len(matrix))
    units = scale[response] / np.array([scale[list(product)].prod() for product in products])
    return coefficients * units, errors * units


def _scores(
    matrix: FloatMatrix, noise: FloatMatrix, products: list[Product], response: int, coefficients: FloatColumn
) -> FloatMatrix:
    """Return for each term and record what the normal equations set to 0 on average."""
    scores = np.empty((len(products), len(matrix)))
    for row, one in enumerate(products):
        scores[row] = unbiased_product((*one, response), matrix, noise)
        for other, coefficient in zip(products, coefficients, strict=True):
            scores[row] -= coefficient * unbiased_product((*one, *other), matrix, noise)
    return scores


def _estimated_noise(matrix: FloatMatrix, noise: FloatMatrix, share: float) -> dict[tuple[int, int], FloatColumn]:
    """Return how each record moves the estimated covariances of the noise, which are a share of those of the file."""
    apart = matrix - matrix.mean(axis=0)
    return {
        (one, other): share * (apart[:, one] * apart[:, other] - np.mean(apart[:, one] * apart[:, other]))
        for one, other in zip(*np.nonzero(np.triu(noise)), strict=True)
    }


def _products(term: tuple[str, ...], places: dict[str, tuple[int, ...]]) -> list[Product]:
    """Return the products of a term, one for each category that is not the first."""
    if len(term) > MAX_FACTORS:
        raise ParameterError(
            [f"corrected_regression.terms must have at most {MAX_FACTORS} factors; one has {len(term)}"]
        )
    found: list[Product] = [()]
    for name in term:
        found = [(*product, place) for product in found for place in places[name]]
    return found


def _variables(
    masked: Microdata, noise: Noise, names: tuple[str, ...]
) -> tuple[_Variables, dict[str, tuple[int, ...]]]:
    """Return the columns as variables, complete records only, and the places of those that each column makes."""
    noisy, values, ratio = unscaled_noise("corrected_regression", masked, noise)
    variables: dict[str, FloatColumn] = {}
    places: dict[str, tuple[int, ...]] = {}
    for name in dict.fromkeys(names):
        start = len(variables)
        variables |= {name: values[:, noisy.index(name)]} if name in noisy else _plain_variables(masked, name)
        places[name] = tuple(range(start, len(variables)))
    has_noise = np.array([name in noisy for name in variables])
    sources = [noisy.index(name) for name in variables if name in noisy]
    covariance = np.zeros((len(variables), len(variables)))
    covariance[np.ix_(has_noise, has_noise)] = noise_covariance(masked, noise, noisy, ratio)[np.ix_(sources, sources)]
    matrix = np.column_stack(list(variables.values()))
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    return _Variables(tuple(variables), complete, covariance, ratio / (1 + ratio)), places


def _plain_variables(masked: Microdata, name: str) -> dict[str, FloatColumn]:
    """Return a column without noise: as it is, or for each category but the first whether a record has it."""
    if name not in masked.schema:
        raise DataError(f"corrected_regression: there is no column '{name}'{did_you_mean(name, masked.schema.names)}")
    if masked.schema[name].kind is Kind.CONTINUOUS:
        return {name: masked.values(name)}
    codes, categories = masked.codes(name)
    return {
        f"{name}[{category}]": np.where(codes < 0, np.nan, codes == code)
        for code, category in list(enumerate(categories))[1:]
    }
