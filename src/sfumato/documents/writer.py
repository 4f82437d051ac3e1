"""Write a record as YAML: always the same text for the same record."""

import re
from typing import Any

import yaml

from sfumato.documents.record import Record

UNUSUAL_BREAKS = re.compile("[\x85\u2028\u2029\ufeff]")


def dump(record: Record) -> str:
    """Return a record as a YAML document that `load` reads back.

    Examples
    --------
    >>> class Release(Record):
    ...     title: str
    ...     files: tuple[str, ...]
    >>> print(dump(Release(title="Income 2024", files=("a.csv", "b.csv"))), end="")
    title: Income 2024
    files: [a.csv, b.csv]
    """
    return dump_plain(record.to_plain())


def dump_plain(content: dict[str, Any]) -> str:
    """Return plain values as YAML that comes back exactly, whatever characters a name or label has."""
    return yaml.dump(
        content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=10_000
    )


class _Dumper(yaml.SafeDumper):
    """Writes equal lists out each time, where YAML would name the first and point to it."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: _Dumper, text: str) -> yaml.Node:
    style = '"' if UNUSUAL_BREAKS.search(text) else None  # other styles would lose them
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _represent_text)
