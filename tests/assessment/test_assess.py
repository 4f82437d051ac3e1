"""Assess: measures taken, scores made, and how it is shown."""

import json
import pickle
import re

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import Assessment, assess, default_measures
from sfumato.contracts import Knowledge, Measurement
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.loss import EntropyLoss, InformationLoss, StandardisedInformationLoss
from sfumato.masking import AdditiveNoise, IndividualRanking, Mdav, RankSwapping
from sfumato.risk import DistanceLinkage, IntervalDisclosure, RankIntervalLinkage, SharedRecords, WorstCaseLinkage
from sfumato.scores import WeightedScore

SECRET = 123456.789


def schema(**roles: str) -> Schema:
    roles = {"person": "identifier"} | roles
    kinds = {"person": Kind.NOMINAL, "age": Kind.CONTINUOUS, "income": Kind.CONTINUOUS, "tax": Kind.CONTINUOUS}
    return Schema(
        variables=tuple(Variable(name=name, kind=kind, role=roles.get(name, "other")) for name, kind in kinds.items())
    )


def files(**roles: str) -> tuple[Microdata, Microdata]:
    rng = np.random.default_rng(2)
    income = rng.lognormal(size=30)
    income[4] = SECRET
    frame = pl.DataFrame(
        {
            "person": [f"person {i}" for i in range(30)],
            "age": rng.uniform(18, 90, 30),
            "income": income,
            "tax": income / 3,
        }
    )
    masked = frame.with_columns(pl.col("age", "income") * pl.Series(rng.uniform(0.9, 1.1, 30)))
    return Microdata(frame, schema(**roles)), Microdata(masked, schema(**roles), np.arange(30))


def columns_by_symbol(described: Schema) -> dict[str, object]:
    return {measure.symbol: measure.columns for measure in default_measures(described)}


def test_all_numeric_columns_are_measured_and_keys_are_linked_first() -> None:
    chosen = columns_by_symbol(schema(tax="key", age="confidential"))
    everything = ("age", "income", "tax")
    keys_first = ("tax", "age", "income")
    loss, values = {"IL": everything, "IL1s": everything}, {"ID": everything, "SDID": everything}
    assert chosen == {**loss, "DLD": keys_first, "BSLD": keys_first, **values}


def test_all_numeric_columns_are_linked_when_none_is_a_key() -> None:
    assert columns_by_symbol(schema(tax="weight"))["DLD"] == ("age", "income")


def test_refuses_a_file_without_a_column_to_assess() -> None:
    with pytest.raises(DataError, match="the file has no numeric or categorical column to assess"):
        default_measures(schema(age="identifier", income="identifier", tax="weight"))


def test_values_hold_measures_their_named_parts_and_the_score() -> None:
    original, masked = files()
    found = assess(original, masked)
    measured = {measure.symbol: measure.measure(original, masked) for measure in default_measures(original.schema)}
    losses, shared = ["IL", "IL1", "IL2", "IL3", "IL4", "IL5", "IL1s"], ["SR", "SRone", "SRall"]
    assert list(found.values) == [*losses, "DLD", "BSLD", "ID", "SDID", *shared, "WCL", "WCB", "WCA", "score"]
    assert found.values["IL3"] == measured["IL"].parts["IL3"]
    assert found.values["ID"] == measured["ID"].value
    half_risk = 0.25 * (measured["DLD"].value + measured["ID"].value)
    assert found.values["score"] == pytest.approx(0.5 * measured["IL"].value + half_risk)


def test_takes_the_measures_and_scores_that_are_given() -> None:
    found = assess(
        *files(),
        measures=[DistanceLinkage(columns=("age",)), StandardisedInformationLoss(columns=("income",))],
        scores=[WeightedScore(weights={"DLD": 1.0, "IL1s": 0.5}, symbol="own")],
    )
    assert list(found.values) == ["DLD", "IL1s", "own"]
    assert found.values["own"] == found.values["DLD"] + 0.5 * found.values["IL1s"]


def test_makes_no_score_whose_measures_were_not_taken() -> None:
    assert assess(*files(), measures=[IntervalDisclosure(columns=("age",))]).scores == ()


def test_refuses_a_score_whose_measures_were_not_taken_when_it_is_asked_for() -> None:
    with pytest.raises(DataError, match=r"measure probabilistic_linkage \(PLD\) too, or leave the score out"):
        assess(*files(), measures=[DistanceLinkage(columns=("age",))], scores=[WeightedScore(weights={"PLD": 1.0})])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"measures": ["distance_linkage"]}, r"assess.measures must be a list such as .*got a str in it"),
        ({"measures": [Mdav(columns=("age",))]}, "got a Mdav in it"),
        ({"scores": ["overall_score"]}, r'assess.scores must be a list such as \[SCORES\["overall_score"\]\]'),
        ({"methods": [DistanceLinkage(columns=("age",))]}, r"assess.methods must be a list such as \[RankSwapping"),
    ],
)
def test_refuses_lists_of_something_else(given: dict[str, list[object]], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        assess(*files(), **given)  # type: ignore[arg-type]


def test_suppressed_values_are_counted_where_there_are_some() -> None:
    original, masked = files()
    assert "SUP" not in assess(original, masked).values
    gone = pl.when(pl.int_range(pl.len()) < 6).then(None).otherwise("tax").alias("tax")
    assert assess(original, Microdata(masked.frame.with_columns(gone), masked.schema)).values["SUPN"] == 6


def test_named_measures_know_the_methods_too() -> None:
    measure = RankIntervalLinkage(columns=("age",))
    assert assess(*files(), measures=[measure], methods=[RankSwapping(columns=("age",), window=30)]).measures == (
        measure.replace(window=30),
    )


def test_the_worst_case_knows_the_methods() -> None:
    methods = [RankSwapping(columns=("age",), window=30), IndividualRanking(columns=("tax",))]
    original, masked = files()
    worst = WorstCaseLinkage(columns=("age", "income", "tax"))
    informed = worst.informed_by(Knowledge.of(methods, original))
    assert (informed.window, informed.individual_ranking) == (30, True)
    assert assess(original, masked, methods=methods).measures[-1] == informed != worst


def test_tells_in_one_sentence_what_an_intruder_with_the_recipe_finds() -> None:
    original, noise = files()[0], AdditiveNoise(columns=("age", "income", "tax"), scale=0.3)
    masked = noise.mask(original, np.random.default_rng(1))
    text = " ".join(str(assess(original, masked, methods=[noise])).split())
    sentence = r"\. An intruder who knows the recipe and these \d+ columns links [\d.]+ % of the records; certain .*of "
    assert re.search(sentence, text)


def test_says_that_the_worst_case_of_a_large_file_was_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.assessment.run.MAX_RECORDS", 29)
    found = assess(*files())
    assert "WCL" not in found.values
    assert found.to_dict()["remarks"] == list(found.remarks)
    assert "name worst_case_linkage among the measures" in " ".join(str(found).split())


def test_parts_have_their_own_units_in_the_frame() -> None:
    original, masked = files(person="key")
    frame = assess(original, masked, [EntropyLoss(columns=("person",))]).to_frame()
    assert dict(frame.select("part", "unit").iter_rows()) == {None: "%", "person": "%", "EBIL": "bits"}


def test_measures_of_one_kind_are_told_apart_by_the_parameters_in_which_they_differ() -> None:
    known = [DistanceLinkage(columns=("age", "tax"), max_keys=count) for count in (1, 2)]
    first, second = (f"DLD[max_keys={count}]" for count in (1, 2))
    weighed = WeightedScore(weights={first: 1.0}, symbol="own")
    found = assess(*files(), measures=known, scores=[weighed], outliers=True)
    assert list(found.values) == [first, second, "own"]
    assert found.values["own"] == found.values[first] == known[0].measure(*files()).value
    assert second in str(found)
    with pytest.raises(DataError, match=r"DLD is taken with several parameters; weigh DLD\[max_keys=1\] or DLD"):
        assess(*files(), measures=known, scores=[WeightedScore(weights={"DLD": 1.0}, symbol="own")])


def test_parts_of_measures_of_one_kind_are_told_apart_too() -> None:
    losses = [InformationLoss(columns=columns) for columns in (("age",), ("tax",), ("age", "tax"))]
    values = assess(*files(), measures=losses, scores=[]).values
    assert {"IL[columns=age]", "IL1[columns=tax]", "IL5[columns=age+tax]"} < set(values)


def test_refuses_the_same_measure_twice_before_it_is_taken() -> None:
    with pytest.raises(ParameterError, match="must have different symbols; repeated: DLD; leave one out"):
        assess(*files(), measures=[DistanceLinkage(columns=("age",))] * 2)


def test_a_column_that_was_suppressed_everywhere_is_named_and_not_measured() -> None:
    original, masked = files()
    empty = Microdata(masked.frame.with_columns(tax=pl.lit(None, dtype=pl.Float64)), masked.schema)
    assert assess(original, empty).not_measured == ("tax",)


def test_refuses_a_masked_file_without_any_column_that_can_be_compared() -> None:
    original, masked = files()
    with pytest.raises(DataError, match="the file has no numeric or categorical column to assess"):
        assess(original, masked.take_columns(("person",)))


def test_categories_are_measured_where_there_are_some() -> None:
    original, masked = files(person="key")
    assert columns_by_symbol(original.schema)["CD"] == ("person",)
    assert assess(original, masked).values["CTL"] == 0.0
    shown = list(assess(original.take_columns(("person",)), masked).values)
    assert shown == ["CD", "CTL", "CTBIL", "CTBILC", "SR", "SRone", "SRall", "WCL", "WCB", "WCA"]


def test_prints_every_figure_rounded_with_its_parts() -> None:
    found = assess(*files(age="key"))
    text = str(found)
    assert text.startswith("Assessment of 30 masked records against 30 original records\n")
    for symbol, value in found.values.items():
        assert symbol in text
        assert f"{value:.2f}" in text
    assert "Risk: what an intruder still learns" in text
    assert "0.5 IL + 0.25 DLD + 0.25 ID" in text
    assert f"IL1: {found.values['IL1']:.2f}, IL2: " in text
    assert max(map(len, text.splitlines())) <= 100


def test_html_is_escaped_and_stands_alone() -> None:
    name = "<script>alert('a')</script>"
    frame = pl.DataFrame({name: [1.5, 2.5, 4.0]})
    data = Microdata(frame, Schema(variables=(Variable(name=name, kind=Kind.CONTINUOUS),)))
    html = assess(data, data)._repr_html_()
    assert html.startswith('<div class="sfumato">')
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "http" not in html


def test_the_sampling_error_is_shown() -> None:
    measure = DistanceLinkage(columns=("age",))
    shown = Assessment((measure,), (Measurement("distance_linkage", "DLD", 12.3456, standard_error=0.789),), (), 5, 5)
    assert "12.35 ± 0.79 %" in str(shown)
    assert shown.to_dict()["measurements"][0]["standard_error"] == 0.789


def test_the_frame_has_a_row_for_each_figure() -> None:
    found = assess(*files())
    frame = found.to_frame()
    assert frame.columns == ["room", "name", "symbol", "part", "value", "unit"]
    assert frame.height == sum(1 + len(one.parts) for one in found.measurements) + 1
    whole = frame.filter(pl.col("part").is_null())
    assert dict(whole.select("symbol", "value").iter_rows()) == {
        symbol: value
        for symbol, value in found.values.items()
        if symbol not in (*InformationLoss.part_symbols, *SharedRecords.part_symbols, *WorstCaseLinkage.part_symbols)
    }
    assert set(frame["room"]) == {"loss", "risk", "scores"}
    assert frame.row(by_predicate=pl.col("symbol") == "score") == (
        "scores",
        "simplified_score",
        "score",
        None,
        found.values["score"],
        "",
    )


def test_the_dict_goes_through_json_unchanged() -> None:
    found = assess(*files())
    plain = found.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["values"] == found.values
    assert plain["records"] == {"original": 30, "masked": 30}
    parameters = plain["measurements"][2]["parameters"]
    assert parameters == found.measures[2].model_dump(mode="json")
    assert (parameters["columns"], parameters["max_keys"]) == (["age", "income", "tax"], 7)
    assert plain["scores"] == [
        {
            "name": "simplified_score",
            "symbol": "score",
            "value": found.values["score"],
            "formula": "0.5 IL + 0.25 DLD + 0.25 ID",
        }
    ]


def test_no_record_is_shown_anywhere() -> None:
    found = assess(*files())
    shown = [str(found), repr(found), found._repr_html_(), json.dumps(found.to_dict()), found.to_frame().write_csv()]
    assert not any("123456" in text or "person 4" in text or "per_record" in text for text in shown)


def test_an_assessment_can_be_sent_to_another_process() -> None:
    found = assess(*files())
    assert pickle.loads(pickle.dumps(found)).values == found.values  # noqa: S301


def test_an_unmasked_file_has_no_loss_full_risk_and_the_score_fifty() -> None:
    original, _ = files()
    values = assess(original, original).values
    assert (values["IL"], values["IL1s"]) == (0.0, 0.0)
    assert (values["DLD"], values["ID"], values["SDID"]) == (100.0, 100.0, 100.0)
    assert values["score"] == 50.0
