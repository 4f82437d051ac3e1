"""The suspected codes of a whole file: what stands for "no answer" in one column is likelier to in another."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from sfumato.data.missing_code_suspicion import (
    CodeEvidence,
    SuspectedCode,
    code_evidence,
    find_suspected_codes,
    without_codes_of_few,
)
from sfumato.data.selection import role
from sfumato.numerics.arrays import FloatColumn

if TYPE_CHECKING:
    from sfumato.data.summary import Source

MAX_KEPT = 4_000_000  # different values, of all columns together, that are kept for the second look at them


@dataclass
class CodesFound:
    """What was found of the columns of a file, kept with the file: evidence, and codes whatever other columns hold."""

    evidence: dict[str, CodeEvidence] = field(default_factory=dict)
    by_itself: dict[str, tuple[SuspectedCode, ...]] = field(default_factory=dict)


class SuspectedCodes:
    """The codes that look like "no answer" in each column of a file, whose values are looked through once."""

    def __init__(self, data: "Source", ascending: Callable[[str], FloatColumn | None], found: CodesFound) -> None:
        self._data = data
        self._ascending = ascending  # the numbers of a column in order, where somebody asked for them before
        self._evidence = found.evidence
        self._by_itself = found.by_itself

    def suspected(self, name: str) -> tuple[SuspectedCode, ...]:
        """Return the codes of a column that look like "no answer", given those of the other columns."""
        variable, evidence = self._data.schema[name], self._evidence_of(name)
        if name not in self._by_itself:  # other columns will ask for it, and the evidence is at hand
            self._by_itself[name] = find_suspected_codes(evidence, variable)
        found = find_suspected_codes(evidence, variable, lambda: self._codes_besides(name))
        self._evidence.pop(name, None)
        if households := self._data.schema.select(role("household")):
            tables = (piece.table for piece in self._data.pieces((name, *households)))
            return without_codes_of_few(found, tables, name, households)
        return found

    def _codes_besides(self, name: str) -> frozenset[float]:
        """Return the numbers that stand for "no answer" in other columns, as declared or as suspected."""
        found = set[float]()
        for variable in (one for one in self._data.schema.variables if one.name != name):
            codes = (*variable.missing_codes, *(suspect.code for suspect in self._suspected_by_itself(variable.name)))
            found.update(float(code) for code in codes if not isinstance(code, str))
        return frozenset(found)

    def _suspected_by_itself(self, name: str) -> tuple[SuspectedCode, ...]:
        """Return the codes of a column that look like "no answer" whatever the other columns hold."""
        if name not in self._by_itself:
            self._by_itself[name] = find_suspected_codes(self._evidence_of(name), self._data.schema[name])
        return self._by_itself[name]

    def _evidence_of(self, name: str) -> CodeEvidence:
        """Return what a column holds that may be codes; it is kept for the second look unless it is long."""
        known = self._evidence.get(name)
        if known is not None:
            return known
        found = code_evidence(lambda: self._columns(name), self._data.schema[name], self._ascending(name))
        kept = sum(other.scale.values.size for other in list(self._evidence.values()) if other.scale is not None)
        if found.scale is None or kept + found.scale.values.size <= MAX_KEPT:
            self._evidence[name] = found
        return found

    def _columns(self, name: str) -> Iterator[nw.Series[Any]]:
        return (piece.table.get_column(name) for piece in self._data.pieces((name,)))
