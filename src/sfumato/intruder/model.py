"""What an intruder who has the original file and the recipe can tell of each pair of records.

Columns that the recipe masks without chance, or not at all, must fit: they cut the files into blocks. The others have
coordinates: by the closed form of the method's likelihood, or learnt by running the recipe on the original file.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood, MaskingMethod, paired_rows
from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.certain_files import certain_values
from sfumato.intruder.closed_forms import ClosedForms
from sfumato.intruder.coded_columns import coded_columns, coded_matrices, equality_codes, gap_codes
from sfumato.intruder.composed.sample_order import SampleOrder, keeps_order, tells_by_order
from sfumato.intruder.composed.stratum_order import StratumOrder, stratum_order, truth_merit
from sfumato.intruder.composed.stratum_traces import stratum_traces
from sfumato.intruder.gap_likelihood import gap_likelihood
from sfumato.intruder.group_means import group_likelihood
from sfumato.intruder.household_draws.followed_draws import FollowedDraws
from sfumato.intruder.household_draws.hidden_draws import hidden_household_draws
from sfumato.intruder.household_draws.sampled_households import SampledHouseholds
from sfumato.intruder.household_draws.tied_columns import TiedColumns, tied_columns
from sfumato.intruder.learnt.learning import MaskedFile, learn
from sfumato.intruder.learnt.shadow_learning import ShadowLearning
from sfumato.intruder.pair_model import FROM_PAIRS, Model
from sfumato.intruder.recipe_fit import RecipeFit
from sfumato.intruder.shadow_masking import FRESH, Runs, Shadow, columns_together, masking_steps, steps_by_column
from sfumato.intruder.shared_draws import with_shared_draws
from sfumato.intruder.told_columns import with_told_columns
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn, Rows

NO_RECIPE = "as no recipe was given, how values were moved was " + FROM_PAIRS
NO_FIT = "the recipe does not fit the files"
MISFIT = NO_FIT + " in {names}: how these were moved was " + FROM_PAIRS
UNTOUCHED = NO_FIT + ": no step masks {names}, and yet values there have changed; how was " + FROM_PAIRS
FAILED = NO_FIT + " ({error}): how values were moved was " + FROM_PAIRS
OUTDONE = "what a method states of its density in {names} finds less than what is learnt by running it, which is used"
LATER_STEPS = "what comes after the noise on "
BY_RUNNING = "learnt by running the recipe on the original"
LATER = LATER_STEPS + "{names} " + BY_RUNNING
DRAWN = "an earlier step draws the records that the masking of {names} goes by; which these are is estimated"
IN_STRATA = "the order of {names} within strata stays, and is used although {step} masks these"
ORDER = "the order of a sample stays in {names}, and is used"
INTERVALS = "where a value lies in its interval is learnt from other files"
SHADOWS = "{names} " + BY_RUNNING


def build_model(
    original: Microdata, masked: Microdata, names: tuple[str, ...], steps: Sequence[MaskingMethod], seed: int
) -> Model:
    """Return the model of an intruder who knows some columns of the original, and the recipe where steps are given."""
    return model_by_runs(Runs.of(original, masked, steps, seed), masked, names)


def model_by_runs(runs: Runs, masked: Microdata, names: tuple[str, ...], *, is_own: bool = False) -> Model:
    """Return the model of a file, with what runs of the recipe show.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    masked
        The file.
    names
        The columns of the original that the intruder knows.
    is_own
        Whether the intruder masked the file themselves, so that the recipe fits it for sure.
    """
    return _Builder(runs, masked, names, is_own).model()


@dataclass(frozen=True, eq=False)
class _Builder:
    runs: Runs
    masked: Microdata
    names: tuple[str, ...]
    is_own: bool
    in_strata: bool | None = None  # whether the order within strata is used; None is where it helps

    @property
    def original(self) -> Microdata:
        return self.runs.original

    @property
    def steps(self) -> tuple[MaskingMethod, ...]:
        return self.runs.steps

    def model(self) -> Model:
        try:
            shadows = [self.runs.shadow(number) for number in range(2)] if self.steps else []
        except SfumatoError as error:
            return self.without_recipe(FAILED.format(error=str(error).rstrip(".")))
        if not shadows:
            return self.without_recipe(NO_RECIPE)
        missing = [name for name in self.names if any(name not in shadow.data.schema for shadow in shadows)]
        if missing:
            return self.without_recipe(MISFIT.format(names=", ".join(missing)))
        try:
            return self.with_recipe(shadows)
        except SfumatoError as error:  # of a run of the recipe that refuses what an earlier one took
            return self.without_recipe(FAILED.format(error=str(error).rstrip(".")))

    @cached_property
    def rows(self) -> Rows:
        return paired_rows(self.original, self.masked)

    def without_recipe(self, remark: str) -> Model:
        """Return the model of an intruder who knows how values move from somewhere: here, from the truth itself."""
        exact = [name for name in self.names if self.is_unchanged(name)]
        moved = tuple(name for name in self.names if name not in exact)
        keys = [self.keys(name, self.original) for name in exact]
        likelihood = self.learn_from_files(moved) if moved else ()
        return self.assemble(keys, likelihood, is_proven=False, remarks=[remark] if moved else [])

    def is_unchanged(self, name: str) -> bool:
        before, after = self.keys(name, self.original)
        return bool((before[self.rows] == after).all())

    def keys(self, name: str, source: Microdata) -> tuple[CodeColumn, CodeColumn]:
        """Return the codes by which a column of the originals, as `source` has them, and the masked must be equal."""
        (before, after), _ = coded_columns([source, self.masked], name)
        return equality_codes(before, after)

    def with_recipe(self, shadows: list[Shadow]) -> Model:
        touching = steps_by_column(self.steps, self.original, self.names)
        forms = ClosedForms(self.runs, self.masked, touching)
        fit = RecipeFit(self.runs, self.masked, self.rows, self.is_own)
        keys, moved, misfits, truth = [], [], [], None if self.is_own else self.rows
        for name in self.names:
            source = certain_values(self.runs, name, touching[name], shadows)
            if source is None:
                moved.append(name)
                continue
            before, after = self.keys(name, source)
            if (before[self.rows] == after).all():
                keys.append((before, after))
            else:
                misfits.append(name)
        likelihood: Likelihood = ()
        sources: dict[str, Microdata] = {}
        remarks, learnt, blurred, drawn, is_proven = [], [], [], [], True
        together: list[TiedColumns] = []
        for group in columns_together(moved, masking_steps(self.steps, touching)):
            tied = tied_columns(self.runs, self.masked, tuple(group), touching)
            if tied is not None:
                is_alike = self.is_own or tied.fits(self.masked, self.rows)
                together += [tied] if is_alike else []
                misfits += [] if is_alike else group
                continue
            closed = forms.closed_form(group, shadows[0])
            if closed is None or not closed.is_better:
                learnt += group
                blurred += group
            elif not fit.fits(closed, group, shadows[0]):
                if closed.judged is None:
                    misfits += group
                else:  # one run may differ from the next in kind
                    learnt += group
                    blurred += group
            elif fit.is_outdone(closed, tuple(group), shadows):
                learnt += group
                remarks.append(OUTDONE.format(names=_listed(group)))
            else:
                strata = [name for name in closed.strata if name in self.masked.schema]
                keys += [self.keys(name, closed.source or self.original) for name in strata]
                likelihood += closed.found
                sources |= dict.fromkeys(group, closed.source or self.original)
                is_proven &= all(one.is_exact for one in closed.found)
                remarks += [LATER.format(names=_listed(closed.learnt))] if closed.learnt else []
                likelihood += gap_likelihood(self.runs, self.masked, group)
                likelihood += () if closed.step else stratum_traces(self.runs, self.masked, group, touching, truth)
                drawn += group if closed.is_drawn else []
                is_proven &= not closed.is_drawn
        remarks += [DRAWN.format(names=_listed(drawn))] if drawn else []
        ordered = tuple(name for name in learnt if tells_by_order(self.runs, name, shadows))
        if not self.is_own and not keeps_order(self.original, self.masked, ordered, self.rows):
            ordered = ()
        learnt, blurred = ([name for name in some if name not in ordered] for some in (learnt, blurred))
        remarks += [ORDER.format(names=_listed(ordered))] if ordered else []
        order = stratum_order(self.runs, self.masked, learnt, touching, shadows)
        order = order if order is not None and self.uses_order(order) else None
        if order is not None:
            learnt, blurred = ([name for name in some if name not in order.names] for some in (learnt, blurred))
            remarks += [IN_STRATA.format(names=_listed(order.names), step=order.masked_by)]
        if learnt:
            learning = ShadowLearning(self.runs, tuple(learnt))
            found = learning.likelihood(self.masked)
            if self.is_own or (learning.fits(found, self.rows) and fit.are_moved_alike(learnt)):
                likelihood += found + stratum_traces(self.runs, self.masked, learnt, touching, truth)
                for group in columns_together(learnt, touching):
                    parts = self.blocks(keys)
                    means, are_found = group_likelihood(self.original, self.masked, group, shadows[0], parts)
                    likelihood += means
                    blurred = [name for name in blurred if not are_found or name not in group]
                remarks.append(SHADOWS.format(names=_listed(learnt)))
            else:
                misfits += learnt
        if together:
            remarks.append(SHADOWS.format(names=_listed([name for tied in together for name in tied.names])))
        if misfits:
            likelihood += self.learn_from_files(tuple(misfits))
            untouched = [name for name in misfits if not touching[name]]
            if len(untouched) < len(misfits):
                remarks.append(MISFIT.format(names=_listed([name for name in misfits if name not in untouched])))
            if untouched:
                remarks.append(UNTOUCHED.format(names=_listed(untouched)))
        made = tuple(name for name in shadows[0].data.schema.names if name in self.masked.schema)
        made = tuple(name for name in made if name not in self.original.schema)
        told = with_told_columns(self.masked.take_columns(made), self.steps, self.original).schema if made else made
        is_told = any(name in told for name in self.names)
        unused = () if is_told else made
        remarks += [INTERVALS] if is_told else []
        hidden = hidden_household_draws(self.runs, self.masked, touching, [n for tied in together for n in tied.names])
        is_proven = is_proven and not (learnt or ordered or order or together or misfits or unused or hidden)
        model = self.assemble(keys, likelihood, is_proven=is_proven, remarks=remarks, sources=sources)
        if ordered:
            files = self.original.matrix(ordered), self.masked.matrix(ordered)
            model = SampleOrder(*files, (model.original_blocks, model.masked_blocks)).added_to(model)
        for tied in together:
            model = self.with_tied_columns(model, tied)
        model = model if order is None else order.added_to(model, self.masked)
        is_blurred = forms.has_blurred_density(blurred) or bool(ordered)
        for households, columns in hidden:
            parts = model.original_blocks, model.masked_blocks
            sampled = SampledHouseholds(model.likelihood, parts, households)
            model = model if columns else replace(model, likelihood=sampled.likelihood_of_presence())
            is_blurred |= bool(columns)
        return replace(model, is_blurred=is_blurred, unused=unused)

    def blocks(self, keys: list[tuple[CodeColumn, CodeColumn]]) -> tuple[CodeColumn, CodeColumn]:
        """Return numbers of the originals and of the masked records that are the same where all keys are equal."""
        if not keys:
            return np.zeros(self.original.n, dtype=np.int64), np.zeros(self.masked.n, dtype=np.int64)
        blocks = classes_of(np.array([np.concatenate(pair) for pair in keys])).numbers
        return blocks[: self.original.n], blocks[self.original.n :]

    def uses_order(self, order: StratumOrder) -> bool:
        """Tell whether the order within strata is there, and finds the truth of a shadow better than values do."""
        if self.in_strata is not None:
            return self.in_strata
        if not self.is_own and not order.holds(self.masked, self.rows):
            return False

        def compete() -> bool:
            shadow = self.runs.shadow(FRESH - 1)
            models = [
                _Builder(self.runs, shadow.data, self.names, True, in_strata=one).model() for one in (True, False)
            ]
            by_order, by_values = (truth_merit(model, shadow.rows) for model in models)
            return by_order > by_values

        return self.runs.keep(("order in strata", self.names), compete)

    def with_tied_columns(self, model: Model, tied: TiedColumns) -> Model:
        """Return the model with columns that change for all members of a household together."""
        if isinstance(tied, FollowedDraws) or not tied.are_released(self.masked):
            parts = model.original_blocks, model.masked_blocks
            found = tied.likelihood_by_others(self.masked, model.likelihood, parts)
            return replace(model, likelihood=model.likelihood + found)
        shares = model.of_members + tied.likelihood(self.masked, of_household=True)
        return replace(model, likelihood=model.likelihood + tied.likelihood(self.masked), in_households=shares)

    def learn_from_files(self, names: tuple[str, ...]) -> Likelihood:
        """Return the likelihood learnt from half of the true pairs, the model chosen on the other half."""
        (original, masked), numbers = coded_matrices([self.original, self.masked], names)
        order = np.argsort(self.rows, kind="stable")  # whatever the order of the masked records
        halves = [MaskedFile(self.rows[order], masked[order], slice(half, None, 2)) for half in (0, 1)]
        return learn(original, halves[:1], halves[1], numbers).likelihood(masked)

    def assemble(
        self,
        keys: list[tuple[CodeColumn, CodeColumn]],
        likelihood: Likelihood,
        *,
        is_proven: bool,
        remarks: list[str],
        sources: dict[str, Microdata] | None = None,
    ) -> Model:
        """Return the model, with blocks by the keys and by what is missing, code by code, where it stays.

        The originals are taken from `sources` where steps without chance, such as suppression, changed what is missing.
        """
        for name in self.names:
            shown = gap_codes([(sources or {}).get(name, self.original), self.masked], name)
            for before, after in (shown, [np.minimum(file, 1) for file in shown]):
                if before.any() and (before[self.rows] == after).all():
                    keys.append((before, after))
                    break
        parts = self.blocks(keys)
        return Model(*parts, with_shared_draws(likelihood, parts), is_proven, tuple(remarks))


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} columns" if len(names) > 3 else ", ".join(names)
