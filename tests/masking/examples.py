"""One or more runnable examples of every method: what the common promises are tested on."""

from sfumato.contracts import MaskingMethod
from sfumato.masking import (
    AdditiveNoise,
    BottomCoding,
    CategoricalMicroaggregation,
    CorrelatedNoise,
    IndividualRanking,
    IpsoA,
    IpsoB,
    IpsoC,
    Mdav,
    ProjectedMicroaggregation,
    RankSwapping,
    TopCoding,
    UnivariateMicroaggregation,
    VariableSizeMdav,
)

MONEY = ("income", "tax")

EXAMPLES: list[MaskingMethod] = [
    AdditiveNoise(columns=MONEY, scale=0.5),
    AdditiveNoise(columns=MONEY, scale=0.5, within=("region",)),
    BottomCoding(columns=MONEY, percent=10),
    BottomCoding(columns=("income",), at=500.0),
    CorrelatedNoise(columns=MONEY, variance_ratio=0.5),
    CorrelatedNoise(columns=MONEY, variance_ratio=0.5, within=("region",)),
    Mdav(columns=MONEY, group_size=4),
    Mdav(columns=MONEY, group_size=3, within=("region",)),
    RankSwapping(columns=MONEY, window=10),
    RankSwapping(columns=("income", "health"), window=30),
    RankSwapping(columns=MONEY, window=20, within=("region",)),
    TopCoding(columns=MONEY, percent=10),
    TopCoding(columns=("income",), at=2000.0),
    IpsoA(columns=MONEY, given=("health",)),
    IpsoA(columns=("income",), given=("tax", "health"), within=("region",)),
    IpsoB(columns=MONEY, given=("health", "region")),
    IpsoB(columns=("income",), given=("tax",), within=("region",)),
    IpsoC(columns=MONEY, given=("health", "region")),
    IpsoC(columns=("income",), given=("tax", "health"), within=("region",)),
    CategoricalMicroaggregation(columns=("region", "health", "income"), group_size=4),
    CategoricalMicroaggregation(columns=("health", "income"), group_size=3, within=("region",)),
    IndividualRanking(columns=MONEY, group_size=4),
    IndividualRanking(columns=MONEY, group_size=3, within=("region",)),
    Mdav(columns=MONEY, group_size=4, columns_at_a_time=1),
    ProjectedMicroaggregation(columns=MONEY, group_size=4),
    ProjectedMicroaggregation(columns=MONEY, group_size=3, projection="sum_of_z_scores", within=("region",)),
    UnivariateMicroaggregation(columns=MONEY, group_size=4),
    UnivariateMicroaggregation(columns=MONEY, group_size=3, within=("region",)),
    VariableSizeMdav(columns=MONEY, group_size=4),
    VariableSizeMdav(columns=MONEY, group_size=3, gamma=1.1, within=("region",)),
]
