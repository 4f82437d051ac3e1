"""A YAML document: its plain values, and the line of each of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import yaml

from sfumato.errors import DocumentError

KeyPath = tuple[str | int, ...]
NULL = "tag:yaml.org,2002:null"
MERGE = "tag:yaml.org,2002:merge"


class RepeatedKey(NamedTuple):
    """A key that one mapping holds twice; `path` leads to the mapping."""

    path: KeyPath
    key: str
    line: int
    first_line: int


@dataclass(frozen=True)
class Document:
    """The plain values of a YAML text, and where each of them stands."""

    value: Any
    root: yaml.Node | None

    @classmethod
    def parse(cls, text: str, what: str) -> Self:
        """Parse one YAML document with the safe loader; refuse what is not YAML, naming the line.

        `what` is what a message calls the document, as `recipe`.
        """
        try:
            return cls(*_compose(text))
        except yaml.YAMLError as error:
            raise DocumentError([_syntax_problem(error, text)], what) from None
        except ValueError as error:  # a date such as 2024-02-31
            raise DocumentError([f"it is not valid YAML: {error}"], what) from None

    def line(self, path: KeyPath = ()) -> int:
        """Return the line of the key or item that the path leads to, or of the last part of the path that exists."""
        node, line = self.root, 1 if self.root is None else self.root.start_mark.line + 1
        for part in path:
            child = _child(node, part)
            if child is None:
                break
            line, node = child
        return line

    def is_empty(self, key: str) -> bool:
        """Tell whether nothing at all stands behind a key of the document, not even `null`."""
        child = _child(self.root, key)
        return child is not None and (child[1].tag, child[1].value) == (NULL, "")

    def repeated_keys(self) -> Iterator[RepeatedKey]:
        """Find the keys that a mapping holds twice: YAML would quietly take the last."""
        yield from _repeated_keys(self.root, (), set())


def _compose(text: str) -> tuple[Any, yaml.Node | None]:
    loader = yaml.SafeLoader(text)
    try:
        root = loader.get_single_node()
        return (None if root is None else loader.construct_document(root)), root
    finally:
        loader.dispose()


def _child(node: yaml.Node | None, part: str | int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in reversed(node.value):  # of a key given twice YAML takes the last
            if key.value == str(part):
                return key.start_mark.line + 1, value
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        item = node.value[part]
        return item.start_mark.line + 1, item
    return None


def _repeated_keys(node: yaml.Node | None, path: KeyPath, seen: set[int]) -> Iterator[RepeatedKey]:
    if id(node) in seen:  # an alias, already looked at where it was defined
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _repeated_keys(item, (*path, number), seen)
    if isinstance(node, yaml.MappingNode):
        first: dict[tuple[str, str], int] = {}
        for key, value in node.value:
            line, name = key.start_mark.line + 1, str(key.value)
            if (key.tag, name) in first and key.tag != MERGE:
                yield RepeatedKey(path, name, line, first[key.tag, name])
            first.setdefault((key.tag, name), line)
            yield from _repeated_keys(value, (*path, name), seen)


def _syntax_problem(error: yaml.YAMLError, text: str) -> str:
    if isinstance(error, yaml.reader.ReaderError):
        return "it is not valid YAML: it holds characters that text files do not have"
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return f"it is not valid YAML: {error}"
    line = error.problem_mark.line + 1
    written = text.splitlines()[line - 1 : line]
    if written and "\t" in written[0][: len(written[0]) - len(written[0].lstrip())]:
        return f"line {line}: a tab cannot indent YAML; use spaces"
    return f"line {line}: not valid YAML: {error.problem}"
