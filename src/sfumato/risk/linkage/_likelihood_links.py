"""What comes of linking by likelihood: who is linked in which way, how sure that is, and how strong the attack is."""

from dataclasses import dataclass

from sfumato.intruder import BY_RUNNING, FROM_PAIRS, INTERVALS, LATER_STEPS, NO_FIT, Model
from sfumato.numerics.arrays import FloatColumn
from sfumato.risk.linkage._posterior_links import TIE

CERTAINTIES = (50, 90, 99)
PROVEN = "row by row {percent:.1f} % are linked: proven, no attack that links row by row finds more"
BEST_KNOWN = "no better attack is known"
LEARNT = "this is learnt by running the recipe: somebody who works out what the method tells may link more"
MAY_EXIST = "better attacks may exist"
BLUR = "steps after noise are taken for a blur of each column, so that better attacks may exist"
NO_BOUND = (
    "this is no upper bound: who has the recipe, or knows which values became which, may link more; give the recipe"
)
BLURRED = (
    "this attack does not use all that the steps tell together, and better attacks are known, so that this is no upper "
    "bound; look at the figures of single steps too"
)
UNUSED = (
    "the columns {names}, which the recipe makes, were not used, so that this is no upper bound: more may be linked"
)


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
    claim
        How strong the attack is.
    remarks
        How the likelihood was come by.
    """

    ways: dict[str, FloatColumn]
    certainty: FloatColumn
    right: FloatColumn
    cut: float
    claim: str
    remarks: tuple[str, ...]

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


def claim_of(model: Model, by_row: float) -> str:
    """Return how strong an attack with this model is; `by_row` is the percent that it links row by row."""
    if any(FROM_PAIRS in remark for remark in model.remarks):
        return NO_BOUND
    if model.unused:
        return UNUSED.format(names=", ".join(model.unused))
    if model.is_proven:
        return PROVEN.format(percent=by_row)
    if model.is_blurred:
        return BLURRED
    if INTERVALS in model.remarks:
        return MAY_EXIST
    if any(LATER_STEPS in remark for remark in model.remarks):
        return BLUR
    return LEARNT if any(BY_RUNNING in remark for remark in model.remarks) else BEST_KNOWN
