"""Digests of masked files whose values rest on matrices or exponentials, to be taken on several kinds of processor."""

import hashlib
import os
import sys
from importlib import import_module

import numpy as np
import polars as pl

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.masking import (
    CorrelatedNoise,
    DistributionDistortion,
    IpsoC,
    LogarithmicNoise,
    MultipleImputation,
    MultiplicativeNoise,
    ProjectedMicroaggregation,
    SequentialSynthesis,
    Shuffling,
)
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.portable.exponentials import exp, log, log1p

COLUMNS = tuple("abcdef")
METHODS: tuple[MaskingMethod, ...] = (
    CorrelatedNoise(columns=COLUMNS),
    IpsoC(columns=("a", "b"), given=("c", "d", "e")),
    MultipleImputation(columns=("a", "b"), given=("c", "d")),
    Shuffling(columns=("a", "b"), given=("c", "d")),
    ProjectedMicroaggregation(columns=("c", "d", "e", "f"), k=3),
)
METHODS_OF_POSITIVES: tuple[MaskingMethod, ...] = (
    LogarithmicNoise(columns=COLUMNS),
    MultiplicativeNoise(columns=COLUMNS),
    SequentialSynthesis(columns=("a", "b", "c")),
    *(
        DistributionDistortion(columns=("a", "b"), distributions=(name,), significance=1e-9)
        for name in ("weibull", "gamma", "log_normal", "logistic", "pareto", "gumbel", "beta", "triangular")
    ),
)


def older_processor() -> dict[str, str]:
    """Return the environment of a process that takes itself for one on an older processor."""
    features = import_module("numpy._core._multiarray_umath").__cpu_dispatch__
    numpy_lacks = {"NPY_DISABLE_CPU_FEATURES": " ".join(features)}
    return {**os.environ, "OPENBLAS_CORETYPE": "Prescott", **numpy_lacks}


def digests() -> list[str]:
    """Return a digest of a file masked by each method, and of exponentials and logarithms, to the last bit."""
    rng = np.random.default_rng(0)
    records = np.einsum("ni,ij->nj", rng.normal(size=(300, 6)), rng.normal(size=(6, 6))).round(6)
    masked = [_masked(records, METHODS), _masked(np.abs(records) + 0.1, METHODS_OF_POSITIVES)]
    numbers = rng.normal(0, 5, 20_000)
    functions = [exp(numbers), log(np.abs(numbers)), log1p(np.abs(numbers))]
    return [*masked[0], *masked[1], *(hashlib.sha256(found.tobytes()).hexdigest() for found in functions)]


def _masked(records: FloatMatrix, methods: tuple[MaskingMethod, ...]) -> list[str]:
    columns = {
        name: [None if row % 17 == place else value for row, value in enumerate(records[:, place].tolist())]
        for place, name in enumerate(COLUMNS)
    }
    data = Microdata(pl.DataFrame(columns))
    masked = [run_step(method, data, seed=1, step=0).frame.rows() for method in methods]
    return [hashlib.sha256(repr(rows).encode()).hexdigest() for rows in masked]


if __name__ == "__main__":
    sys.stdout.write("\n".join(digests()))
