"""Draw the groups that three microaggregations make of the same records; `make pictures` runs it."""

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.spatial import ConvexHull, QhullError

from sfumato.kernels.microaggregation.grouping import mdav_groups
from sfumato.masking.microaggregation.near_optimal_microaggregation import near_optimal_groups
from sfumato.masking.microaggregation.variable_size_mdav import variable_size_groups
from sfumato.numerics.arrays import Floats, Integers
from sfumato.numerics.standardisation import z_scores

PICTURE = Path(__file__).parent / "microaggregation" / "groups.svg"
GROUP_SIZE = 4
INK, SOFT = "#222222", "#8fb3d9"


def main() -> None:
    """Write the picture."""
    records = made_records()
    points = z_scores(records)
    rng = np.random.default_rng(1)
    groupings = {
        "MDAV": mdav_groups(points, GROUP_SIZE),
        "V-MDAV": variable_size_groups(points, GROUP_SIZE, 1.1),
        "Near-optimal": near_optimal_groups(points, GROUP_SIZE, rounds=20, patience=None, rng=rng),
    }
    with mpl.rc_context({"svg.hashsalt": "sfumato", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(9.5, 3.4), layout="constrained")
        places = figure.subplots(1, len(groupings), sharex=True, sharey=True)
        for place, (name, groups) in zip(places, groupings.items(), strict=True):
            draw(place, records, groups, f"{name}: {100 * lost(points, groups):.1f} % lost")
        places[0].set_ylabel("tax, thousands")
        PICTURE.parent.mkdir(exist_ok=True)
        figure.savefig(PICTURE, metadata={"Date": None})


def made_records() -> Floats:
    """Return incomes and taxes of 48 persons in four unequal clusters, in thousands."""
    rng = np.random.default_rng(12)
    centres = [(20, 3, 10), (34, 7, 17), (52, 12, 13), (78, 24, 8)]
    return np.concatenate([rng.normal((x, y), (4.5, 1.6), (size, 2)) for x, y, size in centres])


def lost(points: Floats, groups: Integers) -> float:
    """Return the share of the sum of squares that lies inside the groups."""
    inside = sum(((points[groups == group] - points[groups == group].mean(axis=0)) ** 2).sum() for group in set(groups))
    return float(inside / ((points - points.mean(axis=0)) ** 2).sum())


def draw(place: Axes, records: Floats, groups: Integers, title: str) -> None:
    """Draw the records, the outline of each group, and the mean that takes their place."""
    for group in np.unique(groups):
        members = records[groups == group]
        place.fill(*outline(members).T, facecolor=SOFT, edgecolor=INK, alpha=0.45, linewidth=0.8)
        place.plot(*members.mean(axis=0), marker="+", color=INK, markersize=7)
    place.plot(*records.T, marker="o", linestyle="none", color=INK, markersize=2.6)
    place.set_title(title, fontsize=10)
    place.set_xlabel("income, thousands")
    place.spines[["top", "right"]].set_visible(False)


def outline(members: Floats) -> Floats:
    """Return the corners of the convex hull of a group."""
    try:
        return members[ConvexHull(members).vertices]
    except QhullError:
        return members


if __name__ == "__main__":
    main()
