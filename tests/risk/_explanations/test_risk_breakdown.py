from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.risk import (
    DistanceLinkage,
    KAnonymity,
    RiskTable,
    Suda,
    risk_by_category,
    risk_by_variable,
    riskiest_combinations,
    suda_by_category,
)
from sfumato.risk._explanations.risk_table import MAX_ROWS
from tests.risk.toy_risks import Rarity, WholeFile, people, village


def crowd() -> Microdata:
    """Return 400 records of which the smiths of town B, and nobody else, are all different in their hobbies."""
    rng = np.random.default_rng(2)
    work, town = (np.array(names)[rng.integers(0, 2, 400)] for names in (["smith", "clerk"], ["A", "B"]))
    special = (work == "smith") & (town == "B") & (rng.random(400) < 0.2)
    hobby = [f"hobby {row}" if is_special else "chess" for row, is_special in enumerate(special)]
    return people(work=work.tolist(), town=town.tolist(), hobby=hobby)


def test_shares_of_the_categories_of_a_key_add_up_to_all_risk() -> None:
    found = risk_by_category(village(), Rarity())
    for key in ("work", "sex", "town"):
        rows = [row for row in found if row.key == key]
        assert sum(row.share_of_risk for row in rows) == pytest.approx(100)
        assert sum(row.records for row in rows) == 6
        assert [row.share_of_risk for row in rows] == sorted((row.share_of_risk for row in rows), reverse=True)


def test_the_risk_of_a_category_is_the_mean_of_its_records() -> None:
    per_record = Rarity().of(village()).per_record
    assert per_record is not None
    women = [row for row in risk_by_category(village(), Rarity()) if row.category == "f"]
    assert [row.records for row in women] == [4]
    assert women[0].mean_risk == pytest.approx(per_record[[0, 1, 3, 4]].mean())


def test_records_in_which_a_key_is_missing_are_a_row_of_their_own() -> None:
    data = people(work=["cook", "cook", None], sex=["m", "m", "m"])
    rows = {(row.key, row.category): row for row in risk_by_category(data, KAnonymity(k=2, missing="category"))}
    assert rows["work", None].label == "missing"
    assert rows["work", None].mean_risk == 100.0


def test_records_without_a_figure_are_left_out() -> None:
    data = people(work=["cook", "cook", "smith"], sex=["m", None, "m"])
    assert [(row.category, row.records) for row in risk_by_category(data, Rarity()) if row.key == "work"] == [
        ("cook", 1),
        ("smith", 1),
    ]


def test_labels_of_the_codes_are_shown() -> None:
    sex = Variable(name="sex", kind=Kind.NOMINAL, role=Role.KEY, value_labels={1: "women", 2: "men"})
    data = Microdata(pl.DataFrame({"sex": [1, 1, 2]}), Schema(variables=(sex,)))
    assert {row.category: row.label for row in risk_by_category(data, Rarity())} == {"1": "women", "2": "men"}


def test_a_key_counts_by_how_far_the_risk_falls_without_it() -> None:
    found = risk_by_variable(village(), Rarity())
    for row in found:
        others = tuple(key for key in ("work", "sex", "town") if key != row.key)
        assert row.risk_without == Rarity(columns=others).of(village()).value
        assert row.fall == pytest.approx(100 * (1 - row.risk_without / row.risk))
    assert [row.key for row in found][-1] == "town"


def test_a_key_that_a_measure_cannot_do_without_has_no_figure() -> None:
    rows = {row.key: row.risk_without for row in risk_by_variable(village(), WholeFile())}
    assert rows["town"] is None
    assert rows["work"] is not None
    frame = risk_by_variable(village(), WholeFile()).to_frame()
    assert frame["fall"].null_count() == 1


def test_a_file_without_risk_has_nothing_to_share() -> None:
    safe = people(work=["cook", "cook"], sex=["m", "m"])
    assert {row.share_of_risk for row in risk_by_category(safe, KAnonymity(k=2))} == {0.0}
    assert {row.fall for row in risk_by_variable(safe, KAnonymity(k=2))} == {0.0}
    assert len(riskiest_combinations(safe, KAnonymity(k=2))) == 0
    assert "None that at least 3 records have stands out." in str(riskiest_combinations(safe, KAnonymity(k=2)))


def test_the_combination_that_risk_runs_through_comes_first() -> None:
    first = riskiest_combinations(crowd(), KAnonymity(k=2)).rows[0]
    assert first.combination == "work=smith, town=B"
    assert first.share_of_risk == 100.0


def test_how_far_a_combination_stands_out_is_that_of_records_drawn_at_random() -> None:
    data, measure = crowd(), KAnonymity(k=2)
    risks = measure.of(data).per_record
    assert risks is not None
    first = riskiest_combinations(data, measure).rows[0]
    rng = np.random.default_rng(0)
    means = [rng.choice(risks, first.records, replace=False).mean() for _ in range(4000)]
    assert (first.mean_risk - risks.mean()) / np.std(means) == pytest.approx(first.deviations, rel=0.05)


def test_no_combination_of_fewer_records_than_asked_for_is_listed() -> None:
    for least in (1, 3, 40):
        found = riskiest_combinations(crowd(), Rarity(), count=50, min_records=least)
        assert min((row.records for row in found), default=least) >= least
    assert any(row.records == 1 for row in riskiest_combinations(crowd(), Rarity(), count=50, min_records=1))


def test_no_listed_combination_is_part_of_another() -> None:
    found = riskiest_combinations(crowd(), Rarity(), count=50, min_records=1)
    rows = [set(row.combination.split(", ")) for row in found]
    assert not any(one < other for one in rows for other in rows)
    assert len(rows) > 10


def test_the_number_and_size_of_combinations_are_kept() -> None:
    assert len(riskiest_combinations(crowd(), Rarity(), count=1)) == 1
    assert {row.keys for row in riskiest_combinations(crowd(), Rarity(), size=1, count=50)} == {1}


def test_refuses_numbers_below_one_all_at_once() -> None:
    with pytest.raises(ParameterError) as raised:
        riskiest_combinations(village(), Rarity(), count=0, size=-1)
    assert raised.value.problems == (
        "riskiest_combinations.count must be in [1, inf); got 0",
        "riskiest_combinations.size must be in [1, inf); got -1",
    )


def test_refuses_more_combinations_than_can_be_looked_through() -> None:
    many = people(**{f"key{place}": ["a", "b"] for place in range(60)})
    with pytest.raises(ParameterError, match="there are 36050 sets of up to 3 of 60 keys; take a smaller size"):
        riskiest_combinations(many, Rarity())


def test_refuses_a_measure_that_does_not_tell_records_apart() -> None:
    for explain in (risk_by_category, riskiest_combinations):
        with pytest.raises(DataError, match="WholeFile has one figure for the whole file and none per record; take"):
            explain(village(), WholeFile())


def test_refuses_what_is_no_file_and_no_risk_of_a_file() -> None:
    asked: Any
    for explain in (risk_by_category, risk_by_variable, riskiest_combinations, suda_by_category):
        who = explain.__name__
        with pytest.raises(ParameterError, match=rf"{who}.data must be a Microdata.*got a DataFrame"):
            explain(village().frame, Suda())
        for asked, got in ((DistanceLinkage(columns=("x",)), "a DistanceLinkage"), (Suda, "the class Suda")):
            with pytest.raises(ParameterError, match=rf"{who}.*must be a risk of one file.*got {got}"):
                explain(village(), asked)
    asked = KAnonymity()
    with pytest.raises(ParameterError, match=r"must be a Suda, .* got a KAnonymity; risk_by_category takes"):
        suda_by_category(village(), asked)


def test_scores_through_the_categories_add_up_to_those_through_the_key() -> None:
    found, parts = suda_by_category(village(), Suda()), Suda().of(village()).parts
    for key in ("work", "sex"):
        assert sum(row.share_of_scores for row in found if row.key == key) == pytest.approx(parts[key])
    assert "town" not in {row.key for row in found}


def test_a_long_table_is_cut_short_when_shown_and_whole_as_a_dataframe() -> None:
    rows = tuple((f"<key {place}>", float(place)) for place in range(MAX_ROWS + 5))
    table = RiskTable("A table", (("key", str), ("risk", float)), rows, "Read on.")
    assert str(table).splitlines()[-2:] == ["30 of 35 shown; the report as JSON has them all", "Read on."]
    assert table.to_frame().shape == (MAX_ROWS + 5, 2)
    assert '<td class="text">&lt;key 0&gt;</td>' in table._repr_html_()


def test_combinations_show_the_labels_of_codes_and_whole_numbers_as_such() -> None:
    frame = pl.DataFrame(
        {"region": [11.0] * 6 + [12.0] * 3, "age": [37.0, 37.0, 37.0, 40.0, 40.0, 40.0, 37.0, 40.0, 52.0]}
    )
    schema = Schema.infer(frame).with_kinds(nominal=["region", "age"])
    labelled = schema["region"].replace(value_labels={11: "Upper Tarn", 12: "Outer Isles"})
    measure = KAnonymity(columns=("region", "age"))
    found = riskiest_combinations(Microdata(frame, schema.with_variables(labelled)), measure, min_records=1)
    assert found.rows[0].combination == "region=Outer Isles"
    plain = riskiest_combinations(Microdata(frame, schema), measure, min_records=1)
    assert plain.rows[0].combination == "region=12"
