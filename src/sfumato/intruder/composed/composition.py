"""The likelihood of records on which other steps follow noise: exact, or with what is learnt of these steps alone."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_matrices
from sfumato.intruder.composed.chain_runs import ALL_PAIRS, ChainRuns, Noisy, coordinates
from sfumato.kernels.linkage.composed_noise import NoiseElements, Seen
from sfumato.kernels.linkage.seen_forms import FINE
from sfumato.numerics.arrays import CodeColumn


@dataclass(frozen=True, eq=False)
class Composition:
    """A file that a chain of noise made, and what runs of the intruder's own show of that chain."""

    runs: ChainRuns
    masked: Microdata

    @cached_property
    def evidence(self) -> tuple[Seen, CodeColumn, Likelihood]:
        """What the records of the masked file tell, the strata of the originals, and what signs tell."""
        return self.runs.evidence(self.masked)

    def by_mean_function(self) -> Likelihood:
        """Return the likelihood of this file where no linear function is that of the file itself."""
        return coordinates(self.runs.density[:2], self.evidence)

    def likelihoods(self) -> tuple[Likelihood, Likelihood] | None:
        """Return the likelihood of this file and of the shadow held out; none where a learnt one is better."""
        runs = self.runs
        if not runs.is_better:
            return None
        density, expected, is_exact = runs.density
        is_exact = is_exact and runs.later.is_exact and few_are_wide(self.evidence[0], density.elements)
        models: list[Noisy] = [(density, expected)] * 2
        if runs.held_out_model is not None:
            models = [runs.own_model(self.evidence[0]) or models[0], runs.held_out_model]
        if runs.watched:
            models = [(one.scaled(runs.best_merit[0]), expected) for one, expected in models]
        evidence = (self.evidence, runs.held_out)
        found = [coordinates(model, one, is_exact=is_exact) for model, one in zip(models, evidence, strict=True)]
        if runs.chain.original.n * self.masked.n > ALL_PAIRS or runs.chain.exchanges_values:
            files = coded_matrices([self.masked, runs.shadows[0].data], runs.chain.names)[0]
            for number, file in enumerate(files):
                search = runs.learnt.likelihood(file)
                found[number] += tuple(replace(one, is_exact=is_exact, joint=models[number][0]) for one in search)
        return found[0], found[1]


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
