"""What an intruder who has the recipe knows: stated by methods, taken by measures, ours or from outside."""

from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.contracts import NOTHING, Knowledge, Layout, MaskingMethod, Measure
from sfumato.data import Kind, Microdata, numeric
from sfumato.masking import Camouflage, IndividualRanking, RankSwapping, UnivariateMicroaggregation
from sfumato.parameters import Columns
from sfumato.risk import RankIntervalLinkage, WorstCaseLinkage
from sfumato.risk.linkage.rank_interval_linkage import rank_ends
from tests.assessment.examples import EXAMPLES as MEASURES
from tests.assessment.examples import MONEY, pair
from tests.masking.examples import EXAMPLES as METHODS
from tests.masking.survey import run, surveyed

STATING = [method for method in METHODS if method.knowledge(surveyed("polars")) != NOTHING]


class RotatedRanks(MaskingMethod):
    """A method from outside: each value goes up one rank, the highest down to the lowest."""

    family: ClassVar[str] = "swapping"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns

    def knowledge(self, original: Microdata) -> Knowledge:
        return Knowledge(rank_windows=dict.fromkeys(original.select(self.columns), 100.0))

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        return block


def names(measure_or_method: Measure | MaskingMethod, data: Microdata) -> set[str]:
    return set(data.select(measure_or_method.columns))


def test_some_methods_state_facts_of_each_kind() -> None:
    stating = {type(method).__name__ for method in STATING}
    assert stating == {"RankSwapping", "IndividualRanking", "UnivariateMicroaggregation"}


@pytest.mark.parametrize("method", STATING, ids=str)
def test_facts_are_about_masked_columns_and_hold_for_every_record(method: MaskingMethod) -> None:
    original = surveyed("polars")
    masked, known = run(method, original), method.knowledge(original)
    assert {*known.rank_windows, *known.individually_ranked} == names(method, original)
    for name, window in known.rank_windows.items():
        before, after = original.values(name), masked.values(name)
        lowest, highest = rank_ends(before, after, window)
        seen = ~np.isnan(before)
        assert ((lowest <= after) & (after <= highest))[seen].all()
    for name in known.individually_ranked:
        before, after = original.values(name), masked.values(name)
        order = np.lexsort((after, before))[: np.count_nonzero(~np.isnan(before))]
        assert (np.diff(after[order]) >= 0).all()


@pytest.mark.parametrize(
    "method",
    [
        RankSwapping(columns=MONEY, within=("region",)),
        IndividualRanking(columns=MONEY, within=("region",)),
        UnivariateMicroaggregation(columns=MONEY, within=("region",)),
    ],
    ids=lambda method: type(method).name(),
)
def test_inside_strata_no_fact_holds_for_the_whole_file(method: MaskingMethod) -> None:
    assert method.knowledge(pair()[0]) == NOTHING


def test_a_rule_for_columns_states_facts_about_those_that_it_picks() -> None:
    assert RankSwapping(columns=numeric, window=7).knowledge(pair()[0]) == Knowledge({"income": 7.0, "tax": 7.0})


def test_columns_that_an_earlier_step_made_are_passed_over() -> None:
    steps = [Camouflage(columns=("income",)), RankSwapping(columns=("income_low", "tax"), window=9)]
    assert Knowledge.combine(step.knowledge(pair()[0]) for step in steps) == Knowledge({"tax": 9.0})


def test_moves_among_the_ranks_of_one_column_add_up() -> None:
    steps = [Knowledge({"income": 30.0, "tax": 80.0}), Knowledge({"tax": 40.0}, frozenset({"age"}))]
    assert Knowledge.combine(steps) == Knowledge({"income": 30.0, "tax": 100.0}, frozenset({"age"}))
    assert Knowledge.combine([]) == NOTHING


def test_a_measure_is_informed_about_its_own_columns_only() -> None:
    known = Knowledge({"income": 5.0, "age": 40.0}, frozenset({"age"}))
    expected = {MONEY: (5.0, False), ("tax",): (None, False), ("tax", "age"): (40.0, True), numeric: (40.0, True)}
    for columns, (window, is_ranked) in expected.items():
        worst = WorstCaseLinkage(columns=columns)
        assert worst.informed_by(known) == worst.replace(window=window, individual_ranking=is_ranked)
        assert RankIntervalLinkage(columns=columns).informed_by(known).window == window


def test_what_a_measure_states_itself_stays() -> None:
    known = Knowledge({"income": 5.0, "tax": 20.0})
    for measure in (WorstCaseLinkage(columns=MONEY, window=2), RankIntervalLinkage(columns=MONEY, window=2)):
        assert measure.informed_by(known) == measure


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_nothing_known_leaves_every_measure_as_it_is(measure: Measure) -> None:
    assert measure.informed_by(NOTHING) == measure


def test_a_method_from_outside_states_its_knowledge_and_the_usual_attacks_use_it() -> None:
    original, masked = pair()
    steps = [RotatedRanks(columns=MONEY)]
    worst = assess(original, masked, methods=steps, same_order=True).measures[-1]
    assert isinstance(worst, WorstCaseLinkage)
    assert worst.window == 100
    given = assess(original, masked, [RankIntervalLinkage(columns=MONEY)], [], methods=steps, same_order=True)
    assert given.values["RSLD"] == RankIntervalLinkage(columns=MONEY, window=100).measure(original, masked).value


def test_an_informed_intruder_links_more() -> None:
    rng = np.random.default_rng(3)
    data = Microdata(pl.DataFrame({f"v{place}": rng.lognormal(size=300) for place in range(4)}))
    method = RankSwapping(columns=numeric, window=3)
    masked = run(method, data)
    blind, informed = (
        assess(data, masked, [RankIntervalLinkage(columns=numeric, window=None)], [], methods=steps).values["RSLD"]
        for steps in ([], [method])
    )
    assert informed > blind
