"""Re-identifications of IPSO on EIA, as printed in Vicenç Torra's slides "Masking methods" (October 2013).

The table has a row for each set of known variables and a column for each distance. IPSO-A is one regression of v1, v2,
v7, v8 and v9 on the other five and draws nothing, so its figures are exact. The headers of the two Mahalanobis columns
are exchanged in print. IPSO-C draws: its figures are one draw each, compared here with the spread over seeds.
"""

import numpy as np
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.datasets import reference
from sfumato.masking import IpsoA, IpsoC

pytestmark = pytest.mark.reference

MASKED, GIVEN = ("v1", "v2", "v7", "v8", "v9"), ("v3", "v4", "v5", "v6", "v10")
KNOWN = (("v1",), ("v1", "v7", "v8"), ("v1", "v2", "v7", "v8", "v9"))
PRINTED_A = [[14, 9, 9, 9, 14], [16, 15, 18, 9, 16], [65, 121, 3206, 143, 63]]
PRINTED_C = [[11, 11, 11, 11, 11], [6, 6, 14, 8, 6], [53, 53, 773, 46, 54]]


@pytest.fixture(scope="module")
def eia() -> Microdata:
    file = reference("eia")
    numbers = file.take_columns(file.schema.names[5:])
    return Microdata(numbers.frame.rename({name: f"v{i + 1}" for i, name in enumerate(numbers.schema.names)}))


def linked(distances: np.ndarray) -> int:
    return int((distances.argmin(axis=1) == np.arange(len(distances))).sum())


def squared(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray((a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T)


def standardised(matrix: np.ndarray) -> np.ndarray:
    return np.asarray((matrix - matrix.mean(axis=0)) / matrix.std(axis=0))


def mahalanobis(a: np.ndarray, b: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(np.atleast_2d(covariance))
    return squared(a @ (vectors / np.sqrt(values)), b @ (vectors / np.sqrt(values)))


def by_kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return squared distances in the space of the kernel (1 + a.b)^2."""
    own = [(1 + (matrix**2).sum(axis=1)) ** 2 for matrix in (a, b)]
    return np.asarray(own[0][:, None] + own[1] - 2 * (1 + a @ b.T) ** 2)


def counts(original: Microdata, masked: Microdata, known: tuple[str, ...]) -> list[int]:
    a, b = original.matrix(known), masked.matrix(known)
    scale = np.sqrt(a.var(axis=0) + b.var(axis=0))
    distances = (
        squared(standardised(a), standardised(b)),
        squared(a / scale, b / scale),
        mahalanobis(a, b, np.cov((a - b).T)),
        mahalanobis(a, b, np.cov(a.T) + np.cov(b.T)),
        by_kernel(standardised(a), standardised(b)),
    )
    return [linked(distance) for distance in distances]


def table(method: MaskingMethod, data: Microdata, seed: int) -> list[list[int]]:
    masked = method.mask(data, np.random.default_rng(seed))
    return [counts(data, masked, known) for known in KNOWN]


def test_all_fifteen_counts_of_ipso_a(eia: Microdata) -> None:
    assert table(IpsoA(columns=MASKED, given=GIVEN), eia, 0) == PRINTED_A


def test_counts_of_ipso_c_lie_within_the_spread_over_seeds(eia: Microdata) -> None:
    found = np.array([table(IpsoC(columns=MASKED, given=GIVEN), eia, seed) for seed in range(2)])
    counted = np.sqrt(found.mean(axis=0) * (1 + 1 / 2))  # of a count, as of a Poisson number, and of the mean of two
    assert (np.abs(found.mean(axis=0) - PRINTED_C) < 3 * counted).all()
