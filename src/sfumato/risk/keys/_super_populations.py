"""How many persons of a population are unique in their keys, estimated from a sample by models of the class sizes."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import CodeColumn
from sfumato.numerics.functions.gamma_ratios import log_gamma_ratio
from sfumato.risk.keys._pitman import pitman_uniques
from sfumato.risk.keys._slide_negative_binomial import slide_negative_binomial_shapes

SMALL_FRACTION = 0.1  # up to this sampling fraction the rule of Dankar et al. takes Pitman's model
MODELS = {
    "pitman": "Pitman's model",
    "zayatz": "the model of Zayatz",
    "slide negative binomial": "the slide negative binomial model",
}
"""What the models are called in a sentence, by the names of their figures."""


@dataclass(frozen=True, eq=False)
class ClassCounts:
    """How many classes of equal keys there are of each size.

    Parameters
    ----------
    sizes
        The sizes that occur, rising.
    classes
        The number of classes of each size.
    """

    sizes: CodeColumn
    classes: CodeColumn

    @property
    def records(self) -> int:
        """How many records there are."""
        return int(self.sizes @ self.classes)

    def of_size(self, size: int) -> int:
        """Return the number of classes of one size."""
        return int(self.classes[self.sizes == size].sum())


@dataclass(frozen=True)
class UniquesEstimate:
    """The estimated number of persons who are unique in the population.

    Parameters
    ----------
    uniques
        The estimate by the model that the rule takes.
    model
        The name of that model.
    by_model
        The estimates of all models that have a solution.
    """

    uniques: float
    model: str
    by_model: Mapping[str, float]


def count_classes(class_sizes: CodeColumn) -> ClassCounts:
    """Return how many classes there are of each size, from the sizes of all classes.

    Examples
    --------
    >>> count_classes(np.array([1, 3, 1])).classes
    array([2, 1])
    """
    sizes, classes = np.unique(class_sizes, return_counts=True)
    return ClassCounts(sizes, classes)


def count_matches(matches: CodeColumn, copies: CodeColumn) -> ClassCounts:
    """Return the same from how many records match each record, itself included, where these are no classes.

    A record that matches s - 1 others is a part of 1 / s of a class; the parts of a size are rounded to whole classes.
    `copies` is how many records each row stands for.

    Examples
    --------
    >>> count_matches(np.array([1, 3, 2]), np.array([1, 3, 1])).classes
    array([1, 1, 1])
    """
    sizes, places = np.unique(matches, return_inverse=True)
    records = np.bincount(places, weights=copies.astype(np.float64))
    return ClassCounts(sizes, np.maximum(np.rint(records / sizes), 1).astype(np.int64))


def estimate_uniques(counts: ClassCounts, population: float) -> UniquesEstimate:
    """Return the number of population uniques by the decision rule of Dankar et al. (2012), and by each model.

    For sampling fractions up to 0.1 it is Pitman's, or that of Zayatz where Pitman's model has no solution; for larger
    ones the smaller one of those of Zayatz and of the slide negative binomial model, as far as this has a solution.
    """
    alone = counts.of_size(1)
    if not alone or population <= counts.records:
        return UniquesEstimate(float(alone), "sample", {})
    found = {
        "pitman": pitman_uniques(counts.sizes, counts.classes, population),
        "zayatz": zayatz_uniques(counts, population),
        "slide negative binomial": slide_negative_binomial_uniques(counts, population),
    }
    by_model = {model: uniques for model, uniques in found.items() if uniques is not None}
    if counts.records / population <= SMALL_FRACTION:
        model = "pitman" if "pitman" in by_model else "zayatz"
    else:
        model = min((name for name in by_model if name != "pitman"), key=lambda name: by_model[name])
    return UniquesEstimate(by_model[model], model, by_model)


def zayatz_uniques(counts: ClassCounts, population: float) -> float:
    """Return the estimate of Zayatz (1991): as if the classes of the population had the sizes of those of the sample.

    A class of i persons shows as one record with the hypergeometric probability P(i), so that a sample unique is
    unique in the population with probability c1 P(1) / (c1 P(1) + c2 P(2) + ...), c_i being the classes of size i.
    """
    others = population - counts.records
    possible = counts.sizes - 1 <= others
    size = counts.sizes[possible].astype(np.float64)
    rest = [
        log_gamma_ratio(others - each + 2, each - 1) - log_gamma_ratio(population - each + 1, each - 1) for each in size
    ]
    shows = counts.classes[possible] * size * np.exp(rest)
    alone = counts.of_size(1)
    return float(alone * shows[0] / shows.sum() * population / counts.records) if alone else 0.0


def slide_negative_binomial_uniques(counts: ClassCounts, population: float) -> float | None:
    """Return the estimate of Chen and Keller-McNulty (1998); None where the equations have no solution.

    The K classes of the population have 1 + X persons, X negative binomial with shape a and probability b, so that
    K b^a are unique. K is estimated by Shlosser's formula; a and b are such that as many classes of one and of two
    records are expected in the sample as there are.
    """
    alone, pairs = counts.of_size(1), counts.of_size(2)
    fraction, classes = counts.records / population, population_classes(counts, population)
    if not alone or not pairs or not np.isfinite(classes):
        return None
    found = []
    for a, odds in slide_negative_binomial_shapes(alone / classes, pairs / classes, fraction):
        persons = classes * (1 + a * np.exp(-odds))
        unique = classes * np.exp(-a * np.log1p(np.exp(-odds)))
        found.append((abs(np.log(persons / population)), float(unique)))
    return min(min(found)[1], population) if found else None  # of several solutions the one nearest in persons


def population_classes(counts: ClassCounts, population: float) -> float:
    """Return the number of different key combinations in the population by Shlosser's formula.

    In the third form of Haas and Stokes (1998), Estimating the number of classes in a finite population.
    """
    size, classes = counts.sizes.astype(np.float64), counts.classes
    q = counts.records / population
    unseen = (classes * (1 - q) ** size).sum()
    first = (classes * size * q**2 * (1 - q**2) ** (size - 1)).sum()
    second = (classes * ((1 - q**2) ** size - (1 - q) ** size)).sum()
    once = (classes * size * q * (1 - q) ** (size - 1)).sum()
    if not second or not once:
        return float(classes.sum())
    return float(classes.sum() + counts.of_size(1) * first / second * (unseen / once) ** 2)
