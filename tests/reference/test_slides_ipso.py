"""Re-identifications of IPSO on EIA, as printed in Vicenç Torra's slides "Masking methods" (October 2013).

The table has a row for each set of known variables and a column for each distance. Each original record asks for the
nearest masked one; equally near ones share the link. With links from masked to original records none of the three rows
comes out, and where every equally near record counts as right 3223 records are linked in place of the printed 3206. The
headers of the two Mahalanobis columns are exchanged in print.

IPSO-A is one regression of v1, v2, v7, v8 and v9 on the other five and draws nothing, so its figures are exact. IPSO-C
draws: its figures are one draw each, compared here with the spread over seeds.
"""

import numpy as np
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.datasets import reference
from sfumato.masking import IpsoA, IpsoC
from sfumato.risk import DistanceLinkage
from sfumato.risk.linkage._distances import Distance

pytestmark = pytest.mark.reference

MASKED, GIVEN = ("v1", "v2", "v7", "v8", "v9"), ("v3", "v4", "v5", "v6", "v10")
KNOWN = (("v1",), ("v1", "v7", "v8"), ("v1", "v2", "v7", "v8", "v9"))
PRINTED = (
    Distance.OWN_DEVIATIONS,
    Distance.JOINT_DEVIATIONS,
    Distance.MAHALANOBIS_DIFFERENCE,
    Distance.MAHALANOBIS_SUM,
    Distance.KERNEL,
)
PRINTED_A = [[14, 9, 9, 9, 14], [16, 15, 18, 9, 16], [65, 121, 3206, 143, 63]]
PRINTED_C = [[11, 11, 11, 11, 11], [6, 6, 14, 8, 6], [53, 53, 773, 46, 54]]


@pytest.fixture(scope="module")
def eia() -> Microdata:
    file = reference("eia")
    numbers = file.take_columns(file.schema.names[5:])
    return Microdata(numbers.frame.rename({name: f"v{i + 1}" for i, name in enumerate(numbers.schema.names)}))


def counts(original: Microdata, masked: Microdata, distance: Distance, ties: str) -> list[float]:
    """Return the number of links for each set of known variables."""
    measure = DistanceLinkage(
        columns=MASKED, scenarios=KNOWN, distance=distance, direction="original_to_masked", ties=ties
    )
    return [percent * original.n / 100 for percent in measure.measure(original, masked).parts.values()]


def table(method: MaskingMethod, data: Microdata, seed: int, ties: str = "shared") -> np.ndarray:
    masked = method.mask(data, np.random.default_rng(seed))
    return np.array([counts(data, masked, distance, ties) for distance in PRINTED]).T


def test_all_fifteen_counts_of_ipso_a(eia: Microdata) -> None:
    assert table(IpsoA(columns=MASKED, given=GIVEN), eia, 0) == pytest.approx(np.array(PRINTED_A), abs=1e-6)


def test_equally_near_records_matter_in_one_count_of_ipso_a_only(eia: Microdata) -> None:
    found = table(IpsoA(columns=MASKED, given=GIVEN), eia, 0, ties="any")
    assert np.argwhere(np.abs(found - PRINTED_A) > 1e-6).tolist() == [[2, 2]]
    assert found[2, 2] == pytest.approx(3223)


def test_counts_of_ipso_c_lie_within_the_spread_over_seeds(eia: Microdata) -> None:
    found = np.array([table(IpsoC(columns=MASKED, given=GIVEN), eia, seed) for seed in range(2)])
    counted = np.sqrt(found.mean(axis=0) * (1 + 1 / 2))  # of a count, as of a Poisson number, and of the mean of two
    assert (np.abs(found.mean(axis=0) - PRINTED_C) < 3 * counted).all()
