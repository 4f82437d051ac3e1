"""What an honest user loses, one measure per file; `LOSSES` lists them by the name that recipes use."""

from sfumato.contracts import LossMeasure
from sfumato.loss.information_loss import InformationLoss
from sfumato.loss.standardised_information_loss import StandardisedInformationLoss

LOSSES: dict[str, type[LossMeasure]] = {
    measure.name(): measure for measure in (InformationLoss, StandardisedInformationLoss)
}

__all__ = ["LOSSES", "InformationLoss", "StandardisedInformationLoss"]
