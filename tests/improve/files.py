"""Files to improve, small and large."""

import numpy as np

from sfumato.data import Microdata
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata


def incomes(n: int, d: int, seed: int) -> FloatMatrix:
    """Return correlated positive records without repeated values."""
    rng = np.random.default_rng(seed)
    return np.exp(rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * 0.3) * 100


def noisy(original: FloatMatrix, seed: int, scale: float = 0.5) -> FloatMatrix:
    """Return the records with noise of so many standard deviations."""
    rng = np.random.default_rng(seed + 1000)
    return np.asarray(original + scale * original.std(axis=0) * rng.normal(size=original.shape))


def both(n: int, d: int, seed: int) -> tuple[Microdata, Microdata]:
    """Return an original file and a noisy one."""
    original = incomes(n, d, seed)
    return microdata(original), microdata(noisy(original, seed))


def grouped(original: FloatMatrix, size: int) -> FloatMatrix:
    """Return the records as means of groups of consecutive ones by the first column."""
    masked = np.empty_like(original)
    for group in np.array_split(np.argsort(original[:, 0]), len(original) // size):
        masked[group] = original[group].mean(axis=0)
    return masked
