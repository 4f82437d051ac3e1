"""Whether the papers' figures can fail: how many pass that should not."""

from functools import partial

from benchmarks.case import Case
from benchmarks.census import is_at_hand
from sfumato.papers.files import Files
from sfumato.papers.power import DOUBLED, HALVED, power

SEED = 0


def passed_percent(strength: float) -> float:
    """Return the percent of the judged figures that agree with print although there is so many times the noise."""
    return 100 - power(Files(), SEED, strength=strength).failed_percent


CASES: list[Case] = []
if is_at_hand("census.csv") and is_at_hand("eia.csv"):
    for times, strength, target in (("twice", DOUBLED, 5), ("half", HALVED, 15)):
        name = f"papers: judged figures that pass with {times} the noise"
        CASES.append(
            Case(name, partial(passed_percent, strength), target=target, unit="%", is_long=True, is_quick=False)
        )
