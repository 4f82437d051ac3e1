"""What runs of the intruder's own show of a chain of noise, for any file of the recipe; the first run is held out."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_matrices, combination_codes
from sfumato.intruder.composed.later_steps import LaterSteps
from sfumato.intruder.composed.noise_chains import NoiseChain, NoisyShadow
from sfumato.intruder.composed.own_maps import MappedFile, mapped_elements
from sfumato.intruder.composed.seen_noise import SeenNoise
from sfumato.intruder.learnt.learning import Learnt, MaskedFile, learn, power_and_merit
from sfumato.intruder.learnt.pairs import Pairs
from sfumato.intruder.pair_scores import log_likelihoods, places, true_log_densities
from sfumato.intruder.shadow_masking import Shadow
from sfumato.kernels.linkage.composed_noise import Seen
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows

SHADOWS = 7  # of which one is held out
CLEARLY = 0.1  # of the mean log posterior of the truth, by which a learnt density must beat one that is stated
ALL_PAIRS = 2_000_000  # that are compared one by one; in larger files a learnt likelihood finds the likely ones
Noisy = tuple[SeenNoise, FloatMatrix]
"""The density of noise, and what each original is expected to become."""


@dataclass(frozen=True, eq=False)
class ChainRuns:
    """A chain of noise, and files that the intruder masked by all steps."""

    chain: NoiseChain
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
    def held_out(self) -> tuple[Seen, CodeColumn, Likelihood]:
        """What the records held out tell, the strata of the originals, and what signs tell."""
        return self.evidence(self.shadows[0].data)

    def evidence(self, file: Microdata) -> tuple[Seen, CodeColumn, Likelihood]:
        """Return what the records of a file tell, the strata of the originals, and what signs tell that stay."""
        before, own = self.strata(file)
        return self.later.seen(file, own), before, self.later.signs(file)

    @cached_property
    def mean_merit(self) -> tuple[float, float]:
        """The best power of the density with the mean function of all runs, and its merit."""
        return self.merit(self.density[:2])

    @cached_property
    def held_out_model(self) -> Noisy | None:
        """The density by the linear function of the file held out, where that is better than the mean function."""
        found = self.own_model(self.held_out[0])
        return found if found is not None and self.merit(found)[1] > self.mean_merit[1] else None

    @cached_property
    def best_merit(self) -> tuple[float, float]:
        """The best power, and the merit, of the better of both."""
        return self.mean_merit if self.held_out_model is None else self.merit(self.held_out_model)

    @property
    def is_better(self) -> bool:
        """Whether the density finds the truth as well as one that is learnt without knowing the noise."""
        return self.best_merit[1] >= self.learnt.merit - (0.0 if self.watched else CLEARLY)

    def own_model(self, seen: Seen) -> Noisy | None:
        """Return density and expectation by the linear function that a file itself tells."""
        number = self.chain.last_mapping
        if number is None or self.chain.original.n * len(seen.low) > ALL_PAIRS:
            return None
        noise, expected, _ = self.chain.density(self.shadows[1:], without_last=True)
        found = MappedFile.of(noise.elements, expected, seen).refined(self.chain.mapping(number, self.shadows[1:]))
        return SeenNoise(mapped_elements(noise.elements, found)), expected @ found.matrix.T + found.shift

    def merit(self, model: Noisy) -> tuple[float, float]:
        """Return the best power of a density on the shadow held out, and its merit."""
        shadow, likelihood = self.shadows[0], coordinates(model, self.held_out)
        before, after = places(likelihood, self.chain.original.n, shadow.data.n)

        def densities(tried: Rows, rivals: Rows) -> FloatMatrix:
            return log_likelihoods(likelihood, before, after[tried], np.tile(rivals, (len(tried), 1)))

        (original, masked), numbers = coded_matrices([self.chain.original, shadow.data], self.chain.names)
        pairs = Pairs(original, shadow.rows, masked, numbers)
        return power_and_merit(densities, pairs, self.learnt.pairs.keeps_missing)

    @cached_property
    def true_densities(self) -> tuple[FloatColumn, ...]:
        """The log densities of the true pairs of all runs, with the mean function of these."""
        return tuple(self.densities_of(Shadow(one.data, one.rows)) for one in self.shadows)

    def densities_of(self, file: Shadow) -> FloatColumn:
        """Return the log densities of the true pairs of a file, with the mean function of all runs."""
        return true_log_densities(coordinates(self.density[:2], self.evidence(file.data)), file.rows)

    def strata(self, file: Microdata) -> tuple[CodeColumn, CodeColumn]:
        """Return the stratum of each original and of each record of a masked file; 0 for one that no original has."""
        source = self.chain.source
        numbers = self.chain.stratum_numbers
        if not self.chain.strata:
            return numbers, np.zeros(file.n, dtype=np.int64)
        before, after = combination_codes([source, file], self.chain.strata)
        lookup = np.zeros(int(max(before.max(), after.max())) + 1, dtype=np.int64)
        lookup[before] = numbers
        return numbers, lookup[after]


def coordinates(model: Noisy, evidence: tuple[Seen, CodeColumn, Likelihood], *, is_exact: bool = False) -> Likelihood:
    """Return the coordinates of a file, with those of signs, by what its records tell."""
    density, expected = model
    seen, strata, signs = evidence
    return density.coordinates(expected, strata, seen, is_exact) + signs
