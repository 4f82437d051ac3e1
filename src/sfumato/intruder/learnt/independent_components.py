"""Independent components: the directions in which residuals are least normal (FastICA, Hyvärinen 1999).

Noise that is not normal, such as a mixture, was made of independent elements. Uncorrelated coordinates are sums of
them, in which the shape of the mixture is blurred; the elements themselves show it.
"""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix

MAX_ROUNDS = 200
SETTLED = 1e-6


def independent_directions(white: FloatMatrix) -> FloatMatrix:
    """Return the rotation that turns uncorrelated residuals of variance 1 (records x columns) into independent ones.

    Where they are normal in all directions, any rotation is as good as any other.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> elements = rng.choice([-1.0, 1.0], size=(2000, 2))
    >>> turned = elements @ np.array([[0.8, -0.6], [0.6, 0.8]]).T
    >>> np.abs(independent_directions(turned) @ np.array([[0.8, -0.6], [0.6, 0.8]])).round(1).max(axis=1)
    array([1., 1.])
    """
    rotation = np.eye(white.shape[1])
    for _ in range(MAX_ROUNDS):
        bent = np.tanh(white @ rotation.T)
        slopes = (1 - bent**2).mean(axis=0)
        left, _, right = np.linalg.svd(bent.T @ white / len(white) - slopes[:, None] * rotation)
        turned = left @ right
        change = np.abs(np.abs((turned * rotation).sum(axis=1)) - 1).max()
        rotation = turned
        if change < SETTLED:
            break
    return np.asarray(rotation, dtype=np.float64)
