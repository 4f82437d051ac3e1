"""Whether a recipe fits a masked file: true pairs are as likely, and moved as far, as in files that it made."""

from dataclasses import dataclass

from sfumato.contracts import columns_present
from sfumato.data import Microdata
from sfumato.intruder.closed_forms import ClosedForm
from sfumato.intruder.coded_columns import coded_matrices, combination_codes
from sfumato.intruder.composed.drawn_records import likelihood_of_sample
from sfumato.intruder.density_fit import DOUBT, STANDARD_ERRORS, are_alike, is_one_of, is_rounded_more
from sfumato.intruder.moved_values import are_moved_alike
from sfumato.intruder.pair_scores import true_log_densities
from sfumato.intruder.shadow_masking import FRESH, Runs, Shadow
from sfumato.intruder.shared_draws import fitted_to_truth, has_shared_draws
from sfumato.intruder.stated_density import is_outdone
from sfumato.numerics.arrays import FloatColumn, Rows


@dataclass(frozen=True, eq=False)
class RecipeFit:
    """A recipe held against a file.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    masked, rows
        The file, and the row of the original of each of its records.
    is_own
        Whether the intruder masked the file themselves.
    """

    runs: Runs
    masked: Microdata
    rows: Rows
    is_own: bool

    def fits(self, closed: ClosedForm, group: list[str], shadow: Shadow) -> bool:
        """Tell whether the true pairs are about as likely as those of a shadow, which the recipe made for sure."""
        if self.is_own:  # as the file of others, whose links are tried here, was taken
            return bool(self.runs.kept.get(("fits", *group), True))
        return self.runs.keep(("fits", *group), lambda: self.is_likely(closed, group, shadow))

    def is_likely(self, closed: ClosedForm, group: list[str], shadow: Shadow) -> bool:
        """Tell whether true pairs are rounded, likely and moved as the recipe lets expect."""
        (before, after, expected), numbers = coded_matrices(
            [self.runs.original, self.masked, shadow.data], tuple(group)
        )
        if all(numbers) and any(map(is_rounded_more, after.T, expected.T, (after - before[self.rows]).T)):
            return False
        is_likely = self.is_as_likely(closed, group, shadow) or self.is_one_of_runs(closed, group)
        return is_likely and self.are_moved_alike(group)

    def is_as_likely(self, closed: ClosedForm, group: list[str], shadow: Shadow) -> bool:
        """Tell whether the true pairs are as likely as those of one shadow, as they are where each is drawn by itself.

        Only several runs tell of draws that all records of a file share.
        """
        if closed.judged is not None:
            return are_alike(true_log_densities(closed.judged, self.rows), closed.others[0], DOUBT)
        if has_shared_draws(closed.found):
            return False
        files = [Shadow(self.masked, self.rows), shadow]
        scaled = [self.sample_log_densities(closed, group, file) for file in files] if closed.is_drawn else []
        if not scaled or any(one is None for one in scaled):
            pairs = (closed.found, self.rows), (closed.expected, shadow.rows)
            scaled = [true_log_densities(*one) for one in pairs]
        found, expected = (one for one in scaled if one is not None)
        return are_alike(found, expected, STANDARD_ERRORS if closed.step is None and closed.chain is None else DOUBT)

    def is_one_of_runs(self, closed: ClosedForm, group: list[str]) -> bool:
        """Tell whether the true pairs are about as likely as those of one run or another.

        So they are where one draw for the whole file moves all of it: that which centres noise, a table that was drawn,
        or what follows noise, as an improver does.
        """
        found = self.log_densities(closed, group, Shadow(self.masked, self.rows))
        if found is None:
            return False

        return is_one_of(
            found, lambda number: self.log_densities(closed, group, self.runs.like(self.rows, FRESH + number, group))
        )

    def log_densities(self, closed: ClosedForm, group: list[str], file: Shadow) -> FloatColumn | None:
        """Return the log densities of the true pairs of a file, by what is stated; None where nothing is of it."""
        if closed.chain is not None:
            return closed.chain.runs.densities_of(file)
        if closed.step is None or closed.source is None:
            return None
        scaled = self.sample_log_densities(closed, group, file) if closed.is_drawn else None
        if scaled is not None:
            return scaled
        stated = closed.step.likelihood(closed.source, file.data, tuple(group))
        if stated is None:
            return None
        return true_log_densities(fitted_to_truth(stated, file.rows) if has_shared_draws(stated) else stated, file.rows)

    def sample_log_densities(self, closed: ClosedForm, group: list[str], file: Shadow) -> FloatColumn | None:
        """Return the log densities of the true pairs of a file where it is known which records it was masked with."""
        if closed.step is None or closed.source is None:
            return None
        found = likelihood_of_sample(closed.step, closed.source, file.data, tuple(group), file.rows)
        return None if found is None else true_log_densities(found, file.rows)

    def are_moved_alike(self, names: list[str]) -> bool:
        """Tell whether values were moved about as far as the recipe moves them."""
        original, steps = self.runs.original, self.runs.steps
        touching = [step for step in steps if set(names) & set(columns_present(step.columns, original))]
        strata = tuple(dict.fromkeys(name for step in touching for name in columns_present(step.strata, original)))
        return are_moved_alike(
            original,
            self.masked,
            self.rows,
            tuple(names),
            lambda number: self.runs.like(self.rows, number, names),
            is_slow=any(step.is_search for step in steps),
            strata=combination_codes([original], strata)[0],
        )

    def is_outdone(self, closed: ClosedForm, group: tuple[str, ...], shadows: list[Shadow]) -> bool:
        """Tell whether a learnt density finds the truth of a shadow better than the one that is stated."""
        files = self.runs.original, closed.source or self.runs.original
        return self.runs.keep(
            ("outdone", group), lambda: is_outdone(closed.expected, *files, shadows, group, closed.strata)
        )
