"""A gap counts both ways: what one call promises by each count, against counts by brute force."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.data import Microdata, Schema
from sfumato.errors import ParameterError
from sfumato.keys.classes import keys_shown
from tests.protection.surveys import matching, survey

KEYS = ["sex", "job", "town", "age", "income"]


def equal(frame: pl.DataFrame, keys: list[str]) -> list[int]:
    """Count by brute force how many records are equal to each, gaps included."""
    rows = frame.select(keys).rows()
    return [Counter(rows)[row] for row in rows]


def with_gaps(data: Microdata, share: float, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    lost = {name: pl.Series(rng.random(data.n) < share) for name in KEYS}
    frame = data.frame.with_columns(pl.when(~lost[name]).then(pl.col(name)).alias(name) for name in KEYS)
    return Microdata(frame, data.schema)


@settings(max_examples=8, deadline=None)
@given(
    k=st.integers(2, 5),
    seed=st.integers(0, 1000),
    n=st.integers(12, 60),
    gaps=st.sampled_from([0, 0.1]),
    most=st.floats(0, 60),
)
def test_strict_protection_keeps_to_k_by_both_counts(k: int, seed: int, n: int, gaps: float, most: float) -> None:
    data = with_gaps(survey(n, seed), gaps, seed)
    found = sf.protect(data, k=k, strict=True, max_suppressed=most, number_steps=())
    frame = found.data.frame
    assert min(equal(frame, KEYS)) >= k
    assert min(matching(frame, KEYS)) >= k
    assert found.after["strict_violations"] == found.after["violations"] == 0


@settings(max_examples=8, deadline=None)
@given(k=st.integers(2, 4), seed=st.integers(0, 1000), strict=st.booleans())
def test_the_figures_by_both_counts_are_those_of_brute_force(k: int, seed: int, strict: bool) -> None:
    found = sf.protect(with_gaps(survey(50, seed), 0.1, seed), k=k, strict=strict, number_steps=())
    shown = [row.key for row in found.keys if row.different_after]
    for name, sizes in (("", matching(found.data.frame, shown)), ("strict_", equal(found.data.frame, shown))):
        assert found.after[f"{name}k"] == min(sizes)
        assert found.after[f"{name}violations"] == sum(size < k for size in sizes)
        assert found.after[f"{name}uniques"] == sum(size < 2 for size in sizes)


def test_households_lose_what_they_share_together_in_strict_protection_too() -> None:
    frame = sf.protect(survey(), k=6, strict=True, max_suppressed=60).data.frame
    towns = frame.group_by("home").agg(pl.col("town").is_null().n_unique())
    assert towns["town"].max() == 1
    assert 0 < frame["town"].null_count() < len(frame)


def test_a_limit_on_strict_k_makes_protection_strict_and_says_so() -> None:
    found = sf.protect(survey(), k=3, limits=["strict_k=4"], number_steps=())
    assert min(equal(found.data.frame, KEYS)) >= 4
    assert found.after.meets_limits
    assert "a limit raised k from 3 to 4" in found.remarks


def test_a_file_that_was_not_protected_strictly_says_how_many_stand_out_by_their_gaps() -> None:
    found = sf.protect(survey(), k=3, max_suppressed=30)
    alone = sum(size < 3 for size in equal(found.data.frame, KEYS))
    assert alone > 0
    for shown in (str(found), found.to_html(), found._repr_html_()):
        told = " ".join(shown.split())
        assert "a gap fitting every value" in told
        assert f"{alone} records are in groups of fewer than 3" in told


def test_a_file_that_was_protected_strictly_says_that_its_records_are_equal() -> None:
    told = " ".join(str(sf.protect(survey(), k=3, strict=True, max_suppressed=30)).split())
    assert "each record has its keys, gaps included, in common with at least 2 others" in told
    assert "strict_violations" in told


def test_missing_codes_in_keys_are_counted_as_readers_see_them() -> None:
    region = [1] * 8 + [2] * 8 + [-9, -8, -8, -8]
    frame = pl.DataFrame({"region": region, "sex": ["f", "m"] * 10})
    schema = Schema.infer(frame).with_kinds(nominal=["region"]).with_roles(key=["region", "sex"])
    schema = schema.with_variables(schema["region"].replace(missing_codes=(-9, -8)))
    found = sf.protect(Microdata(frame, schema), k=3, strict=True, max_suppressed=50)
    assert min(equal(found.data.frame, ["region", "sex"])) >= 3


def test_a_key_without_values_counts_where_its_gaps_are_of_two_kinds() -> None:
    arrival = [98.0, 98.0, None, None, 98.0, None, 98.0, 98.0, None]
    frame = pl.DataFrame({"sex": ["f"] * 4 + ["m"] * 5, "arrival": arrival})
    schema = Schema.infer(frame).with_kinds(nominal=["sex", "arrival"]).with_roles(key=["sex", "arrival"])
    data = Microdata(frame, schema.with_variables(schema["arrival"].replace(missing_codes=(98,))))
    sizes = equal(frame, ["sex", "arrival"])
    found = sf.risk_report(data, k=3)
    assert found["strict_violations"] == sum(size < 3 for size in sizes) == 6
    assert found["violations"] == 0
    empty = data.with_frame(frame.with_columns(arrival=pl.lit(None, dtype=pl.Float64)))
    assert keys_shown(data, ("sex", "arrival")) == ("sex", "arrival")
    assert keys_shown(empty, ("sex", "arrival")) == ("sex",)


def coded_survey() -> Microdata:
    """Return a survey in which one record has a code for missing that nobody else has."""
    region = [1] * 30 + [2] * 30 + [-9] * 40 + [-8]
    frame = pl.DataFrame({"region": region, "sex": ["f"] * 101, "ill": ["a", "b", "c"] * 33 + ["a", "b"]})
    schema = Schema.infer(frame).with_kinds(nominal=["region"]).with_roles(key=["region", "sex"], confidential=["ill"])
    return Microdata(frame, schema.with_variables(schema["region"].replace(missing_codes=(-8, -9))))


def test_a_record_that_alone_has_a_code_for_missing_is_a_strict_unique() -> None:
    data = coded_survey()
    report = sf.risk_report(data, k=3, limits=["strict_k=3", "k=3"])
    assert {name: report[name] for name in ("k", "strict_k", "strict_violations", "strict_uniques")} == {
        "k": 71,
        "strict_k": 1,
        "strict_violations": 1,
        "strict_uniques": 1,
    }
    assert [checked.is_met for checked in report.limits] == [False, True]
    assert "its own: 1)." in " ".join(str(sf.explain_risk(data, sf.KAnonymity(), row_id=100)).split())
    single = sf.LDiversity(l=2, missing="category").of(data).per_record
    assert single is not None
    assert np.flatnonzero(single).tolist() == [100]


def test_a_code_for_missing_that_few_records_have_is_told_unless_protection_is_strict() -> None:
    told = "region: a code that stands for missing is left in fewer than 3 records"
    found = sf.protect(coded_survey(), k=3)
    assert found.after["strict_violations"] == 1
    assert [told in remark for remark in found.remarks].count(True) == 1
    strict = sf.protect(coded_survey(), k=3, strict=True)
    assert min(equal(strict.data.frame, ["region", "sex"])) >= 3
    assert not any(told in remark for remark in strict.remarks)
    common = coded_survey().take_rows(np.arange(100))
    assert not any(told in remark for remark in sf.protect(common, k=3).remarks)


def test_an_assessment_tells_the_k_that_a_method_claims_by_both_counts() -> None:
    data = survey()
    keys = ("sex", "job", "town")
    steps = (sf.LocalSuppression(columns=keys, k=4),)
    masked = sf.Recipe(steps=steps, seed=1).run(data)
    found = sf.assess(data, masked, methods=steps, worst_case=False)
    assert found.values["KA"] == 0
    strict = 100 * np.mean([size < 4 for size in equal(masked.frame, list(keys))])
    assert strict > 0
    assert f"a category of its own it would be {strict:.3g} %" in " ".join(str(found).split())
    assert "KA" not in sf.assess(data, masked, worst_case=False).values


def test_an_explanation_of_a_record_with_gaps_around_it_counts_both_ways() -> None:
    frame = pl.DataFrame({"a": ["x", "x", "y", None], "b": ["u", "u", "u", "u"]})
    told = str(sf.explain_risk(Microdata(frame), sf.KAnonymity(columns=("a", "b")), row_id=2))
    assert "2 records, itself included, have the same keys, a gap fitting every value (where it is a value" in told
    assert "its own: 1)." in " ".join(told.split())


@pytest.mark.parametrize("missing", ["wildcard", "category"])
def test_a_measure_of_k_names_how_it_counts_gaps_where_there_are_some(missing: str) -> None:
    frame = pl.DataFrame({"a": ["x", "x", None]})
    measure = sf.KAnonymity(columns=("a",), k=2, missing=missing)
    assert missing in measure.of(Microdata(frame)).remark
    assert measure.of(Microdata(frame.drop_nulls())).remark == ""


def test_more_keys_than_can_be_protected_at_once_are_told_with_what_to_do() -> None:
    names = [f"child_{place}" for place in range(13)]
    frame = pl.DataFrame({name: ["f", "m"] * 10 for name in names})
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=names))
    with pytest.raises(ParameterError, match=r"at most 12 keys .* the file has 13: child_0, .* whole_records"):
        sf.protect(data, strict=True)
