"""Load any record from YAML: all its problems are raised together, each with its line and place."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sfumato.documents.document import Document, KeyPath
from sfumato.documents.entries import ListOf, OneOf
from sfumato.documents.messages import kind_of
from sfumato.documents.paths import paths_begin_at
from sfumato.documents.record import Record
from sfumato.errors import DocumentError, FileError, ParameterError, did_you_mean

Loaded = TypeVar("Loaded", bound=Record)


class Problem(NamedTuple):
    """One sentence about one line of a document; `place` names the entry, as `step 2 (mdav)`."""

    line: int
    sentence: str
    place: str = ""

    def __str__(self) -> str:
        return f"line {self.line}{self.place and f', {self.place}'}: {self.sentence}"


def load(text: str, record: type[Loaded], what: str, folder: str | Path = "") -> Loaded:
    r"""Return the record that a YAML text holds: its keys are the fields, or their aliases.

    Parameters
    ----------
    text
        The document.
    record
        The class of the record. Fields marked by `OneOf` and `ListOf` hold entries such as `mdav: {columns: [age]}`.
    what
        What messages call the document, as `recipe`.
    folder
        Where the paths in the document begin.

    Examples
    --------
    >>> class Release(Record):
    ...     title: str
    ...     copies: int = 1
    >>> load("title: Income 2024", Release, "release")
    Release(title='Income 2024', copies=1)
    >>> load("titel: Income 2024\ncopies: many", Release, "release")
    Traceback (most recent call last):
    sfumato.errors.DocumentError: the release has 3 problems:
      - line 1: a release has no key 'titel'; did you mean 'title'?
      - line 1: 'title' must be text; got nothing
      - line 2: 'copies' must be a whole number; got 'many'
    """
    document = Document.parse(text, what)
    problems = [*_repeated_keys(document, record), *_wrong_keys(document, record, what)]
    problems.extend(_empty_keys(document, record))
    loaded = None
    try:
        with paths_begin_at(Path(folder)):
            loaded = record(**_content(document, record))
    except ParameterError as error:
        problems.extend(_field_problems(document, record, error))
    if loaded is None or problems:
        raise DocumentError([str(problem) for problem in sorted(problems, key=lambda problem: problem.line)], what)
    return loaded


def load_file(path: str | Path, record: type[Loaded], what: str) -> Loaded:
    """Return the record that a YAML file holds; the paths in it begin at its folder."""
    return load(read_text(path, what), record, what, Path(path).parent)


def read_text(path: str | Path, what: str) -> str:
    """Return the text of a YAML file; `what` is what a message calls it."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(f"the {what} {path} is not UTF-8 text; expected a YAML file") from None
    except OSError as error:
        raise FileError(f"the {what} {path} cannot be read: {error.strerror}") from None


def _keys(record: type[Record]) -> dict[str, str]:
    """Return the name of the field that each key of the document stands for."""
    return {field.alias or name: name for name, field in record.model_fields.items()}


def _repeated_keys(document: Document, record: type[Record]) -> Iterator[Problem]:
    for path, key, line, first in document.repeated_keys():
        yield Problem(line, f"the key '{key}' is already in line {first}; keep one of them", _place(record, path))


def _wrong_keys(document: Document, record: type[Record], what: str) -> Iterator[Problem]:
    keys = _keys(record)
    if not isinstance(document.value, Mapping | None):
        expected = f"the keys {', '.join(keys)}" if len(keys) > 1 else f"the key '{', '.join(keys)}'"
        yield Problem(document.line(), f"the {what} must be a mapping with {expected}; got {kind_of(document.value)}")
        return
    for key in document.value or ():
        if key not in keys:
            nearest = did_you_mean(str(key), keys) or f"; its keys are {', '.join(keys)}"
            article = "an" if what[0] in "aeiou" else "a"
            yield Problem(document.line((key,)), f"{article} {what} has no key '{key}'{nearest}")


def _empty_keys(document: Document, record: type[Record]) -> Iterator[Problem]:
    """Find the keys that have nothing behind them, not even `null`, where that would quietly mean the default."""
    for key, name in _keys(record).items():
        if document.is_empty(key) and not record.model_fields[name].is_required():
            sentence = f"'{key}' has nothing behind it; give it a value, or leave the key out"
            yield Problem(document.line((key,)), sentence)


def _content(document: Document, record: type[Record]) -> dict[str, Any]:
    """Return the values of the fields: `null` leaves a field at its default; a field without one must refuse it."""
    given = document.value if isinstance(document.value, Mapping) else {}
    values = {key: given.get(key) for key in _keys(record)}
    required = {key for key, name in _keys(record).items() if record.model_fields[name].is_required()}
    return {key: value for key, value in values.items() if value is not None or key in required}


def _field_problems(document: Document, record: type[Record], error: ParameterError) -> Iterator[Problem]:
    for sentence, path in error.items():
        prefix = f"{record.__name__}."
        if sentence.startswith(prefix):  # a document has keys where a record has fields
            subject, _, rest = sentence.removeprefix(prefix).partition(" ")
            sentence = f"'{subject}' {rest}"
        if sentence.endswith("; got None"):
            sentence = f"{sentence.removesuffix('None')}nothing"
        place = _place(record, path)
        if place:
            sentence = sentence.removeprefix(f"{path[0]}: ")  # the place says so
        yield Problem(document.line(path), sentence, place)


def _place(record: type[Record], path: KeyPath) -> str:
    """Return what messages call the entry that a path leads into, as `step 2 (mdav)` or `improve (moment_matching)`."""
    name = _keys(record).get(str(path[0])) if path else None
    if name is None:
        return ""
    marks = [mark for mark in record.model_fields[name].metadata if isinstance(mark, OneOf | ListOf)]
    if len(path) > 1 and isinstance(path[1], int):
        place, rest = f"{str(path[0]).removesuffix('s')} {path[1] + 1}", path[2:]
    elif marks and isinstance(marks[0], OneOf):
        place, rest = str(path[0]), path[1:]
    else:
        return ""
    return f"{place} ({rest[0]})" if marks and rest else place
