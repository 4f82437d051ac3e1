"""Lines and pictures like those of the outliers paper, made by hand or by chance."""

from collections.abc import Sequence

import numpy as np

from sfumato.papers.outliers.lines import Line, Picture, Pictures
from sfumato.papers.outliers.runs import FAMILIES, SYMBOLS

FILES = ("Census", "EIA")


def line(overall: Sequence[float], outliers: Sequence[float] | None = None, height: float = 100.0) -> Line:
    figures = np.array(overall, dtype=np.float64)
    apart = figures if outliers is None else np.array(outliers, dtype=np.float64)
    return Line(np.arange(1.0, figures.size + 1), figures, apart, height)


def picture(measure: str = "DLD", **lines: Line) -> Picture:
    return Picture(measure, "Census", lines)


def drawn_at_random(seed: int) -> Pictures:
    rng = np.random.default_rng(seed)
    pictures = {}
    for number, (measure, file) in enumerate([(measure, file) for measure in SYMBOLS for file in FILES], start=1):
        lines = {}
        for letter, family in FAMILIES.items():
            overall, outliers = rng.uniform(0, 95, (2, len(family.parameters)))
            lines[letter] = Line(np.array(family.parameters, dtype=np.float64), overall, outliers, 100.0)
        pictures[number] = Picture(measure, file, lines)
    return pictures
