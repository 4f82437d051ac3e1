"""What boards ask beyond k, against plain counts: diversity, closeness, combinations, and intruders who know more."""

import re
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.data import Microdata, Schema
from sfumato.errors import ParameterError
from sfumato.protection.intruders import intruder_sentences
from tests.protection.surveys import matching, survey

KEYS = ["sex", "job", "town"]


def people(n: int = 120, seed: int = 0) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "job": rng.choice(["cook", "smith", "clerk", "pilot"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "town": rng.choice([*"ABC"], n),
            "ill": rng.choice([1, 2, 3], n, p=[0.6, 0.3, 0.1]),
            "vote": rng.choice(["left", "right"], n),
            "pay": rng.lognormal(8, 1, n),
            "weight": rng.uniform(5, 30, n),
        }
    ).with_columns(town=pl.when(pl.Series(rng.random(n) < 0.95)).then("town"))
    schema = Schema.infer(frame).with_kinds(nominal=["ill", "vote"])
    roles = {"key": KEYS, "confidential": ["ill", "vote", "pay"], "weight": ["weight"]}
    return Microdata(frame, schema.with_roles(**roles))


def groups(frame: pl.DataFrame, sensitive: str) -> list[list[Any]]:
    found: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
    for *keys, value in frame.select(*KEYS, sensitive).rows():
        found[tuple(keys)].append(value)
    return list(found.values())


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 999), k=st.integers(2, 4), n=st.integers(30, 90), most=st.floats(0, 50))
def test_every_group_has_enough_records_and_different_values(seed: int, k: int, n: int, most: float) -> None:
    found = sf.protect(people(n, seed), k=k, sensitive=["ill", "vote"], l=2, max_suppressed=most, number_steps=())
    for name in ("ill", "vote"):
        assert min(len(group) for group in groups(found.data.frame, name)) >= k
        assert min(len(set(group)) for group in groups(found.data.frame, name)) >= 2
    assert min(matching(found.data.frame, KEYS)) >= k
    assert all(promise.is_kept for promise in found.promises)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 999), t=st.sampled_from([0.1, 0.25, 0.5]))
def test_no_group_is_farther_from_the_file_than_t(seed: int, t: float) -> None:
    data = people(80, seed)
    found = sf.protect(data, k=2, sensitive=["ill"], t=t, number_steps=())
    shares = {value: count / data.n for value, count in Counter(data.frame["ill"]).items()}
    for group in groups(found.data.frame, "ill"):
        apart = sum(abs(Counter(group)[value] / len(group) - share) for value, share in shares.items()) / 2
        assert apart <= t + 1e-9


def test_the_confidential_columns_are_the_sensitive_ones_when_none_is_named() -> None:
    found = sf.protect(people(), l=2, number_steps=())
    assert "l = 2, the different values of ill and vote in each group" in [promise.asked for promise in found.promises]


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 999), k=st.integers(2, 5), known=st.integers(1, 3))
def test_any_so_many_keys_fit_k_records(seed: int, k: int, known: int) -> None:
    found = sf.protect(people(60, seed), k=k, combinations=known, number_steps=())
    for chosen in combinations(KEYS, known):
        assert min(matching(found.data.frame, list(chosen))) >= k
    assert found.after["violations"] == 0


def test_what_is_not_promised_against_who_knows_more_keys_is_counted() -> None:
    found = sf.protect(people(), k=4, combinations=1, max_suppressed=50, number_steps=())
    alone = sum(size < 4 for size in matching(found.data.frame, KEYS))
    assert alone > 0
    assert any(f"knows all keys at once: {alone} records" in remark for remark in found.remarks)


def test_combinations_with_a_size_of_their_own_are_met() -> None:
    found = sf.protect(people(), k=3, combinations={("sex", "town"): 8, 1: 12}, number_steps=())
    assert min(matching(found.data.frame, ["sex", "town"])) >= 8
    assert min(min(matching(found.data.frame, [name])) for name in KEYS) >= 12


def test_a_limit_on_the_worst_case_is_measured_and_what_does_not_meet_it_is_not_called_protected() -> None:
    data = people(60)
    found = sf.protect(data, limits=["worst_case_linkage<=0.5"], number_steps=())
    assert not found.after.meets_limits
    measured = sf.assess(data, found.data, methods=found.recipe.steps)
    assert found.after.limits[-1].figure == pytest.approx(measured.values["WCB"])
    told = " ".join(str(found).split())
    assert re.search(
        r"NOT PROTECTED AS ASKED \(by sfumato .*?\): worst_case_linkage <= 0.5 % is not met \(an "
        r"attack links ",
        told,
    )
    assert ", protected with" not in told
    assert "no recoding or suppression of keys stops somebody who knows the numbers" in told


def test_a_limit_on_the_worst_case_that_is_met_is_no_obstacle() -> None:
    found = sf.protect(people(60), limits=["WCL<=100", "DLD<=100", "k=2"])
    assert found.after.meets_limits
    assert [str(checked.limit) for checked in found.after.limits] == ["k >= 2", "WCL <= 100", "DLD <= 100"]


def test_text_and_page_say_who_the_intruder_is_and_what_is_met_by_design() -> None:
    found = sf.protect(survey(), k=3)
    for shown in (str(found), found.to_html()):
        told = " ".join(shown.split())
        assert "By the keys: somebody who knows" in told
        assert "Met by design, and counted again in the released file: k = 3 by all keys" in told
        assert "measured, not promised" in told
        assert "The worst case: somebody who has the original values of everybody" in told


@pytest.mark.parametrize("is_sample", [True, False])
def test_only_estimates_that_the_file_has_are_named(is_sample: bool) -> None:
    data = people(60)
    found = sf.protect(data if is_sample else data.without_columns(("weight",)))
    estimated = next(line for line in intruder_sentences(found) if "are estimates" in line)
    assert "global_risk" in estimated
    assert ("population_uniques" in estimated) is is_sample


@pytest.mark.parametrize(("asked", "is_told"), [({}, True), ({"strict": True}, False), ({"l": 2}, False)])
def test_a_limit_that_makes_the_protection_strict_is_remarked_on(asked: dict[str, Any], is_told: bool) -> None:
    found = sf.protect(people(), limits=["strict_k=3"], number_steps=(), **asked)
    assert ("the limit on strict_k made the protection strict" in found.remarks) is is_told


def test_an_assessment_of_a_protected_file_says_which_intruder_was_promised_k() -> None:
    data = people(60)
    found = sf.protect(data)
    for worst_case in (True, False):
        measured = sf.assess(data, found.data, methods=found.recipe.steps, worst_case=worst_case)
        told = " ".join(measured.remarks)
        assert "(KA), which the masking aims at, is about somebody who knows sex, job, town of a person" in told
        assert "They can be high in a file in which nobody stands out by the keys" in told
        assert ("in the worst case (WCL) they also know" in told) is worst_case


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"l": 1}, "protect.l must be a whole number of at least 2"),
        ({"t": 0.0}, "protect.t must be above 0"),
        ({"sensitive": ["ill"]}, "protect.sensitive is only for protect.l or protect.t"),
        (
            {"combinations": 2, "strict": True},
            "protect.combinations must be left out with protect.strict, protect.l or protect.t",
        ),
        (
            {"combinations": 2, "l": 2},
            "protect.combinations must be left out with protect.strict, protect.l or protect.t",
        ),
        ({"l": 2, "number_steps": [sf.InvariantPram(columns=["ill"])]}, "changes the sensitive 'ill'"),
        ({"limits": ["worst_case<=3"]}, "there is no figure 'worst_case'"),
    ],
)
def test_what_cannot_be_asked_together_is_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError) as refused:
        sf.protect(people(), **asked)
    assert words in str(refused.value)


def test_sensitive_columns_that_are_keys_numbers_or_too_poor_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"protect\.sensitive: 'sex' is one of the keys"):
        sf.protect(people(), sensitive=["sex"], l=2)
    with pytest.raises(ParameterError, match=r"protect\.sensitive: 'pay' is continuous"):
        sf.protect(people(), sensitive=["pay"], l=2)
    with pytest.raises(ParameterError, match="'vote' has 2 different values in the file; each class must have 3"):
        sf.protect(people(), sensitive=["vote"], l=3)
    with pytest.raises(ParameterError, match="no nominal or ordinal column has the role confidential"):
        sf.protect(survey(), l=2)


def test_everything_wrong_with_what_is_asked_is_said_at_once() -> None:
    with pytest.raises(ParameterError) as refused:
        sf.protect(people(), k=1, combinations=[("sex", "twon")], sensitive=["sex", "pay", "mood"], l=2)
    told = str(refused.value)
    for words in ("protect.k must be", "combinations: 'twon'", "'sex' is one of the keys", "'pay' is", "'mood'"):
        assert words in told


def test_combinations_that_are_none_are_refused_in_the_name_of_protect() -> None:
    with pytest.raises(ParameterError, match=r"^protect\.combinations must be a number of keys"):
        sf.protect(people(), combinations="all")
