"""The frozen record of parameters, with one form of message for every problem."""

from itertools import chain
from typing import Any, Self, get_args

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from sfumato.errors import ParameterError, did_you_mean

RANGE_PROBLEMS = {"greater_than", "greater_than_equal", "less_than", "less_than_equal", "finite_number"}
PLAIN = str | int | float | bool | None
LONGEST_SHOWN = 60
CHOICE_PROBLEMS = {"enum", "literal_error"}


class Record(BaseModel):
    """A set of named values that cannot change and knows its ranges.

    Unknown names are refused and every problem is reported at once, as `Class.field must be ...; got ...`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _parameter_error(type(self), error) from None

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed, checked like a new record."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})


def _parameter_error(record: type[BaseModel], error: ValidationError) -> ParameterError:
    details = error.errors(include_url=False)
    return ParameterError([_sentence(record, detail) for detail in details], [detail["loc"] for detail in details])


def _sentence(record: type[BaseModel], detail: ErrorDetails) -> str:
    problem, place = detail["type"], detail["loc"]
    who = ".".join([record.__name__, *(str(part) for part in place)])
    if problem == "missing":
        return f"{who} is required"
    if problem == "extra_forbidden":
        name = str(place[-1])
        return f"{record.__name__} has no parameter '{name}'{did_you_mean(name, record.model_fields)}"
    if problem == "value_error":
        return _prefix_field(who, str(detail["ctx"]["error"]))
    field = record.model_fields.get(str(place[0])) if place else None
    if problem in RANGE_PROBLEMS and len(place) == 1 and field is not None:
        return f"{who} must be in {_interval(field)}; got {format_value(detail['input'])}"
    if problem in CHOICE_PROBLEMS:
        return f"{who} must be {detail['ctx']['expected']}; got {format_value(detail['input'])}"
    _, should, expected = detail["msg"].partition(" should ")  # as in "Tuple should have at least 1 item, not 0"
    wanted = f"must {expected.partition(',')[0]}" if should else detail["msg"]
    return f"{who} {wanted}; got {format_value(detail['input'])}"


def _prefix_field(who: str, message: str) -> str:
    """Put the field's name before a validator's own words, unless they already say whose they are."""
    return f"{who} {message}" if message.startswith("must ") else message


def _bounds(field: FieldInfo) -> list[Any]:
    """Return the bounds of a field, those of a part of its type such as `Percent | None` included."""
    parts = [getattr(part, "__metadata__", ()) for part in get_args(field.annotation)]
    found = [*field.metadata, *chain.from_iterable(parts)]
    found = [bound for item in found for bound in (item.metadata if isinstance(item, FieldInfo) else [item])]
    return [bound for bound in found if isinstance(bound, Gt | Ge | Lt | Le)]


def _interval(field: FieldInfo) -> str:
    low, high, opening, closing = "-inf", "inf", "(", ")"
    for bound in _bounds(field):
        match bound:
            case Gt(gt=value):
                low, opening = f"{value:g}", "("
            case Ge(ge=value):
                low, opening = f"{value:g}", "["
            case Lt(lt=value):
                high, closing = f"{value:g}", ")"
            case Le(le=value):
                high, closing = f"{value:g}", "]"
    return f"{opening}{low}, {high}{closing}"


def format_value(value: object) -> str:
    """Return a parameter's value as a message may show it: short plain values only, never a column of data.

    Examples
    --------
    >>> format_value(101), format_value(["a", "b"]), format_value({"income": [1, 2]})
    ('101', "['a', 'b']", 'a dict')
    """
    is_plain = isinstance(value, PLAIN) or (
        isinstance(value, list | tuple) and all(isinstance(part, PLAIN) for part in value)
    )
    text = repr(value) if is_plain else ""
    return text if is_plain and len(text) <= LONGEST_SHOWN else f"a {type(value).__name__}"
