"""What an intruder learns, one measure per file; `RISKS` lists them by the name that recipes use."""

from sfumato.contracts import RiskMeasure
from sfumato.risk.deviation_interval_disclosure import DeviationIntervalDisclosure
from sfumato.risk.distance_linkage import DistanceLinkage
from sfumato.risk.interval_disclosure import IntervalDisclosure

RISKS: dict[str, type[RiskMeasure]] = {
    measure.name(): measure for measure in (DeviationIntervalDisclosure, DistanceLinkage, IntervalDisclosure)
}

__all__ = ["RISKS", "DeviationIntervalDisclosure", "DistanceLinkage", "IntervalDisclosure"]
