"""Torra (2013), Masking methods, slides: how many records of EIA are linked after IPSO, by several distances.

IPSO-A draws nothing: the five masked columns are the fitted values of a regression on the other five. IPSO-B and IPSO-C
add noise, and one run of each is printed. Probabilistic linkage is left out, as it is not described.
"""

from collections.abc import Iterator

import numpy as np

from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.masking import IpsoA, IpsoB, IpsoC
from sfumato.papers.draws import drawn_figure
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.risk import DistanceLinkage

Known = tuple[int, ...]
Counts = dict[tuple[Known, str], float]

MASKED, GIVEN = (1, 2, 7, 8, 9), (3, 4, 5, 6, 10)
KNOWN: tuple[Known, ...] = ((1,), (1, 7, 8), (1, 2, 7, 8, 9))  # the variables that the intruder knows
PRINTED = {  # by method and known variables, then by distance
    "A": ("14 9 9 9 14", "16 15 18 9 16", "65 121 3206 143 63"),
    "B": ("14 9 9 9 14", "17 15 18 8 17", "65 120 3194 135 62"),
    "C": ("11 11 11 11 11", "6 6 14 8 6", "53 53 773 46 54"),
}
EXCHANGED = "the headers of the two Mahalanobis distances are exchanged in print"
DISTANCES = {
    "DBRL1": ("own_deviations", ""),
    "DBRL2": ("joint_deviations", ""),
    "DBRLM-COV0": ("mahalanobis_difference", EXCHANGED),
    "DBRLM-COV": ("mahalanobis_sum", EXCHANGED),
    "KDBRL": ("kernel", ""),
}
RUNS = 8
ALMOST_A = "not judged: the printed IPSO-B hardly differs from IPSO-A; ours has the noise of the residuals, as IPSO-C"


def slides_ipso(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the number of records linked by each distance, for each set of known variables."""
    names = files.eia.schema.names
    columns, given = (tuple(names[place - 1] for place in places) for places in (MASKED, GIVEN))
    fitted = run_step(IpsoA(columns=columns, given=given), files.eia, seed=seed, step=0)
    yield from _exact_figures(linked(files.eia, fitted, columns))
    seeds = np.random.SeedSequence(seed).generate_state(RUNS).tolist()
    for letter, method in (("B", IpsoB(columns=columns, given=given)), ("C", IpsoC(columns=columns, given=given))):
        masked = (run_step(method, files.eia, seed=own, step=0) for own in seeds)
        found = [linked(files.eia, add_noise(fitted, file, columns, strength), columns) for file in masked]
        for known, heading, printed in _cells(letter):
            runs, note = [counts[known, heading] for counts in found], DISTANCES[heading][1]
            unjudged = ALMOST_A if letter == "B" else ""
            yield drawn_figure(_name(letter, known, heading), printed, runs, note, unjudged=unjudged)


def add_noise(fitted: Microdata, masked: Microdata, columns: tuple[str, ...], strength: float) -> Microdata:
    """Return the fitted values plus so many times what a method has added to them."""
    middle = fitted.matrix(columns)
    return masked.map_matrix(columns, lambda values: middle + strength * (values - middle))


def linked(original: Microdata, masked: Microdata, columns: tuple[str, ...]) -> Counts:
    """Return how many records are linked, by what the intruder knows and by the heading of the distance."""
    names = original.schema.names
    scenarios = tuple(tuple(names[place - 1] for place in places) for places in KNOWN)
    found: Counts = {}
    for heading, (distance, _) in DISTANCES.items():
        measure = DistanceLinkage(
            columns=columns, distance=distance, direction="original_to_masked", scenarios=scenarios
        )
        shares = measure.measure(original, masked).parts.values()
        found |= {(known, heading): share * original.n / 100 for known, share in zip(KNOWN, shares, strict=True)}
    return found


def _exact_figures(found: Counts) -> Iterator[Figure]:
    for known, heading, printed in _cells("A"):
        ours = round(found[known, heading], 2)
        yield Figure(_name("A", known, heading), FigureKind.EXACT, int(printed), ours, note=DISTANCES[heading][1])


def _cells(letter: str) -> Iterator[tuple[Known, str, str]]:
    for known, line in zip(KNOWN, PRINTED[letter], strict=True):
        for heading, printed in zip(DISTANCES, line.split(), strict=True):
            yield known, heading, printed


def _name(letter: str, known: Known, heading: str) -> str:
    shown = ", ".join(f"v{place}" for place in known)
    return f"slides, IPSO, {letter}, {shown} known: records linked by {heading}"
