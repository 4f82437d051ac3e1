"""Draw the groups that three microaggregations make of the same records; `make pictures` runs it."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from scipy.spatial import ConvexHull, QhullError

from sfumato.display.figure import new_figure
from sfumato.display.figure_style import INK, draw_frame, draw_title
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking.microaggregation.near_optimal_microaggregation import near_optimal_groups
from sfumato.masking.microaggregation.variable_size_mdav import variable_size_groups
from sfumato.numerics.arrays import Floats, Integers
from sfumato.numerics.standardisation import z_scores

PICTURE = Path(__file__).parent / "microaggregation" / "groups.svg"
GROUP_SIZE = 4
SOFT = "#8fb3d9"


def main() -> None:
    """Write the picture."""
    records = example_records()
    points = z_scores(records)
    rng = np.random.default_rng(1)
    groupings = {
        "MDAV": mdav_groups(points, GROUP_SIZE),
        "V-MDAV": variable_size_groups(points, GROUP_SIZE, 1.1),
        "Near-optimal": near_optimal_groups(points, GROUP_SIZE, rounds=20, patience=None, rng=rng),
    }
    figure = new_figure(9.5, 3.4)
    panels = figure.subplots(1, len(groupings), sharex=True, sharey=True)
    for axes, (name, groups) in zip(panels, groupings.items(), strict=True):
        draw_frame(axes, "income, thousands", "tax, thousands" if axes is panels[0] else "")
        draw_title(axes, f"{name}: {loss_percent(points, groups):.1f} % lost", gap=4.0)
        draw_groups(axes, records, groups)
    PICTURE.parent.mkdir(exist_ok=True)
    figure.save(PICTURE)


def example_records() -> Floats:
    """Return incomes and taxes of 48 persons in four unequal clusters, in thousands."""
    rng = np.random.default_rng(12)
    centres = [(20, 3, 10), (34, 7, 17), (52, 12, 13), (78, 24, 8)]
    return np.concatenate([rng.normal((x, y), (4.5, 1.6), (size, 2)) for x, y, size in centres])


def loss_percent(points: Floats, groups: Integers) -> float:
    """Return the percent of the sum of squares that lies inside the groups."""
    inside = sum(((points[groups == group] - points[groups == group].mean(axis=0)) ** 2).sum() for group in set(groups))
    return 100 * float(inside / ((points - points.mean(axis=0)) ** 2).sum())


def draw_groups(axes: Axes, records: Floats, groups: Integers) -> None:
    """Draw the records, the outline of each group, and the mean that takes their place."""
    for group in np.unique(groups):
        members = records[groups == group]
        axes.fill(*outline(members).T, facecolor=SOFT, edgecolor=INK, alpha=0.45, linewidth=0.8)
        axes.plot(*members.mean(axis=0), marker="+", color=INK, markersize=7)
    axes.plot(*records.T, marker="o", linestyle="none", color=INK, markersize=2.6)


def outline(members: Floats) -> Floats:
    """Return the corners of the convex hull of a group."""
    try:
        return members[ConvexHull(members).vertices]
    except QhullError:
        return members


if __name__ == "__main__":
    main()
