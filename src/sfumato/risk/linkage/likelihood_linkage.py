"""Likelihood linkage: an intruder who knows the recipe links by how likely it makes each pair of records."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import ImprovingStep, InformedRisk, Knowledge, Measurement, check_records, paired_rows
from sfumato.contracts.figure_ends import not_ruled_out
from sfumato.data import CATEGORICAL, METRIC, Kind, Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder import (
    FRESH,
    WAYS,
    ExchangedColumns,
    Model,
    Runs,
    are_too_sure,
    link_bound,
    mask_shadow,
    model_by_runs,
    posterior_of,
    reasons_without_bound,
    steps_without_bound,
    true_log_densities,
    with_samples_last,
    with_told_columns,
)
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.binomial import binomial_interval
from sfumato.numerics.densities import IMPOSSIBLE
from sfumato.parameters import Columns, Records
from sfumato.risk.linkage._likelihood_links import CERTAINTIES, LikelihoodLinks, caveat_of, held_bound
from sfumato.risk.linkage._posterior_links import (
    ONE_TO_ONE,
    links_by_pairs,
    links_by_ties,
    put_before,
    rehearsed_certainty,
    right_assignments,
    right_links,
)

BOUND, ATTACK = "LKB", "LKA"  # what nobody links more than, and what this attack links
STANDARD_ERRORS = 3.0
FEW_ERRORS = 2.0  # by which links must be too sure for an attack to be tried once more to learn by how much
STRANGERS = (
    "records fit those that they are matched with no better than strangers: unless the file is synthetic, they are "
    "matched wrongly"
)
UNFINISHED = "the most probable matching was searched for all but {left} records, which took who was left"
UNIMPROVED = "before it was improved"
IMPROVED = (
    "what improved the file is undone in part only, so that those count who are linked in a file that the intruder "
    "masked and did not improve"
)


class LikelihoodLinkage(InformedRisk):
    """Count the masked records that are linked to the right original by the likelihood of the masking.

    The intruder has the recipe, and so knows how likely each original record is to become each masked one: from the
    distribution of the noise or of the changes where a method states it, otherwise by running the recipe on the
    original file and looking at what it does. Columns that are masked without chance, or not at all, must fit exactly.
    Each masked record is linked to the original of the largest posterior probability: by itself ("row by row"), and
    with the knowledge that no two masked records are the same person ("one to one"), where the posterior is summed over
    all possible matchings, exactly in small groups and by belief propagation in large ones. The most probable matching
    as a whole is tried too. Where values were exchanged between two records at a time, as in rank swapping, one pair of
    records implies others, which confirm or contradict it ("exchanges"), for sure or, where values are shared or other
    steps changed them, more or less. Where a column of the release has the role household, households are linked as
    wholes, one to one, by the sum over all ways to match their members ("households"), and by exchanges too where there
    are any ("households and exchanges"). Where an improver followed, a file that was not improved is linked too, as no
    improver can tell more than the file that it is given ("before it was improved"). The value is the best of these.

    Parameters
    ----------
    columns
        The columns that the intruder knows of everybody: continuous, ordinal, nominal or dates. Columns in whose place
        the recipe puts intervals, as camouflage does, are known too.
    max_candidates
        How many of the likeliest originals of each masked record are looked at one by one; "cut off" is about how much
        of the posterior, row by row, is that of others, which lowers how certain a link is.
    seed
        Where the draws begin by which the intruder learns what a method does.

    Meaning
        0: no record is linked. 100: each is. The bound says what nobody links more than on average by these columns,
        however they do it; it is 100 where no smaller one is proven for the recipe. A limit on this measure counts the
        bound (LKB); LKA is the value, for limits on this attack alone. "certain at 90" is the share of
        records whose link has a posterior probability of at least 90 %, and "right at 90" how many of those links are
        right: an intruder need not guess which links to trust.
    Intruder
        Knows the exact original values of every person in the columns, who lives with whom where the original has
        households, and the whole recipe but its seed. Without a recipe, how values are moved is learnt from true pairs:
        an intruder knows less than these tell in some ways, and with the recipe more in others, so that the figure is
        no upper bound, which the remark says.
    Missing values
        Where masking leaves them as they are, they must fit; otherwise a missing value tells nothing.
    Source
        Bayes' rule. Matchings: Huang and Jebara (2009), Approximating the permanent with belief propagation; Vontobel
        (2013), The Bethe permanent of a nonnegative matrix. Exchanges: Kschischang, Frey and Loeliger (2001), Factor
        graphs and the sum-product algorithm. Interval: Clopper and Pearson (1934).

    Examples
    --------
    >>> import polars
    >>> from sfumato.contracts import Knowledge
    >>> from sfumato.masking import AdditiveNoise
    >>> original = Microdata(polars.DataFrame({"income": [20.0, 22.0, 50.0, 90.0], "tax": [4.0, 5.0, 13.0, 12.0]}))
    >>> noise = AdditiveNoise(columns=("income", "tax"), scale=0.1)
    >>> masked = noise.mask(original, np.random.default_rng(1))
    >>> intruder = LikelihoodLinkage(columns=("income", "tax")).informed_by(Knowledge(steps=(noise,)))
    >>> intruder.measure(original, masked).value
    100.0
    """

    symbol: ClassVar[str] = "LKL"
    part_symbols: ClassVar[tuple[str, ...]] = (BOUND, ATTACK)
    part_meanings: ClassVar[Mapping[str, str]] = MappingProxyType({BOUND: "the percent that nobody links more than"})
    bound_symbol: ClassVar[str] = BOUND
    attack_symbol: ClassVar[str] = ATTACK
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = METRIC | CATEGORICAL

    columns: Columns
    max_candidates: Annotated[Records, Field(ge=1, le=100_000)] = 64
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records that are linked correctly, in each way, and how sure the intruder is."""
        links = self.links(original, masked)
        right = links.ways[links.strongest]
        value = 100 * float(right.mean())
        links = links.beside(value, is_doubtful=False)
        bound = 100.0 if links.bound is None else links.bound
        ways = {way: 100 * float(linked.mean()) for way, linked in links.ways.items()}
        return Measurement(
            self.name(),
            self.symbol,
            value,
            parts=ways | links.certainty_parts() | {BOUND: bound, ATTACK: value},
            per_record=100 * right,
            interval=binomial_interval(float(right.sum()), masked.n),
            bound=bound,
            unproven=links.unproven,
            remark="; ".join(
                filter(
                    None,
                    [
                        not_ruled_out(value, links.bound),
                        f"the intruder is {links.certainty_in_words()}",
                        links.claim(value),
                        *links.remarks,
                    ],
                )
            ),
        )

    def links(self, original: Microdata, masked: Microdata) -> LikelihoodLinks:
        """Return what comes of linking in each way."""
        released, masked = masked, with_told_columns(masked, self._steps, original)
        told = tuple(name for name in masked.schema.names if name not in released.schema)
        names = tuple(dict.fromkeys([*self.common_columns(original, masked), *told]))
        check_records(type(self).__name__, original, masked)
        rows = paired_rows(original, masked)
        runs = Runs.of(original, masked, with_samples_last(self._steps, original), self.seed)
        model = model_by_runs(runs, masked, names)
        posterior = posterior_of(model, self.max_candidates)
        sure = links_by_pairs(posterior, rows)
        matched, left = right_assignments(posterior, rows)
        ways = {
            "row by row": right_links(posterior, posterior.by_row, rows),
            ONE_TO_ONE: sure.right,
            "most probable matching": matched,
        }
        doubts = [] if are_related(model, rows) else [STRANGERS]
        doubts += [UNFINISHED.format(left=left)] if left else []
        doubts += [*self._shown, *reasons_without_bound(original, masked, names)]
        exchanged = ExchangedColumns(runs, masked, names)
        if not exchanged.swaps and not model.is_proven:
            sure = sure._replace(certainty=self._rehearse(sure.certainty, ONE_TO_ONE, runs, names))
        strongest, largest = ONE_TO_ONE, sure.right.mean()
        for way, links in links_by_ties(exchanged, model, posterior, rows, WAYS).items():
            ways[way] = links.right
            if links.right.mean() > largest:
                sure, strongest, largest = put_before(links, sure), way, links.right.mean()
        certainty, right = sure
        if (strongest != ONE_TO_ONE or exchanged.swaps) and are_too_sure(certainty, right, FEW_ERRORS):
            certainty = self._rehearse(certainty, strongest, runs, names)
        bound = None if self._shown else link_bound(runs, masked, names, model, posterior)
        percent = max(100 * float(linked.mean()) for linked in ways.values())
        bound = None if held_bound(bound, percent, masked.n) is None else bound
        before = None if model.is_proven else self._before_improving(original, names, rows)
        if before is not None:
            ways[UNIMPROVED] = before.right
            if before.right.mean() > largest:
                right, certainty = before.right, before.certainty
                doubts.append(IMPROVED)
        return LikelihoodLinks(
            ways,
            certainty,
            right,
            float(posterior.cut[posterior.masked_classes].mean()),
            bound,
            caveat_of(model, is_blurred=exchanged.are_left),
            (*doubts, *model.remarks),
            steps_without_bound(self._steps),
            model.is_proven,
        )

    def _before_improving(self, original: Microdata, names: tuple[str, ...], rows: Rows) -> LikelihoodLinks | None:
        """Return what comes of linking a file that was not improved, for the records of the one that was.

        An improver sees two files and not who is who, so that an improved file tells no more than the one before it.
        """
        steps = tuple(step for step in self._steps if not isinstance(step, ImprovingStep))
        if not steps or self._steps == steps or self._steps[: len(steps)] != steps:
            return None
        try:
            shadow = mask_shadow(steps, original, self.seed, FRESH)
        except SfumatoError:
            return None
        if any(name not in shadow.data.schema for name in names):
            return None
        links = self.replace(columns=names).informed_by(Knowledge(steps=steps)).links(original, shadow.data)
        parts = []
        for part in (links.ways[links.strongest], links.certainty):
            every = np.full(original.n, part.mean())  # of those who are not in that file
            every[shadow.rows] = part
            parts.append(every[rows])
        return replace(links, right=parts[0], certainty=parts[1])

    def _rehearse(self, certainty: FloatColumn, way: str, runs: Runs, names: tuple[str, ...]) -> FloatColumn:
        """Return how probable links are after the attack was tried on a file that the intruder masked themselves."""
        if not self._steps or not (certainty >= CERTAINTIES[0] / 100).any():
            return certainty
        return rehearsed_certainty(certainty, way, runs, names, self.max_candidates)


def are_related(model: Model, rows: Rows) -> bool:
    """Tell whether records clearly fit the originals that they are matched with better than they fit the next one."""
    others = np.roll(rows, 1)
    fits, strangers = (
        true_log_densities(model.likelihood, some) + IMPOSSIBLE * (model.original_blocks[some] != model.masked_blocks)
        for some in (rows, others)
    )
    better, worse = np.count_nonzero(fits > strangers), np.count_nonzero(fits < strangers)
    if better + worse <= STANDARD_ERRORS**2:  # so few show nothing, even where all of them fit
        return bool(better >= worse)
    return bool(better - worse > STANDARD_ERRORS * np.sqrt(better + worse))
