"""Run measures over an original and a masked file, and combine them by scores into an `Assessment`."""

from sfumato.assessment.assessment import Assessment
from sfumato.assessment.defaults import default_measures
from sfumato.assessment.run import assess

__all__ = ["Assessment", "assess", "default_measures"]
