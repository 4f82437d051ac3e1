"""Which masked record came from which original one: what tells it, and what happens where nothing does."""

from functools import cache

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.assessment.pairing import STATED, pair_records, what_to_do
from sfumato.contracts import Measure
from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.datasets import demo
from sfumato.errors import DataError
from sfumato.loss import LOSSES
from sfumato.masking import AdditiveNoise, Camouflage, RankSwapping
from sfumato.recipe import Recipe
from sfumato.risk import RISKS, DistanceLinkage, SharedRecords
from tests.assessment.examples import EXAMPLES, pair

SCHEMA = Schema(
    variables=(
        Variable(name="person", kind=Kind.NOMINAL, role=Role.IDENTIFIER),
        Variable(name="income", kind=Kind.CONTINUOUS),
    )
)
PEOPLE = pl.DataFrame({"person": ["a", "b", "c", "d"], "income": [1.5, 2.5, 3.5, 4.5]})
COLUMNS = ("age", "region", "occupation", "wage_income", "savings")


def original() -> Microdata:
    return Microdata(PEOPLE, SCHEMA)


@cache
def survey(records: int = 400) -> Microdata:
    """Return people without identifiers, as a file of its own."""
    people = demo(records).take_columns(COLUMNS)
    return Microdata(people.frame, people.schema)


def from_elsewhere(data: Microdata, rows: np.ndarray | None = None) -> Microdata:
    """Return the records as a file that nothing ties to its original."""
    chosen = data if rows is None else data.take_rows(rows)
    return Microdata(chosen.frame, chosen.schema)


def shuffled(data: Microdata, seed: int = 1) -> Microdata:
    return from_elsewhere(data, np.random.default_rng(seed).permutation(data.n))


def test_row_ids_that_were_handed_down_tell_the_records_in_any_order() -> None:
    turned = original().take_rows(np.array([3, 0]))
    found = pair_records(original=(data := original()), masked=data.take_rows(np.array([3, 0])))
    assert found.is_known
    assert found.sentences == ()
    assert found.masked.row_ids.tolist() == turned.row_ids.tolist() == [3, 0]


def test_row_ids_that_were_given_tell_the_records() -> None:
    assert pair_records(original(), Microdata(PEOPLE[[3, 0]], SCHEMA, np.array([3, 0]))).is_known


def test_an_identifier_tells_the_records_of_a_sample_in_any_order() -> None:
    found = pair_records(original(), Microdata(PEOPLE[[3, 0]], SCHEMA))
    assert found.masked.row_ids.tolist() == [3, 0]
    assert found.sentences == ("Records were matched by the identifier person.",)


@pytest.mark.parametrize(
    "frame",
    [PEOPLE.drop("person").reverse(), PEOPLE.with_columns(person=pl.Series(["w", "x", "y", "z"]), income=pl.lit(2.0))],
    ids=["none", "other values"],
)
def test_in_a_small_file_without_a_common_identifier_only_the_user_can_tell(frame: pl.DataFrame) -> None:
    unknown = pair_records(original(), Microdata(frame))
    assert not unknown.is_known
    assert "too few records that could show it" in unknown.sentences[-1]
    stated = pair_records(original(), Microdata(frame), same_order=True)
    assert stated.is_known
    assert stated.masked.row_ids.tolist() == [0, 1, 2, 3]
    assert stated.sentences == (STATED,)


def test_an_identifier_that_repeats_in_the_original_tells_nothing() -> None:
    repeated = Microdata(PEOPLE.with_columns(person=pl.lit("a")), SCHEMA)
    assert not pair_records(repeated, from_elsewhere(repeated, np.array([3, 1, 0, 2]))).is_known


@pytest.mark.parametrize(
    "method",
    [
        RankSwapping(columns=("age", "wage_income", "savings"), window=20),
        AdditiveNoise(columns=("savings",), scale=1.0),
    ],
    ids=["rank swapping", "noise"],
)
def test_records_that_differ_from_their_neighbours_alike_show_that_the_order_is_the_same(
    method: AdditiveNoise | RankSwapping,
) -> None:
    masked = from_elsewhere(Recipe(steps=[method], seed=1).run(survey()))
    found = pair_records(survey(), masked)
    assert found.is_known
    assert "Rows were taken to be in the same order" in found.sentences[-1]
    assert not pair_records(survey(), shuffled(masked)).is_known


@pytest.mark.parametrize("column", ["age", "region", "savings"])
def test_two_files_that_are_only_sorted_alike_are_not_in_the_same_order(column: str) -> None:
    ordered = from_elsewhere(survey(1000), np.argsort(survey(1000).codes(column)[0], kind="stable"))
    other = shuffled(survey(1000))
    sorted_too = from_elsewhere(other, np.argsort(other.codes(column)[0], kind="stable"))
    assert not pair_records(ordered, sorted_too).is_known
    assert pair_records(ordered, from_elsewhere(ordered)).is_known


@pytest.mark.parametrize("seed", range(1, 5))
def test_other_people_sorted_by_one_column_within_another_are_not_in_the_same_order(seed: int) -> None:
    def sorted_survey(seed: int) -> Microdata:
        data = demo(2000, seed).take_columns(COLUMNS)
        towns, work = data.codes("region")[0] * 7 % 11, data.codes("occupation")[0] * 5 % 17  # in orders of their own
        return from_elsewhere(data, np.lexsort([data.values("wage_income"), work, data.values("age"), towns]))

    assert not pair_records(sorted_survey(0), sorted_survey(seed)).is_known


def test_a_file_of_which_one_part_is_in_another_order_is_not_in_the_same_order() -> None:
    rows = np.arange(1000)
    rows[700:] = np.roll(rows[700:], 1)
    found = pair_records(survey(1000), from_elsewhere(survey(1000), rows))
    assert not found.is_known
    assert "not in every part of the file" in found.sentences[-1]


def test_a_copy_in_the_same_order_is_known_however_small_or_sorted_it_is() -> None:
    people = Microdata(PEOPLE.drop("person"))
    found = pair_records(people, from_elsewhere(people))
    assert found.is_known
    assert found.sentences == ("Rows were taken to be in the same order: 100 % of them are the same in both files.",)


def test_rows_that_are_mostly_alike_do_not_show_the_order_by_being_equal() -> None:
    answers = ["no"] * 380 + ["yes"] * 20
    people = Microdata(pl.DataFrame({"first": answers, "second": answers}))
    assert not pair_records(people, shuffled(people)).is_known


def test_random_order_seldom_looks_like_the_same_order() -> None:
    assert not any(pair_records(survey(), shuffled(survey(), seed)).is_known for seed in range(50))


def test_a_stated_order_that_the_records_contradict_is_not_taken() -> None:
    noisy = Recipe(steps=[AdditiveNoise(columns=("age", "wage_income", "savings"), scale=0.5)], seed=1).run(survey())
    found = pair_records(survey(), shuffled(noisy), same_order=True)
    assert not found.is_known
    assert "NO MORE ALIKE THAN STRANGERS" in found.sentences[1]
    moved = pair_records(survey(), shuffled(survey()), same_order=True)
    assert not moved.is_known
    assert "MATCHED RECORDS ARE NOT THE SAME ONES" in moved.sentences[1]
    drawn = pair_records(survey(), shuffled(noisy), same_order=True, draws_anew=True)
    assert drawn.is_known


def test_another_number_of_records_cannot_be_in_the_same_order() -> None:
    short = from_elsewhere(survey(), np.arange(300))
    with pytest.raises(DataError, match="the same number of records; got 400 and 300"):
        pair_records(survey(), short, same_order=True)
    assert "same_order" not in what_to_do(400, 300)
    assert "(the option same_order)" in what_to_do(400, 400)
    assert pair_records(survey(), short).sentences == (
        "The files have 400 and 300 records, and nothing tells which are which.",
    )


def test_files_without_a_common_column_are_refused_by_name() -> None:
    other = Microdata(survey().table.to_polars().rename(str.upper))
    with pytest.raises(
        DataError, match=r"no column in common: the original has .*'AGE'.* are the columns spelled alike"
    ):
        pair_records(survey(), other)


def test_a_shuffled_copy_is_found_to_be_a_copy_and_its_other_risks_are_withheld() -> None:
    found = assess(survey(), shuffled(survey()))
    assert found.values["SR"] > 80
    assert found.values["SRall"] == 100
    assert {"worst_case_linkage", "distance_linkage", "interval_disclosure", "information_loss"} <= set(found.withheld)
    assert not {"WCL", "DLD", "ID", "IL", "score"} & set(found.values)
    assert "MUCH OF THE ORIGINAL IS IN THE FILE" in " ".join(str(found).split())
    assert "WITHHELD" in str(found)


def test_a_shuffled_copy_with_one_column_changed_is_found_by_the_others() -> None:
    noisy = AdditiveNoise(columns=("wage_income",), scale=0.5)
    found = assess(survey(), shuffled(Recipe(steps=[noisy], seed=1).run(survey())), [SharedRecords(columns=COLUMNS)])
    assert found.values["SR"] < 60  # who has no wage keeps none
    assert found.values["SRone"] > 80
    assert "IN ALL COLUMNS BUT wage_income" in found.measurements[0].remark


def test_synthetic_records_have_no_figure_that_rests_on_pairs() -> None:
    rng = np.random.default_rng(3)
    columns = [survey().frame[name].gather(rng.permutation(400)) for name in COLUMNS]
    found = assess(survey(), Microdata(pl.DataFrame(columns), survey().schema), outliers=True)
    assert found.outliers is None
    assert "DLD" not in found.values
    assert found.values["SR"] < 2
    assert found.values["MD"] == pytest.approx(0, abs=1e-9)


def test_records_that_have_nothing_of_their_originals_are_said_to_be_like_synthetic_ones() -> None:
    rng = np.random.default_rng(3)
    columns = [survey().frame[name].gather(rng.permutation(400)) for name in COLUMNS]
    made = Microdata(pl.DataFrame(columns), survey().schema, survey().row_ids)
    remark = "Records are no more like their originals than like strangers"
    assert remark in assess(survey(), made, worst_case=False).remarks[0]
    swapped = Recipe(steps=[RankSwapping(columns=("savings",), window=10)], seed=1).run(survey())
    assert not any(remark in said for said in assess(survey(), swapped, worst_case=False).remarks)


def test_files_of_different_length_are_compared_as_far_as_they_can_be() -> None:
    for rows in (np.arange(300), np.arange(800) % 400):
        found = assess(survey(), from_elsewhere(survey(), rows))
        assert found.values["SR"] > 80
        assert {"MD", "CTL"} <= set(found.values)
        assert "DLD" not in found.values


def test_measures_that_all_need_pairs_are_refused_where_there_are_none() -> None:
    with pytest.raises(DataError, match="All measures asked for need to know that: give the manifest"):
        assess(survey(), shuffled(survey()), [DistanceLinkage(columns=("savings",))])


def test_a_score_is_withheld_with_its_measures() -> None:
    from sfumato.scores import SCORES

    measures = [DistanceLinkage(columns=("savings",)), SharedRecords(columns=COLUMNS)]
    assert assess(survey(), shuffled(survey()), measures, [SCORES["simplified_score"]]).scores == ()


def test_exchanged_files_are_warned_about_and_those_in_order_are_not() -> None:
    coarse = from_elsewhere(
        survey().with_column(
            survey().schema["age"].replace(kind=Kind.NOMINAL), ["20 to 40"] * 200 + ["41 or more"] * 200
        )
    )
    warned, fine = pair_records(coarse, survey()), pair_records(survey(), coarse)
    assert (
        "MAY BE EXCHANGED: the one given as the original has classes where the other has numbers or dates (age)"
        in (warned.sentences[0])
    )
    assert not any("EXCHANGED" in sentence for sentence in fine.sentences)


@pytest.mark.parametrize("measure", EXAMPLES, ids=lambda measure: f"{type(measure).name()} {measure}")
def test_a_measure_that_needs_no_pairs_does_not_look_at_them(measure: Measure) -> None:
    if measure.needs_pairs:
        return
    before, after = pair()
    apart = shuffled(after)
    expected, found = measure.measure(before, after), measure.measure(before, apart)
    assert dict(found.parts) == pytest.approx(dict(expected.parts))
    assert found.value == pytest.approx(expected.value)
    longer = from_elsewhere(after, np.arange(2 * after.n) % after.n)
    measure.measure(before, longer)


def test_linkage_and_values_of_records_need_pairs() -> None:
    need = {name for name, measure in {**RISKS, **LOSSES}.items() if measure.needs_pairs}
    assert {"worst_case_linkage", "distance_linkage", "interval_disclosure", "information_loss", "suppressions"} <= need
    assert not {"k_anonymity", "marginal_distance", "shared_records"} & need


def test_intervals_in_place_of_all_columns_are_told_as_such() -> None:
    original = Microdata(pl.DataFrame({"income": [10.0, 20.0, 40.0]}))
    masked = Camouflage(columns=("income",)).mask(original, np.random.default_rng(0))
    with pytest.raises(DataError, match="intervals, NAME_low and NAME_high, in place of all columns"):
        pair_records(original, masked)
