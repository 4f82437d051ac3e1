"""Records as plain values: mappings, lists, texts, numbers and truth values."""

from collections.abc import Mapping, Set
from enum import Enum
from pathlib import PurePath
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel


@runtime_checkable
class FieldWriter(Protocol):
    """A part of a field's annotation that says how its value is written."""

    def write(self, value: Any) -> Any:
        """Return the value as plain values."""


@runtime_checkable
class Plain(Protocol):
    """A value that says itself how it is written."""

    def to_plain(self) -> dict[str, Any]:
        """Return the value as plain values."""


def plain_fields(record: BaseModel) -> dict[str, Any]:
    """Return the fields of a record by the keys that a document gives them, without those that are absent."""
    fields = type(record).model_fields
    values = {name: getattr(record, name) for name in fields}
    written = {name for name, value in values.items() if isinstance(value, Plain) or _writer(fields[name].metadata)}
    dumped = record.model_dump(exclude=written)
    return {
        fields[name].alias or name: _write(value, fields[name].metadata) if name in written else _plain(dumped[name])
        for name, value in values.items()
        if not (value in ((), None) and value == fields[name].default)
    }


def _writer(metadata: list[Any]) -> FieldWriter | None:
    return next((part for part in metadata if isinstance(part, FieldWriter)), None)


def _write(value: Any, metadata: list[Any]) -> Any:
    writer = _writer(metadata)
    return value.to_plain() if writer is None else writer.write(value)


def _plain(value: Any) -> Any:
    """Return enums as their values, tuples as lists and sets in order; the keys of mappings keep their type."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted(_plain(item) for item in value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
