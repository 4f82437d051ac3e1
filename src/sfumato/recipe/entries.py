"""What the keys of a recipe hold: methods, an improver, and a schema or the name of its file."""

from collections.abc import Iterable
from typing import Any

from sfumato.contracts import Improver, MaskingMethod
from sfumato.data import Schema
from sfumato.documents import OneOf, load_file, resolve_path
from sfumato.errors import DocumentError, FileError, ParameterError
from sfumato.improve import IMPROVERS
from sfumato.masking import METHODS
from sfumato.plugins import MEASURES


def _other_meaning(name: str) -> str:
    """Return what a name is that is no method: a measure, an improver, or a family of methods."""
    if name in MEASURES:
        return "; that is a measure: name it under measures, in a file for sfumato assess or in a study"
    if name in IMPROVERS:
        return "; that is an improver: name it under improve"
    members = [method for method, record in METHODS.items() if record.family == name]
    return f"; methods of that family are {', '.join(members)}" if members else ""


METHOD: OneOf[MaskingMethod] = OneOf(METHODS, noun="method", example="mdav: {columns: [income]}", hint=_other_meaning)
IMPROVER: OneOf[Improver] = OneOf(IMPROVERS, noun="improver", example="moment_matching: {columns: [income]}")


def read_schema(content: Any) -> Any:
    """Return the schema of the file that a recipe names; a schema that is written out is left to its own type."""
    if not isinstance(content, str):
        return content
    try:
        return load_file(resolve_path(content), Schema, "schema")
    except DocumentError as error:
        problems: Iterable[str] = error.problems
    except FileError as error:
        problems = [f"{error}; its path begins at the recipe's folder"]
    raise ParameterError([f"schema file '{content}': {problem}" for problem in problems])
