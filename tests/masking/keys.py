"""Files of key columns, and how many of their records agree: counted plainly, for the tests of suppression."""

import numpy as np
import polars as pl

from sfumato.data import Kind, Microdata, Schema, Variable

SURVEY_KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


def agreeing(released: np.ndarray, others: np.ndarray) -> np.ndarray:
    """For each released record the number of others that agree with it wherever both have a value."""
    return np.array(
        [
            sum(all(a == b or a < 0 or b < 0 for a, b in zip(record, other, strict=True)) for other in others.tolist())
            for record in released.tolist()
        ]
    )


def showing(released: np.ndarray, others: np.ndarray) -> np.ndarray:
    """For each released record the number of others that have all values that it shows."""
    return np.array(
        [
            sum(all(a == b or a < 0 for a, b in zip(record, other, strict=True)) for other in others.tolist())
            for record in released.tolist()
        ]
    )


def data_of(codes: np.ndarray) -> Microdata:
    names = [f"k{j}" for j in range(codes.shape[1])]
    columns = {name: [None if code < 0 else f"c{code}" for code in codes[:, j]] for j, name in enumerate(names)}
    frame = pl.DataFrame(columns, schema_overrides=dict.fromkeys(names, pl.String))
    return Microdata(frame, Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in names)))
