"""The figures of membership: how many of those in the file the strongest attack finds, persons or households."""

import numpy as np

from sfumato.contracts import ControlledRisk, Measurement
from sfumato.display import format_number, format_percent
from sfumato.numerics.hashing import is_among, unique_hashes
from sfumato.risk.synthetic._coded_files import ORIGINAL, SYNTHETIC, CodedFiles
from sfumato.risk.synthetic._membership_rates import epsilon_bound
from sfumato.risk.synthetic._membership_scores import candidates, scores_of
from sfumato.risk.synthetic._rates import finds_leak

FEW, VERY_FEW = 0.01, 0.001  # of the others who are taken for members


def measure_membership(
    measure: ControlledRisk, files: CodedFiles, attacks: int, seed: int, members: str
) -> Measurement:
    """Return how many members are found among others.

    Parameters
    ----------
    measure
        Whose name and symbols the figures have.
    files
        The files; each record is one who is asked about.
    attacks, seed
        How many of each file are asked about at most, and where the draws begin.
    members
        What those in the file are called.
    """
    found = scores_of(candidates(files, attacks, seed))
    shares = {name: 100 * scores.true_positives(FEW) for name, scores in found.items()}
    areas = {name: 100 * scores.area for name, scores in found.items()}
    best = max(found, key=lambda name: (shares[name], areas[name]))
    low, high = found[best].true_positive_interval(FEW, len(found))
    widest = max(found, key=lambda name: areas[name])
    area_low, area_high = (100 * end for end in found[widest].area_interval(len(found)))
    epsilon = epsilon_bound(list(found.values()))
    shows_leak = finds_leak([chance for scores in found.values() for chance in (scores.area_chance, scores.top_chance)])
    parts = {
        f"{measure.symbol}auc": areas[widest],
        f"{measure.symbol}tenth": 100 * max(scores.true_positives(VERY_FEW) for scores in found.values()),
        f"{measure.symbol}eps": epsilon,
        **{f"{name} (area)": areas[name] for name in found},
        **{f"{name} (found)": shares[name] for name in found},
    }
    verdict = "LEAK FOUND" if shows_leak else "No leak found"
    remark = (
        f"{verdict}: by {best}, {format_percent(shares[best])} of the {members} are found where 1 % of the others "
        f"are taken for them; the area is {format_percent(areas[widest])} by {widest}, {format_number(area_low)} "
        f"to {format_number(area_high)} with 95 % confidence; epsilon is at least {format_number(epsilon)}"
    )
    return Measurement(
        measure.name(),
        measure.symbol,
        shares[best],
        parts=parts,
        interval=(min(100 * low, shares[best]), max(100 * high, shares[best])),
        remark=remark,
        shows_leak=shows_leak,
    )


def measure_copies(measure: ControlledRisk, files: CodedFiles, remark: str) -> Measurement:
    """Return how many members stand in the file whole, which needs no others to be known."""
    uniques = unique_hashes(files.hashes(ORIGINAL))
    copied = 100 * int(is_among(uniques, np.sort(files.hashes(SYNTHETIC))).sum()) / files.sizes[ORIGINAL]
    parts = {f"{measure.symbol}auc": 50 + copied / 2, f"{measure.symbol}tenth": copied, f"{measure.symbol}eps": 0.0}
    return Measurement(measure.name(), measure.symbol, copied, parts=parts, remark=remark)
