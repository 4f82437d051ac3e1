"""Entries name a record of a table, with its parameters."""

from typing import Any

import pytest

from sfumato.documents import OneOf, read_places
from sfumato.errors import ParameterError
from tests.documents.examples import SHAPE, SHAPES, Box, Circle, Shape


def refusal(entry: Any, one: OneOf[Shape] = SHAPE) -> ParameterError:
    with pytest.raises(ParameterError) as refused:
        one.read(entry)
    return refused.value


def test_a_name_alone_is_a_record_without_parameters() -> None:
    assert SHAPE.read("box") == SHAPE.read({"box": None}) == SHAPE.read({"box": {}}) == Box()


def test_a_record_that_is_made_already_stays_as_it_is() -> None:
    box = Box(width=2)
    assert SHAPE.read(box) is box


def test_a_number_alone_is_the_first_parameter_where_that_is_allowed() -> None:
    allowing = OneOf(SHAPES, noun="shape", example="circle: 3", number_alone=True)
    assert allowing.read({"circle": 3}) == Circle(radius=3)
    for given in (True, "3", [3]):
        assert "circle expects parameters by their names: radius" in str(refusal({"circle": given}, allowing))


@pytest.mark.parametrize(
    ("entry", "message", "place"),
    [
        (None, "expected a shape, as in 'circle: {radius: 3}'; got nothing", ()),
        ({}, "expected a shape, as in 'circle: {radius: 3}'; got nothing", ()),
        ([], "expected a shape, as in 'circle: {radius: 3}'; got nothing", ()),
        ("zzz", "there is no shape 'zzz'; the shapes are circle, box", ()),
        ({"circle": {"radius": 0}}, "Circle.radius must be in (0, inf); got 0", ("circle", "radius")),
        (
            {"circle": {}, "radius": 3},
            "expected one shape, got the keys circle, radius; keep one, and indent its parameters",
            (),
        ),
    ],
)
def test_what_names_no_record_is_refused_with_its_place(entry: Any, message: str, place: tuple[str, ...]) -> None:
    error = refusal(entry)
    assert error.problems == (message,)
    assert error.places == (place,)


def test_a_record_is_written_as_its_entry() -> None:
    assert SHAPE.write(Circle(radius=2)) == {"circle": {"radius": 2.0}}


def test_the_same_problem_of_the_same_place_is_raised_once() -> None:
    with pytest.raises(ParameterError) as refused:
        read_places([(("a",), "crcle"), (("a",), "crcle"), (("b",), "crcle"), (("b",), "box")], SHAPE.read)
    assert refused.value.places == (("a",), ("b",))
