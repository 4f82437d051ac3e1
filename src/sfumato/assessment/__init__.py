"""Run measures over an original and a masked file, and combine them by scores into an `Assessment`."""

from sfumato.assessment.assess import assess
from sfumato.assessment.assessment import Assessment
from sfumato.assessment.defaults import default_measures

__all__ = ["Assessment", "assess", "default_measures"]
