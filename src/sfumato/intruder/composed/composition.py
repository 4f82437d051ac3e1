"""The likelihood of records on which other steps follow noise: exact, or with what is learnt of these steps alone."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_columns, coded_matrices
from sfumato.intruder.composed.later_steps import LaterSteps
from sfumato.intruder.composed.noise_chains import NoiseChain, NoisyShadow
from sfumato.intruder.composed.own_maps import MappedFile, mapped_elements
from sfumato.intruder.composed.seen_noise import SeenNoise
from sfumato.intruder.learning import Learnt, MaskedFile, learn, power_and_merit
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.intruder.pairs import Pairs
from sfumato.kernels.keys.counting import classes_of
from sfumato.kernels.linkage.composed_noise import NoiseElements, Seen
from sfumato.kernels.linkage.seen_forms import FINE
from sfumato.numerics.arrays import CodeColumn, FloatMatrix, Rows

SHADOWS = 7  # of which one is held out
CLEARLY = 0.1  # of the mean log posterior of the truth, by which a learnt density must beat one that is stated
ALL_PAIRS = 2_000_000  # that are compared one by one; in larger files a learnt likelihood finds the likely ones


@dataclass(frozen=True, eq=False)
class Composition:
    """A chain of noise, and what the intruder's own runs show of it; the first run is held out."""

    chain: NoiseChain
    masked: Microdata
    seed: int

    @cached_property
    def shadows(self) -> list[NoisyShadow]:
        """Files that the intruder masked."""
        return [self.chain.shadow(self.seed, number) for number in range(SHADOWS)]

    @cached_property
    def later(self) -> LaterSteps:
        """What comes after the noise."""
        return LaterSteps(self.chain, self.shadows[1:])

    @cached_property
    def density(self) -> tuple[SeenNoise, FloatMatrix, bool]:
        """The density of the noise, what originals are expected to become, and whether it is exact."""
        return self.chain.density(self.shadows[1:])

    @cached_property
    def learnt(self) -> Learnt:
        """What is learnt of the same columns without knowing the noise."""
        files = [self.chain.original, *(shadow.data for shadow in self.shadows)]
        (original, *matrices), numbers = coded_matrices(files, self.chain.names)
        runs = [MaskedFile(shadow.rows, file) for shadow, file in zip(self.shadows, matrices, strict=True)]
        return learn(original, runs[1:], runs[0], numbers)

    @property
    def watched(self) -> tuple[str, ...]:
        """The columns of which the intruder learns by running the recipe what becomes of the noise."""
        return self.chain.names if self.chain.linear_steps else self.later.learnt

    @cached_property
    def evidence(self) -> list[tuple[Seen, CodeColumn]]:
        """What the records of the masked file, and of the shadow held out, tell; and the strata of the originals."""
        files = (self.masked, self.shadows[0].data)
        return [(self.later.seen(file, own), before) for file in files for before, own in [self.strata(file)]]

    def by_mean_functions(self) -> tuple[Likelihood, Likelihood]:
        """Return the likelihood of both files where no linear function is that of the file itself."""
        density, expected, _ = self.density
        found = [density.coordinates(expected, before, seen, is_exact=False) for seen, before in self.evidence]
        return found[0] + self.signs[0], found[1] + self.signs[1]

    @cached_property
    def signs(self) -> tuple[Likelihood, Likelihood]:
        """What the signs of both files tell, where the noise leaves them as they are."""
        return self.later.signs(self.masked), self.later.signs(self.shadows[0].data)

    def likelihoods(self) -> tuple[Likelihood, Likelihood] | None:
        """Return the likelihood of the masked file and of the shadow held out; none where a learnt one is better."""
        density, expected, is_exact = self.density
        is_exact = is_exact and self.later.is_exact and few_are_wide(self.evidence[0][0], density.elements)
        models = [(density, expected)] * 2
        power, merit = self.merit(self.by_mean_functions()[1])
        own = self.own_models()
        if own is not None:
            seen, before = self.evidence[1]
            by_own = self.merit(own[1][0].coordinates(own[1][1], before, seen, is_exact=False))
            if by_own[1] > merit:
                models, (power, merit) = own, by_own
        if merit < self.learnt.merit - (0.0 if self.watched else CLEARLY):
            return None
        if self.watched:
            models = [(density.scaled(power), expected) for density, expected in models]
        found = [
            density.coordinates(expected, before, one, is_exact)
            for (density, expected), (one, before) in zip(models, self.evidence, strict=True)
        ]
        if self.chain.original.n * self.masked.n > ALL_PAIRS or self.chain.exchanges_values:
            files = coded_matrices([self.masked, self.shadows[0].data], self.chain.names)[0]
            for number, file in enumerate(files):
                search = self.learnt.likelihood(file)
                found[number] += tuple(replace(one, is_exact=is_exact, joint=models[number][0]) for one in search)
        return found[0] + self.signs[0], found[1] + self.signs[1]

    def own_models(self) -> list[tuple[SeenNoise, FloatMatrix]] | None:
        """Return density and expectation for each of both files by the linear function that the file itself tells."""
        number = self.chain.last_mapping
        if number is None or self.chain.original.n * self.masked.n > ALL_PAIRS:
            return None
        noise, expected, _ = self.chain.density(self.shadows[1:], without_last=True)
        step = self.chain.mapping(number, self.shadows[1:])
        found = [MappedFile.of(noise.elements, expected, one).refined(step) for one, _ in self.evidence]
        return [(SeenNoise(mapped_elements(noise.elements, one)), expected @ one.matrix.T + one.shift) for one in found]

    def merit(self, likelihood: Likelihood) -> tuple[float, float]:
        """Return the best power of a likelihood of the shadow held out, and its merit."""
        shadow = self.shadows[0]
        before, after = places(likelihood, self.chain.original.n, shadow.data.n)

        def densities(tried: Rows, rivals: Rows) -> FloatMatrix:
            return log_likelihoods(likelihood, before, after[tried], np.tile(rivals, (len(tried), 1)))

        (original, masked), numbers = coded_matrices([self.chain.original, shadow.data], self.chain.names)
        pairs = Pairs(original, shadow.rows, masked, numbers)
        return power_and_merit(densities, pairs, self.learnt.pairs.keeps_missing)

    def strata(self, file: Microdata) -> tuple[CodeColumn, CodeColumn]:
        """Return the stratum of each original and of each record of a masked file; 0 for one that no original has."""
        source, n = self.chain.source, self.chain.source.n
        numbers = self.chain.stratum_numbers
        if not self.chain.strata:
            return numbers, np.zeros(file.n, dtype=np.int64)
        columns = [np.concatenate(coded_columns([source, file], name)[0]) for name in self.chain.strata]
        classes = classes_of(np.array([np.unique(column, return_inverse=True)[1] for column in columns])).numbers
        lookup = np.zeros(int(classes.max()) + 1, dtype=np.int64)
        lookup[classes[:n]] = numbers
        return numbers, lookup[classes[n:]]


def few_are_wide(seen: Seen, elements: NoiseElements) -> bool:
    """Tell whether at most one value of each record is known by an interval that is not narrow beside the noise."""
    widths = np.where(seen.high > seen.low, seen.high - seen.low, 0.0)
    wide = np.zeros(len(widths), dtype=np.int64)
    for stratum in range(len(elements.loads)):
        loads = elements.loads[stratum]
        covariance = elements.normal[stratum] + (loads * elements.variances) @ loads.T
        deviations = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
        inverse = np.linalg.pinv(covariance / np.outer(deviations, deviations), hermitian=True)
        alone = deviations**2 / np.maximum(np.diag(inverse), 1e-300)
        rows = seen.strata == stratum
        wide[rows] = (widths[rows] ** 2 / 12.0 > FINE * alone).sum(axis=1)
    return bool((wide <= 1).all())
