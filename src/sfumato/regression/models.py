"""The regressions that there are: each a record with a formula and one verb, `fit`."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn
from sfumato.regression.design import Design, build_designs
from sfumato.regression.fit import Fit, MeanFunction, fit_generalised, fit_least_squares
from sfumato.regression.formula import Formula


@dataclass(frozen=True)
class Regression(ABC):
    """A regression on a formula.

    Parameters
    ----------
    formula
        What is explained by what, as in `"income ~ age + sex"`; see `Formula.parse`.
    """

    formula: str

    def fit(self, data: Microdata) -> Fit:
        """Return the fit to a file."""
        return self.fit_all([data])[0]

    def fit_all(self, files: Sequence[Microdata], called: Sequence[str] = ()) -> list[Fit]:
        """Return the fit to each file, with the same coefficients in all.

        Parameters
        ----------
        files
            The files.
        called
            What errors are to call them; `file 1` and so on when not given.
        """
        designs = build_designs(Formula.parse(self.formula), files)
        called = called or [f"file {number}" for number in range(1, len(files) + 1)]
        return [self._fit_named(design, name, len(files)) for design, name in zip(designs, called, strict=True)]

    def _fit_named(self, design: Design, name: str, files: int) -> Fit:
        try:
            return self._fit(design)
        except DataError as error:
            raise DataError(f"{name}: {error}") if files > 1 else error from None

    @abstractmethod
    def _fit(self, design: Design) -> Fit:
        """Return the fit to a design."""


@dataclass(frozen=True)
class LinearRegression(Regression):
    """Least squares.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"age": [20.0, 30.0, 40.0, 50.0], "pay": [1.0, 2.0, 3.0, 6.0]}))
    >>> LinearRegression("pay ~ age").fit(people).estimates.round(3).tolist()
    [-2.6, 0.16]
    """

    def _fit(self, design: Design) -> Fit:
        return fit_least_squares(design)


@dataclass(frozen=True)
class LogisticRegression(Regression):
    """Logistic regression of a response with two categories, or of 0 and 1: the chance of the second."""

    def _fit(self, design: Design) -> Fit:
        if not np.isin(design.response, (0.0, 1.0)).all():
            raise DataError("a logistic regression needs a response of two categories, or of 0 and 1")
        return fit_generalised(design, LOGISTIC)


@dataclass(frozen=True)
class PoissonRegression(Regression):
    """Log-linear regression of a count."""

    def _fit(self, design: Design) -> Fit:
        if (design.response < 0).any():
            raise DataError("a Poisson regression needs a response of counts, 0 or more")
        return fit_generalised(design, POISSON)


def _expit(predictor: FloatColumn) -> FloatColumn:
    from scipy.special import expit

    return np.asarray(expit(predictor))


LOGISTIC = MeanFunction(_expit, lambda mean: mean * (1 - mean), lambda response: 2.0 * response - 1.0)
POISSON = MeanFunction(np.exp, lambda mean: mean, lambda response: np.log(response + 0.5))

REGRESSIONS: dict[str, type[Regression]] = {
    "linear": LinearRegression,
    "logistic": LogisticRegression,
    "poisson": PoissonRegression,
}
"""The regressions by the name that the command line has for them."""
