"""One or more runnable examples of every method: what the common promises are tested on."""

from sfumato.contracts import MaskingMethod
from sfumato.masking import AdditiveNoise, BottomCoding, CorrelatedNoise, Mdav, RankSwapping, TopCoding

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
]
