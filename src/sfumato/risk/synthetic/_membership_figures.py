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
    interval = (min(100 * low, shares[best]), max(100 * high, shares[best]))
    widest = max(found, key=lambda name: areas[name])
    epsilon = epsilon_bound(list(found.values()))
    by_area = {name: scores.area_chance for name, scores in found.items()}
    by_few = {name: scores.top_chance for name, scores in found.items()}
    shows_leak = finds_leak([*by_area.values(), *by_few.values()])
    shown = min(by_area, key=lambda name: by_area[name]) if shows_leak else widest
    parts = {
        f"{measure.symbol}auc": areas[widest],
        f"{measure.symbol}tenth": 100 * max(scores.true_positives(VERY_FEW) for scores in found.values()),
        f"{measure.symbol}eps": epsilon,
        **{f"{name} (area)": areas[name] for name in found},
        **{f"{name} (found)": shares[name] for name in found},
    }
    area_low, area_high = (format_number(100 * end) for end in found[shown].area_interval(len(found)))
    verdict = "LEAK FOUND" if shows_leak else "No leak found"
    remark = (
        f"{verdict}: by {shown}, the area is {format_percent(areas[shown])}, {area_low} to {area_high} with 95 % "
        f"confidence, where guessing has 50; by {best}, {format_percent(shares[best])} of the {members} are found "
        f"where 1 % of the others are taken for them, {format_number(interval[0])} to {format_number(interval[1])}; "
    )
    remark += f"epsilon is at least {format_number(epsilon)}" if epsilon > 0 else "these are too few to bound epsilon"
    if shows_leak and min(by_area.values()) <= min(by_few.values()):
        remark += f". It is the area that shows the leak: {members} are more like the file than others"
    return Measurement(
        measure.name(),
        measure.symbol,
        shares[best],
        parts=parts,
        interval=interval,
        remark=remark,
        shows_leak=shows_leak,
    )


def measure_copies(measure: ControlledRisk, files: CodedFiles, remark: str) -> Measurement:
    """Return how many members stand in the file whole, which needs no others to be known."""
    uniques = unique_hashes(files.hashes(ORIGINAL))
    copied = 100 * int(is_among(uniques, np.sort(files.hashes(SYNTHETIC))).sum()) / files.sizes[ORIGINAL]
    parts = {f"{measure.symbol}auc": 50 + copied / 2, f"{measure.symbol}tenth": copied, f"{measure.symbol}eps": 0.0}
    return Measurement(measure.name(), measure.symbol, copied, parts=parts, remark=remark)
