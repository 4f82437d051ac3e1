"""The likelihood of columns in closed form: as the last step on them states it, or by noise that others follow."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sfumato.contracts import ImprovingStep, Likelihood, MaskingMethod, columns_present
from sfumato.data import Microdata
from sfumato.intruder.certain_files import draws_records, file_before
from sfumato.intruder.composed.composition import Composition
from sfumato.intruder.composed.drawn_records import drawn_likelihoods
from sfumato.intruder.composed.noise_chains import NoiseChain, noise_chain
from sfumato.intruder.shadow_masking import Shadow, steps_by_column


class ClosedForm(NamedTuple):
    """The likelihood of the masked file, that of a shadow, the strata, and of which columns later steps are learnt."""

    found: Likelihood
    expected: Likelihood
    strata: tuple[str, ...]
    learnt: tuple[str, ...] = ()
    is_better: bool = True  # than what is learnt without it
    is_drawn: bool = False  # whether chance decides from which records its parameters come
    judged: tuple[Likelihood, Likelihood] | None = None  # by which both files are held against each other, if by others


@dataclass(frozen=True, eq=False)
class ClosedForms:
    """What the steps of a recipe state of a masked file.

    Parameters
    ----------
    original, masked
        The two files.
    steps
        The methods of the recipe.
    touching
        For each column that is known the numbers of the steps that change it.
    seed
        Where the draws of the intruder begin.
    """

    original: Microdata
    masked: Microdata
    steps: tuple[MaskingMethod, ...]
    touching: dict[str, list[int]]
    seed: int

    def closed_form(self, group: list[str], shadow: Shadow) -> ClosedForm | None:
        """Return the likelihood of some columns where the last step on them states it, or noise that others follow.

        What steps before that do to the columns must not hang on chance: the intruder runs them and starts from there.
        """
        last = max(number for name in group for number in self.touching[name])
        source = file_before(self.steps, last, self.original, self.seed)
        if source is not None:
            step = self.steps[last].bound_to(source)
            is_drawn = draws_records(self.steps[:last], self.original, self.seed)
            found = [step.likelihood(source, file, tuple(group)) for file in (self.masked, shadow.data)]
            if self.are_strata(step.strata, group) and found[0] is not None and found[1] is not None:
                stated = (found[0], found[1])
                if is_drawn:
                    stated = drawn_likelihoods(
                        stated, step, source, (self.masked, shadow.data), tuple(group), shadow.rows
                    )
                return ClosedForm(*stated, step.strata, is_drawn=is_drawn)
        chain = self.noise_chain(group)
        if chain is None or not self.are_strata(chain.strata, group):
            return None
        composition = Composition(chain, self.masked, self.seed)
        composed = composition.likelihoods()
        learnt = composition.watched
        is_drawn = draws_records(self.steps[: max(chain.noisy_steps)], self.original, self.seed)
        judged = composition.by_mean_functions() if chain.linear_steps else None
        return ClosedForm(*(composed or ((), ())), chain.strata, learnt, composed is not None, is_drawn, judged)

    def are_strata(self, strata: tuple[str, ...], group: list[str]) -> bool:
        """Tell whether strata are the same in both files, as no step masks them."""
        return not any(steps_by_column(self.steps, self.original, strata).values()) and not set(strata) & set(group)

    def noise_chain(self, group: list[str]) -> NoiseChain | None:
        """Return the noise on some columns where it is the first step on them that hangs on chance."""
        for number in sorted({number for name in group for number in self.touching[name]}):
            source = file_before(self.steps, number, self.original, self.seed, group)
            if source is None:
                return None
            chain = noise_chain(self.original, source, tuple(group), self.steps, number, self.touching, self.seed)
            if chain is not None:
                return chain
        return None

    def has_blurred_density(self, names: list[str]) -> bool:
        """Tell whether a step that is not the last on some columns states a density, which is not used then.

        So it is with exchanges of values where columns are improved after them, as no value then stays what it was.
        """
        earlier = {number for name in names for number in self.touching[name][:-1]}
        improved = [name for name in names if isinstance(self.steps[self.touching[name][-1]], ImprovingStep)]
        if any(self.steps[number].exchanges_values for name in improved for number in self.touching[name]):
            return True
        for number in sorted(earlier):
            source = file_before(self.steps, number, self.original, self.seed)
            if source is None:
                continue
            step = self.steps[number].bound_to(source)
            columns = columns_present(step.columns, source)
            if step.likelihood(source, step.mask(source, np.random.default_rng(self.seed)), columns) is not None:
                return True
        return False
