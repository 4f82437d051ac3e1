import pickle
from enum import StrEnum
from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError, field_validator

from sfumato.documents.record import Record
from sfumato.errors import ParameterError
from sfumato.parameters import GroupSize, Percent, Scale


class Shape(StrEnum):
    ROUND = "round"
    SQUARE = "square"


class Part(Record):
    width: Percent


class Example(Record):
    window: Percent
    scale: Scale = 1.0
    k: GroupSize = 3
    share: Annotated[float, Field(ge=0, lt=1)] = 0.5
    optional: Percent | None = None
    several: tuple[Percent, ...] = ()
    names: Annotated[tuple[str, ...], Field(min_length=1)] = ("a",)
    shape: Shape = Shape.ROUND
    side: Literal["left", "right"] = "left"
    part: Part | None = None
    even: int = 2

    @field_validator("even")
    @classmethod
    def _is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError(f"must be even; got {value}")
        return value


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "Example.window is required"),
        ({"window": 101}, "Example.window must be in (0, 100]; got 101"),
        ({"window": 0}, "Example.window must be in (0, 100]; got 0"),
        ({"window": float("inf")}, "Example.window must be in (0, 100]; got inf"),
        ({"window": float("nan")}, "Example.window must be in (0, 100]; got nan"),
        ({"window": "wide"}, "Example.window must be a number; got 'wide'"),
        ({"window": 5, "scale": 0}, "Example.scale must be in (0, 1000000]; got 0"),
        ({"window": 5, "k": 1}, "Example.k must be in [2, inf); got 1"),
        ({"window": 5, "share": 1}, "Example.share must be in [0, 1); got 1"),
        ({"window": 5, "optional": 200}, "Example.optional must be in (0, 100]; got 200"),
        ({"window": 5, "several": (1, 200)}, "Example.several.1 must be less than or equal to 100; got 200"),
        ({"window": 5, "several": (1, float("inf"))}, "Example.several.1 must be a finite number; got inf"),
        ({"window": 5, "names": ()}, "Example.names must have at least 1 item after validation; got ()"),
        ({"window": 5, "shape": "oval"}, "Example.shape must be 'round' or 'square'; got 'oval'"),
        ({"window": 5, "side": "up"}, "Example.side must be 'left' or 'right'; got 'up'"),
        ({"window": 5, "part": {"width": 0}}, "Part.width must be in (0, 100]; got 0"),
        ({"window": 5, "even": 3}, "Example.even must be even; got 3"),
        ({"windw": 5, "window": 5}, "Example has no parameter 'windw'; did you mean 'window'?"),
        ({"zzz": 5, "window": 5}, "Example has no parameter 'zzz'; it has " + ", ".join(Example.model_fields)),
    ],
    ids=str,
)
def test_a_problem_is_said_as_who_what_was_expected_and_what_came(values: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Example(**values)
    assert str(caught.value) == message


def test_all_problems_are_said_at_once_with_their_places() -> None:
    with pytest.raises(ParameterError) as caught:
        Example(window=101, k=1, several=(1, 200))
    assert len(caught.value.problems) == 3
    assert caught.value.places == (("window",), ("k",), ("several", 1))


def test_a_long_value_is_named_by_its_type_only() -> None:
    with pytest.raises(ParameterError) as caught:
        Example(window="x" * 100)
    assert str(caught.value).endswith("; got a str")


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        setattr(Example(window=5), "window", 6)  # noqa: B010  # as an assignment does


def test_replace_changes_a_copy_and_checks_it() -> None:
    example = Example(window=5, names=("b", "c"))
    assert example.replace(window=6) == Example(window=6, names=("b", "c"))
    assert example.window == 5
    with pytest.raises(ParameterError, match=r"Example.window must be in \(0, 100\]; got 101"):
        example.replace(window=101)


def test_a_record_survives_pickling() -> None:
    example = Example(window=5, shape=Shape.SQUARE)
    assert pickle.loads(pickle.dumps(example)) == example  # noqa: S301 - made here


def test_parameters_without_a_name_are_refused_with_an_example() -> None:
    with pytest.raises(ParameterError, match=r"Example takes its parameters by name, as in Example\(window=...\); got"):
        Example(5, 3)  # type: ignore[call-arg]
