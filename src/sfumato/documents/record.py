"""The frozen record of parameters, with one form of message for every problem."""

from itertools import chain
from typing import Any, Never, Self, get_args

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from sfumato.display import format_compact
from sfumato.documents.messages import format_value, kind_of
from sfumato.documents.plain import plain_fields
from sfumato.errors import ParameterError, did_you_mean

RANGE_PROBLEMS = {"greater_than", "greater_than_equal", "less_than", "less_than_equal", "finite_number"}
WORDS = {  # what pydantic calls values, and what people do
    "a valid boolean": "true or false",
    "a valid integer": "a whole number",
    "a valid number": "a number",
    "a valid string": "text",
    "a valid dictionary": "a mapping",
    "a valid list": "a list",
    "a valid tuple": "a list",
    "a valid date or datetime": "a date written as yyyy-mm-dd, such as 2023-12-31",
}
ENDS: dict[type, tuple[str, str]] = {Gt: ("gt", "("), Ge: ("ge", "["), Lt: ("lt", ")"), Le: ("le", "]")}
CHOICE_PROBLEMS = {"enum", "literal_error"}


def _with_text_names(values: Any) -> Any:
    return {str(name): value for name, value in values.items()} if isinstance(values, dict) else values


class Record(BaseModel):
    """A set of named values that cannot change and knows its ranges.

    Unknown names are refused and every problem is reported at once, as `Class.field must be ...; got ...`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_by_name=True, defer_build=True)

    def __init__(self, /, *unnamed: Never, **values: Any) -> None:
        if unnamed:
            name, first = type(self).__name__, next(iter(type(self).model_fields), "name")
            raise ParameterError(
                [f"{name} takes its parameters by name, as in {name}({first}=...); got {len(unnamed)} without one"]
            )
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _parameter_error(type(self), error) from None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let a name that is no text, as a YAML mapping may have one, be refused as an unknown parameter."""
        return core_schema.no_info_before_validator_function(_with_text_names, handler(source))

    def to_plain(self) -> dict[str, Any]:
        """Return the record as plain values, as a YAML document has it.

        Parameters at their defaults are there too, so that a text means the same when a default changes one day; only
        what is absent (no strata, no threshold) is left out.
        """
        return plain_fields(self)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed, checked like a new record."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})


def _parameter_error(record: type[BaseModel], error: ValidationError) -> ParameterError:
    """Return all problems with their places; those of records inside the record one by one."""
    problems: list[str] = []
    places: list[tuple[str | int, ...]] = []
    for detail in error.errors(include_url=False):
        cause = detail.get("ctx", {}).get("error")
        if isinstance(cause, ParameterError):
            problems.extend(_with_subject(_subject(record, detail), problem) for problem in cause.problems)
            places.extend((*detail["loc"], *place) for place in cause.places)
        else:
            problems.append(_sentence(record, detail))
            places.append(detail["loc"])
    return ParameterError(problems, places)


def _subject(record: type[BaseModel], detail: ErrorDetails) -> str:
    return ".".join([record.__name__, *(str(part) for part in detail["loc"])])


def _sentence(record: type[BaseModel], detail: ErrorDetails) -> str:
    problem, place = detail["type"], detail["loc"]
    who = _subject(record, detail)
    if problem == "missing":
        return f"{who} is required"
    if problem == "extra_forbidden":
        name = str(place[-1])
        near = did_you_mean(name, record.model_fields) or f"; it has {', '.join(record.model_fields)}"
        return f"{record.__name__} has no parameter '{name}'{near}"
    if problem == "value_error":
        return _with_subject(who, str(detail["ctx"]["error"]))
    field = record.model_fields.get(str(place[0])) if place else None
    if problem in RANGE_PROBLEMS and len(place) == 1 and field is not None:
        return f"{who} must be in {_interval(field)}; got {format_value(detail['input'])}"
    if problem == "model_type" and field is not None:
        return f"{who} must be a mapping{_keys_of(field, detail)}; got {kind_of(detail['input'])}"
    if problem in CHOICE_PROBLEMS:
        return f"{who} must be {detail['ctx']['expected']}; got {format_value(detail['input'])}"
    _, should, expected = detail["msg"].partition(" should ")  # as in "Tuple should have at least 1 item, not 0"
    wanted = f"must {_plain_words(expected.partition(',')[0])}" if should else detail["msg"]
    return f"{who} {wanted}; got {format_value(detail['input'])}"


def _with_subject(who: str, message: str) -> str:
    """Put the field's name before a validator's own words, unless they already say whose they are."""
    return f"{who} {message}" if message.startswith("must ") else message


def _plain_words(expected: str) -> str:
    """Return what was expected in the words of those who write documents.

    Examples
    --------
    >>> _plain_words("be a valid boolean")
    'be true or false'
    """
    kind = expected.removeprefix("be ")
    return f"be {WORDS[kind]}" if kind in WORDS else expected


def _keys_of(field: FieldInfo, detail: ErrorDetails) -> str:
    """Return the names of the parameters of a record inside the record, as a message lists them."""
    for part in (field.annotation, *get_args(field.annotation)):
        if getattr(part, "__name__", "") == detail["ctx"]["class_name"] and hasattr(part, "model_fields"):
            return f" with the keys {', '.join(part.model_fields)}"
    return ""


def _bounds(field: FieldInfo) -> list[Any]:
    """Return the bounds of a field, those of a part of its type such as `Percent | None` included."""
    parts = [getattr(part, "__metadata__", ()) for part in get_args(field.annotation)]
    found = [*field.metadata, *chain.from_iterable(parts)]
    found = [bound for item in found for bound in (item.metadata if isinstance(item, FieldInfo) else [item])]
    return [bound for bound in found if isinstance(bound, Gt | Ge | Lt | Le)]


def _interval(field: FieldInfo) -> str:
    low, high, opening, closing = "-inf", "inf", "(", ")"
    for bound in _bounds(field):
        name, bracket = ENDS[type(bound)]
        end = format_compact(getattr(bound, name))
        if name in ("gt", "ge"):
            low, opening = end, bracket
        else:
            high, closing = end, bracket
    return f"{opening}{low}, {high}{closing}"
