from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.parameters.class_names import ClassNames

NEUTRAL = ClassNames(lowest="<{high}", between="{low}-{last}", highest="{low}+", joined="{low}..{high}")


@given(st.lists(st.integers(-50, 150), min_size=1, max_size=9, unique=True).map(sorted))
def test_each_whole_number_lies_in_the_class_whose_name_holds_it(breaks: list[int]) -> None:
    names = NEUTRAL.of_breaks([float(start) for start in breaks])
    assert names[0] == f"<{breaks[0]}"
    assert names[-1] == f"{breaks[-1]}+"
    for name, (low, high) in zip(names[1:-1], pairwise(breaks), strict=True):
        assert name == (str(low) if high == low + 1 else f"{low}-{high - 1}")


def test_usual_names_are_english_sentences_of_bounds() -> None:
    assert ClassNames().of_breaks((18, 65)) == ("below 18", "18 to below 65", "65 or more")
    assert ClassNames().of_range("bad", "fair") == "bad to fair"


def test_a_range_of_one_value_is_that_value() -> None:
    assert NEUTRAL.of_range(3.0, 3.0) == "3"
    assert NEUTRAL.of_range(3.0, 4.5) == "3..4.5"


@pytest.mark.parametrize(
    ("field", "pattern", "wanted"),
    [
        ("lowest", "under", "{high} or {last}"),
        ("lowest", "{low}", "{high} or {last}"),
        ("between", "{low}", "{low} and {high} or {last}"),
        ("highest", "{0}+", "{low}"),
        ("highest", "{low", "{low}"),
        ("highest", "{low.real}", "{low}"),
        ("joined", "{low}-{last}", "{low} and {high}"),
    ],
)
def test_a_pattern_that_would_not_tell_classes_apart_is_refused(field: str, pattern: str, wanted: str) -> None:
    with pytest.raises(ParameterError) as refused:
        ClassNames(**{field: pattern})
    assert f"ClassNames.{field} must be a pattern with {wanted}, and nothing else in braces" in str(refused.value)
