"""Measure how far runs of each drawn figure of the papers differ, and store it; `make papers-calibration` runs it."""

import numpy as np

from sfumato.papers import PAPERS, Files
from sfumato.papers.power import DOUBLED, HALVED, STATISTICAL
from sfumato.papers.spread import Spread, write_spreads

SEEDS = (1, 2, 3)
"""With the printed noise; half and twice of it are run with the first seed only."""


def main() -> None:
    """Run every drawn figure, and store its spread with the package."""
    files = Files()
    plain = runs_of(files, SEEDS, 1.0)
    halved, doubled = (runs_of(files, SEEDS[:1], strength) for strength in (HALVED, DOUBLED))
    write_spreads({figure: spread_of(runs, halved[figure], doubled[figure]) for figure, runs in plain.items()})


def runs_of(files: Files, seeds: tuple[int, ...], strength: float) -> dict[str, list[float]]:
    """Return all runs with some seeds, by the name of the figure."""
    found: dict[str, list[float]] = {}
    for part in STATISTICAL:
        for seed in seeds:
            for figure in PAPERS[part](files, seed, strength):
                if figure.runs:
                    found.setdefault(figure.figure, []).extend(figure.runs)
    return found


def spread_of(plain: list[float], halved: list[float], doubled: list[float]) -> Spread:
    """Return the spread of the runs of one figure."""
    return Spread(
        len(plain),
        float(np.mean(plain)),
        float(np.std(plain, ddof=1)),
        float(np.mean(halved)),
        float(np.mean(doubled)),
    )


if __name__ == "__main__":
    main()
