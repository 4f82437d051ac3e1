"""Worst-case linkage: an intruder who tries many attacks and knows how the file was masked."""

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field

from sfumato.comparison.columns_left import columns_left
from sfumato.comparison.side_by_side import Comparison, common_codes, side_by_side
from sfumato.contracts import InformedRisk, Knowledge, Measurement, check_records, paired_rows
from sfumato.data import CATEGORICAL, METRIC, Kind, Microdata
from sfumato.intruder import with_told_columns
from sfumato.intruder.coded_columns import gap_codes
from sfumato.kernels.neighbours.nearest import nearest_share
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.binomial import binomial_interval
from sfumato.parameters import Columns, Percent, Records
from sfumato.risk.linkage._assignment import classes
from sfumato.risk.linkage._candidates import Candidates
from sfumato.risk.linkage._discrepancies import Metric
from sfumato.risk.linkage._distances import Coordinates
from sfumato.risk.linkage._interval_linkage import share_inside_intervals
from sfumato.risk.linkage._worst_case.equal_values import equal_value_share
from sfumato.risk.linkage._worst_case.nearest_one_to_one import one_to_one_share
from sfumato.risk.linkage._worst_case.released_strata import strata_attacks
from sfumato.risk.linkage._worst_case.sentence import worst_case_sentence
from sfumato.risk.linkage._worst_case.spaces import spaces
from sfumato.risk.linkage.expectation_maximisation_linkage import ExpectationMaximisationLinkage
from sfumato.risk.linkage.individual_ranking_linkage import group_ends
from sfumato.risk.linkage.likelihood_linkage import LikelihoodLinkage
from sfumato.risk.linkage.rank_interval_linkage import rank_ends
from sfumato.risk.linkage.self_trained_linkage import SelfTrainedLinkage

MAX_ALL_PAIRS = 400_000  # of records, up to which all may be linked one to one
GAP = 1e4  # deviations: who lacks a value is so far from who has it, where every step keeps what is missing
SOME_ATTACK = "some attack"
BOUND, ATTACK = "WCB", "WCA"  # what nobody links more than, and what the strongest attack links
BY_ROW, CLEARLY = "likelihood, row by row", 3.0  # standard errors
HOUSEHOLDS = "likelihood, households"  # equal records of two households are told apart by the others who live there


class WorstCaseLinkage(InformedRisk):
    """Count the masked records that the strongest of many attacks links to the right original record.

    The intruder knows all `columns` and tries one attack after another: the likelihood of the masking, row by row, one
    to one, by exchanges and by households (`LikelihoodLinkage`); the records that share most values, rare ones above
    all, one to one; the nearest record, and the nearest one to one, by standardised values, by ranks, by Mahalanobis
    distance and by that of the noise; weights estimated from the two files, one to one, with each metric
    (`ExpectationMaximisationLinkage`, and `SelfTrainedLinkage` for logarithms); and the attacks that are made for the
    method, where it is known. Nearest records, and those attacks, are looked for inside the strata of a step too, by
    the scale and the ranks there, where the strata are among the `columns` and no step masks them.

    The figure per record is the chance that the strongest attack links it to the right person: 0 or 100, except that
    nobody can tell equal masked records apart, so that they share the links that they get, and
    where each record equals `k - 1` others it is at most 100 / k, unless the release tells who lives with whom. The
    value is its mean over the records, with the exact binomial confidence interval (Clopper and Pearson) of so many
    records linked. The parts are the attacks, and the remark names the strongest. "some attack" is the share of records
    that at least one attack links, which nobody can carry out, as nobody can tell which attack is right for whom.

    The value is one end: so many are linked by an attack that was carried out. WCB is the other: nobody links more on
    average by these columns, whatever they try. It is 100 where no smaller bound is proven for the recipe. A limit on
    this measure counts WCB, so that it is met only where that is proven; WCA is the value, to limit the attack alone.

    Parameters
    ----------
    columns
        Continuous, ordinal, nominal or date columns. Distances are of the continuous ones, and of dates in days;
        categories are the same or not. Numbers that became classes, and dates that became periods or ages, serve the
        likelihood only. Of a rule such as `role(key)` those are known that the masked file still has.
    window
        The window of the rank swapping that masked the columns, in percent of the records; when not given, what the
        recipe says, where it is known.
    individual_ranking
        Whether each column was microaggregated by itself (individual ranking or univariate microaggregation); also
        true where the recipe says so.
    max_candidates
        How many of the nearest original records each masked record may be linked to where links are one to one; in
        files of up to about 600 records all are tried by distances.

    Meaning
        0: no attack links any record. 100: one attack links them all. Files masked so that they look safe to
        `DistanceLinkage` may be wholly re-identified here: rank swapping falls to ranks, correlated and mixture noise
        to their likelihood.
    Intruder
        Knows the exact original values of every person in all the columns, that no two masked records are the same
        person, and how the file was masked, all but the seed; tries all these attacks.
    Missing values
        A missing value stands at the mean, or in the middle of the ranks, for the nearest records one to one and by
        Mahalanobis distance; the other attacks treat it as their own measures say. Columns that are constant in the
        original are left out; a missing value is equal to none.
    Source
        The attacks are those of Domingo-Ferrer and Torra (2001), of Yancey, Winkler and Creecy (2002), of Nin, Herranz
        and Torra (2008) and of Winkler (2002); the best of all of them is what a publisher has to fear. Interval:
        Clopper and Pearson (1934).

    Examples
    --------
    >>> import polars
    >>> original = Microdata(polars.DataFrame({"income": [20.0, 22.0, 50.0, 90.0], "tax": [4.0, 5.0, 13.0, 12.0]}))
    >>> masked = Microdata(polars.DataFrame({"income": [22.0, 20.0, 90.0, 50.0], "tax": [5.0, 4.0, 13.0, 12.0]}))
    >>> found = WorstCaseLinkage(columns=("income", "tax")).measure(original, masked)
    >>> found.value, found.parts["nearest by standardised values"]
    (50.0, 0.0)
    """

    symbol: ClassVar[str] = "WCL"
    part_symbols: ClassVar[tuple[str, ...]] = (BOUND, ATTACK)
    part_meanings: ClassVar[Mapping[str, str]] = MappingProxyType({BOUND: "the percent that nobody links more than"})
    bound_symbol: ClassVar[str] = BOUND
    attack_symbol: ClassVar[str] = ATTACK
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = METRIC | CATEGORICAL

    columns: Columns
    window: Percent | None = None
    individual_ranking: bool = False
    max_candidates: Annotated[Records, Field(ge=1, le=100_000)] = 20

    def informed_by(self, knowledge: Knowledge) -> Self:
        """Return the measure with the attacks on what is known of its columns."""
        known = knowledge.about(self.columns)
        informed = self.replace(
            window=known.rank_window if self.window is None else self.window,
            individual_ranking=self.individual_ranking or bool(known.individually_ranked),
        )
        informed._steps, informed._shown = known.steps, known.shown
        return informed

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records that the strongest attack links correctly, and by attack."""
        released, masked = masked, with_told_columns(masked, self._steps, original)
        told = tuple(name for name in masked.schema.names if name not in released.schema)
        names = tuple(dict.fromkeys([*columns_left(self, original, masked), *told]))
        check_records(type(self).__name__, original, masked)
        recoded = tuple(name for name in names if is_recoded(original, masked, name))
        compared = tuple(name for name in names if name not in recoded)
        attacks = self._attacks_by_values(original, masked, compared) if compared else {}
        shown = [numeric_columns(masked, masked, some)[1] for some in (compared, recoded) if some]
        gaps = np.column_stack([gap_codes([masked], name)[0] for name in names]).astype(np.float64)
        alike = classes(np.column_stack([*shown, gaps]), np.zeros(masked.n, dtype=np.int64))
        likelihood = LikelihoodLinkage(columns=names).informed_by(Knowledge(steps=self._steps, shown=self._shown))
        links = likelihood.links(original, masked)
        attacks |= {f"likelihood, {way}": right for way, right in links.ways.items()}
        chances = {
            name: linked if name == HOUSEHOLDS else mean_among_equals(linked, alike) for name, linked in attacks.items()
        }
        strongest = max(chances, key=lambda name: float(chances[name].mean()))
        by_record = chances[strongest]
        value, some = 100 * float(by_record.mean()), 100 * float(np.max(list(chances.values()), axis=0).mean())
        is_doubtful = is_beaten(chances)
        links = links.beside(value, is_doubtful=is_doubtful)
        bound = 100.0 if links.bound is None else links.bound
        return Measurement(
            self.name(),
            self.symbol,
            value,
            parts=strongest_first(chances) | {BOUND: bound, ATTACK: value, SOME_ATTACK: some},
            per_record=100 * by_record,
            interval=binomial_interval(float(by_record.sum()), masked.n),
            bound=bound,
            unproven=links.unproven,
            remark=worst_case_sentence(
                masked,
                names,
                value,
                strongest,
                links,
                knows_recipe=bool(self._steps),
                is_doubtful=is_doubtful,
            ),
        )

    def _attacks_by_values(
        self, original: Microdata, masked: Microdata, names: tuple[str, ...]
    ) -> dict[str, FloatColumn]:
        """Return how far each attack links each record that holds the values of both files against each other."""
        numbers = tuple(name for name in names if original.schema[name].kind in METRIC)
        before, after = numeric_columns(original, masked, names)
        rows = paired_rows(original, masked)
        attacks = {"equal values": equal_value_share(before, after, rows, self.max_candidates)}
        if numbers:
            files = side_by_side(self.replace(columns=numbers), original, masked)
            attacks |= self._attacks_by_numbers(files)
            attacks |= strata_attacks(self._attacks_by_numbers, files, (original, masked), self._steps, names)
        near = Candidates()  # the same by all metrics
        for metric in Metric if numbers else [Metric.RELATIVE]:  # categories agree or not by any metric
            linkage = SelfTrainedLinkage if metric is Metric.LOGARITHMIC else ExpectationMaximisationLinkage
            weighing = linkage(columns=names, metric=metric, max_candidates=self.max_candidates)
            linked = weighing.measure_among(near, original, masked).per_record
            attacks[f"estimated weights, {metric} metric"] = np.asarray(linked) / 100
        return attacks

    def _attacks_by_numbers(self, files: Comparison) -> dict[str, FloatColumn]:
        """Return how far each attack by distances, and each made for the method, links each record of a file."""
        return dict(self._distance_attacks(files)) | dict(self._method_attacks(files))

    def _distance_attacks(self, files: Comparison) -> Iterator[tuple[str, FloatColumn]]:
        """Yield the attacks that link the nearest records, and the nearest one to one."""
        gaps = [np.isnan(file) for file in (files.original, files.masked)]
        if not self._steps or not np.array_equal(gaps[0][files.rows], gaps[1]):  # some step takes or fills values
            gaps = [np.zeros_like(some) for some in gaps]
        every = len(files.original)
        count = every if every * len(files.masked) <= MAX_ALL_PAIRS else self.max_candidates
        for name, (before, after) in spaces(files.original, files.masked, files.rows).items():
            yield f"nearest by {name}", nearest_share(before, after, files.rows)
            whole = [np.where(np.isnan(file), 0.0, file) for file in (before, after)]
            whole = [np.column_stack(pair) for pair in zip(whole, (GAP * some for some in gaps), strict=True)]
            yield f"one to one by {name}", one_to_one_share(whole[0], whole[1], files.rows, count)

    def _method_attacks(self, files: Comparison) -> Iterator[tuple[str, FloatColumn]]:
        """Yield the attacks on the methods that the file is known to be masked by."""
        window, pair = self.window, (files.original, files.masked, files.rows)
        if window is not None:
            ends = partial(rank_ends, window=window)
            yield "rank intervals", share_inside_intervals(*pair, ends)
        if self.individual_ranking:
            yield "individual ranking", share_inside_intervals(*pair, group_ends)


def is_beaten(chances: dict[str, FloatColumn]) -> bool:
    """Tell whether another attack that links row by row finds clearly more than the likelihood does row by row.

    That cannot be where the likelihood is that of the masking: it is then not stated rightly, or misses something.
    """
    by_row = float(chances[BY_ROW].mean())
    error = np.sqrt(max(by_row * (1 - by_row), 1 / len(chances[BY_ROW])) / len(chances[BY_ROW]))
    others = [float(chance.mean()) for name, chance in chances.items() if name.startswith("nearest by ")]
    return bool(max(others, default=0.0) > by_row + CLEARLY * error)


def is_recoded(original: Microdata, masked: Microdata, name: str) -> bool:
    """Tell whether numbers or dates became classes, months or ages, which cannot be held against them by value."""
    before, after = original.schema[name].kind, masked.schema[name].kind
    return before is not after and not {before, after} <= CATEGORICAL


def numeric_columns(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Coordinates:
    """Return the columns of both files as numbers, categories as codes into those of both; missing is NaN."""
    columns = []
    for name in names:
        if original.schema[name].kind in METRIC:
            columns.append((original.values(name), masked.values(name)))
        else:
            before, after, _ = common_codes(original, masked, name)
            columns.append((np.where(before < 0, np.nan, before), np.where(after < 0, np.nan, after)))
    return np.column_stack([column[0] for column in columns]), np.column_stack([column[1] for column in columns])


def strongest_first(chances: dict[str, FloatColumn]) -> dict[str, float]:
    """Return how many records each attack links, in percent, the strongest attack first.

    Examples
    --------
    >>> strongest_first({"by ranks": np.array([0.0, 1.0]), "by values": np.array([1.0, 1.0])})
    {'by values': 100.0, 'by ranks': 50.0}
    """
    percents = {name: 100 * float(linked.mean()) for name, linked in chances.items()}
    return dict(sorted(percents.items(), key=lambda item: -item[1]))


def mean_among_equals(linked: FloatColumn, alike: CodeColumn) -> FloatColumn:
    """Return the mean of `linked` over the records with the same number in `alike`.

    Examples
    --------
    >>> mean_among_equals(np.array([1.0, 0.0, 1.0]), np.array([7, 7, 2]))
    array([0.5, 0.5, 1. ])
    """
    return np.asarray((np.bincount(alike, weights=linked) / np.maximum(np.bincount(alike), 1))[alike])
