"""Combinations of keys: how they are written, and what they demand of each set of keys."""

import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.keys.combinations import known_together
from sfumato.masking import LocalSuppression
from sfumato.risk import KAnonymity

NAMES = ("sex", "age", "town")
DATA = Microdata(pl.DataFrame({"sex": ["f", "m"], "age": ["old", "young"], "town": ["A", "B"]}))


def demanded(combinations: object) -> dict[tuple[str, ...], int]:
    return known_together("X", KAnonymity(combinations=combinations).combinations, DATA, NAMES, 3)


def test_combinations_are_those_listed_or_all_up_to_a_size_or_all_keys() -> None:
    assert demanded(None) == demanded([]) == {NAMES: 3}
    assert demanded((("age", "sex"), ("town",))) == {("age", "sex"): 3, ("town",): 3}
    assert len(demanded(2)) == 6
    assert demanded(9) == demanded(3)


def test_a_combination_may_have_its_own_k() -> None:
    assert demanded({("age", "sex"): 5, 1: 10}) == {("age", "sex"): 5, ("sex",): 10, ("age",): 10, ("town",): 10}


def test_a_measure_and_a_method_read_the_same_forms() -> None:
    for form in (2, [["sex", "age"], ["town"]], {("sex", "age"): 5, 2: 4}, [{"columns": ["sex"], "k": 7}]):
        assert (
            KAnonymity(combinations=form).combinations
            == LocalSuppression(columns=NAMES, combinations=form).combinations
        )


def test_refuses_a_combination_of_what_is_no_key() -> None:
    with pytest.raises(ParameterError, match=r"X\.combinations: 'twn' is not one of the columns; did you mean 'town'"):
        demanded((("sex", "twn"),))
    with pytest.raises(ParameterError, match="must name each key once in a combination"):
        KAnonymity(combinations=(("sex", "sex"),))
    with pytest.raises(ParameterError, match="must list each combination once"):
        KAnonymity(combinations=(("sex", "town"), ("town", "sex")))


@pytest.mark.parametrize("combinations", [0, True, "all", [[]], ["sex"]])
@pytest.mark.parametrize("record", [KAnonymity, LocalSuppression])
def test_refuses_what_is_no_combination_of_keys(record: type, combinations: object) -> None:
    with pytest.raises(ParameterError, match=r"\.combinations must be a number of keys, 1 or more, or combinations of"):
        record(columns=NAMES, combinations=combinations)
