"""The households of the demo survey: how many live together, in which region, sampled how densely."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

REGIONS = (
    "Capital District",
    "Eastmarch",
    "Harbour Coast",
    "Calder Vale",
    "Greywick",
    "Lowmere",
    "Northreach",
    "Brackwater",
    "Dunholm Hills",
    "Kestrel Bay",
    "Upper Tarn",
    "Outer Isles",
)
REGION_SHARES = np.array([0.27, 0.18, 0.13, 0.11, 0.09, 0.07, 0.055, 0.04, 0.027, 0.016, 0.009, 0.003])
REGION_WEIGHTS = np.array([310.0, 280.0, 240.0, 190.0, 165.0, 120.0, 95.0, 80.0, 52.0, 31.0, 14.5, 6.2])
WEIGHT_SPREAD = 0.12  # of the adjustment for nonresponse, on the logarithmic scale


class Living(IntEnum):
    """Who lives together."""

    ALONE = 0
    COUPLE = 1
    FAMILY = 2
    LONE_PARENT = 3
    THREE_GENERATIONS = 4
    SHARED_FLAT = 5


LIVING_SHARES = np.array([0.34, 0.27, 0.25, 0.07, 0.025, 0.045])
WITH_PARTNER = (Living.COUPLE, Living.FAMILY, Living.THREE_GENERATIONS)
CHILD_SHARES = {  # of households with 1, 2, 3, ... children
    Living.FAMILY: (0.40, 0.40, 0.13, 0.045, 0.018, 0.007),
    Living.LONE_PARENT: (0.58, 0.30, 0.09, 0.03),
    Living.THREE_GENERATIONS: (0.38, 0.36, 0.17, 0.06, 0.03),
}
FLATMATE_SHARES = (0.55, 0.27, 0.12, 0.06)


@dataclass(frozen=True)
class Households:
    """One entry per household.

    Parameters
    ----------
    living
        Who lives together.
    children, others
        How many children there are, and how many flatmates or grandparents.
    region
        Codes into `REGIONS`.
    weight
        How many households of the population each stands for.
    """

    living: CodeColumn
    children: CodeColumn
    others: CodeColumn
    region: CodeColumn
    weight: FloatColumn

    @property
    def has_partner(self) -> Booleans:
        """Whether the head of the household lives with a partner."""
        return np.isin(self.living, WITH_PARTNER)

    @property
    def sizes(self) -> CodeColumn:
        """The number of persons in each household."""
        return 1 + self.has_partner + self.children + self.others


def make_households(n: int, rng: np.random.Generator) -> Households:
    """Return households with `n` persons in all."""
    drawn = _compose_households(rng.choice(len(Living), size=n, p=LIVING_SHARES), rng)
    whole = int(np.searchsorted(np.cumsum(drawn.sizes), n, side="right"))
    left = n - int(drawn.sizes[:whole].sum())  # fewer persons than the next household has: each lives alone
    alone = np.zeros(left, dtype=np.int64)
    count = whole + left
    region = rng.choice(len(REGIONS), size=count, p=REGION_SHARES)
    weight = REGION_WEIGHTS[region] * np.exp(WEIGHT_SPREAD * rng.standard_normal(count))
    return Households(
        living=np.concatenate([drawn.living[:whole], alone + Living.ALONE]),
        children=np.concatenate([drawn.children[:whole], alone]),
        others=np.concatenate([drawn.others[:whole], alone]),
        region=region,
        weight=np.round(weight, 2),
    )


def _compose_households(living: CodeColumn, rng: np.random.Generator) -> Households:
    """Return households of these ways of living, without a region yet."""
    children = np.zeros(living.size, dtype=np.int64)
    for kind, shares in CHILD_SHARES.items():
        here = living == kind
        children[here] = 1 + rng.choice(len(shares), size=int(here.sum()), p=shares)
    flatmates = 1 + rng.choice(len(FLATMATE_SHARES), size=living.size, p=FLATMATE_SHARES)
    others = np.select([living == Living.SHARED_FLAT, living == Living.THREE_GENERATIONS], [flatmates, 1], default=0)
    nowhere = np.empty(0)
    return Households(living, children, others, nowhere.astype(np.int64), nowhere)
