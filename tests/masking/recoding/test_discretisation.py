from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Spans
from sfumato.data import Kind, Microdata, Role
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import Discretisation
from sfumato.masking.recoding.discretisation import class_of
from sfumato.parameters.class_names import ClassNames
from tests.data.frames import AsBackend, cells, column

AGES = ("child", "adult", "old")


def discretised(data: Microdata, **parameters: Any) -> Microdata:
    return run_step(Discretisation(columns=("x",), **parameters), data, seed=1, step=0)


@given(
    values=st.lists(st.integers(-20, 20).map(float), max_size=30),
    breaks=st.lists(st.integers(-15, 15), min_size=1, max_size=6, unique=True).map(sorted),
)
def test_the_class_of_a_value_counts_the_breaks_that_it_has_reached(values: list[float], breaks: list[int]) -> None:
    found = class_of(np.array(values), np.array(breaks, dtype=float))
    assert found.tolist() == [sum(value >= point for point in breaks) for value in values]


def test_classes_are_ordinal_with_their_labels_in_order(as_backend: AsBackend) -> None:
    data = column(as_backend, [17.0, 18.0, None, 64.9, 65.0], kind=Kind.CONTINUOUS, role=Role.KEY, label="Age")
    after = discretised(data, breaks=(18, 65), labels=AGES)
    assert cells(after)["x"] == ["child", "adult", None, "adult", "old"]
    assert after.schema["x"].kind is Kind.ORDINAL
    assert after.schema["x"].categories == AGES
    assert (after.schema["x"].role, after.schema["x"].label) == (Role.KEY, "Age")
    assert after.values("x").tolist()[:2] == [0, 1]
    if as_backend.__name__ != "as_arrow":
        assert after.table["x"].dtype == nw.Enum(AGES)


def test_missing_codes_stay_missing_as_text(as_backend: AsBackend) -> None:
    data = column(
        as_backend, [17, -9, 70, None, -7], kind=Kind.CONTINUOUS,
        missing_codes=(-9,), missing_ranges=((-8, -7),), value_labels={-9: "refused", 70: "seventy"},
    )  # fmt: skip
    after = discretised(data, breaks=(18, 65))
    assert cells(after)["x"] == ["below 18", "-9", "65 or more", None, "-7"]
    assert after.observed("x").tolist() == data.observed("x").tolist()
    assert after.schema["x"].missing_codes == ("-9", "-7")
    assert after.schema["x"].value_labels == {"-9": "refused"}


def test_a_class_without_records_is_still_a_category() -> None:
    after = discretised(column(lambda frame: frame, [1.0], kind=Kind.CONTINUOUS), breaks=(18, 65), labels=AGES)
    assert after.frame["x"].dtype == pl.Enum(AGES)


def test_blocks_have_the_same_classes_and_counts_are_exact() -> None:
    values = np.random.default_rng(4).integers(0, 100, 150_000).astype(float)
    values[100_000:] = 5.0
    after = discretised(
        column(lambda frame: frame, values.tolist(), kind=Kind.CONTINUOUS), breaks=(18, 65), labels=AGES
    )
    expected = dict(zip(AGES, np.histogram(values, [0, 18, 65, 101])[0].tolist(), strict=True))
    assert after.summary.counts("x") == expected


def test_labels_are_made_of_the_bounds() -> None:
    assert ClassNames().of_breaks((0.5,)) == ("below 0.5", "0.5 or more")
    assert ClassNames().of_breaks((-10.0, 0.0, 1e6)) == (
        "below -10",
        "-10 to below 0",
        "0 to below 1000000",
        "1000000 or more",
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"breaks": (2, 1)}, r"Discretisation\.breaks must rise"),
        ({"breaks": (1, 1)}, r"Discretisation\.breaks must rise"),
        ({"breaks": ()}, r"Discretisation\.breaks must have at least 1 item"),
        ({"breaks": (1, 2), "labels": ("a", "b")}, r"Discretisation\.labels must be 3, one more than .*; got 2"),
        ({"breaks": (1,), "labels": ("a", "a")}, r"Discretisation\.labels must differ"),
    ],
)  # fmt: skip
def test_refuses_breaks_and_labels_that_do_not_fit(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Discretisation(columns=("x",), **given)


def test_refuses_a_label_that_is_the_text_of_a_missing_code() -> None:
    data = column(lambda frame: frame, [1.0, -9.0], kind=Kind.CONTINUOUS, missing_codes=(-9,))
    with pytest.raises(DataError, match=r"Discretisation\.labels: one is the text of a missing code of 'x'"):
        discretised(data, breaks=(1,), labels=("-9", "rest"))


def test_classes_can_be_named_by_patterns(as_backend: AsBackend) -> None:
    data = column(as_backend, [17, 18, None, 64, 65], kind=Kind.CONTINUOUS)
    names = {"lowest": "<{high}", "between": "{low}-{last}", "highest": "{low}+"}
    assert cells(discretised(data, breaks=(18, 65), class_names=names))["x"] == ["<18", "18-64", None, "18-64", "65+"]


def test_the_last_whole_number_names_no_class_of_other_numbers() -> None:
    data = column(lambda frame: frame, [17.5, 18.0], kind=Kind.CONTINUOUS)
    with pytest.raises(
        DataError, match=r"Discretisation\.class_names: \{last\} is for whole numbers, and 'x' has others"
    ):
        discretised(data, breaks=(18, 65), class_names={"between": "{low}-{last}"})


def test_labels_and_patterns_together_are_refused() -> None:
    with pytest.raises(ParameterError, match="needs at most one of labels and class_names; got both"):
        Discretisation(columns=("x",), breaks=(18, 65), labels=AGES, class_names={"highest": "{low}+"})


def test_the_release_tells_between_which_breaks_each_value_lay() -> None:
    data = Microdata(pl.DataFrame({"x": [3.0, 18.0, None, 70.0]}))
    method = Discretisation(columns=("x",), breaks=(18, 65), labels=AGES)
    nothing = np.full(4, np.nan)
    classes = method.mask(data, np.random.default_rng(0))
    spans = method.values_before(classes, "x", Spans(nothing, nothing))
    assert spans is not None
    np.testing.assert_array_equal(spans.low, [-np.inf, 18, np.nan, 65])
    np.testing.assert_array_equal(spans.high, [18, 65, np.nan, np.inf])
    assert method.replace(labels=("a", "b", "c")).values_before(classes, "x", Spans(nothing, nothing)) is None
