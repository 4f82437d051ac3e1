"""Files whose records come from nobody: what `assess` measures, and what it does not."""

from functools import cache

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.assessment.assessment import Assessment
from sfumato.assessment.synthetic_files import NO_CONTROL, SYNTHETIC, leak_remark
from sfumato.contracts import Measurement
from sfumato.data import Microdata, Schema
from sfumato.display import Cell, format_number
from sfumato.errors import DataError
from sfumato.masking import DistributionDistortion, RankSwapping, SequentialSynthesis
from sfumato.recipe import Recipe
from sfumato.risk import DistanceLinkage, SinglingOut
from tests.risk.synthetic.planted import NAMES, file, half_copied, population

PEOPLE, OTHERS = file(population(300, 1)), file(population(300, 2))
LOW = ("SOlow", "LINKlow", "INFlow", "MIAlow")
PAIRED = {"DLD", "ID", "IL", "WCL", "CD", "SDID", "SUP"}


@cache
def synthesised() -> tuple[Microdata, SequentialSynthesis]:
    step = SequentialSynthesis(columns=NAMES)
    return Recipe(steps=[step], seed=1).run(PEOPLE), step


@cache
def judged() -> Assessment:
    made, step = synthesised()
    return assess(PEOPLE, made, methods=[step], control=OTHERS, outliers=True)


def test_what_compares_a_record_with_its_original_is_neither_measured_nor_scored() -> None:
    found = judged()
    assert not PAIRED & found.values.keys()
    assert found.withheld == ()
    assert found.outliers is None
    assert SYNTHETIC in found.remarks
    assert {"SR", "DCR", "SO", "LINK", "INF", "MIA", "MD", "PD"} <= found.values.keys()


def test_the_score_is_half_the_mean_loss_and_half_the_strongest_attack() -> None:
    values = judged().values
    loss, risk = (values["MD"] + values["PD"]) / 2, max(values[symbol] for symbol in LOW)
    assert values["synthetic"] == pytest.approx((loss + risk) / 2)


def test_without_a_control_there_is_no_score_and_it_is_said_what_cannot_be_told() -> None:
    made, step = synthesised()
    found = assess(PEOPLE, made, methods=[step])
    assert found.scores == ()
    assert NO_CONTROL in found.remarks
    assert all(measurement.shows_leak is None for measurement in found.measurements)
    assert "MIA" not in found.values


def test_pairs_that_are_stated_are_measured() -> None:
    made, step = synthesised()
    assert "DLD" in assess(PEOPLE, made, methods=[step], same_order=True, worst_case=False).values
    named = assess(PEOPLE, made, [DistanceLinkage(columns=("pay", "rent"))], methods=[step], same_order=True)
    assert "DLD" in named.values


def test_a_step_that_keeps_ranks_or_some_columns_leaves_pairs() -> None:
    numbers = ("age", "pay", "rent", "savings")
    few = PEOPLE.take_columns(numbers)
    step = DistributionDistortion(columns=numbers)
    kept = assess(few, Recipe(steps=[step], seed=1).run(few), methods=[step], worst_case=False)
    assert "DLD" in kept.values
    part = SequentialSynthesis(columns=("pay", "rent"))
    partly = assess(PEOPLE, Recipe(steps=[part], seed=1).run(PEOPLE), methods=[part], worst_case=False)
    assert "DLD" in partly.values


def test_a_recipe_that_claims_to_synthesise_does_not_hide_a_copy() -> None:
    claim = SequentialSynthesis(columns=NAMES)
    assert assess(PEOPLE, PEOPLE.take_rows(slice(None)), methods=[claim], worst_case=False).values["SR"] == 100
    shuffled = Microdata(PEOPLE.frame.sample(fraction=1.0, shuffle=True, seed=1), PEOPLE.schema)
    found = assess(PEOPLE, shuffled, methods=[claim], control=OTHERS)
    assert found.values["SR"] == 100
    assert found.values["DCR"] == 100
    assert found.remarks[0].startswith("LEAK FOUND by singling out, linkability, inference, membership inference")


def test_a_file_of_other_length_from_elsewhere_is_judged_against_a_control() -> None:
    leaky = file(half_copied(population(300, 1), 1).head(200))
    found = assess(PEOPLE, leaky, control=OTHERS)
    assert found.remarks[0].startswith("LEAK FOUND")
    assert "distance_linkage" in found.withheld
    assert not PAIRED & found.values.keys()
    safe = assess(PEOPLE, file(population(200, 3)), control=OTHERS)
    assert safe.remarks[0].startswith("No attack found a leak")


def test_a_control_adds_the_attacks_where_records_are_paired_too() -> None:
    step = RankSwapping(columns=("pay", "rent"), window=10)
    found = assess(PEOPLE, Recipe(steps=[step], seed=1).run(PEOPLE), control=OTHERS, worst_case=False)
    assert {"DLD", "SO", "MIA"} <= found.values.keys()


@pytest.mark.parametrize("kind", ["weight", "stratum"])
def test_true_weights_and_strata_give_away_as_other_columns_do(kind: str) -> None:
    """They are drawn into another order, so that only the values themselves tell."""
    rng = np.random.default_rng(1)
    people, others, made = (
        pl.DataFrame({"age": rng.integers(18, 90, 300), "code": rng.permutation(10**6)[:300]}) for _ in range(3)
    )
    schema = Schema.infer(people).with_roles(**{kind: ["code"]})
    leaky = made.with_columns(people["code"].shuffle(seed=2))
    verdicts = [
        assess(Microdata(people, schema), Microdata(file, schema), control=Microdata(others, schema)).leak_verdict
        for file in (made, leaky)
    ]
    assert verdicts[0].startswith("No attack found a leak")
    assert verdicts[1].startswith("LEAK FOUND by singling out")


def test_columns_that_no_attack_looked_at_are_named_with_the_verdict() -> None:
    made, step = synthesised()
    found = assess(PEOPLE, made, methods=[step], control=OTHERS.without_columns(("rent",)))
    attack = next(measure for measure in found.measures if isinstance(measure, SinglingOut))
    assert attack.columns == tuple(name for name in NAMES if name != "rent")
    assert found.leak_verdict.endswith("What the values of rent may give away was not looked at.")
    assert "not looked at" not in judged().leak_verdict


def test_a_trace_is_told_and_is_neither_a_leak_nor_passed_over() -> None:
    trace = Measurement("membership_inference", "MIA", 1.4, shows_leak=False, shows_trace=True)
    safe, leak = (Measurement("singling_out", "SO", 0.0, shows_leak=found) for found in (False, True))
    assert leak_remark([safe, trace])[0].startswith("No attack found a leak, but membership inference found a trace")
    assert leak_remark([leak, trace])[0].startswith("LEAK FOUND by singling out:")
    assert "trace" not in leak_remark([safe])[0]


def test_an_attack_that_found_no_leak_is_said_not_to_rule_out_the_upper_end_for_all_attacks_together() -> None:
    rows = {row[0]: row[-1].text for row in judged().to_table().rows if isinstance(row[-1], Cell)}
    for found in judged().measurements:
        joint = None if found.trials is None else found.trials.joint_interval
        if found.shows_leak is not None:
            told = joint is not None and f"up to {format_number(joint[1])} % is not ruled out" in rows[found.symbol]
            assert told == (joint is not None and not found.shows_leak)
            assert not joint or not found.interval or joint[1] >= found.interval[1]
    assert "2 of 1,000 files" in rows["SO"]
    assert "not ruled out" in judged().leak_verdict


def test_records_drawn_within_strata_are_nobodys() -> None:
    step = SequentialSynthesis(columns=tuple(name for name in NAMES if name != "town"), within=("town",))
    found = assess(PEOPLE, Recipe(steps=[step], seed=1).run(PEOPLE), methods=[step])
    assert SYNTHETIC in found.remarks
    assert not PAIRED & found.values.keys()
    copy = assess(PEOPLE, PEOPLE.take_rows(slice(None)), methods=[step], worst_case=False)
    assert "DLD" in copy.values


def test_what_is_no_file_is_refused_as_a_control() -> None:
    with pytest.raises(DataError, match="assess needs Microdata; got a DataFrame"):
        assess(PEOPLE, PEOPLE, control=OTHERS.frame)


def test_the_plain_form_says_of_each_figure_whether_it_shows_a_leak() -> None:
    told = {one["symbol"]: one["shows_leak"] for one in judged().to_dict()["measurements"]}
    assert told["SR"] is None
    assert isinstance(told["SO"], bool)
    assert np.isfinite(judged().values["synthetic"])
