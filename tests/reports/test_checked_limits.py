"""A limit on k is judged by one rule: `protect` and the report on what it made never disagree."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import GAPS_TOLD, RARE_VALUES
from sfumato.keys.findings.causes import BY_KEYS, REPEATED
from sfumato.keys.findings.exposure import Exposure
from sfumato.keys.findings.found_households import FoundHouseholds
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.keys.findings.repeated_persons import RepeatedPersons
from sfumato.keys.gaps.suppressed_values import GapExposure
from sfumato.keys.learning.learnt_intruder import LearntIntruder
from sfumato.parameters.limits import read_limits
from sfumato.reports.checked_limits import LEARNT_ALL_THE_SAME, CheckedLimit, hold_limits, raised_household_risk

CALM = KeyFindings(("sex",), 3, Exposure(records=0, smallest=3), GapExposure(0, 3, ()))


def by_keys(limits: list[CheckedLimit]) -> SimpleNamespace:
    """Return the limits of a file of 100 records."""
    return SimpleNamespace(limits=tuple(limits), counted=100, homes=((2, 50),), risk_alone=100.0)


def checked(text: str, figure: float) -> CheckedLimit:
    [limit] = read_limits([text])
    return CheckedLimit(limit, figure, limit.is_met(figure))


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({}, 3),
        ({"exposure": Exposure(records=4, smallest=1)}, 1),
        ({"gaps": GapExposure(2, 2, ())}, 2),
        ({"households": FoundHouseholds((), 1)}, 1),
        ({"persons": RepeatedPersons("id", 5, 0, 2, 1, "")}, 2),
    ],
)
def test_the_fewest_that_anything_leaves_are_held_against_a_limit_on_k(change: dict[str, object], left: int) -> None:
    findings = replace(CALM, **change)  # type: ignore[arg-type]
    [held, other] = hold_limits(by_keys([checked("k=3", 7.0), checked("global_risk<=1", 0.4)]), findings)
    assert held.figure == left
    assert held.is_met == (left == 3)
    found = [one for one in (findings.exposure.records, findings.gaps and findings.gaps.records) if one]
    counted = "households" in change  # nobody counts whom households tell
    assert other.is_met == (0.4 + sum(found) <= 1 and not counted)  # each as if it were recognised, of 100
    assert hold_limits(by_keys([checked("k=2", 7.0)]), findings)[0].is_met == (left >= 2)


def test_a_limit_that_is_met_says_so_where_somebody_who_learns_finds_persons() -> None:
    learnt = LearntIntruder(tried=795, claims=53, right=45, fewest=1, by_chance=19.0, columns=())
    assert learnt.is_found
    [held] = hold_limits(by_keys([checked("k=3", 7.0)]), replace(CALM, learnt=learnt))
    assert held.is_met == (not learnt.breaks_k)
    assert held.scope.endswith(LEARNT_ALL_THE_SAME)
    [calm] = hold_limits(by_keys([checked("k=3", 7.0)]), CALM)
    assert LEARNT_ALL_THE_SAME not in calm.scope


def test_the_strict_limit_counts_persons_of_groups_in_which_a_gap_is_a_value() -> None:
    findings = replace(CALM, persons=RepeatedPersons("id", 0, 3, 3, 1, ""))
    lax, strict = hold_limits(by_keys([checked("k=3", 7.0), checked("strict_k=3", 7.0)]), findings)
    assert lax.is_met
    assert not strict.is_met


def test_a_key_that_columns_tell_without_a_count_meets_no_limit() -> None:
    findings = KeyFindings(("sex",), 3, Exposure(found=("told",)))  # type: ignore[arg-type]
    [held] = hold_limits(by_keys([checked("k=3", 7.0)]), findings)
    assert not held.is_met
    assert "cannot be counted" in held.reason


def people(n: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "sex": rng.choice([*"fm"], n),
            "region": rng.choice([*"ABCDEFGH"], n, p=[0.3, 0.2, 0.15, 0.15, 0.1, 0.06, 0.03, 0.01]),
            "age": rng.integers(18, 80, n),
            "illness": rng.choice(["flu", "asthma", "none"], n),
        }
    )


def with_rare_values(n: int, seed: int) -> sf.Microdata:
    """Return a file in which one record of six has a number that it shares with few."""
    frame = people(n, seed).with_columns(number=pl.Series([str(i if i % 6 == 0 else i % 2) for i in range(n)]))
    return sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["sex", "region", "age"], other=["number"]))


def with_telling_column(n: int, seed: int) -> sf.Microdata:
    """Return a file in which a column that is no key tells the age."""
    frame = people(n, seed).with_columns(born=2020 - pl.col("age"))
    return sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["sex", "region", "age"], other=["born"]))


def with_repeated_persons(n: int, seed: int) -> sf.Microdata:
    """Return a file in which each person has three records."""
    frame = pl.concat([people(n, seed).with_columns(patient=pl.Series(np.arange(n) + 7000))] * 3)
    return sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["sex", "region", "age"], identifier=["patient"]))


@pytest.mark.parametrize("limits", [["k=3"], ["k=3", "strict_k=3"]])
@pytest.mark.parametrize("make", [with_rare_values, with_telling_column, with_repeated_persons])
def test_protect_and_the_report_judge_a_limit_on_k_alike(
    make: Callable[[int, int], sf.Microdata], limits: list[str]
) -> None:
    data = make(240, 3)
    found = sf.protect(data, limits=limits, seed=1)
    told = sf.report(data, found.data, recipe=found.recipe, limits=limits)
    assert ("NOT MET" not in str(told)) == found.after.meets_limits
    assert len(limits) > 1 or found.after.meets_limits == (make is with_rare_values)


def test_rare_values_beside_gaps_are_told_by_both_and_judged_by_neither() -> None:
    data = with_rare_values(240, 3)
    found = sf.protect(data, limits=["k=3"], seed=1)
    assert RARE_VALUES in found.alarms
    assert GAPS_TOLD not in found.alarms
    assert found.after.meets_limits
    told = str(sf.report(data, found.data, recipe=found.recipe, limits=["k=3"]))
    assert "Rare values stand beside gaps in keys" in told
    assert "NOT MET" not in told


def test_a_limit_on_k_that_is_met_says_by_what_and_that_it_is_silent_on_amounts_that_means_tell() -> None:
    rng = np.random.default_rng(7)
    turnover = rng.uniform(10, 12, 60).round(2)
    turnover[0] = 90_000.0
    frame = pl.DataFrame({"branch": [*"AB" * 30], "turnover": turnover})
    schema = sf.Schema.infer(frame).with_roles(key=["branch"], confidential=["turnover"])
    silent = {}
    for name, rows in (("told", np.arange(60)), ("calm", np.arange(1, 60))):
        data = sf.Microdata(frame, schema).take_rows(rows)
        found = sf.protect(data, limits=["k=3"], seed=1)
        limit = next(line for line in str(found).splitlines() if line.startswith("Limit k >= 3: met"))
        report = sf.report(data, found.data, limits=["k=3"], same_order=True)
        assert "by the keys alone, and by what was looked for in other columns" in limit
        silent[name] = (
            "nothing of amounts" in limit,
            "reads off some means nearly the amount of one" in str(report.sections[0].parts),
        )
        assert ("nothing of amounts" in found.to_html()) == silent[name][0]
        alone = str(sf.risk_report(found.data, limits=["k=3"])).splitlines()
        assert any(line.startswith("Limit k >= 3: met") and line.endswith("by the keys alone") for line in alone)
    assert silent == {"told": (True, True), "calm": (False, False)}


def test_a_limit_that_is_not_met_names_the_cause_that_applied_and_no_other() -> None:
    several = RepeatedPersons("patient", 4, 4, 1, 1, "several records")
    findings = KeyFindings(("sex",), 3, Exposure(), persons=several)
    [held] = hold_limits(by_keys([checked("k=3", 3.0)]), findings)
    assert held.causes == (REPEATED,)
    [within] = hold_limits(by_keys([checked("k=3", 3.0)]), KeyFindings(("sex",), 3, Exposure()))
    assert within.causes == ()
    [few] = hold_limits(by_keys([checked("k=3", 2.0)]), KeyFindings(("sex",), 3, Exposure()))
    assert few.causes == (BY_KEYS,)


@pytest.mark.parametrize("found", [1, 3, 6])
def test_who_is_found_raises_the_household_risk_by_no_more_than_wherever_they_live(found: int) -> None:
    homes, risk = ((1, 2), (2, 2), (4, 1)), 40.0
    home = np.repeat(np.arange(5), [1, 1, 2, 2, 4])
    raised = [
        np.mean(1 - 0.6 ** np.bincount(home[list(members)], minlength=5)[home])
        for members in combinations(range(10), found)
    ]
    assert raised_household_risk(homes, found, risk) == pytest.approx(100 * max(raised))
    assert raised_household_risk(homes, 0, risk) == 0


def test_a_limit_on_the_household_risk_is_held_against_a_bound_and_not_given_up() -> None:
    findings = replace(CALM, exposure=Exposure(records=4, smallest=1))
    far, near = hold_limits(by_keys([checked("household_risk<=10", 1.0), checked("household_risk<=8", 1.0)]), findings)
    assert far.is_met  # four persons in four households of two, of a hundred: 8 % more
    assert not near.is_met
    assert near.finding == "1 by the keys alone, and up to 9 with what else the file tells"
