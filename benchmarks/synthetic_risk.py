"""Attacks on synthetic files: the questions of anonymeter on the demo survey, large files, and planted leaks."""

import json
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
from tests.risk.synthetic.other_populations import OTHER_POPULATIONS
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
    return [SinglingOut(columns=names), Linkability(columns=names), Inference(columns=names, attacks=1000)]


def everything() -> list[ControlledRisk]:
    """Return all attacks of the family."""
    names = files(300)[0].schema.names
    keys = names[:4]
    more = [ReplicatedUniques(columns=keys), Disco(columns=keys, sensitive=names[4:])]
    usual = [*questions()[:2], Inference(columns=names)]
    return [*usual, MembershipInference(columns=names), DistanceToClosestRecord(columns=names), *more]


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


def mistakes_elsewhere() -> float:
    """Return the same of five other populations, on which no limit was chosen: 400 leaks, 100 samples."""
    missed = false = 0
    for draw, n, control, column in OTHER_POPULATIONS.values():
        schema = Schema.infer(draw(n, 7))
        for seed in range(DRAWS):
            people, others = draw(n, seed), draw(control, seed + 500)
            made = [leak(people, seed, draw, column) for leak in LEAKS.values()]
            missed += sum(not finders(people, file, others, schema) for file in made)
            false += bool(finders(people, draw(n, seed + 2000), others, schema))
    return missed + max(false - 5, 0)


def peer_python() -> str | None:
    """Return a Python that has anonymeter: the one that `ANONYMETER_PYTHON` names, or this one if it has it."""
    here = sys.executable if find_spec("anonymeter") else None
    return os.environ.get("ANONYMETER_PYTHON", here)


@cache
def peer() -> dict[str, Any]:
    """Return what anonymeter finds on the same files, with its CPU seconds."""
    with TemporaryDirectory() as folder:
        for name, file in zip(("people", "others", "made"), files(SURVEY), strict=True):
            file.frame.write_parquet(Path(folder) / f"{name}.parquet")
        script = Path(__file__).with_name("anonymeter_peer.py")
        command = [str(peer_python()), str(script), folder, "1000", "2000", "1000"]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def figures_outside() -> float:
    """Return how many of our figures, of all persons, lie outside the intervals that anonymeter gives of its draws."""
    singling, linking, guessing = ask([*questions()[:2], Inference(columns=files(300)[0].schema.names)], SURVEY)
    ours = {**guessing.parts, **singling.parts, "LINK": linking.value}
    intervals = peer()["intervals"]
    return float(sum(not low <= ours[name] <= high for name, (_, low, high) in intervals.items()))


CASES = [
    Case(
        "attacks without pairs, anonymeter's questions, 19 934 x 15",
        lambda: cpu_seconds(lambda: ask(questions(), SURVEY), repeats=1),
        target=6.0,
        peer=("anonymeter", 158.0),
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
CASES += [
    Case(
        "planted leaks missed in 400 files of other populations, safe files beyond 5 of 100 called unsafe",
        mistakes_elsewhere,
        target=0.5,
        unit="files",
        is_long=True,
        is_quick=False,
    ),
]
if peer_python():
    CASES += [
        Case(
            "figures outside anonymeter's 95 % intervals, of 18",
            figures_outside,
            target=3.0,
            unit="figures",
            is_long=True,
            is_quick=False,
            note="It draws its attacks: of 18 intervals at 95 % one or two may miss.",
        ),
    ]
