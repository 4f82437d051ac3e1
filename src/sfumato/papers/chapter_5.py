"""Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata ("chapter 5")."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from sfumato.data import numeric
from sfumato.execution import run_step
from sfumato.loss.categories._transitions import posterior
from sfumato.masking import LossyCompression, RankSwapping
from sfumato.masking.sampling.sampling import sampling_error
from sfumato.masking.synthesis._distribution_fitting import FITTERS, best_fit
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files, printed_file

EXAMPLE_1 = np.array([186.0, 693, 830, 1177, 1219, 1428, 1902, 1903, 2496, 3406])
TABLE_2_ORIGINAL = """
4173 4621 4527 1428 27 27 3480 4550
2639 6045 4208 1902 1008 808 3136 4100
3315 4765 5645 1903 485 485 4284 5600
1619 3932 2380 1177 700 700 1750 2288
4604 4349 2151 1219 751 1 1606 2100
3433 2463 3217 830 167 50 2448 3200
824 372 8730 186 1030 22 589 7700
4145 629 2500 693 1 1 1912 2500
"""
TABLE_2_PROTECTED = """
4100 4710 4498 1451 1 10 3718 4296
2751 5889 4369 1862 1021 808 3052 4098
3314 4465 5763 1903 448 507 4168 5657
1683 4154 2151 1243 654 706 1791 2385
4604 4154 2305 1222 779 1 1559 2100
3536 2374 3363 812 93 124 2443 3263
824 460 8730 199 1030 1 589 7590
4174 572 2538 670 1 23 1965 2605
"""
TABLE_3 = {  # each variable before and after, record by record
    "second": ("K L N M L H H F D C", "H L M N L F K H C D"),
    "third": ("3.7 3.8 3.0 4.5 5.0 6.0 4.5 6.7 8.0 10.0", "3.0 4.5 3.7 5.0 4.5 6.7 3.8 6.0 10.0 8.0"),
    "fourth": ("4.4 3.4 4.8 5.0 6.0 7.5 10.0 11.0 9.5 3.2", "4.8 3.2 4.4 6.0 5.0 9.5 11.0 10.0 7.5 3.4"),
}
TABLE_3_WINDOW, TABLE_3_RECORDS = 15, 10
TIES = "with this window there is one way to swap; equal values may stand for each other"
NEARER = "not judged: by the distance of Kolmogorov and Smirnov a Weibull distribution, which was not tried, is nearer"
CATALONIA, CATALAN_SAMPLE = 6_059_494, 245_944  # persons, and those in the sample of Example 5
NEW_YORK_STATE, NEW_YORK_CITY, ALBANY = 17_990_455, 7_322_564, 101_082


def chapter_5(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the figures of chapter 5; none needs a file or a seed."""
    fit = best_fit(EXAMPLE_1, ("gumbel",))
    mode, scale, distance = (*fit.parameters, fit.distance) if fit else (0.0, 0.0, 1.0)
    yield _exact("Example 1: mode of the extreme value distribution", 1105.78, round(mode, 2))
    yield _exact("Example 1: its scale", 732.43, round(scale, 2))
    yield _exact("Example 1: its Kolmogorov-Smirnov distance", 0.1138, round(distance, 4))
    best = best_fit(EXAMPLE_1, tuple(FITTERS))
    name = best.distribution if best else "none"
    yield Figure("chapter 5, Example 1: the nearest distribution", FigureKind.REPORT, "gumbel", name, note=NEARER)
    yield _exact("Table 2: cells of the compressed file", 64, reproduced_cell_count())
    for variable, (before, after) in TABLE_3.items():
        same = swapped_alike(before.split(), after.split(), seed)
        yield _exact(f"Table 3: values of the {variable} variable that are swapped alike", TABLE_3_RECORDS, same, TIES)
    factor = round(CATALAN_SAMPLE / CATALONIA, 4)
    yield Figure("chapter 5, Example 5: sampling factor", FigureKind.PRINT, 0.0406, factor)
    error = 0.5 * 1.96 * sampling_error(CATALONIA, CATALAN_SAMPLE)  # of a share of one half, at 95 %
    yield _exact("Example 5: largest error of a share, in percent", 0.2, round(100 * error, 1))
    yield _exact("Example 7: New York City given its state", 0.407, round(probability_given_state(NEW_YORK_CITY), 3))
    yield Figure(
        "chapter 5, Example 7: Albany given its state",
        FigureKind.MISPRINT,
        0.05,
        round(probability_given_state(ALBANY), 4),
        note="not judged: a misprint, the printed populations give .0056",
    )


def probability_given_state(town: int) -> float:
    """Return the chance that a household now placed in the state was in a town of so many persons."""
    persons = np.array([town, NEW_YORK_STATE - town], dtype=np.float64)
    known = posterior(np.array([0, 1]), np.array([2, 2]), persons, np.append(persons / NEW_YORK_STATE, 0.0))
    return float(known.probability[0])


def _exact(place: str, printed: float, ours: float, note: str = "") -> Figure:
    return Figure(f"chapter 5, {place}", FigureKind.EXACT, printed, ours, note=note)


def reproduced_cell_count() -> int:
    """Return the number of cells of Table 2 that lossy compression of quality 80 gives, cut to whole numbers."""
    original, protected = printed_file(TABLE_2_ORIGINAL), printed_file(TABLE_2_PROTECTED)
    masked = run_step(LossyCompression(columns=numeric, quality=80), original, seed=0, step=0)
    names = original.schema.names
    return int((np.floor(masked.matrix(names)) == protected.matrix(names)).sum())


def swapped_alike(before: list[str], after: list[str], seed: int) -> int:
    """Return how many values rank swapping with the window of Example 3 gives to the records that have them in print.

    Records with equal values cannot be told apart: what they get is compared together.

    Examples
    --------
    >>> swapped_alike("3.0 1.0 4.0 2.0".split(), "4.0 2.0 3.0 1.0".split(), 0)
    4
    """
    ranks = {value: float(rank) for rank, value in enumerate(sorted(set(before), key=_in_order))}
    column = "\n".join(str(ranks[value]) for value in before)
    method = RankSwapping(columns=numeric, window=max(TABLE_3_WINDOW, 100 / len(before)))
    masked = run_step(method, printed_file(column), seed=seed, step=0).values("v1").tolist()
    given, printed = (Counter(zip(before, values, strict=True)) for values in (masked, [ranks[one] for one in after]))
    return (given & printed).total()


def _in_order(value: str) -> tuple[float, str]:
    return (0.0, value) if value.isalpha() else (float(value), "")
