"""Records of a small made-up room, to load and to write."""

from typing import Annotated

from pydantic import Field, InstanceOf

from sfumato.documents import FilePath, ListOf, OneOf, Record


class Shape(Record):
    """What the table below lists."""


class Circle(Shape):
    radius: Annotated[float, Field(gt=0)]


class Box(Shape):
    width: Annotated[float, Field(gt=0)] = 1.0
    names: tuple[str, ...] = ()


SHAPES: dict[str, type[Shape]] = {"circle": Circle, "box": Box}
SHAPE: OneOf[Shape] = OneOf(SHAPES, noun="shape", example="circle: {radius: 3}")


class Frame(Record):
    colour: str = "black"
    wide: bool = False


class Drawing(Record):
    title: str
    shapes: Annotated[tuple[InstanceOf[Shape], ...], ListOf(SHAPE)]
    outline: Annotated[InstanceOf[Shape] | None, SHAPE] = None
    frame: Frame | None = None
    copies: int = Field(default=1, ge=1)
    source: FilePath | None = Field(default=None, alias="from")
