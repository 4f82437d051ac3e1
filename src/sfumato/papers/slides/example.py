"""Torra (2013), Masking methods, slides: rank swapping of ten records with four variables.

IL 39.22, ID 44.81 and the eight links of the rank linkage with all variables are left out: no natural rule gives them.
"""

from collections.abc import Iterator

import numpy as np

from sfumato.data import numeric
from sfumato.numerics.arrays import Booleans
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files, printed_file
from sfumato.papers.rounded_parts import score_from_parts
from sfumato.risk import DistanceLinkage
from sfumato.risk.linkage.rank_interval_linkage import rank_ends
from sfumato.scores import WeightedScore
from sfumato.scores.published import overall_score, slides_risk

ORIGINAL = """
8 9 1 3
6 7 10 2
10 3 4 1
7 1 2 6
9 4 6 4
2 2 8 8
1 10 3 9
4 8 7 10
5 5 5 5
3 6 9 7
"""
PROTECTED = """
10 10 3 5
5 5 8 1
8 4 2 2
9 2 4 4
7 3 5 6
4 1 10 10
3 9 1 7
2 6 9 8
6 7 6 3
1 8 7 9
"""
WINDOW = 20  # two of ten ranks
PERSON = 1  # x2
POSSIBLE = {  # the numbers of the protected records that each variable of x2 leaves possible
    "v1": "2 3 5 6 9",
    "v2": "2 7 8 9 10",
    "v3": "2 6 8",
    "v4": "2 3 4 9",
}
LINKED = (0, 2, 4, 1)
PARTS = {"IL": "39.22", "DLD": "17.5", "PLD": "0.0", "RSRL": "42.5", "ID": "44.81"}
DISTANCE_RULE = (
    "each original record asks for the nearest masked one by Manhattan distance; right when the true one is among ties"
)

rank_risk = WeightedScore(weights={"RSRL": 0.5, "ID": 0.5})
rank_score = WeightedScore(weights={"IL": 0.5, "RSRL": 0.25, "ID": 0.25})


def slides_example(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the possible records, the links and the scores of the example; none needs a file or a seed."""
    possible = possible_records()
    for name, printed in POSSIBLE.items():
        yield _exact(f"records that are possible for x2 by {name}", printed, _numbers(possible[name]))
    together = np.logical_and.reduce(list(possible.values()))
    yield _exact("records that are possible for x2 by all four", "2", _numbers(together))
    yield from _links()
    for what, score, printed in (
        ("DR", slides_risk, "26.78"),
        ("Score", overall_score, "33"),
        ("DR with rank linkage only", rank_risk, "43.655"),
        ("Score with rank linkage only", rank_score, "41.44"),
    ):
        yield score_from_parts(f"slides, example: {what} from its printed parts", score, PARTS, printed)


def _links() -> Iterator[Figure]:
    original = printed_file(ORIGINAL)
    measure = DistanceLinkage(columns=numeric, distance="manhattan", direction="original_to_masked", ties="any")
    found = measure.measure(original, printed_file(PROTECTED))
    for known, printed in enumerate(LINKED, start=1):
        what = f"slides, example: records linked by {known} variable{'s' if known > 1 else ''}"
        ours = round(found.parts[str(known)] * original.n / 100)
        yield Figure(what, FigureKind.EXACT, printed, ours, note=DISTANCE_RULE)
    yield Figure("slides, example: DLD", FigureKind.EXACT, 17.5, round(found.value, 1), note=DISTANCE_RULE)


def possible_records() -> dict[str, Booleans]:
    """Tell for each variable which protected records are within the window of the second original record."""
    original, protected = printed_file(ORIGINAL), printed_file(PROTECTED)
    possible = {}
    for name in original.schema.names:
        known, masked = original.values(name)[[PERSON]], protected.values(name)
        low, high = rank_ends(known, masked, WINDOW)
        possible[name] = (masked >= low) & (masked <= high)
    return possible


def _numbers(records: Booleans) -> str:
    return " ".join(str(row + 1) for row in np.flatnonzero(records))


def _exact(what: str, printed: float | str, ours: float | str) -> Figure:
    return Figure(f"slides, example: {what}", FigureKind.EXACT, printed, ours)
