"""What comes of linking by likelihood: who is linked in which way, how sure that is, and how strong the attack is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from sfumato.contracts.figure_ends import leaves_much, lower_end
from sfumato.intruder import NO_FIT, Model
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.binomial import binomial_tail
from sfumato.risk.linkage._posterior_links import TIE

CERTAINTIES = (50, 90, 99)
BOUNDED = "nobody links more than {bound:.1f} % by these columns on average, which is proven"
ONLY_BOUNDED = "it is proven only that nobody links more than {bound:.1f} % by these columns on average"
NEARLY_ALL = 99.5  # percent: there is hardly anything left that could be bounded
CHANCE = 1e-3  # that an attack links so many where nobody does on average: the strongest of several is looked at
NOT_BOUNDED = "how many more a cleverer intruder links is not known: no {smaller}bound is proven for {steps}"
UPPER = "this is no upper bound: "
NO_RECIPE = "who has the recipe, or knows which values became which, may link more; give the recipe"
WRONG_RECIPE = "who has the recipe that made the file may link more"
UNUSED = "the columns {names}, which the recipe makes, were not used: more may be linked"
BLURRED = "who follows its steps one by one may find more: measure each by itself, too"


@dataclass(frozen=True, eq=False)
class LikelihoodLinks:
    """What comes of linking by likelihood.

    Parameters
    ----------
    ways
        For each way to link the chance that each masked record is linked rightly.
    certainty
        The posterior probability of the link of each masked record, one to one, by exchanges or by households.
    right
        The chance that this link is right.
    cut
        About the part of the posterior, row by row, that is not among the candidates, on average.
    bound
        The percent of records that nobody links more than on average; None where no bound is proven.
    caveat
        What the attack is known to leave unused, so that others link more; empty where nothing is known.
    remarks
        How the likelihood was come by.
    unproven
        The names of the steps for which no bound is proven.
    is_proven
        Whether the likelihood is exact, so that the bound is meant even where it is near all.
    """

    ways: dict[str, FloatColumn]
    certainty: FloatColumn
    right: FloatColumn
    cut: float
    bound: float | None
    caveat: str
    remarks: tuple[str, ...]
    unproven: tuple[str, ...] = ()
    is_proven: bool = False

    @property
    def recipe_fits(self) -> bool:
        """Whether nothing was found in the files that the recipe does not do."""
        return not any(NO_FIT in remark for remark in self.remarks)

    @property
    def strongest(self) -> str:
        """The way that links most."""
        return max(self.ways, key=lambda way: float(self.ways[way].mean()))

    def percent_certain(self, percent: int) -> float:
        """Return how many links have at least this posterior probability, in percent."""
        return 100 * float((self.certainty >= percent / 100 - TIE).mean())

    def certainty_in_words(self) -> str:
        """Return of how many records the intruder is certain."""
        percent = self.percent_certain(90)
        return f"certain (at least 90 % sure) of {percent:.1f} %" if percent > 0 else "certain of none"

    def certainty_parts(self) -> dict[str, float]:
        """Return how many links are so certain, how many of those are right, and what was cut off, in percent."""
        parts = {}
        for percent in CERTAINTIES:
            is_certain = self.certainty >= percent / 100 - TIE
            parts[f"certain at {percent}"] = self.percent_certain(percent)
            if is_certain.any():
                parts[f"right at {percent}"] = 100 * float(self.right[is_certain].mean())
        return {**parts, "cut off": 100 * self.cut}

    def beside(self, percent: float, *, is_doubtful: bool) -> Self:
        """Return the links with the bound that holds beside an attack that links so many."""
        return replace(self, bound=None if is_doubtful else held_bound(self.bound, percent, len(self.right)))

    def claim(self, percent: float) -> str:
        """Return how many more than `percent` a cleverer intruder may link.

        What the attack is known to leave unused is told wherever more than `percent` is not ruled out.
        """
        if self.bound is not None and (self.bound < NEARLY_ALL or self.is_proven):
            bounded = ONLY_BOUNDED if leaves_much(percent, self.bound) else BOUNDED
            unused = self.caveat if lower_end(percent, self.bound) else ""
            return "; ".join(filter(None, [bounded.format(bound=self.bound), unused]))
        if percent >= NEARLY_ALL and self.caveat in ("", NO_RECIPE, WRONG_RECIPE):
            return ""
        if self.caveat in (NO_RECIPE, WRONG_RECIPE):
            return f"{UPPER}{self.caveat}"
        return "; ".join(filter(None, [self.caveat, not_bounded(self.unproven, self.bound)]))


def held_bound(bound: float | None, percent: float, n: int) -> float | None:
    """Return a bound on what is linked on average that holds beside what an attack linked in a file of `n` records.

    By chance one file may show a little more than the mean, which is then told in its place. An attack that links
    more than chance does in one file of a thousand shows that there is no such bound.
    """
    right = round(percent * n / 100)
    is_beaten = bound is not None and percent > bound and right > 0 and binomial_tail(right, n, bound / 100) < CHANCE
    return None if bound is None or is_beaten else max(bound, percent)


def not_bounded(unproven: Sequence[str], bound: float | None = None) -> str:
    """Return that no bound is proven, or none below one that says hardly anything, and for which steps.

    Examples
    --------
    >>> not_bounded(["rank_swapping"])
    'how many more a cleverer intruder links is not known: no bound is proven for rank_swapping'
    """
    smaller = "" if bound is None or bound >= 100 else "smaller "
    return NOT_BOUNDED.format(smaller=smaller, steps=" and ".join(unproven) or "this recipe")


def caveat_of(model: Model, *, is_blurred: bool = False) -> str:
    """Return what is known to be left unused by a model, or by what follows from it; empty where nothing is."""
    if model.has_misfit:
        return WRONG_RECIPE if any(NO_FIT in remark for remark in model.remarks) else NO_RECIPE
    if model.unused:
        return UNUSED.format(names=", ".join(model.unused))
    return BLURRED if model.is_blurred or is_blurred else ""
