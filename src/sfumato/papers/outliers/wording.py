"""What the words of the outliers paper are taken to mean: one rule for a word, the same wherever the paper uses it.

The paper reads its findings off its pictures, so that what is similar, low or steady is held against the height of the
picture. The figure of a family is the mean over its parameters, unless a rule says otherwise.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from sfumato.papers.outliers.lines import Line, Picture

SIMILAR = 0.1
"""Figures that differ by at most this part of the height of the picture are similar; the difference is small."""
VERY_LARGE = 0.2
"""A difference of more than this part of the height is very large."""
LOW, VERY_LOW = 0.25, 0.1
"""A line that never rises above such a part of the height is low, or very low."""
STEADY = 0.25
"""A line that goes over at most this part of the height is steady, and its range small."""
MUCH = 2.0
"""A figure that is so many times another is much higher; a parameter that does as much has a great influence."""
ALMOST_ALL = 90.0
"""A risk of at least so many percent, whatever the parameter, is close to the maximum."""


class Finding(NamedTuple):
    """Whether a relation holds, and the figures that decide it."""

    holds: bool
    figures: str


def outliers_higher(line: Line) -> Finding:
    """Tell whether the figure is higher for the outliers than overall."""
    return Finding(line.gap > 0, _apart(line))


def outliers_lower(line: Line) -> Finding:
    """Tell whether the figure is lower for the outliers than overall."""
    return Finding(line.gap < 0, _apart(line))


def outliers_similar(line: Line) -> Finding:
    """Tell whether the figure is similar for the outliers and overall."""
    return Finding(abs(line.gap) <= SIMILAR * line.height, _apart(line) + _of_height(line))


def outliers_a_bit_higher(line: Line) -> Finding:
    """Tell whether the figure is similar for the outliers, but higher."""
    return Finding(0 < line.gap <= SIMILAR * line.height, _apart(line) + _of_height(line))


def outliers_very_far(line: Line) -> Finding:
    """Tell whether the difference between outliers and overall is very large."""
    return Finding(abs(line.gap) > VERY_LARGE * line.height, _apart(line) + _of_height(line))


def outliers_much_lower(line: Line) -> Finding:
    """Tell whether the figure is much higher overall than for the outliers."""
    return Finding(line.mean >= MUCH * line.outlier_mean, _apart(line))


def outliers_on_both_sides(line: Line) -> Finding:
    """Tell whether the outliers have the higher figure at some parameters and the lower one at others."""
    above = int((line.outliers > line.overall).sum())
    return Finding(0 < above < line.overall.size, f"outliers higher at {above} of {line.overall.size} parameters")


def farther_apart(line: Line, other: Line) -> Finding:
    """Tell whether outliers and overall differ more in one line than in another."""
    return Finding(abs(line.gap) > abs(other.gap), f"differences {abs(line.gap):.1f} and {abs(other.gap):.1f}")


def lower(line: Line, other: Line) -> Finding:
    """Tell whether one line is lower than another on average."""
    return Finding(line.mean < other.mean, f"{line.mean:.1f} and {other.mean:.1f}")


def always_lower(line: Line, other: Line) -> Finding:
    """Tell whether all of one line is lower than all of another."""
    top, bottom = float(line.overall.max()), float(other.overall.min())
    return Finding(top < bottom, f"up to {top:.1f} and from {bottom:.1f}")


def much_higher(line: Line, other: Line) -> Finding:
    """Tell whether the figure of one line is much higher than that of another."""
    return Finding(line.mean >= MUCH * other.mean, f"{line.mean:.1f} and {other.mean:.1f}")


def highest(letters: str, picture: Picture) -> Finding:
    """Tell whether some families (letters apart by blanks) are higher than all others."""
    ours, others = _inside_and_outside(letters, picture)
    return Finding(min(ours) > max(others), f"from {min(ours):.1f}, others up to {max(others):.1f}")


def lowest(letters: str, picture: Picture) -> Finding:
    """Tell whether some families (letters apart by blanks) are lower than all others."""
    ours, others = _inside_and_outside(letters, picture)
    return Finding(max(ours) < min(others), f"up to {max(ours):.1f}, others from {min(others):.1f}")


def highest_at_low_parameters(letter: str, picture: Picture) -> Finding:
    """Tell whether the highest figure of all is that of a family at a low parameter."""
    top = float(picture.lines[letter].low().overall.max())
    rest = [float(line.overall.max()) for other, line in picture.lines.items() if other != letter]
    rest.append(float(picture.lines[letter].from_medium().overall.max()))
    return Finding(top > max(rest), f"{top:.1f}, elsewhere up to {max(rest):.1f}")


def similar(figures: Sequence[float], height: float) -> Finding:
    """Tell whether some figures are similar in a picture of this height."""
    shown = ", ".join(f"{figure:.1f}" for figure in figures)
    return Finding(max(figures) - min(figures) <= SIMILAR * height, f"{shown}; height {height:.1f}")


def stays_low(line: Line, limit: float = LOW) -> Finding:
    """Tell whether a line never rises above a part of the height."""
    top = float(line.overall.max())
    return Finding(top <= limit * line.height, f"up to {top:.1f}{_of_height(line)}")


def close_to_maximum(line: Line) -> Finding:
    """Tell whether a risk is close to 100 % whatever the parameter."""
    bottom = float(line.overall.min())
    return Finding(bottom >= ALMOST_ALL, f"from {bottom:.1f}")


def steady(line: Line) -> Finding:
    """Tell whether a line goes over a small part of the height only."""
    return Finding(line.spread <= STEADY * line.height, f"range {line.spread:.1f}{_of_height(line)}")


def great_influence(line: Line) -> Finding:
    """Tell whether the highest figure of a line is much higher than its lowest."""
    bottom, top = float(line.overall.min()), float(line.overall.max())
    return Finding(top >= MUCH * bottom, f"from {bottom:.1f} to {top:.1f}")


def falls(line: Line) -> Finding:
    """Tell whether the figure falls from the low over the medium to the high parameters."""
    low, medium, high = line.low().mean, line.medium().mean, line.high().mean
    return Finding(low > medium > high, f"{low:.1f}, {medium:.1f}, {high:.1f}")


def rises(line: Line) -> Finding:
    """Tell whether the figure rises from the low over the medium to the high parameters."""
    low, medium, high = line.low().mean, line.medium().mean, line.high().mean
    return Finding(low < medium < high, f"{low:.1f}, {medium:.1f}, {high:.1f}")


def ranges_narrow(*groups: Sequence[Line]) -> Finding:
    """Tell whether each line of a group goes over a wider range than each of the next group."""
    ranges = [[line.spread for line in group] for group in groups]
    narrowing = all(min(wide) > max(narrow) for wide, narrow in pairwise(ranges))
    shown = "; ".join(", ".join(f"{spread:.1f}" for spread in group) for group in ranges)
    return Finding(narrowing, f"ranges {shown}")


def in_all(findings: Sequence[Finding]) -> Finding:
    """Tell whether several findings hold together."""
    return Finding(all(found.holds for found in findings), "; ".join(found.figures for found in findings))


def in_most(findings: Sequence[Finding]) -> Finding:
    """Tell whether more than half of several findings hold."""
    held = sum(found.holds for found in findings)
    return Finding(held > len(findings) / 2, f"{held} of {len(findings)}")


def _inside_and_outside(letters: str, picture: Picture) -> tuple[list[float], list[float]]:
    """Return the figures of the families that are meant, and of the others."""
    meant = letters.split()
    ours = [picture.lines[letter].mean for letter in meant]
    return ours, [line.mean for letter, line in picture.lines.items() if letter not in meant]


def _apart(line: Line) -> str:
    return f"outliers {line.outlier_mean:.1f}, overall {line.mean:.1f}"


def _of_height(line: Line) -> str:
    return f"; height {line.height:.1f}"
