import pickle

import pytest

from sfumato import errors
from sfumato.errors import DataError, DocumentError, ParameterError, SchemaError, SfumatoError, did_you_mean

EVERY_ERROR = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, SfumatoError)]


@pytest.mark.parametrize("kind", EVERY_ERROR)
def test_every_error_is_caught_as_a_sfumato_error(kind: type[SfumatoError]) -> None:
    with pytest.raises(SfumatoError):
        raise kind(["a problem"])


@pytest.mark.parametrize("kind", EVERY_ERROR)
def test_every_error_stands_in_the_tree_that_its_file_draws(kind: type[SfumatoError]) -> None:
    assert kind.__name__ in str(errors.__doc__)


def test_a_parameter_error_is_a_value_error() -> None:
    assert issubclass(ParameterError, ValueError)


def test_a_schema_error_is_a_data_error() -> None:
    assert issubclass(SchemaError, DataError)


def test_a_parameter_error_says_each_problem_on_a_line() -> None:
    assert str(ParameterError(["one", "two"])) == "one\ntwo"


def test_a_parameter_error_has_a_place_for_each_problem() -> None:
    assert ParameterError(["one", "two"]).places == ((), ())
    assert ParameterError(["one"], [("steps", 0, "window")]).places == (("steps", 0, "window"),)


def test_a_recipe_error_counts_and_lists_its_problems() -> None:
    assert str(DocumentError(["one"])) == "the recipe has 1 problem:\n  - one"
    assert str(DocumentError(["one", "two"])) == "the recipe has 2 problems:\n  - one\n  - two"


@pytest.mark.parametrize(
    "error",
    [ParameterError(["one", "two"], [("a",), ("b", 1)]), DocumentError(["one", "two"]), SchemaError("a schema")],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_the_way_back_from_another_process(error: SfumatoError) -> None:
    back = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("incme", "; did you mean 'income'?"),
        ("INCOME", "; did you mean 'income'?"),
        ("tx", "; did you mean 'Tax'?"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_the_nearest_known_name_is_offered_whatever_its_case(name: str, hint: str) -> None:
    assert did_you_mean(name, ["income", "Tax"]) == hint


def test_nothing_is_offered_when_nothing_is_known() -> None:
    assert did_you_mean("income", []) == ""
