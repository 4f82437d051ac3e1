"""What earlier audits found of parts that hang together; it counts again wherever the same figures are known."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Hashes, Rows
from sfumato.outputs.audit.components import Component
from sfumato.outputs.audit.local_search import SeenWorlds
from sfumato.outputs.audit.seen_counts import SeenCounts
from sfumato.outputs.audit.small_groups import hashes

KEPT_AUDITS = 100  # a part that so many audits did not ask about is forgotten


@dataclass(eq=False)
class KnownPart:
    """The worlds of a part that were found, and the questions that none was found for.

    Atoms are in the order of their marks, which is the same in every audit.
    """

    worlds: list[FloatColumn] = field(default_factory=list)
    in_vain: set[bytes] = field(default_factory=set)
    audit: int = 0


class Cache:
    """What audits found: worlds and vain searches of small parts, and of large parts of the same atoms."""

    def __init__(self) -> None:
        self.large_parts: dict[bytes, tuple[FloatColumn, FloatColumn]] = {}
        self.large_worlds = SeenWorlds()
        self._parts: dict[bytes, KnownPart] = {}
        self._atoms = b""
        self._audit = 0

    def begin(self, marks: Hashes) -> None:
        """Begin an audit of some atoms; what was found of large parts of others does not count for it."""
        self._audit += 1
        if marks.tobytes() != self._atoms:
            self._atoms, self.large_parts, self.large_worlds = marks.tobytes(), {}, SeenWorlds()
            oldest = self._audit - KEPT_AUDITS
            self._parts = {key: part for key, part in self._parts.items() if part.audit >= oldest}

    def part(self, key: bytes) -> KnownPart:
        """Return what is known of a part."""
        found = self._parts.setdefault(key, KnownPart())
        found.audit = self._audit
        return found


class PartSearch:
    """A small part that is searched: every world that is found counts for all its groups, and for later audits.

    Parameters
    ----------
    part
        The part; all its groups are open.
    known
        What earlier audits found of it.
    marks
        The marks of its atoms.
    low
        For each of its groups how few records a reader must be unable to rule out.
    seen
        What is known of the groups so far; it is added to.
    """

    def __init__(self, part: Component, known: KnownPart, marks: Hashes, low: FloatColumn, seen: SeenCounts) -> None:
        self.part, self.seen = part, seen
        self._known, self._order = known, np.argsort(marks, kind="stable")
        if known.worlds:
            self._see(self._from_order(np.stack(known.worlds)))
        asked = zip(hashes(part.touched, marks), hashes(part.full, marks), low, strict=True)
        self._questions = [b"%d %d %d" % question for question in asked]
        self.is_asked: Booleans = np.array([one not in known.in_vain for one in self._questions], dtype=np.bool_)

    @property
    def is_open(self) -> Booleans:
        """The groups of the part that are open and were not looked for in vain."""
        return self.is_asked & self.seen.is_open[self.part.groups]

    def see(self, world: FloatColumn) -> None:
        """Take a world into account, and remember it."""
        self._known.worlds.append(world[self._order])
        self._see(world[None, :])

    def end(self) -> None:
        """Remember what was looked for in vain."""
        self._known.in_vain.update(self._questions[place] for place in np.flatnonzero(self.is_open).tolist())

    def _see(self, worlds: FloatMatrix) -> None:
        highest, lowest = (self.part.touched @ worlds.T).max(axis=1), (self.part.full @ worlds.T).min(axis=1)
        self.seen.see_world(self.part.groups, highest, lowest)

    def _from_order(self, worlds: FloatMatrix) -> FloatMatrix:
        back: Rows = np.argsort(self._order, kind="stable")
        return worlds[:, back]


def marks_of_merged(place: Any, marks: Hashes) -> Hashes:
    """Return the mark of each merged atom, given the sparse matrix (atoms x merged) of what is put together."""
    return hashes(place.T.tocsr(), marks)
