"""The decision rule of Fellegi and Sunter: links, possible links and non-links, by two bounds on errors."""

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.contracts import check_files, paired_rows
from sfumato.data import Microdata
from sfumato.display import Column, Table, header_column, render_notebook
from sfumato.display.tabular_result import TabularResult
from sfumato.documents import format_value
from sfumato.errors import ParameterError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.risk.linkage.expectation_maximisation_linkage import ExpectationMaximisationLinkage
from sfumato.risk.linkage.probabilistic_linkage import ProbabilisticLinkage
from sfumato.risk.linkage.self_trained_linkage import SelfTrainedLinkage

if TYPE_CHECKING:
    import polars

WEIGHTED = (ProbabilisticLinkage, ExpectationMaximisationLinkage, SelfTrainedLinkage)


@dataclass(frozen=True)
class LinkDecisions(TabularResult):
    """How pairs are decided by their weights.

    Parameters
    ----------
    link_from
        The weight from which on a pair is a link; infinite where no weight keeps the bound.
    nonlink_below
        The weight below which a pair is none; between the two it is a possible link, to be looked at by somebody.
    right_links, wrong_links, possible_links, nonlinks
        How many of the pairs that the intruder linked one to one are decided so.
    """

    link_from: float
    nonlink_below: float
    right_links: int
    wrong_links: int
    possible_links: int
    nonlinks: int

    def to_frame(self) -> "polars.DataFrame":
        """Return how many pairs are decided how, as a polars dataframe."""
        import polars

        schema = {"decision": polars.String, "pairs": polars.Int64}
        return polars.DataFrame(list(self._counts().items()), schema=schema, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Return the decisions as plain values, ready for JSON; a cut-off that no weight reaches is None."""
        cuts = {"link_from": self.link_from, "nonlink_below": self.nonlink_below}
        return {name: cut if isfinite(cut) else None for name, cut in cuts.items()} | self._counts()

    def _counts(self) -> dict[str, int]:
        names = ("right_links", "wrong_links", "possible_links", "nonlinks")
        return {name: getattr(self, name) for name in names}

    def _repr_html_(self) -> str:
        rows = tuple((name.replace("_", " "), count) for name, count in self._counts().items())
        table = Table((header_column("decision"), Column("pairs")), rows, title="Pairs by their weights")
        return render_notebook([table.to_html()])


def link_decisions(
    linkage: ProbabilisticLinkage | ExpectationMaximisationLinkage | SelfTrainedLinkage,
    original: Microdata,
    masked: Microdata,
    *,
    max_false: float = 5.0,
    max_missed: float = 5.0,
) -> LinkDecisions:
    """Decide the one-to-one links of an intruder into links, possible links and non-links.

    The rule is that of Fellegi and Sunter: of all rules with at most `max_false` percent of the wrong pairs taken for
    links, and at most `max_missed` percent of the right ones for non-links, it leaves the fewest to be looked at. The
    intruder cannot know which pairs are right: the cut-offs are what a careful one would reach.

    Both bounds are over the pairs that the intruder has linked one to one, at most one for each masked record, and not
    over all pairs of an original with a masked record: a wrong pair that no one-to-one link makes is not among the
    wrong ones, and a right pair that none makes is not among those missed. A share of all pairs would be far smaller.

    Parameters
    ----------
    linkage
        A linkage by weights: `ProbabilisticLinkage` without `max_keys`, `ExpectationMaximisationLinkage` or
        `SelfTrainedLinkage`.
    original, masked
        The files.
    max_false
        How many of the wrong one-to-one links may be taken for links, in percent of them.
    max_missed
        How many of the right ones may be taken for non-links, in percent of them.

    References
    ----------
    Fellegi and Sunter (1969), A theory for record linkage; the rule as in Yancey, Winkler and Creecy (2002), Disclosure
    risk assessment in perturbative microdata protection, section 3.4.
    """
    check_files("link_decisions", original=original, masked=masked)
    if not isinstance(linkage, WEIGHTED):
        names = ", ".join(kind.__name__ for kind in WEIGHTED)
        raise ParameterError([f"link_decisions.linkage must be one of {names}; got {format_value(linkage)}"])
    links = linkage.links(original, masked)
    return decide(
        links.weights, paired_rows(original, masked)[links.masked_rows] == links.original_rows, max_false, max_missed
    )


def decide(weights: FloatColumn, is_right: Booleans, max_false: float, max_missed: float) -> LinkDecisions:
    """Return the cut-offs of weights, and how many pairs are decided how.

    Examples
    --------
    >>> weights, is_right = np.array([9.0, 8.0, 7.0, 6.0, 2.0, 1.0]), np.array([1, 1, 0, 1, 0, 0], dtype=bool)
    >>> decide(weights, is_right, max_false=0, max_missed=0)
    LinkDecisions(link_from=8.0, nonlink_below=6.0, right_links=2, wrong_links=0, possible_links=2, nonlinks=2)
    """
    for name, percent in (("max_false", max_false), ("max_missed", max_missed)):
        if not 0 <= percent <= 100:
            raise ParameterError([f"link_decisions.{name} must be in [0, 100]; got {percent!r}"])
    link_from = _lowest_allowed(weights, ~is_right, max_false)
    nonlink_below = -_lowest_allowed(-weights, is_right, max_missed)
    # the highest weight up to which pairs may be non-links; from the next one on they are not
    above = weights[weights > nonlink_below]
    nonlink_below = float(above.min()) if above.size and np.isfinite(nonlink_below) else nonlink_below
    if np.isneginf(nonlink_below):
        nonlink_below = float(weights.min(initial=np.inf))
    nonlink_below = min(nonlink_below, link_from)  # bounds so wide that nothing need be looked at
    linked, lost = weights >= link_from, weights < nonlink_below
    return LinkDecisions(
        link_from,
        nonlink_below,
        int(np.count_nonzero(linked & is_right)),
        int(np.count_nonzero(linked & ~is_right)),
        int(np.count_nonzero(~linked & ~lost)),
        int(np.count_nonzero(lost)),
    )


def _lowest_allowed(weights: FloatColumn, is_error: Booleans, percent: float) -> float:
    """Return the lowest weight from which on at most some percent of all errors lie; infinite where none does."""
    allowed = percent / 100 * np.count_nonzero(is_error) + 1e-9
    values = np.unique(weights)[::-1]
    errors = np.sort(weights[is_error])
    counts = errors.size - np.searchsorted(errors, values, side="left")
    kept = values[counts <= allowed]
    return float(kept.min()) if kept.size else np.inf
