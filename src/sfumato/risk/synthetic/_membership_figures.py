"""The figures of membership: how many of those in the file the strongest attack finds, persons or households."""

import numpy as np

from sfumato.contracts import JOINT_QUESTIONS, ControlledRisk, Measurement, Trials
from sfumato.display import format_number, format_percent
from sfumato.numerics.hashing import is_among, unique_hashes
from sfumato.risk.synthetic._coded_files import ORIGINAL, SYNTHETIC, CodedFiles
from sfumato.risk.synthetic._copied_columns import copied_columns
from sfumato.risk.synthetic._membership_rates import epsilon_bound
from sfumato.risk.synthetic._membership_scores import candidates, scores_of
from sfumato.risk.synthetic._membership_verdict import FEW, VERY_FEW, judge_membership

TRACE = (
    "That is beyond chance, and too small to be called a leak: not twice as many {members} as others are found, and "
    "the area is surely below 55 %"
)
KEPT_COUNTS = (
    "How many have each category of {names} is as in the original, more nearly than drawing gives: kept on purpose, as "
    "the sizes of strata are, or copied, which cannot be told from the file"
)
GUESSING = 0.5  # the area of somebody who guesses


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
    joint = found[best].true_positive_interval(FEW, JOINT_QUESTIONS * len(found))
    widest = max(found, key=lambda name: areas[name])
    epsilon = epsilon_bound(list(found.values()))
    verdict = judge_membership(found, copied_columns(files))
    shown = verdict.by_area if verdict.is_beyond_chance else widest
    parts = {
        f"{measure.symbol}auc": areas[widest],
        f"{measure.symbol}tenth": 100 * max(scores.true_positives(VERY_FEW) for scores in found.values()),
        f"{measure.symbol}eps": epsilon,
        f"{measure.symbol}low": interval[0],
        **{f"{name} (area)": areas[name] for name in found},
        **{f"{name} (found)": shares[name] for name in found},
    }
    area_low, area_high = (format_number(100 * end) for end in found[shown].area_interval(len(found)))
    word = "LEAK FOUND" if verdict.is_leak else "Trace found" if verdict.is_trace else "No leak found"
    remark = (
        f"{word}: by {shown}, the area is {format_percent(areas[shown])}, {area_low} to {area_high} with 95 % "
        f"confidence, where guessing has 50; by {best}, {format_percent(shares[best])} of the {members} are found "
        f"where 1 % of the others are taken for them, {format_number(interval[0])} to {format_number(interval[1])}; "
    )
    remark += f"epsilon is at least {format_number(epsilon)}" if epsilon > 0 else "these are too few to bound epsilon"
    if verdict.copied is not None and not verdict.is_by_frequencies:
        remark += (
            f". The values of {verdict.copied.name} are those of the {members}: "
            f"{format_percent(100 * verdict.copied.rate)} of them come back, "
            f"{format_percent(100 * verdict.copied.control_rate)} of the others'"
        )
    elif verdict.copied is not None:
        remark += (
            f". The values of {verdict.copied.name} are those of the {members}, in another order: each is so nearly as "
            f"frequent as in the original that it was not drawn"
        )
    elif verdict.is_leak and verdict.is_by_area:
        remark += f". It is the area that shows the leak: {members} are more like the file than others"
    elif not verdict.is_beyond_chance and found[shown].area_interval(len(found))[0] > GUESSING:
        among = f"the {verdict.comparisons:,} comparisons of this attack"
        remark += f". By itself that area lies above guessing, as may happen among {among}"
    if verdict.kept_counts:
        remark += f". {KEPT_COUNTS.format(names=', '.join(verdict.kept_counts))}"
    if verdict.is_trace:
        remark += f". {TRACE.format(members=members)}"
    return Measurement(
        measure.name(),
        measure.symbol,
        shares[best],
        parts=parts,
        interval=interval,
        remark=remark,
        shows_leak=verdict.is_leak,
        shows_trace=verdict.is_trace,
        trials=Trials(
            "persons" if members == "members" else members,
            found[best].members.size,
            found[best].others.size,
            verdict.comparisons,
            (min(100 * joint[0], shares[best]), max(100 * joint[1], shares[best])),
        ),
    )


def measure_copies(measure: ControlledRisk, files: CodedFiles, remark: str) -> Measurement:
    """Return how many members stand in the file whole, which needs no others to be known."""
    uniques = unique_hashes(files.hashes(ORIGINAL))
    copied = 100 * int(is_among(uniques, np.sort(files.hashes(SYNTHETIC))).sum()) / files.sizes[ORIGINAL]
    figures = {"auc": 50 + copied / 2, "tenth": copied, "eps": 0.0, "low": copied}
    parts = {f"{measure.symbol}{name}": figure for name, figure in figures.items()}
    return Measurement(measure.name(), measure.symbol, copied, parts=parts, remark=remark)
