from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sfumato.data import Kind, Role, Schema, Variable
from sfumato.data.inference import guess_variables

AsBackend = Callable[[pl.DataFrame], Any]


def inferred(as_backend: AsBackend, name: str, values: list[Any], dtype: Any = None) -> Variable:
    return Schema.infer(as_backend(pl.DataFrame({name: pl.Series(values, dtype=dtype)})))[name]


def test_the_kinds_of_the_awkward_survey_are_as_a_person_would_say(
    as_backend: AsBackend, awkward_frame: pl.DataFrame
) -> None:
    kinds = {variable.name: variable.kind for variable in Schema.infer(as_backend(awkward_frame)).variables}
    health = Kind.NOMINAL if as_backend.__name__ == "as_arrow" else Kind.ORDINAL  # arrow's dictionaries have no order
    assert kinds == {
        "person_id": Kind.CONTINUOUS,
        "household_id": Kind.CONTINUOUS,
        "region": Kind.NOMINAL,
        "health": health,
        "is_urban": Kind.NOMINAL,
        "age": Kind.CONTINUOUS,
        "income": Kind.CONTINUOUS,
        "tax": Kind.CONTINUOUS,
        "constant": Kind.NOMINAL,
        "born": Kind.DATE,
        "sampling_weight": Kind.CONTINUOUS,
    }


def test_the_roles_of_the_awkward_survey_are_as_a_person_would_say(
    as_backend: AsBackend, awkward_frame: pl.DataFrame
) -> None:
    schema = Schema.infer(as_backend(awkward_frame))
    roles = {variable.name: variable.role for variable in schema.variables if variable.role is not Role.OTHER}
    assert roles == {
        "person_id": Role.IDENTIFIER,
        "household_id": Role.HOUSEHOLD,
        "sampling_weight": Role.WEIGHT,
    }


@pytest.mark.parametrize("scale", [1, 1.0])
def test_whole_numbers_with_few_values_are_codes(as_backend: AsBackend, scale: float) -> None:
    codes = [scale * value for value in [1, 2, 3] * 4]
    assert inferred(as_backend, "roof", codes).kind is Kind.NOMINAL


def test_numbers_with_fractions_are_continuous_however_few(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "rate", [0.5, 1.0] * 10).kind is Kind.CONTINUOUS


def test_twenty_values_make_codes_and_twenty_one_do_not(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "points", [*range(20)] * 3).kind is Kind.NOMINAL
    assert inferred(as_backend, "points", [*range(21)] * 3).kind is Kind.CONTINUOUS


@pytest.mark.parametrize("name", ["REGION", "OCCUCODE", "isco08", "zip", "postal_code", "nuts3", "stateCode"])
def test_whole_numbers_named_like_codes_are_codes_however_many(as_backend: AsBackend, name: str) -> None:
    assert inferred(as_backend, name, [*range(100, 282)] * 2).kind is Kind.NOMINAL
    assert inferred(as_backend, name, [value + 0.5 for value in range(100)]).kind is Kind.CONTINUOUS


def test_a_code_that_is_different_in_every_record_is_an_identifier(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "patient_code", [*range(1000, 4000, 7)]).role is Role.IDENTIFIER
    assert inferred(as_backend, "region_id", [*range(1, 183)] * 3).role is Role.OTHER


def test_values_that_hardly_repeat_are_not_codes(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "age", [20, 31, 45, 45]).kind is Kind.CONTINUOUS


def test_gaps_do_not_change_the_kind(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "roof", [1, 2, None, 1, 2, 1]).kind is Kind.NOMINAL
    assert inferred(as_backend, "income", [1.5, None, float("nan"), 2.5]).kind is Kind.CONTINUOUS


def test_infinite_and_undefined_numbers_do_not_disturb(as_backend: AsBackend) -> None:
    found = inferred(as_backend, "x", [1.0, float("inf"), 3.0, float("nan"), float("-inf")])
    assert (found.kind, found.role) == (Kind.CONTINUOUS, Role.OTHER)


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.String])
def test_a_column_without_values_gets_a_kind(as_backend: AsBackend, dtype: Any) -> None:
    assert inferred(as_backend, "empty", [None, None], dtype).kind in (Kind.NOMINAL, Kind.CONTINUOUS)
    assert inferred(as_backend, "empty", [], dtype).role is Role.OTHER


def test_categories_in_no_order_are_nominal(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "x", ["b", "a", "b"], pl.Categorical).kind is Kind.NOMINAL


@pytest.mark.parametrize("name", ["hid", "ori_hid", "HHID", "hh_id", "household", "household_number", "household_id"])
def test_a_column_named_like_a_household_number_is_the_household(as_backend: AsBackend, name: str) -> None:
    assert inferred(as_backend, name, [1, 1, 2]).role is Role.HOUSEHOLD


@pytest.mark.parametrize("name", ["weight", "sampling_weight", "household_weights", "WGT", "person_wt"])
def test_a_positive_column_named_like_a_weight_is_the_weight(as_backend: AsBackend, name: str) -> None:
    assert inferred(as_backend, name, [1.5, 2.5]).role is Role.WEIGHT


@pytest.mark.parametrize("values", [[0.0, 2.5], [-1.0, 1.0], ["heavy", "light"], [None, None]])
def test_a_column_that_cannot_be_a_weight_is_none_whatever_its_name(as_backend: AsBackend, values: list[Any]) -> None:
    assert inferred(as_backend, "weight", values, pl.Float64 if values[0] is None else None).role is Role.OTHER


@pytest.mark.parametrize("name", ["id", "person_id", "PID", "UTILITYID", "companyId", "record_number"])
def test_whole_numbers_named_like_an_id_are_identifiers(as_backend: AsBackend, name: str) -> None:
    assert inferred(as_backend, name, [70, 12, 400]).role is Role.IDENTIFIER


@pytest.mark.parametrize("name", ["paid", "humid", "valid"])
def test_words_that_end_like_an_id_are_not_identifiers(as_backend: AsBackend, name: str) -> None:
    assert inferred(as_backend, name, [70, 12, 400]).role is Role.OTHER


def test_numbers_that_count_the_records_are_identifiers(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "row", [3, 1, 4, 2]).role is Role.IDENTIFIER
    assert inferred(as_backend, "row", [3, 1, 5, 2]).role is Role.OTHER
    assert inferred(as_backend, "row", [3, 1, None, 2]).role is Role.OTHER


def test_text_that_is_different_nearly_everywhere_is_an_identifier(as_backend: AsBackend) -> None:
    names = [f"person {number}" for number in range(18)] + ["twin", "twin"]
    assert inferred(as_backend, "note", names).role is Role.IDENTIFIER
    assert inferred(as_backend, "note", names[:19]).role is Role.OTHER  # too few records to tell
    assert inferred(as_backend, "town", ["a", "b"] * 10).role is Role.OTHER


def test_pandas_categories_are_ordinal_only_when_they_are_ordered() -> None:
    frame = pd.DataFrame({"x": pd.Categorical(["b", "a"], ["b", "a"]), "y": pd.Categorical(["b", "a"], ordered=True)})
    schema = Schema.infer(frame)
    assert [variable.kind for variable in schema.variables] == [Kind.NOMINAL, Kind.ORDINAL]


def test_weights_are_continuous_even_when_they_are_few_whole_numbers(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "sampling_weight", [100, 100, 25, 25, 100, 25]).kind is Kind.CONTINUOUS
    assert inferred(as_backend, "rooms", [100, 100, 25, 25, 100, 25]).kind is Kind.NOMINAL


@pytest.mark.parametrize("name", ["surname", "Vorname", "home_address", "PatientenNr"])
def test_text_named_like_a_persons_name_address_or_number_is_an_identifier(as_backend: AsBackend, name: str) -> None:
    assert inferred(as_backend, name, ["Ada", "Ada", "Emmy", "Sofia"] * 2).role is Role.IDENTIFIER


@pytest.mark.parametrize("name", ["surname", "first_name", "Nachname", "strasse", "telefon", "doctor_name"])
def test_names_that_many_share_are_identifiers_in_a_file_of_any_size(name: str) -> None:
    shared = [f"{name} {number}" for number in range(12)] * 250
    assert Schema.infer(pl.DataFrame({name: shared}))[name].role is Role.IDENTIFIER


def test_few_answers_to_whether_somebody_has_a_telephone_are_content() -> None:
    assert Schema.infer(pl.DataFrame({"phone": ["yes", "no", "refused"] * 400}))["phone"].role is Role.OTHER
    assert Schema.infer(pl.DataFrame({"surname": ["Kim", "Lee"] * 400}))["surname"].role is Role.IDENTIFIER


@pytest.mark.parametrize("name", ["region_name", "town", "country_name", "hospital_name"])
def test_text_named_like_a_place_is_content(as_backend: AsBackend, name: str) -> None:
    assert inferred(as_backend, name, ["north", "south", "east"] * 4).role is Role.OTHER


@pytest.mark.parametrize("values", [["a@b.org", "c.d@e.net", "f@g.ch"], ["+41 44 123 45 67", "(044) 123-4567"]])
def test_e_mail_addresses_and_telephone_numbers_are_identifiers(as_backend: AsBackend, values: list[str]) -> None:
    assert inferred(as_backend, "reach", values * 3).role is Role.IDENTIFIER


def test_dates_and_short_codes_in_text_are_not_taken_for_telephone_numbers(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "seen", ["01.02.1990", "03/04/1991"] * 4).role is Role.OTHER
    assert inferred(as_backend, "plz", ["01067", "04109"] * 4).role is Role.OTHER


def test_numbers_of_telephones_are_identifiers(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "phone", [441234567, 441234999, 441230000]).role is Role.IDENTIFIER


def test_what_somebody_weighs_is_no_sampling_weight(as_backend: AsBackend) -> None:
    assert inferred(as_backend, "birth_weight", [3.1, 2.9]).role is Role.OTHER
    rng = np.random.default_rng(4)
    of_adults, of_all = rng.normal(76, 14, 300).round(1), rng.uniform(4, 110, 300).round(1)
    of_adults[:9] = 999.0  # no answer
    assert inferred(as_backend, "weight", of_adults.tolist()).role is Role.OTHER
    assert inferred(as_backend, "Poids", (2.2 * of_adults).round().tolist()).role is Role.OTHER
    beside = guess_variables(pl.DataFrame({"age": rng.integers(0, 90, 300), "Größe": 60 + of_all, "weight": of_all}))
    assert beside[2].variable.role is Role.OTHER
    assert "may be what persons weigh; if it is a sampling weight, give it the role weight" in beside[2].doubt
    assert beside[2].is_about_role


@pytest.mark.parametrize(("name", "mean"), [("weight", 4.3), ("weight", 0), ("wt", 7), ("sampling_weight", 4.3)])
def test_sampling_weights_are_told_from_what_somebody_weighs_by_their_values(name: str, mean: float) -> None:
    rng = np.random.default_rng(5)
    spread = 0.15 if name == "sampling_weight" else 0.7
    frame = pl.DataFrame({"height": rng.normal(170, 9, 300), name: rng.lognormal(mean, spread, 300)})
    assert Schema.infer(frame if mean != 4.3 else frame.select(name))[name].role is Role.WEIGHT


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("rooms", [1, 2, 3, 4] * 5, "guessed nominal, because its whole numbers have only 4 different values"),
        ("region", [*range(1, 90)] * 2, "guessed nominal, because its name says that"),
        ("v12", [*range(1, 183)] * 6, "if they are codes, make it nominal"),
        ("work", [*range(1111, 1411)] * 6, "if they are codes, make it nominal"),
        ("weight", [1.5, 2.5], "if it is a body weight or the like, give it the role other"),
        ("surname", ["Ada", "Emmy"] * 5, "guessed identifier"),
        ("REMARK", ["fine", "is the bishop"] * 20, "guessed identifier"),
        ("age", [*range(18, 90)] * 6, ""),
        ("born", [*range(1930, 2005)] * 6, ""),
        ("is_urban", [0, 1] * 6, ""),
        ("income", [1.5, 2.25, 3.125], ""),
    ],
)
def test_what_is_in_doubt_is_said_with_what_to_say_instead(name: str, values: list[Any], words: str) -> None:
    (guess,) = guess_variables(pl.DataFrame({name: values}))
    assert words in guess.doubt
    assert bool(words) == bool(guess.doubt)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("hochrechnung", Role.WEIGHT),
        ("Gewichtungsfaktor", Role.WEIGHT),
        ("factor_de_expansión", Role.WEIGHT),
        ("peso", Role.WEIGHT),
        ("waga", Role.WEIGHT),
        ("haushaltsnummer", Role.HOUSEHOLD),
        ("id_famiglia", Role.HOUSEHOLD),
        ("num_ménage", Role.HOUSEHOLD),
        ("patienten_nr", Role.IDENTIFIER),
        ("numero_dossier", Role.IDENTIFIER),
        ("Patienten-Nr.", Role.IDENTIFIER),
    ],
)
def test_weights_households_and_persons_are_known_in_other_languages(name: str, role: Role) -> None:
    numbers = [value * 7 + 0.5 if role is Role.WEIGHT else value * 7 for value in range(1, 31)]
    assert Schema.infer(pl.DataFrame({name: numbers}))[name].role is role


def test_numbers_of_patients_in_text_are_identifiers_however_many_stays_each_has() -> None:
    numbers = [f"K{900_000 + 7 * place}" for place in range(40) for _ in range(4)]
    short = [f"p{place}" for place in range(40) for _ in range(4)]
    names = {"patient": short, "kennung": numbers, "area_code": numbers, "ward": short}
    roles = [variable.role for variable in Schema.infer(pl.DataFrame(names)).variables]
    assert roles == [Role.IDENTIFIER, Role.IDENTIFIER, Role.OTHER, Role.OTHER]


def test_long_whole_numbers_that_are_all_different_and_as_long_are_identifiers_unless_named_as_amounts() -> None:
    numbers = [1_000_003 + 217_331 * place for place in range(40)]
    found = Schema.infer(pl.DataFrame({"code": numbers, "x": numbers, "turnover": numbers, "y": [*numbers[1:], 7]}))
    assert [variable.role for variable in found.variables] == [Role.IDENTIFIER, Role.IDENTIFIER, Role.OTHER, Role.OTHER]


def test_whole_numbers_that_records_share_which_stand_together_may_be_those_of_households() -> None:
    numbers = [500 + place // 2 for place in range(60)]
    shuffled = [500 + place * 7 % 30 for place in range(60)]
    frame = pl.DataFrame({"aloj": numbers, "x": shuffled, "income": numbers})
    doubts = {guess.variable.name: "role household" in guess.doubt for guess in guess_variables(frame)}
    assert doubts == {"aloj": True, "x": False, "income": False}


def test_codes_of_a_classification_with_a_point_are_no_amounts() -> None:
    codes = [62.01, 56.1, 47.11, 1.5, 10.0] * 20
    frame = pl.DataFrame({"nace": codes, "Anteil": codes, "isic_growth": [value + 1 / 7 for value in codes]})
    nace, share, growth = guess_variables(frame)
    assert nace.variable.kind is Kind.NOMINAL
    assert "if its numbers measure something, make it continuous" in nace.doubt
    assert share.variable.kind is Kind.CONTINUOUS
    assert growth.variable.kind is Kind.CONTINUOUS
