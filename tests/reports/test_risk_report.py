"""The report on one file: its figures are those of the measures, and its limits are held against them."""

from unittest.mock import patch

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, ParameterError
from sfumato.risk import IndividualRisk, KAnonymity, Suda
from tests.protection.surveys import survey

KEYS = ("sex", "job", "town", "age")


def test_the_figures_are_those_of_the_measures() -> None:
    data = survey()
    report = sf.risk_report(data, columns=KEYS, k=4)
    risk = IndividualRisk(columns=KEYS).of(data)
    assert report["violations"] == KAnonymity(columns=KEYS, k=4).of(data).value * data.n / 100
    assert report["global_risk"] == risk.value
    assert report["expected_reidentifications"] == risk.parts["IRE"]
    assert report["special_uniques"] == Suda(columns=KEYS, max_size=3).of(data).parts["MSUN"]


def test_the_individual_risk_by_all_keys_is_measured_once_and_once_more_without_each() -> None:
    with patch.object(IndividualRisk, "of", autospec=True, side_effect=IndividualRisk.of) as measured:
        sf.risk_report(survey(), columns=KEYS)
    asked = [measure.columns for (measure, _), _ in measured.call_args_list]
    assert len(asked) == len({*asked}) == 1 + len(KEYS)


def test_keys_of_the_role_are_taken_when_none_is_named() -> None:
    assert {name for name, _ in sf.risk_report(survey()).keys} == {*KEYS, "income"}


def test_a_limit_is_met_or_not_as_the_figure_says() -> None:
    report = sf.risk_report(survey(), columns=("sex",), limits=["k=20", "uniques<=0", "global_risk<=0.000001"])
    assert [checked.is_met for checked in report.limits] == [True, True, False]
    assert not report.meets_limits
    assert "Limit global_risk <= 0.000001 %: NOT MET" in str(report)


def test_what_is_not_known_of_a_file_cannot_be_limited() -> None:
    frame = pl.DataFrame({"a": [*"xyz"]})
    data = Microdata(frame, Schema.infer(frame))
    with pytest.raises(DataError, match="household_risk cannot be computed: no column has the role household"):
        sf.risk_report(data, columns=("a",), limits=["household_risk<=1"])


@pytest.mark.parametrize("written", ["k", "k<=3", "uniques>=1", "unique<=1"])
def test_a_limit_that_no_figure_of_the_report_can_have_is_refused(written: str) -> None:
    with pytest.raises(ParameterError):
        sf.risk_report(survey(), columns=("sex",), limits=[written])


def test_probabilities_are_shown_in_percent() -> None:
    report = sf.risk_report(survey(), columns=KEYS)
    assert f"{report['global_risk']:.4g} %" in str(report)
    assert f"{report['largest_risk']:.4g} %" in report.to_html()


def test_no_record_is_shown_and_rare_categories_are_left_out() -> None:
    frame = pl.DataFrame({"job": ["cook"] * 9 + ["astronaut"], "sex": ["f", "m"] * 5})
    report = sf.risk_report(Microdata(frame), columns=("job", "sex"))
    for shown in (str(report), report.to_html(), str(report.to_dict())):
        assert "astronaut" not in shown


def test_a_category_is_shown_from_k_records_on() -> None:
    frame = pl.DataFrame({"job": ["cook"] * 15 + ["astronaut"] * 5, "sex": ["f", "m"] * 10})
    for k, is_shown in ((3, True), (5, True), (6, False)):
        report = sf.risk_report(Microdata(frame), columns=("job", "sex"), k=k)
        for shown in (str(report), report.to_html(), str(report.to_dict())):
            assert ("astronaut" in shown) is is_shown
        assert f"at least {k} records have" in report.to_html()


def test_a_page_says_that_it_describes_the_file_itself_and_is_not_for_publication() -> None:
    frame = pl.DataFrame({"job": ["cook", "smith"] * 9, "sex": ["f", "f", "m"] * 6})
    people = Microdata(frame, Schema.infer(frame).with_roles(key=["job", "sex"]))
    for page in (sf.risk_report(people).to_html(), sf.protect(people).to_html()):
        assert "not for publication" in " ".join(page.split("<p")[1].split())


@pytest.mark.reference
def test_the_known_figures_of_the_household_survey() -> None:
    keys = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")
    data = sf.datasets.reference("household_survey")
    report = sf.risk_report(data, columns=keys, weight="sampling_weight", k=3)
    assert report["violations"] == 281
    assert report["uniques"] == 157
    assert report["expected_reidentifications"] == pytest.approx(10.7783, abs=5e-5)
    assert report["household_risk"] * data.n / 100 == pytest.approx(51.8129, abs=5e-5)


def test_what_a_missing_key_is_taken_for_is_told_with_the_other_count() -> None:
    frame = pl.DataFrame({"a": [*(f"v{row}" for row in range(20)), None, None]})
    report = sf.risk_report(Microdata(frame), columns=("a",), limits=["k=3"])
    assert report.meets_limits
    assert (report["k"], report["violations"]) == (3, 0)
    assert (report["strict_k"], report["strict_violations"]) == (1, 22)
    assert not sf.risk_report(Microdata(frame), columns=("a",), limits=["strict_k=3"]).meets_limits
    for shown in (str(report), report.to_html()):
        assert "a gap being a value of its own" in shown


def test_records_that_share_their_keys_with_one_confidential_value_only_are_counted() -> None:
    frame = pl.DataFrame({"sex": [*"ffffmmmm"], "ill": [*"yyyyynyn"]})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["sex"], confidential=["ill"]))
    assert sf.risk_report(data)["single_valued"] == 4


def test_a_gap_that_is_a_value_of_its_own_makes_smaller_groups_of_one_confidential_value() -> None:
    frame = pl.DataFrame({"sex": [*"ffffmmmm", None, None], "ill": [*"ynynynyn", "y", "y"]})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["sex"], confidential=["ill"]))
    report = sf.risk_report(data, limits=["strict_single_valued<=1"])
    assert (report["single_valued"], report["strict_single_valued"]) == (0, 2)
    assert not report.meets_limits
    with pytest.raises(DataError, match="no column has the role confidential"):
        sf.risk_report(Microdata(frame), columns=("sex",), limits=["strict_single_valued<=1"])


def test_a_weight_that_holds_most_of_the_sum_is_told() -> None:
    frame = pl.DataFrame({"sex": [*"fm"] * 5, "weight": [10.0] * 9 + [91.0]})
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["sex"], weight=["weight"]))
    told = [one for one in sf.risk_report(data).remarks if one.startswith("one record holds 50.3 % of the sum")]
    assert told
    less = data.with_column(data.schema["weight"], np.array([10.0] * 9 + [89.0]))
    assert not any("of the sum of the weights" in one for one in sf.risk_report(less).remarks)
