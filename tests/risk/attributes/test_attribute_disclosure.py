"""Attribute disclosure, checked against a plain double loop over the definition."""

from statistics import mean

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Measurement
from sfumato.data import Microdata, Schema, role
from sfumato.errors import DataError, KindError, ParameterError, UnknownColumnError
from sfumato.execution import run_step
from sfumato.masking import Pram
from sfumato.risk import AttributeDisclosure

Columns = dict[str, list[str | None]]


def microdata(columns: Columns, row_ids: list[int] | None = None) -> Microdata:
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    schema = Schema.infer(frame).with_kinds(nominal=list(columns))
    return Microdata(frame, schema) if row_ids is None else Microdata(frame, schema, np.array(row_ids))


def measured(
    original: Columns, masked: Columns, columns: tuple[str, ...], given: tuple[str, ...], missing: str = "wildcard"
) -> Measurement:
    measure = AttributeDisclosure(columns=columns, given=given, missing=missing)
    return measure.measure(microdata(original), microdata(masked))


def fits(known: str | None, seen: str | None, missing: str) -> bool:
    return known == seen or (missing == "wildcard" and None in (known, seen))


def plain_guesses(
    original: Columns, masked: Columns, column: str, given: tuple[str, ...], missing: str
) -> list[tuple[float, float, float] | None]:
    """Return for each person how far drawing, the most frequent value and certainty are right; None: nothing there."""
    answer: list[tuple[float, float, float] | None] = []
    for person, truth in enumerate(original[column]):
        if truth is None:
            answer.append(None)
            continue
        seen = []
        for record, value in enumerate(masked[column]):
            if value is not None and all(fits(original[key][person], masked[key][record], missing) for key in given):
                seen.append(value)
        modes = [value for value in set(seen) if seen.count(value) == max(map(seen.count, set(seen)))]
        drawn = seen.count(truth) / len(seen) if seen else 0.0
        answer.append((drawn, 1 / len(modes) if truth in modes else 0.0, float(bool(seen) and set(seen) == {truth})))
    return answer


def plain_disclosure(
    original: Columns, masked: Columns, columns: tuple[str, ...], given: tuple[str, ...], missing: str = "wildcard"
) -> dict[str, float]:
    """Return the value and the parts, in percent."""
    guesses = {name: plain_guesses(original, masked, name, given, missing) for name in columns}
    chances = {name: plain_guesses(original, masked, name, (), missing) for name in columns}

    def over_persons(source: dict[str, list[tuple[float, float, float] | None]], way: int) -> float:
        cells = [[cell[way] for cell in cells if cell is not None] for cells in zip(*source.values(), strict=True)]
        known = [mean(person) for person in cells if person]
        return 100 * mean(known) if known else 0.0

    parts = {}
    for name in columns:
        known = [cell[0] for cell in guesses[name] if cell is not None]
        parts[name] = 100 * mean(known) if known else 0.0
    ways = {"AD": over_persons(guesses, 0), "ADM": over_persons(guesses, 1), "ADC": over_persons(guesses, 2)}
    return parts | ways | {"ADB": over_persons(chances, 0)}


def survey(n: int = 120, missing: float = 0.0) -> Columns:
    """Return two keys and two confidential columns that depend on them."""
    rng = np.random.default_rng(3)
    town, sex = rng.integers(4, size=n), rng.integers(2, size=n)
    ill = np.where(rng.random(n) < 0.7, (town + sex) % 3, rng.integers(3, size=n))
    poor = np.where(town == 0, 1, rng.integers(2, size=n))
    columns = {"town": town, "sex": sex, "ill": ill, "poor": poor}
    gaps = {name: rng.random(n) < missing for name in columns}
    return {
        name: [None if gap else f"{name} {code}" for code, gap in zip(codes.tolist(), gaps[name].tolist(), strict=True)]
        for name, codes in columns.items()
    }


def post_randomised(columns: Columns, names: tuple[str, ...], stay: float, step: int = 0) -> Columns:
    masked = run_step(Pram(columns=names, stay=stay), microdata(columns), seed=4, step=step)
    return {name: masked.table[name].to_list() for name in columns}


KEYS, CONFIDENTIAL = ("town", "sex"), ("ill", "poor")


@pytest.mark.parametrize(("missing", "reading"), [(0.0, "wildcard"), (0.2, "wildcard"), (0.2, "category")])
@pytest.mark.parametrize("columns", [("ill",), CONFIDENTIAL])
def test_equals_a_plain_double_loop(missing: float, reading: str, columns: tuple[str, ...]) -> None:
    original = survey(missing=missing)
    masked = post_randomised(original, (*KEYS, *CONFIDENTIAL), 0.6)
    found = measured(original, masked, columns, KEYS, reading)
    expected = plain_disclosure(original, masked, columns, KEYS, reading)
    assert {"AD": found.value, **found.parts} == pytest.approx(expected)


def letters(n: int) -> st.SearchStrategy[list[str | None]]:
    return st.lists(st.sampled_from(["a", "b", None]), min_size=n, max_size=n)


@given(data=st.data())
def test_equals_a_plain_double_loop_on_tiny_files(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 7))
    original, masked = (
        {name: ["a", *data.draw(letters(n - 1))] for name in ("key", "other", "secret")} for _ in range(2)
    )
    for column in original.values():
        column[-1] = "b"  # so that the original has all the categories
    given = ("key", "other")
    reading = data.draw(st.sampled_from(["wildcard", "category"]))
    found = measured(original, masked, ("secret",), given, reading)
    expected = plain_disclosure(original, masked, ("secret",), given, reading)
    assert {"AD": found.value, **found.parts} == pytest.approx(expected)


def test_a_person_with_unique_keys_is_given_away_by_an_unmasked_file() -> None:
    data: Columns = {"key": ["a", "b", "c"], "secret": ["x", "y", "x"]}
    found = measured(data, data, ("secret",), ("key",))
    assert found.value == found.parts["ADC"] == found.parts["ADM"] == 100.0
    assert found.parts["ADB"] == pytest.approx(100 * (2 / 3 * 2 / 3 + 1 / 3 * 1 / 3))


def test_a_class_that_agrees_is_certain_however_large_it_is() -> None:
    data: Columns = {"key": [*["a"] * 50, *["b"] * 2], "secret": [*["x"] * 51, "y"]}
    found = measured(data, data, ("secret",), ("key",))
    assert found.parts["ADC"] == pytest.approx(100 * 50 / 52)
    assert found.value == pytest.approx(100 * (50 + 0.5 + 0.5) / 52)


def test_a_class_that_agrees_on_the_wrong_value_gives_nothing_away() -> None:
    original: Columns = {"key": ["a", "a", "b", "b"], "secret": ["x", "x", "y", "y"]}
    masked: Columns = {"key": ["b", "b", "a", "a"], "secret": ["x", "x", "y", "y"]}
    found = measured(original, masked, ("secret",), ("key",))
    assert found.value == found.parts["ADC"] == found.parts["ADM"] == 0.0
    assert found.parts["ADB"] == 50.0


def test_post_randomised_keys_give_away_less_and_end_at_what_anybody_knows() -> None:
    original = survey(n=3000)
    found = [measured(original, post_randomised(original, KEYS, stay), ("ill",), KEYS) for stay in (95, 80, 50)]
    values = [measured(original, original, ("ill",), KEYS).value, *(one.value for one in found)]
    assert values == sorted(values, reverse=True)
    assert values[0] > 60
    lost = post_randomised(post_randomised(original, ("town",), 100 / 4), ("sex",), 100 / 2, step=1)  # nothing is kept
    blind = measured(original, lost, ("ill",), KEYS)
    # the shares of 8 classes of about 375 records, each with a standard error of about 2.5 points, and their mean
    assert blind.value == pytest.approx(blind.parts["ADB"], abs=3)


def test_taking_the_most_frequent_value_is_right_at_least_as_often_as_drawing_from_an_unmasked_file() -> None:
    original = survey(n=500)
    found = measured(original, original, CONFIDENTIAL, KEYS)
    assert found.parts["ADC"] <= found.value <= found.parts["ADM"]
    assert found.parts["ADB"] < found.value


def test_a_person_whose_keys_nobody_has_is_not_guessed() -> None:
    original: Columns = {"key": ["a", "b", "c"], "secret": ["x", "x", "x"]}
    masked: Columns = {"key": ["a", "a", "c"], "secret": ["x", "x", "x"]}
    found = measured(original, masked, ("secret",), ("key",))
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0, 0.0, 100.0]


def test_suppressed_keys_hide_nobody_whom_the_other_keys_fit() -> None:
    original: Columns = {"town": ["a", "a", "b", "b"], "job": ["c", "d", "c", "d"], "secret": ["x", "y", "y", "x"]}
    suppressed = original | {"job": [None, None, "c", "d"]}
    found = measured(original, suppressed, ("secret",), ("town", "job"))
    assert found.per_record is not None
    assert found.per_record.tolist() == [50.0, 50.0, 100.0, 100.0]
    apart = measured(original, suppressed, ("secret",), ("town", "job"), "category")
    assert apart.per_record is not None
    assert apart.per_record.tolist() == [0.0, 0.0, 100.0, 100.0]


def test_a_missing_key_may_be_a_category_of_its_own() -> None:
    original: Columns = {"key": ["a", None, "a", None], "secret": ["x", "y", "x", "y"]}
    found = measured(original, original, ("secret",), ("key",), "category")
    assert found.parts["ADC"] == 100.0
    suppressed = original | {"key": ["a", None, None, None]}
    found = measured(original, suppressed, ("secret",), ("key",), "category")
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([100.0, 200 / 3, 100.0, 200 / 3])


def test_codes_for_missing_are_told_apart_as_readers_do() -> None:
    frame = pl.DataFrame({"job": ["98", "98", "99", "99"], "ill": [*"yynn"]})
    codes = "variables: {job: {kind: nominal, missing_codes: ['98', '99']}, ill: {kind: nominal}}"
    data = Microdata(frame, Schema.from_yaml(codes))
    measure = AttributeDisclosure(columns=("ill",), given=("job",), missing="category")
    assert measure.measure(data, data).parts["ADC"] == 100
    assert measure.replace(missing="wildcard").measure(data, data).parts["ADC"] == 0


def test_a_missing_confidential_value_has_nothing_to_disclose_and_a_masked_one_tells_nothing() -> None:
    original: Columns = {"key": ["a", "a", "a", "b"], "secret": ["x", None, "y", "y"]}
    masked: Columns = {"key": ["a", "a", "a", "b"], "secret": ["x", "y", None, None]}
    found = measured(original, masked, ("secret",), ("key",))
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([50.0, np.nan, 50.0, 0.0], nan_ok=True)
    assert found.value == pytest.approx(100 / 3)


def test_records_are_told_by_their_ids_and_a_sample_counts_its_own_persons() -> None:
    original = survey()
    order = np.random.default_rng(3).permutation(120)[:50].tolist()
    sample = {name: [column[row] for row in order] for name, column in original.items()}
    measure = AttributeDisclosure(columns=CONFIDENTIAL, given=KEYS)
    found = measure.measure(microdata(original), microdata(sample, order))
    assert {"AD": found.value, **found.parts} == pytest.approx(plain_disclosure(sample, sample, CONFIDENTIAL, KEYS))


def test_a_rule_for_the_keys_leaves_out_the_confidential_columns() -> None:
    original = survey()
    keys = Schema.infer(pl.DataFrame(original)).with_roles(key=[*KEYS, "ill"])
    data = Microdata(pl.DataFrame(original), keys)
    found = AttributeDisclosure(columns=("ill",), given=role("key")).measure(data, data)
    assert found.parts == measured(original, original, ("ill",), KEYS).parts
    with pytest.raises(DataError, match=r"AttributeDisclosure.given: role\(key\) picks no column beside those in"):
        AttributeDisclosure(columns=(*KEYS, "ill"), given=role("key")).measure(data, data)


def test_refuses_a_key_that_is_also_confidential() -> None:
    with pytest.raises(DataError, match=r"AttributeDisclosure.given: 'ill' is also in columns; name it in one"):
        measured(survey(), survey(), ("ill",), ("ill", "town"))


def test_refuses_a_key_that_the_masked_file_lacks() -> None:
    masked = microdata(survey()).without_columns(("town",))
    with pytest.raises(UnknownColumnError, match=r"given: the masked file has no column 'town'; name only columns"):
        AttributeDisclosure(columns=("ill",), given=KEYS).measure(microdata(survey()), masked)


@pytest.mark.parametrize("file", ["original", "masked"])
def test_refuses_a_key_of_numbers(file: str) -> None:
    frame = pl.DataFrame(survey()).with_columns(age=pl.int_range(120))
    schemas = {name: Schema.infer(frame).with_kinds(nominal=["age"]) for name in ("original", "masked")}
    schemas[file] = Schema.infer(frame).with_kinds(continuous=["age"])
    files = [Microdata(frame, schemas[name]) for name in ("original", "masked")]
    with pytest.raises(KindError, match=rf"given: 'age' is continuous in the {file} file; expected nominal or ordinal"):
        AttributeDisclosure(columns=("ill",), given=("age",)).measure(*files)


@pytest.mark.parametrize(("name", "place"), [("town", "given"), ("ill", "columns")])
def test_refuses_a_recoded_column(name: str, place: str) -> None:
    masked = survey()
    masked[name] = ["joined" if value in (f"{name} 0", f"{name} 1") else value for value in masked[name]]
    with pytest.raises(
        DataError, match=rf"AttributeDisclosure.{place}: '{name}' has 1 category in the masked file that .* recode"
    ):
        measured(survey(), masked, ("ill",), KEYS)


def test_needs_a_key() -> None:
    with pytest.raises(ParameterError, match=r"AttributeDisclosure.given must name at least one column; got none"):
        AttributeDisclosure(columns=("ill",), given=())
