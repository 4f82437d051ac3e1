"""The vectors of whose convex hull a hidden column is a secret mixture."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix


def camouflage_intervals(column: FloatColumn, vectors: int, half_width: float, rng: np.random.Generator) -> FloatMatrix:
    """Return vectors of which the column is a secret mixture (vectors x records).

    Parameters
    ----------
    column
        The values to hide.
    vectors
        How many vectors. The first exceeds the column in every record, the last falls below it in every record.
    half_width
        Half the distance between the lowest and the highest of them, the same in each record.
    rng
        The generator.
    """
    shares = (0.5 / vectors + 0.5 * rng.dirichlet(np.ones(vectors)))[:, None]  # of the mixture, none near 0
    apart = rng.uniform(-1.0, 1.0, (vectors, column.size))
    outer = rng.uniform(0.1, 1.0, column.size) * shares.min()
    pull = (shares * apart)[1:-1].sum(axis=0)  # what the first and the last must balance
    apart[0] = (outer + np.maximum(-pull, 0.0)) / shares[0]
    apart[-1] = -(outer + np.maximum(pull, 0.0)) / shares[-1]
    return np.asarray(column + apart * (2 * half_width / (apart.max(axis=0) - apart.min(axis=0))), dtype=np.float64)
