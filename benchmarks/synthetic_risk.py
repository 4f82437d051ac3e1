"""Attacks on synthetic files: the questions of anonymeter on the demo survey, large files, and planted leaks."""

from functools import cache
from importlib.util import find_spec

import numpy as np
import polars as pl
from tests.risk.synthetic.planted import LEAKS, finders, population

from benchmarks.case import QUICK, Case, cpu_seconds, peak_megabytes, records
from sfumato.contracts import ControlledRisk, Measurement
from sfumato.data import Microdata, Schema
from sfumato.datasets import demo
from sfumato.risk import (
    Disco,
    DistanceToClosestRecord,
    Inference,
    Linkability,
    MembershipInference,
    ReplicatedUniques,
    SinglingOut,
)

SURVEY, HUNDRED_THOUSAND = map(records, (19_934, 100_000))
DRAWS = 1 if QUICK else 20
LEFT_OUT = ("household_id", "person_id", "sampling_weight", "savings")
PREPARATION = """
import benchmarks.synthetic_risk as attacks
attacks.ask(attacks.everything(), 300)
attacks.files(attacks.HUNDRED_THOUSAND)"""
WORK = "attacks.ask(attacks.everything(), attacks.HUNDRED_THOUSAND)"


@cache
def files(n: int) -> tuple[Microdata, Microdata, Microdata]:
    """Return persons, others, and a leaky file: each value is that of a person at most 2 places away.

    Gaps are filled, as anonymeter has another rule for them.
    """
    survey = demo(2 * n + 400, seed=1).without_columns(LEFT_OUT).frame
    filled = survey.with_columns(pl.selectors.numeric().fill_null(0), pl.selectors.string().fill_null("none"))
    order = np.random.default_rng(1).permutation(filled.height)
    people, others = filled[order[:n]], filled[order[n : 2 * n]]
    rng = np.random.default_rng(2)
    nearby = people.sort("region", "age", "wage_income")
    moved = [nearby[name][np.clip(np.arange(n) + rng.integers(-2, 3, n), 0, n - 1)] for name in nearby.columns]
    schema = Schema.infer(filled)
    return Microdata(people, schema), Microdata(others, schema), Microdata(pl.DataFrame(moved), schema)


def questions() -> list[ControlledRisk]:
    """Return what anonymeter asks: 1 000 descriptions of either kind, 2 000 links, 15 secrets of 1 000 persons."""
    names = files(300)[0].schema.names
    return [SinglingOut(columns=names), Linkability(columns=names), Inference(columns=names)]


def everything() -> list[ControlledRisk]:
    """Return all attacks of the family."""
    names = files(300)[0].schema.names
    keys = names[:4]
    more = [ReplicatedUniques(columns=keys), Disco(columns=keys, sensitive=names[4:])]
    return [*questions(), MembershipInference(columns=names), DistanceToClosestRecord(columns=names), *more]


def ask(measures: list[ControlledRisk], n: int) -> list[Measurement]:
    """Return what the measures find in files of n records."""
    people, others, made = files(n)
    return [measure.with_control(others).measure(people, made) for measure in measures]


def mistakes() -> float:
    """Return how many planted leaks are missed, plus how many independent samples beyond 1 are called unsafe."""
    missed = false = 0
    for draw in range(DRAWS):
        people, others = population(400, draw), population(400, draw + 500)
        missed += sum(not finders(people, leak(people, draw), others) for leak in LEAKS.values())
        false += bool(finders(people, population(400, draw + 1000), others))
    return missed + max(false - 1, 0)


def figures_outside() -> float:
    """Return how many of our figures lie outside the intervals that anonymeter gives for the same questions."""
    from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

    n = min(SURVEY, 4000)
    original, control, synthetic = (file.frame.to_pandas() for file in files(n))
    singling, linking, guessing = ask(questions(), n)
    names = list(original.columns)
    sides = {"ori": original, "syn": synthetic, "control": control}
    numbers = set(original.select_dtypes("number"))
    theirs = [
        (SinglingOutEvaluator(**sides, n_attacks=1000, seed=1).evaluate(mode="univariate"), singling.parts["SOuni"]),
        (
            SinglingOutEvaluator(**sides, n_attacks=1000, seed=1).evaluate(mode="multivariate"),
            singling.parts["SOmulti"],
        ),
        (LinkabilityEvaluator(**sides, n_attacks=2000, aux_cols=(names[::2], names[1::2])).evaluate(), linking.value),
    ]
    for secret in names:
        known = [name for name in names if name != secret]
        attack = InferenceEvaluator(
            **sides, aux_cols=known, secret=secret, regression=secret in numbers, n_attacks=1000
        )
        theirs.append((attack.evaluate(), guessing.parts[secret]))
    intervals = [(evaluator.risk().ci, ours / 100) for evaluator, ours in theirs]
    return float(sum(not low <= ours <= high for (low, high), ours in intervals))


CASES = [
    Case(
        "attacks without pairs, anonymeter's questions, 19 934 x 15",
        lambda: cpu_seconds(lambda: ask(questions(), SURVEY), repeats=1),
        target=6.0,
        peer=("anonymeter", 164.0),
    ),
    Case(
        "membership inference, 19 934 x 15",
        lambda: cpu_seconds(lambda: ask(everything()[3:4], SURVEY), repeats=1),
        target=6.0,
    ),
    Case(
        "all attacks without pairs, 10^5 x 15",
        lambda: cpu_seconds(lambda: ask(everything(), HUNDRED_THOUSAND), repeats=1),
        target=60.0,
        is_long=True,
    ),
    Case(
        "all attacks without pairs, 10^5 x 15, memory",
        lambda: peak_megabytes(PREPARATION, WORK),
        target=1000.0,
        unit="MB",
        is_long=True,
    ),
    Case(
        "planted leaks missed in 80 files, safe files beyond 1 of 20 called unsafe",
        mistakes,
        target=0.5,
        unit="files",
        is_long=True,
    ),
]
if find_spec("anonymeter"):
    CASES += [
        Case(
            "figures outside anonymeter's 95 % intervals, of 18",
            figures_outside,
            target=3.0,
            unit="figures",
            is_long=True,
            is_quick=False,
            note="Both draw 1 000 attacks: one or two of 18 lie outside by chance.",
        )
    ]
