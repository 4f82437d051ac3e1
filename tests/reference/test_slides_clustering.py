"""Clustering loss beside the slides' table of Census microaggregated three columns at a time (k-means, 15 clusters).

The slides do not say how k-means was started. Started from the centres of the original, our partitions agree better
than printed (Mantaras distance .17 to .33 against .42 to .51) and less with a larger group size, as in print. Started
anew in each file, the figures are on average those printed (within .01), but single ones stray by up to .13.
"""

import numpy as np
import pytest

from sfumato.contracts import Measurement
from sfumato.datasets import reference
from sfumato.loss import ClusteringLoss
from sfumato.masking import Mdav

NAMES = ("rand", "jaccard", "adjusted", "wallace", "mantaras")
PRINTED = {  # group size: Rand, Jaccard, adjusted Rand and Wallace index, Mantaras distance
    3: (0.943, 0.454, 0.594, 0.625, 0.416),
    4: (0.943, 0.464, 0.602, 0.633, 0.425),
    5: (0.936, 0.406, 0.542, 0.577, 0.472),
    6: (0.936, 0.408, 0.545, 0.580, 0.473),
    7: (0.929, 0.367, 0.499, 0.537, 0.500),
    8: (0.933, 0.402, 0.538, 0.574, 0.479),
    9: (0.925, 0.359, 0.488, 0.528, 0.513),
}
LOST = np.array([[*(1 - index for index in indices), distance] for *indices, distance in PRINTED.values()])


@pytest.fixture(scope="module")
def found() -> list[Measurement]:
    """The clustering loss for each group size."""
    census = reference("census")
    columns = census.schema.names
    rng = np.random.default_rng(0)  # MDAV draws nothing
    masked = [Mdav(columns=columns, k=size, columns_at_a_time=3).mask(census, rng) for size in PRINTED]
    return [ClusteringLoss(columns=columns).measure(census, file) for file in masked]


@pytest.mark.parametrize("row", PRINTED.values(), ids=str)
def test_the_printed_indices_are_those_of_one_table_with_wallace_the_symmetric_one(row: tuple[float, ...]) -> None:
    rand, jaccard, adjusted, wallace, _ = row
    both = jaccard * (1 - rand) / (1 - jaccard)  # in shares of the pairs, as are those below
    each = both + (1 - rand) / 2  # together in one partition, taken to be alike in both
    assert both / each == pytest.approx(wallace, abs=0.002)
    assert (both - each**2) / (each - each**2) == pytest.approx(adjusted, abs=0.004)


@pytest.mark.reference
@pytest.mark.parametrize("place", range(5), ids=NAMES)
def test_the_loss_from_the_original_centres_lies_below_the_print_and_rises_with_it(
    found: list[Measurement], place: int
) -> None:
    ours = np.array([loss.parts[f"CL{NAMES[place]}"] / 100 for loss in found])
    assert (ours < LOST[:, place]).all()
    assert np.corrcoef(ours, LOST[:, place])[0, 1] > 0.5  # .69 to .77 here, .56 to .71 with other seeds
    assert np.corrcoef(ours, list(PRINTED))[0, 1] > 0.8


@pytest.mark.reference
@pytest.mark.parametrize("place", range(5), ids=NAMES)
def test_the_mean_loss_from_a_free_start_is_near_the_print(found: list[Measurement], place: int) -> None:
    ours = np.array([loss.parts[f"{NAMES[place]}, free start"] / 100 for loss in found])
    # single figures stray by up to a half: k-means ends in another optimum for each group size
    assert ours.mean() == pytest.approx(LOST[:, place].mean(), rel=0.2)
