"""Digests of masked files whose values rest on matrices, to be taken on processors of several kinds."""

import hashlib
import sys

import numpy as np
import polars as pl

from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.masking import CorrelatedNoise, IpsoC, MultipleImputation, ProjectedMicroaggregation, Shuffling

COLUMNS = tuple("abcdef")
METHODS = (
    CorrelatedNoise(columns=COLUMNS),
    IpsoC(columns=("a", "b"), given=("c", "d", "e")),
    MultipleImputation(columns=("a", "b"), given=("c", "d")),
    Shuffling(columns=("a", "b"), given=("c", "d")),
    ProjectedMicroaggregation(columns=("c", "d", "e", "f"), k=3),
)


def digests() -> list[str]:
    """Return a digest of a file masked by each method, to the last bit."""
    rng = np.random.default_rng(0)
    records = np.einsum("ni,ij->nj", rng.normal(size=(300, 6)), rng.normal(size=(6, 6))).round(6)
    columns = {
        name: [None if row % 17 == place else value for row, value in enumerate(records[:, place].tolist())]
        for place, name in enumerate(COLUMNS)
    }
    data = Microdata(pl.DataFrame(columns))
    masked = [run_step(method, data, seed=1, step=0).frame.rows() for method in METHODS]
    return [hashlib.sha256(repr(rows).encode()).hexdigest() for rows in masked]


if __name__ == "__main__":
    sys.stdout.write("\n".join(digests()))
