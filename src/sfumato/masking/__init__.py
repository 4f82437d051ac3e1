"""Ways to mask records, one per file; `METHODS` lists them by the name that recipes use."""

from sfumato.contracts import MaskingMethod
from sfumato.masking.additive_noise import AdditiveNoise
from sfumato.masking.bottom_coding import BottomCoding
from sfumato.masking.correlated_noise import CorrelatedNoise
from sfumato.masking.mdav import Mdav
from sfumato.masking.rank_swapping import RankSwapping
from sfumato.masking.top_coding import TopCoding

METHODS: dict[str, type[MaskingMethod]] = {
    method.name(): method for method in (AdditiveNoise, BottomCoding, CorrelatedNoise, Mdav, RankSwapping, TopCoding)
}

__all__ = ["METHODS", "AdditiveNoise", "BottomCoding", "CorrelatedNoise", "Mdav", "RankSwapping", "TopCoding"]
