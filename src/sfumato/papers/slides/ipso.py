"""Torra (2013), Masking methods, slides: how many records of EIA are linked after IPSO-A, by several distances.

IPSO-A draws nothing: the five masked columns are the fitted values of a regression on the other five. IPSO-B and IPSO-C
draw, and the slides print one draw of each; they are left out. So is probabilistic linkage, which is not described.
"""

from collections.abc import Iterator

from sfumato.execution import run_step
from sfumato.masking import IpsoA
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.risk import DistanceLinkage

MASKED, GIVEN = (1, 2, 7, 8, 9), (3, 4, 5, 6, 10)
PRINTED = {  # by the variables that the intruder knows, then by distance
    (1,): (14, 9, 9, 9, 14),
    (1, 7, 8): (16, 15, 18, 9, 16),
    (1, 2, 7, 8, 9): (65, 121, 3206, 143, 63),
}
EXCHANGED = "the headers of the two Mahalanobis distances are exchanged in print"
DISTANCES = {
    "DBRL1": ("own_deviations", ""),
    "DBRL2": ("joint_deviations", ""),
    "DBRLM-COV0": ("mahalanobis_difference", EXCHANGED),
    "DBRLM-COV": ("mahalanobis_sum", EXCHANGED),
    "KDBRL": ("kernel", ""),
}


def slides_ipso(files: Files, seed: int) -> Iterator[Figure]:
    """Yield the number of records linked by each distance, for each set of known variables; nothing is drawn."""
    names = files.eia.schema.names
    columns, given = (tuple(names[place - 1] for place in places) for places in (MASKED, GIVEN))
    masked = run_step(IpsoA(columns=columns, given=given), files.eia, seed=seed, step=0)
    known = {places: tuple(names[place - 1] for place in places) for places in PRINTED}
    found = {}
    for heading, (distance, _) in DISTANCES.items():
        measure = DistanceLinkage(
            columns=columns, distance=distance, direction="original_to_masked", scenarios=tuple(known.values())
        )
        shares = measure.measure(files.eia, masked).parts
        found[heading] = dict(zip(PRINTED, shares.values(), strict=True))
    for places, counts in PRINTED.items():
        listed = ", ".join(f"v{place}" for place in places)
        for (heading, (_, note)), printed in zip(DISTANCES.items(), counts, strict=True):
            ours = round(found[heading][places] * files.eia.n / 100, 2)
            figure = f"slides, IPSO-A, {listed} known: records linked by {heading}"
            yield Figure(figure, FigureKind.EXACT, printed, ours, note=note)
