"""The runs of the outliers paper: five families of methods on two files, seventy masked forms of each."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from sfumato.assessment import Assessment, assess
from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, numeric
from sfumato.execution import run_step
from sfumato.loss import InformationLoss, StandardisedInformationLoss
from sfumato.masking import AdditiveNoise, LossyCompression, Mdav, RankSwapping, Resampling
from sfumato.papers.files import Files
from sfumato.papers.outliers.lines import Line, Picture, Pictures
from sfumato.risk import DeviationIntervalDisclosure, DistanceLinkage, IntervalDisclosure

THREADS = 2  # distances are found outside Python's lock, most of the rest inside: more threads gain nothing


@dataclass(frozen=True)
class Family:
    """A method with the parameters that the paper tries; its pictures call it by a letter or two."""

    name: str
    parameter: str
    parameters: tuple[float, ...]
    method: Callable[[float], MaskingMethod]


FAMILIES: Mapping[str, Family] = {
    "J": Family(
        "JPEG",
        "quality",
        tuple(range(10, 101, 5)),
        lambda quality: LossyCompression(columns=numeric, quality=int(quality)),
    ),
    "R": Family(
        "rank swapping",
        "window, %",
        tuple(range(1, 21)),
        lambda window: RankSwapping(columns=numeric, window=window),
    ),
    "N": Family(
        "additive noise",
        "scale",
        tuple(step / 50 for step in range(1, 11)),
        lambda scale: AdditiveNoise(columns=numeric, scale=scale),
    ),
    "RS": Family(
        "resampling",
        "samples",
        (1, 2, 3),
        lambda samples: Resampling(columns=numeric, samples=int(samples)),
    ),
    "M": Family(
        "microaggregation",
        "group size",
        tuple(range(3, 21)),
        lambda size: Mdav(columns=numeric, k=int(size)),
    ),
}

SYMBOLS = {"IL1": "IL1", "IL1s": "IL1s", "DLD": "DLD", "RID": "ID", "SDID": "SDID"}
"""The measures of the paper, in the order of its pictures, and our symbols for them."""

MEASURES = (
    InformationLoss(columns=numeric),
    StandardisedInformationLoss(columns=numeric),
    DistanceLinkage(columns=numeric),
    IntervalDisclosure(columns=numeric),
    DeviationIntervalDisclosure(columns=numeric),
)


RUNS = 8


@lru_cache(maxsize=1)  # so that figures and drawings come from the same runs
def outlier_runs(files: Files, seed: int) -> tuple[Pictures, ...]:
    """Return the pictures of several runs, with seeds that follow from the given one."""
    return tuple(outlier_pictures(files, own) for own in np.random.SeedSequence(seed).generate_state(RUNS).tolist())


def outlier_pictures(files: Files, seed: int) -> Pictures:
    """Return the ten pictures of the paper by their numbers, from runs with the given seed.

    DLD is the mean over an intruder who knows the first column, the first two, up to the first seven; RID takes equal
    masked values by their range of ranks. Each masked file draws from a seed of its own.
    """
    data = {"Census": files.census, "EIA": files.eia}
    methods = [family.method(parameter) for family in FAMILIES.values() for parameter in family.parameters]
    seeds = np.random.SeedSequence(seed).generate_state(len(data) * len(methods)).tolist()
    with ThreadPoolExecutor(THREADS) as pool:
        files_and_methods = zip(*product(data.values(), methods), strict=True)
        found = list(pool.map(_assess, *files_and_methods, seeds))
    found_in = dict(zip(data, (found[: len(methods)], found[len(methods) :]), strict=True))
    return {
        number: picture_of(measure, file, found_in[file])
        for number, (measure, file) in enumerate(product(SYMBOLS, data), start=1)
    }


def _assess(original: Microdata, method: MaskingMethod, seed: int) -> Assessment:
    """Return what the five measures find when a file is masked, overall and for outliers."""
    return assess(original, run_step(method, original, seed=seed, step=0), MEASURES, scores=(), outliers=True)


def picture_of(measure: str, file: str, found: list[Assessment]) -> Picture:
    """Return the picture of a measure from the assessments of all families, in the order of `FAMILIES`."""
    symbol = SYMBOLS[measure]
    overall = np.array([assessment.values[symbol] for assessment in found])
    outliers = np.array([assessment.outlier_values[symbol] for assessment in found])
    height = float(max(overall.max(), outliers.max()))
    lines, end = {}, 0
    for letter, family in FAMILIES.items():
        start, end = end, end + len(family.parameters)
        lines[letter] = Line(
            np.array(family.parameters, dtype=np.float64), overall[start:end], outliers[start:end], height
        )
    return Picture(measure, file, lines)
