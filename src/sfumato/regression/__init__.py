"""Regressions on a formula, pooled over synthetic copies and held against the fit to the original."""

from sfumato.regression.comparison import CoefficientComparison, FitComparison, compare_fits
from sfumato.regression.fit import Fit
from sfumato.regression.formula import Formula
from sfumato.regression.models import REGRESSIONS, LinearRegression, LogisticRegression, PoissonRegression, Regression
from sfumato.regression.pooling import (
    POOLING_RULES,
    FullSynthesisRule,
    LargeSampleRule,
    PartialSynthesisRule,
    PooledFit,
    PoolingRule,
)

__all__ = [
    "POOLING_RULES",
    "REGRESSIONS",
    "CoefficientComparison",
    "Fit",
    "FitComparison",
    "Formula",
    "FullSynthesisRule",
    "LargeSampleRule",
    "LinearRegression",
    "LogisticRegression",
    "PartialSynthesisRule",
    "PoissonRegression",
    "PooledFit",
    "PoolingRule",
    "Regression",
    "compare_fits",
]
