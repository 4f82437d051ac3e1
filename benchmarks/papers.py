"""Whether the papers' figures can fail: how many pass that should not."""

from benchmarks.case import Case
from benchmarks.census import is_at_hand
from sfumato.papers.files import Files
from sfumato.papers.power import power

SEED = 0


def passed_percent() -> float:
    """Return the percent of the judged figures that agree with print although the noise is doubled."""
    return 100 - power(Files(), SEED).failed_percent


CASES: list[Case] = []
if is_at_hand("census.csv") and is_at_hand("eia.csv"):
    name = "papers: judged figures that pass with twice the noise"
    CASES.append(Case(name, passed_percent, target=5, unit="%", is_long=True, is_quick=False))
