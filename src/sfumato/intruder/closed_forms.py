"""The likelihood of columns in closed form: as the last step on them states it, or by noise that others follow."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sfumato.contracts import ImprovingStep, Likelihood, MaskingMethod, columns_present
from sfumato.data import Microdata
from sfumato.intruder.certain_files import draws_records, file_before
from sfumato.intruder.composed.chain_runs import ChainRuns
from sfumato.intruder.composed.composition import Composition
from sfumato.intruder.composed.drawn_records import drawn_likelihoods, goes_by_records
from sfumato.intruder.composed.moved_strata import likelihood_by_moved_strata
from sfumato.intruder.composed.noise_chains import NoiseChain, noise_chain
from sfumato.intruder.shadow_masking import Runs, Shadow, steps_by_column
from sfumato.numerics.arrays import FloatColumn


class ClosedForm(NamedTuple):
    """The likelihood of the masked file, that of a shadow, the strata, and of which columns later steps are learnt."""

    found: Likelihood
    expected: Likelihood
    strata: tuple[str, ...]
    learnt: tuple[str, ...] = ()
    is_better: bool = True  # than what is learnt without it
    is_drawn: bool = False  # whether chance decides from which records its parameters come
    judged: Likelihood | None = None  # of the masked file, by which it is held against others, where these differ
    others: tuple[FloatColumn, ...] = ()  # the log densities of the true pairs of other files by such a likelihood
    source: Microdata | None = None  # the originals as they are before the step that states it
    step: MaskingMethod | None = None  # that states it
    chain: Composition | None = None  # of noise, of which it is the density


@dataclass(frozen=True, eq=False)
class ClosedForms:
    """What the steps of a recipe state of a masked file.

    Parameters
    ----------
    runs
        The original, the methods of the recipe, and what was found out by running them.
    masked
        The masked file.
    touching
        For each column that is known the numbers of the steps that change it.
    """

    runs: Runs
    masked: Microdata
    touching: dict[str, list[int]]

    @property
    def original(self) -> Microdata:
        """The original file."""
        return self.runs.original

    @property
    def steps(self) -> tuple[MaskingMethod, ...]:
        """The methods of the recipe."""
        return self.runs.steps

    @property
    def seed(self) -> int:
        """Where the draws of the intruder begin."""
        return self.runs.seed

    def closed_form(self, group: list[str], shadow: Shadow) -> ClosedForm | None:
        """Return the likelihood of some columns where the last step on them states it, or noise that others follow.

        What steps before that do to the columns must not hang on chance: the intruder runs them and starts from there.
        Steps after it that only suppress values take nothing away but these.
        """
        numbers = {number for name in group for number in self.touching[name]}
        last = max((number for number in numbers if self.steps[number].family != "suppression"), default=max(numbers))
        source = self.file_before(last)
        step = None if source is None else self.steps[last].bound_to(source)
        if source is not None and step is not None and self.is_known(step):
            form = self.stated_form(step, source, last, group, shadow)
            if form is not None:  # whose values are suppressed is not drawn record by record
                return form if last == max(numbers) else form._replace(found=_not_exact(form.found))
        runs = self.runs.keep(("chain", *group), lambda: self.chain_runs(group))
        if runs is None:
            return None
        chain, composition = runs.chain, Composition(runs, self.masked)
        composed = composition.likelihoods()
        learnt = runs.watched
        is_drawn = self.draws_records(max(chain.noisy_steps))
        form = ClosedForm(
            *(composed or ((), ())), chain.strata, learnt, composed is not None, is_drawn, chain=composition
        )
        if not chain.linear_steps or composed is None:
            return form
        return form._replace(judged=composition.by_mean_function(), others=runs.true_densities)

    def stated_form(
        self, step: MaskingMethod, source: Microdata, last: int, group: list[str], shadow: Shadow
    ) -> ClosedForm | None:
        """Return what the last step on some columns states, given what the originals are before it."""
        names, files, is_drawn = tuple(group), (self.masked, shadow.data), self.draws_records(last)
        if not self.are_strata(step.strata, group) and not self.are_coded_strata(step.strata, last):
            are_released = self.are_strata_released(step.strata, last)
            if are_released is None:
                return None
            parts = [likelihood_by_moved_strata(step, source, file, names, are_released=are_released) for file in files]
            if parts[0] is None or parts[1] is None:
                return None
            return ClosedForm(parts[0], parts[1], (), is_drawn=is_drawn, source=source)
        found = [step.likelihood(source, file, names) for file in files]
        if found[0] is None or found[1] is None:
            return None
        stated = (found[0], found[1])
        is_drawn = is_drawn and goes_by_records(step, source, self.masked, names)
        if is_drawn:
            stated = drawn_likelihoods(stated, step, source, files, names, shadow.rows)
        return ClosedForm(*stated, step.strata, is_drawn=is_drawn, source=source, step=step)

    def is_known(self, step: MaskingMethod) -> bool:
        """Tell whether the intruder knows the columns that a step predicts from."""
        return not set(columns_present(getattr(step, "given", ()), self.original)) - set(self.touching)

    def draws_records(self, last: int) -> bool:
        """Tell whether steps before one leave out records."""
        return draws_records(self.steps[:last], self.original, self.seed)

    def are_strata_released(self, strata: tuple[str, ...], last: int) -> bool | None:
        """Tell whether the strata of a step are those that are released, or (false) those of the originals.

        None where they are neither: steps before and after it mask them.
        """
        numbers = {number for found in steps_by_column(self.steps, self.original, strata).values() for number in found}
        if all(number > last for number in numbers):
            return False
        is_there = all(name in self.masked.schema for name in strata)
        return True if is_there and all(number < last for number in numbers) else None

    def are_strata(self, strata: tuple[str, ...], group: list[str]) -> bool:
        """Tell whether strata are the same in both files, as no step masks them."""
        return not any(steps_by_column(self.steps, self.original, strata).values()) and not set(strata) & set(group)

    def are_coded_strata(self, strata: tuple[str, ...], last: int) -> bool:
        """Tell whether strata are released as a step had them, and earlier steps made them without chance."""
        found = steps_by_column(self.steps, self.original, strata).values()
        is_there = all(name in self.masked.schema for name in strata)
        is_done = all(number < last for numbers in found for number in numbers)
        return is_there and is_done and self.file_before(last, strata) is not None

    def chain_runs(self, group: list[str]) -> ChainRuns | None:
        """Return runs of the noise on some columns and what follows it, if strata are the same in both files."""
        chain = self.noise_chain(group)
        return ChainRuns(chain, self.seed) if chain is not None and self.are_strata(chain.strata, group) else None

    def file_before(self, last: int, names: Sequence[str] = ()) -> Microdata | None:
        """Return what the originals are before a step, if neither what it reads nor others hang on chance."""
        return self.runs.keep(
            ("before", last, *names), lambda: file_before(self.steps, last, self.original, self.seed, names)
        )

    def noise_chain(self, group: list[str]) -> NoiseChain | None:
        """Return the noise on some columns where it is the first step on them that hangs on chance."""
        for number in sorted({number for name in group for number in self.touching[name]}):
            source = self.file_before(number, group)
            if source is None:
                return None
            chain = noise_chain(self.original, source, tuple(group), self.steps, number, self.touching, self.seed)
            if chain is not None:
                return chain
        return None

    def has_blurred_density(self, names: list[str]) -> bool:
        """Tell whether steps on some columns tell more than what is learnt by running them, so that it is not used.

        So it is where a step that is not the last states a density, or one within strata that another step masks; where
        values were exchanged before others moved them; where values come from a model of other columns, whose fit, and
        the donors of its values, all records have in common; and where records were drawn, as the ranks, groups and
        moments of a sample are those of nobody else.
        """
        earlier = {number for name in names for number in self.touching[name][:-1]}
        touched = [
            self.steps[number] for number in sorted({number for name in names for number in self.touching[name]})
        ]
        strata = tuple(name for step in touched for name in columns_present(step.strata, self.original))
        if any(getattr(step, "given", ()) for step in touched) or not self.are_strata(strata, names):
            return True
        if names and draws_records(self.steps, self.original, self.seed):
            return True
        improved = [name for name in names if isinstance(self.steps[self.touching[name][-1]], ImprovingStep)]
        if any(self.steps[number].exchanges_values for name in improved for number in self.touching[name]):
            return True
        for number in sorted(earlier):
            source = self.file_before(number)
            if source is None:
                continue
            step = self.steps[number].bound_to(source)
            columns = columns_present(step.columns, source)
            if step.likelihood(source, step.mask(source, np.random.default_rng(self.seed)), columns) is not None:
                return True
        return False


def _not_exact(likelihood: Likelihood) -> Likelihood:
    return tuple(replace(one, is_exact=False) for one in likelihood)
