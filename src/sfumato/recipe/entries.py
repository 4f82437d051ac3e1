"""What the keys of a recipe hold: methods, an improver, and a schema or the name of its file."""

from collections.abc import Mapping
from typing import Any

from sfumato.contracts import Improver, MaskingMethod
from sfumato.data import Schema
from sfumato.documents import OneOf, kind_of, resolve_path
from sfumato.errors import ParameterError, SchemaError
from sfumato.improve import IMPROVERS
from sfumato.masking import METHODS

METHOD: OneOf[MaskingMethod] = OneOf(METHODS, noun="method", example="mdav: {columns: [income]}")
IMPROVER: OneOf[Improver] = OneOf(IMPROVERS, noun="improver", example="moment_matching: {columns: [income]}")


def read_schema(content: Any) -> Schema | None:
    """Return the schema that is written out in a recipe, or that of the file which it names."""
    if content is None or isinstance(content, Schema):
        return content
    if isinstance(content, str):
        return _read_schema_file(content)
    if not isinstance(content, Mapping):
        raise ValueError(f"must be the name of a schema file, or a schema; got {kind_of(content)}")
    try:
        return Schema.from_plain(content)
    except SchemaError as error:
        raise ParameterError([f"schema: {sentence}" for sentence in _sentences(error)]) from None


def _read_schema_file(name: str) -> Schema:
    try:
        return Schema.from_yaml(resolve_path(name).read_text(encoding="utf-8-sig"))
    except SchemaError as error:
        sentences = _sentences(error)
    except UnicodeDecodeError:
        sentences = ["is not UTF-8 text"]
    except OSError as error:
        sentences = [f"cannot be read: {error.strerror}; its path begins at the recipe's folder"]
    raise ParameterError([f"schema file '{name}': {sentence}" for sentence in sentences])


def _sentences(error: SchemaError) -> list[str]:
    """Return the problems that a schema's error lists, or the error itself as one line."""
    lines = str(error).splitlines()
    listed = [line.removeprefix("  - ") for line in lines if line.startswith("  - ")]
    return listed or [" ".join(line.strip() for line in lines)]
