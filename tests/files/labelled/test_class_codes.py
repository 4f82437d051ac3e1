from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.execution import run_step
from sfumato.files import write
from sfumato.files.labelled.class_codes import MAX_CATEGORIES, with_class_codes
from sfumato.masking import Recoding

texts = st.lists(st.text(min_size=1), min_size=1, max_size=8, unique=True)


def coded(values: list[str | None], categories: list[str], **known: object) -> tuple[list[float | None], Variable]:
    frame = pl.DataFrame({"x": values}, schema={"x": pl.Enum(categories)})
    variable = Variable(name="x", kind=Kind.ORDINAL, **known)
    after, schema = with_class_codes(frame, Schema(variables=(variable,)))
    return after["x"].to_list(), schema["x"]


@given(texts, st.data())
def test_labels_give_back_what_the_codes_stand_for(categories: list[str], data: st.DataObject) -> None:
    values = data.draw(st.lists(st.none() | st.sampled_from(categories)))
    codes, variable = coded(list(values), categories)
    assert [None if code is None else variable.value_labels[code] for code in codes] == values
    order = {text: code for code, text in variable.value_labels.items()}
    assert [order[text] for text in categories] == sorted(order.values())


def test_codes_leave_out_what_stands_for_missing() -> None:
    codes, variable = coded(
        ["low", "2", "high", None, "-9"],
        ["low", "high", "2", "-9"],
        missing_codes=("2", "-9"),
        value_labels={"2": "Refused"},
        missing_ranges=((-9, -5),),
    )
    assert codes == [1, 2, 3, None, -9]
    assert variable.value_labels == {1: "low", 3: "high", 2: "Refused"}
    assert (variable.missing_codes, variable.missing_ranges) == ((2,), ((-9, -5),))


def test_categories_that_are_whole_numbers_are_their_own_codes() -> None:
    assert coded(["2", "5", None], ["2", "5"])[0] == [2, 5, None]
    assert coded(["02", "5", None], ["02", "5"])[0] == [1, 2, None]
    assert coded(["5", "2", None], ["5", "2"])[0] == [1, 2, None]  # in another order than the numbers


def test_missing_text_that_is_no_number_gets_a_code_of_its_own() -> None:
    codes, variable = coded(["a", "none", "b"], ["a", "b", "none"], missing_codes=("none",))
    assert codes == [1, 3, 2]
    assert variable.missing_codes == (3,)


@pytest.mark.parametrize("categories", [1, MAX_CATEGORIES + 1])
def test_text_and_very_many_categories_stay_text(categories: int) -> None:
    dtype = pl.String if categories == 1 else pl.Enum([str(number) for number in range(categories)])
    frame = pl.DataFrame({"x": ["1", "2"]}, schema={"x": dtype})
    schema = Schema(variables=(Variable(name="x", kind=Kind.NOMINAL),))
    assert with_class_codes(frame, schema)[0].equals(frame)


@pytest.mark.parametrize("kind", [Kind.NOMINAL, Kind.ORDINAL])
def test_codes_that_became_text_in_any_dataframe_are_labelled_codes_in_the_file(
    tmp_path: Path, as_backend: Callable[[pl.DataFrame], Any], kind: Kind
) -> None:
    schema = Schema(variables=(Variable(name="x", kind=kind),))
    data = Microdata(as_backend(pl.DataFrame({"x": [1, 2, 3, None]})), schema)
    joined = run_step(Recoding(columns=("x",), map={1: "low", 2: "low", 3: "top"}), data, seed=1, step=0)
    write(joined, tmp_path / "a.sav")
    frame, metadata = pyreadstat.read_sav(tmp_path / "a.sav", output_format="dict")
    assert metadata.variable_value_labels == {"x": {1.0: "low", 2.0: "top"}}
    assert [None if code != code else code for code in frame["x"]] == [1.0, 1.0, 2.0, None]
