import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.kernels.keys.minimal_uniques import minimal_uniques
from sfumato.keys.classes import MissingKeys
from sfumato.risk import IndividualRisk, KAnonymity, RecordExplanation, explain_risk
from sfumato.risk._explanations.explain import agreements_with, minimal_sets
from tests.risk.toy_risks import Rarity, WholeFile, people, village


def weighed_village() -> Microdata:
    data = village()
    frame = data.frame.with_columns(weight=pl.Series([10.0, 20.0, 30.0, 40.0, 50.0, 60.0]))
    schema = Microdata(frame).schema.with_kinds(nominal=["work", "sex", "town"], continuous=["weight"])
    return Microdata(frame, schema.with_roles(key=["work", "sex", "town"], weight=["weight"]))


def test_tells_the_risk_of_a_record_and_its_place() -> None:
    found = explain_risk(village(), Rarity(), 2)
    assert (found.risk, found.rank, found.equally_risky, found.records) == (100.0, 1, 1, 6)
    assert found.mean_risk == pytest.approx(Rarity().of(village()).value)
    assert explain_risk(village(), Rarity(), 0).rank == 3


def test_tells_what_the_risk_would_be_without_each_key() -> None:
    assert explain_risk(village(), Rarity(), 2).without == {"work": 50.0, "sex": pytest.approx(100 / 3), "town": 100.0}


def test_tells_the_smallest_sets_of_keys_that_single_a_record_out() -> None:
    assert explain_risk(village(), Rarity(), 2).minimal_uniques == (("work", "sex"),)
    assert explain_risk(village(), Rarity(), 5).minimal_uniques == (("work",),)
    assert explain_risk(village(), Rarity(), 0).minimal_uniques == ()


@given(
    codes=arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(2, 12)), elements=st.integers(-1, 2)),
    missing=st.sampled_from(MissingKeys),
)
def test_finds_the_sets_that_the_search_through_the_whole_file_finds(
    codes: NDArray[np.int64], missing: MissingKeys
) -> None:
    everybody = minimal_uniques(codes, len(codes), matches_missing=missing is MissingKeys.WILDCARD)
    for row in range(codes.shape[1]):
        found = minimal_sets(np.delete(agreements_with(codes, row, missing), row), len(codes))
        assert sorted(found) == sorted(everybody.sets[everybody.rows == row].tolist())


def test_counts_those_who_have_the_same_keys_and_whom_they_stand_for() -> None:
    found = explain_risk(weighed_village(), Rarity(), 1)
    assert (found.class_size, found.weighted_size) == (2, 30.0)
    assert explain_risk(village(), Rarity(), 1).weighted_size is None


def test_a_wildcard_counts_as_the_measure_counts_it() -> None:
    data = people(work=["cook", "cook", None])
    as_wildcard = explain_risk(data, KAnonymity(k=2), 0)
    as_category = explain_risk(data, KAnonymity(k=2, missing="category"), 0)
    assert (as_wildcard.class_size, as_category.class_size) == (3, 2)


def test_agrees_with_the_measures_of_the_file() -> None:
    data = weighed_village()
    for measure in (KAnonymity(k=2), IndividualRisk()):
        found = measure.of(data)
        assert found.per_record is not None
        assert [explain_risk(data, measure, row).risk for row in range(6)] == found.per_record.tolist()
    assert explain_risk(data, IndividualRisk(), 5).without["work"] == pytest.approx(
        IndividualRisk(columns=("sex", "town")).of(data).per_record[5]  # type: ignore[index]
    )


def test_knows_a_record_by_its_id_and_not_by_its_row() -> None:
    moved = village().take_rows(np.array([5, 2, 0, 1, 3, 4]))
    here, there = explain_risk(village(), Rarity(), 5), explain_risk(moved, Rarity(), 5)
    assert here == there


def test_shows_no_values_unless_asked_to() -> None:
    hidden, shown = explain_risk(village(), Rarity(), 5), explain_risk(village(), Rarity(), 5, values=True)
    for text in (str(hidden), hidden._repr_html_(), json.dumps(hidden.to_dict()), repr(hidden), repr(shown)):
        assert "smith" not in text
    for text in (str(shown), shown._repr_html_(), json.dumps(shown.to_dict())):
        assert "smith" in text


def test_reads_as_sentences_and_a_table() -> None:
    assert str(explain_risk(weighed_village(), Rarity(), 1, values=True)).splitlines() == [
        "Record 1: 50.00 % by rarity (RAR); the mean is 66.67 %. Rank 3 of 6, as risky as 3 others.",
        "2 records, itself included, have the same keys; they stand for about 30 in the population.",
        "No set of keys tells it apart from all others.",
        "key   risk without it, %  sets with it  value",
        "work               25.00             0  clerk",
        "sex                33.33             0  f",
        "town               50.00             0  A",
    ]


def test_html_is_escaped() -> None:
    data = people(**{"<b>": ["<i>", "&", "&"]})
    html = explain_risk(data, Rarity(), 0, values=True)._repr_html_()
    assert "<b>" not in html
    assert "&lt;i&gt;" in html


def test_long_lists_of_sets_are_cut_short() -> None:
    alone = people(**{f"key{place}": ["a", "b", "b"] for place in range(12)})
    assert "key7; and 4 more sets." in str(explain_risk(alone, Rarity(), 0)).replace("\n", " ")


def test_goes_into_a_dataframe_by_key() -> None:
    frame = explain_risk(village(), Rarity(), 2).to_frame()
    assert frame["key"].to_list() == ["work", "sex", "town"]
    assert frame["minimal_uniques"].to_list() == [1, 1, 0]


def test_has_no_figure_without_the_only_key() -> None:
    found = explain_risk(people(work=["cook", "smith"]), Rarity(), 0)
    assert found.without == {"work": None}
    assert isinstance(found, RecordExplanation)
    assert "work                   -" in str(found)


def test_refuses_a_record_that_is_not_there() -> None:
    with pytest.raises(DataError, match=r"explain_risk.row_id must be the row id of one of the 6 records; got 17"):
        explain_risk(village(), Rarity(), 17)


def test_refuses_more_keys_than_can_be_looked_through() -> None:
    with pytest.raises(DataError, match="explain_risk takes up to 20 keys; got 21: name fewer columns"):
        explain_risk(people(**{f"key{place}": ["a", "b"] for place in range(21)}), Rarity(), 0)


def test_refuses_a_measure_of_the_whole_file() -> None:
    with pytest.raises(DataError, match="WholeFile has one figure for the whole file and none per record"):
        explain_risk(village(), WholeFile(), 0)


def test_refuses_a_record_without_a_figure() -> None:
    with pytest.raises(DataError, match="explain_risk: Rarity has no figure for record 1; take another measure"):
        explain_risk(people(work=["cook", None, "cook"]), Rarity(), 1)
