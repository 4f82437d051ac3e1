"""Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization ("post-masking").

Masked records are held against the nearest original one, and intervals start at the middle of equal ranks: the reading
under which the printed figures come out.
"""

from collections.abc import Iterator

import numpy as np

from sfumato.assessment import assess
from sfumato.contracts import Correspondence, MaskingMethod
from sfumato.data import Microdata, numeric
from sfumato.improve import PostMaskingOptimisation
from sfumato.loss import InformationLoss
from sfumato.masking import Mdav, RankSwapping
from sfumato.papers.draws import drawn_figure, draws, report_figure
from sfumato.papers.figure import Figure
from sfumato.papers.files import Files
from sfumato.papers.rounded_parts import score_from_parts
from sfumato.risk import DistanceLinkage, IntervalDisclosure
from sfumato.scores.published import simplified_score

SYMBOLS = ("score", "IL", "DLD", "ID")
TABLE_1 = {  # by the row's q: score, IL, DLD, ID
    "none": ("25.66", "23.83", "14.74", "40.23"),
    "0.5": ("24.45", "14.73", "20.30", "48.03"),
    "0.3": ("22.15", "13.65", "16.30", "44.98"),
    "0.1": ("21.71", "15.26", "14.81", "41.51"),
}
TABLE_2 = {
    "none": ("31.86", "22.48", "22.14", "60.34"),
    "0.5": ("26.96", "14.16", "21.06", "58.54"),
    "0.3": ("27.39", "14.74", "21.29", "58.80"),
    "0.1": ("28.03", "14.94", "21.83", "60.38"),
}
ERRORS = {1: "0.419", 2: "0.122"}  # E of the first rows, by table
MISPRINTED = (2, "0.5")  # its table and row

MORE_THAN_ANY = 1e6
NEAREST = Correspondence.NEAREST_RECORD
MEASURES = (
    InformationLoss(columns=numeric, correspondence=NEAREST),
    DistanceLinkage(columns=numeric, correspondence=NEAREST),
    IntervalDisclosure(columns=numeric, ties="mid", correspondence=NEAREST),
)
RUNS = 20
PARTS = "IL, DLD and ID"
"""What a score follows from."""
SAME_DRAWS = "our own draws for the slides at the window 14, which are the same"
REPEATED = {"score": PARTS, "IL": SAME_DRAWS, "DLD": SAME_DRAWS}
GROUPED = "not judged: nothing is drawn, and the paper does not say in every detail how it groups; ours is MDAV"


def masked_rows(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the printed scores from their parts, and the first row of each table."""
    for number, table in enumerate((TABLE_1, TABLE_2), start=1):
        for row, (score, *parts) in table.items():
            figure = f"post-masking, Table {number}, row q = {row}: score from its printed parts"
            named = dict(zip(SYMBOLS[1:], parts, strict=True))
            yield score_from_parts(figure, simplified_score, named, score, (number, row) == MISPRINTED)
    yield from rank_swapping_rows(files.census, seed, strength)
    yield from microaggregation_rows(files.census, seed, strength)


def rank_swapping_rows(census: Microdata, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the first row of Table 1: rank swapping with window 14, the mean over runs."""
    method = RankSwapping(columns=numeric, window=14)
    found = scores_of_draws(method, census, seed, RUNS, strength)
    for symbol, printed in (*zip(SYMBOLS, TABLE_1["none"], strict=True), ("E", ERRORS[1])):
        name = f"post-masking, Table 1, rank swapping 14: {symbol}"
        yield drawn_figure(name, printed, found[symbol], follows=REPEATED.get(symbol, ""))


def microaggregation_rows(census: Microdata, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the first row of Table 2: MDAV of four columns at a time, groups of ten, which draws nothing."""
    found = scores_of_draws(Mdav(columns=numeric, k=10, columns_at_a_time=4), census, seed, 1, strength)
    for symbol, printed in (*zip(SYMBOLS, TABLE_2["none"], strict=True), ("E", ERRORS[2])):
        name = f"post-masking, Table 2, microaggregation 4, 10: {symbol}"
        yield report_figure(name, float(printed), round(found[symbol][0], 3), GROUPED)


def scores_of_draws(
    method: MaskingMethod, census: Microdata, seed: int, times: int, strength: float = 1.0
) -> dict[str, list[float]]:
    """Return the score, its parts and E for each draw."""
    masked = list(draws(method, census, seed, times, strength))
    found = [assess(census, file, MEASURES, [simplified_score]).values for file in masked]
    runs = {symbol: [values[symbol] for values in found] for symbol in SYMBOLS}
    return runs | {"E": [squared_errors_of_moments(census, file) for file in masked]}


def squared_errors_of_moments(census: Microdata, masked: Microdata) -> float:
    """Return E, equation 7: the squared differences between first and second moments of standardised values."""
    at_once = PostMaskingOptimisation(columns=numeric, target=MORE_THAN_ANY)
    return float(at_once.improve(census, masked, np.random.default_rng(0)).errors[0])
