from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.datasets.reference import reference
from sfumato.errors import DocumentError, ParameterError
from sfumato.masking import Mdav, Pram
from sfumato.recipe import Recipe

RNG = np.random.default_rng(3)
AGES = RNG.integers(18, 91, 400).tolist()
INCOMES = RNG.lognormal(8, 1, 400).round(2).tolist()
THINNING = np.repeat(range(70, 97), (60 * np.exp(-np.arange(27) / 7)).round().astype(int)).tolist()  # as the old do


def suspected(values: list[Any], **more: Any) -> list[Any]:
    variable = Variable(**{"name": "x", "kind": Kind.CONTINUOUS, **more})
    data = Microdata(pl.DataFrame({"x": values}), Schema(variables=(variable,)))
    return [suspect.code for suspect in data.summary.suspected_codes("x")]


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([*AGES, *[99] * 5], [99]),
        ([*AGES, *[998] * 5, 999], [998, 999]),
        ([*INCOMES, *[-9.0] * 4], [-9]),
        ([*INCOMES, -99.0], [-99]),
        ([*INCOMES, *[-1.0] * 3, *[-2.0] * 3], [-2, -1]),
        ([*INCOMES, *[9_999_999.0] * 4], [9_999_999]),
        ([1, 2, 3, 4, 5] * 20 + [9] * 4, [9]),
        ([*INCOMES, *[99.0] * 5], [99]),
        ([*np.round(INCOMES, -2), *[998.0] * 3], [998]),
        ([*AGES, *range(91, 101), *[99] * 8], [99]),
        ([*THINNING, *[98] * 8], [98]),
        ([value / 100 for value in range(9000, 10000)] + [99.0] * 9, [99]),
        ([1, 2, 3, 4, 5, 6, 7] * 20 + [9] * 12, [9]),
        ([*INCOMES, *[0.0] * 50, *[9999.0] * 20, *[98.0] * 5], [98, 9999]),
        ([-5.5, -2.25, 1.5, 3.75] * 20 + [-999.0] * 4, [-999]),
    ],
)
def test_conspicuous_numbers_outside_the_scale_are_suspected(values: list[float], codes: list[int]) -> None:
    assert suspected(values) == codes


@pytest.mark.parametrize(
    "values",
    [
        [*range(18, 97), *[97, 98, 99] * 4],
        [*AGES, 99],
        [*THINNING, *[97] * 3, *[98] * 2, *[99] * 2],
        [*AGES, *range(91, 96), *[97] * 4, 98],
        [*INCOMES, 99.0, 99.0],
        [*[value % 60 for value in range(600)], *[9] * 8],
        [*INCOMES, *[0.0] * 50],
        [-2, -1, 0, 1, 2] * 10,
        [*np.round(RNG.normal(0, 3, 300), 2), *[-9.0] * 3],
        [value / 100 for value in range(9000, 10000)] + [99.0] * 4,
        [36, 62, 96] * 30,
        [None, None],
        [],
    ],
)
def test_values_that_continue_the_scale_are_not_suspected(values: list[Any]) -> None:
    assert suspected(pl.Series(values, dtype=pl.Float64).to_list()) == []


def test_labels_decide_what_a_code_is() -> None:
    labels = {1: "yes", 2: "no", 8: "Don't know", 99: "Antwort verweigert", 98: "abroad", 7: "Refused"}
    values = [1, 2] * 10 + [8] + [99] * 4 + [98] * 4
    assert suspected(values, value_labels=labels, kind=Kind.NOMINAL) == [8, 99]  # no record holds 7
    assert suspected(values, value_labels=labels, missing_codes=(8, 99)) == []
    assert suspected(values, value_labels=labels, missing_ranges=((8, 8),), valid_codes=(99,)) == []


def test_text_that_says_no_answer_is_suspected_and_abbreviations_that_may_mean_something_are_not() -> None:
    assert suspected(["north", "refused", "NC", "NA"] * 4, kind=Kind.NOMINAL) == ["refused"]
    assert sorted(suspected(["k.A.", "N/A", "n. v. t.", "i.d.R.", "A.B."] * 4, kind=Kind.NOMINAL)) == [
        "N/A",
        "k.A.",
        "n. v. t.",
    ]


@pytest.mark.parametrize("label", ["Nie dotyczy", "Trudno powiedzieć", "nicht befragt", "Ne se prononce pas", "s/d"])
def test_labels_say_no_answer_in_other_languages(label: str) -> None:
    assert suspected([1, 2] * 10 + [8] * 4, value_labels={1: "male", 2: "female", 8: label}, kind=Kind.NOMINAL) == [8]


@pytest.mark.parametrize("role", [Role.IDENTIFIER, Role.HOUSEHOLD, Role.WEIGHT])
def test_numbers_that_mean_no_amount_are_not_suspected(role: Role) -> None:
    assert suspected([*AGES, *[999] * 5], role=role) == []


def test_unlabelled_codes_without_an_order_need_more_digits_than_the_others() -> None:
    assert suspected([2, 4, 5, 6] * 10 + [9] * 6, kind=Kind.NOMINAL) == []
    assert suspected([2, 4, 5, 6] * 10 + [99] * 6, kind=Kind.NOMINAL) == [99]
    assert suspected([11, 36, 62, 75] * 10 + [99] * 6, kind=Kind.NOMINAL) == []


@pytest.mark.parametrize("kind", [Kind.NOMINAL, Kind.ORDINAL, Kind.CONTINUOUS])
@pytest.mark.parametrize(
    ("scale", "codes"), [(range(11), [98, 99]), (range(1, 11), [99]), (range(6), [9]), (range(1, 6), [8, 9])]
)
def test_codes_beyond_a_scale_that_counts_on_are_suspected_whatever_its_kind(
    kind: Kind, scale: range, codes: list[int]
) -> None:
    assert suspected([*scale] * 20 + codes * 6, kind=kind) == codes
    assert suspected([*scale] * 20 + codes, kind=kind) == []


def test_a_code_of_another_column_needs_fewer_records() -> None:
    frame = pl.DataFrame({"age": [*AGES, *[99] * 5], "rent": [*INCOMES, 512.25, 613.5, 99.0, 99.0, 99.0]})
    assert [suspect.code for suspect in Microdata(frame).summary.suspected_codes("rent")] == [99]
    assert Microdata(frame.drop("age")).summary.suspected_codes("rent") == ()
    declared = Schema.infer(frame).with_variables(Variable(name="age", kind=Kind.CONTINUOUS, missing_codes=(99,)))
    assert [suspect.code for suspect in Microdata(frame, declared).summary.suspected_codes("rent")] == [99]


def test_the_same_codes_are_suspected_in_every_dataframe(as_backend: Callable[[pl.DataFrame], Any]) -> None:
    frame = pl.DataFrame({"age": [*AGES, *[99] * 5, None], "town": ["a", "unknown", "b"] * 135 + ["a"]})
    summary = Microdata(as_backend(frame)).summary
    assert [suspect.code for suspect in summary.suspected_codes("age")] == [99]
    assert [suspect.code for suspect in summary.suspected_codes("town")] == ["unknown"]


@pytest.mark.reference
def test_what_one_large_family_has_is_no_code_and_what_several_families_have_is() -> None:
    children = [0, 1, 2, 3] * 10 + [9] * 12
    families = {"one": [*range(40), *[40] * 12], "several": [*range(40), *[40, 41, 42] * 4]}
    for name, family in families.items():
        frame = pl.DataFrame({"children": children, "family": family})
        people = Microdata(frame, Schema.infer(frame).with_roles(household=["family"]))
        people = people.with_schema(people.schema.with_kinds(continuous=["children"]))
        assert [one.code for one in people.summary.suspected_codes("children")] == ([] if name == "one" else [9])


@pytest.mark.parametrize("name", ["census", "eia", "household_survey"])
def test_nothing_is_suspected_in_the_public_test_files(name: str) -> None:
    data = reference(name)
    assert suspicion_problems(data, data.schema.names) == []


@pytest.mark.parametrize(("n", "seed"), [(4000, 0), (2000, 1)])
def test_nothing_is_suspected_in_the_demo_survey(n: int, seed: int) -> None:
    data = sf.datasets.demo(n, seed)
    assert suspicion_problems(data, data.schema.names) == []


def test_a_code_is_missing_or_valid_and_not_both() -> None:
    with pytest.raises(ParameterError, match="valid_codes and missing_codes both list 99; keep one"):
        Variable(name="age", kind=Kind.CONTINUOUS, missing_codes=(99,), valid_codes=(99,))


def test_masking_stops_at_keys_and_changed_columns_only() -> None:
    coded = Variable(name="age", kind=Kind.CONTINUOUS)
    frame = pl.DataFrame(
        {"age": [*AGES, *[99] * 5], "income": [*INCOMES, *INCOMES[:5]], "sex": ["f", "m"] * 202 + ["f"]}
    )
    data = Microdata(frame, Schema.infer(frame).with_variables(coded))
    recipe = Recipe(steps=[Mdav(columns=("income",), k=3)], seed=1)
    assert recipe.run(data).n == 405
    with pytest.raises(DocumentError, match=r"column 'age' holds 99 \(5 records, far above every other value\)"):
        recipe.run(data.with_schema(data.schema.with_roles(key=["age"])))
    with pytest.raises(DocumentError, match=r"if that means \"no answer\", write missing_codes: \[99\]"):
        Recipe(steps=[Mdav(columns=("age",), k=3)], seed=1).run(data)
    declared = recipe.replace(schema=Schema(variables=(coded.replace(missing_codes=(99,)),)))
    masked = declared.replace(steps=[Mdav(columns=("age",), k=3), Pram(columns=("sex",), stay=80)]).run(data)
    assert masked.frame["age"].to_list()[-5:] == [99] * 5
    assert masked.summary.mean("age") == pytest.approx(np.mean(AGES), abs=0.5)


def test_protect_stops_before_it_plans_anything() -> None:
    frame = pl.DataFrame({"age": [*AGES, *[99] * 5], "sex": ["f", "m"] * 202 + ["f"]})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["age", "sex"]))
    with pytest.raises(ParameterError, match="protect: column 'age' holds 99"):
        sf.protect(data)


@pytest.mark.parametrize(
    ("name", "held", "codes"), [("Kinder", 5, []), ("n_children", 5, []), ("Kinder", 40, [8]), ("satisfaction", 5, [8])]
)
def test_the_few_large_families_at_the_end_of_a_count_are_no_code(name: str, held: int, codes: list[int]) -> None:
    values = np.repeat([0, 1, 2, 3, 4, 8], [322, 185, 199, 69, 20, held])
    data = Microdata(pl.DataFrame({name: values}))
    assert [suspect.code for suspect in data.summary.suspected_codes(name)] == codes


def test_differences_below_zero_are_no_codes() -> None:
    behind = [-1] * 40 + [0] * 300 + [1] * 150 + [2] * 60 + [3] * 30
    around = [-2] * 8 + [-1] * 50 + [0] * 200 + [1] * 120 + [2] * 40 + [3] * 9
    people = Microdata(pl.DataFrame({"years_behind": behind, "children": behind}))
    assert [one.code for one in people.summary.suspected_codes("years_behind")] == []
    assert [one.code for one in people.summary.suspected_codes("children")] == [-1]
    assert not Microdata(pl.DataFrame({"x": around})).summary.suspected_codes("x")
    assert [one.code for one in Microdata(pl.DataFrame({"x": [*around, *[-99] * 9]})).summary.suspected_codes("x")] == [
        -99
    ]
