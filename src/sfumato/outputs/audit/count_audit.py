"""Audit counts: what a reader of all outputs can conclude of each small group, exactly and in whole numbers."""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.components import Component, components
from sfumato.outputs.audit.count_worlds import CountWorlds
from sfumato.outputs.audit.knowledge import Knowledge
from sfumato.outputs.audit.local_search import SeenWorlds, search_locally
from sfumato.outputs.audit.merged_atoms import entries_where, merge_atoms
from sfumato.outputs.audit.seen_counts import SeenCounts
from sfumato.outputs.audit.small_groups import Groups, hashes

LARGE_PART = 400  # atoms: a part of more is searched around each group before it is as a whole
MIN_CLOSED = 50  # groups that a world of a large part must make safe at once, else worlds around groups are quicker
MAX_FRUITLESS = 3  # worlds that may make fewer safe
MAX_LEFT = 40  # groups: if more are open then, they count as disclosed without a search of the whole


class Cache:
    """What audits of the same atoms found: the groups of parts that were searched, and worlds of large parts."""

    def __init__(self) -> None:
        self.parts: dict[bytes, tuple[FloatColumn, FloatColumn]] = {}
        self.worlds = SeenWorlds()


@dataclass(frozen=True, eq=False)
class CountFindings:
    """What was found of each group; it holds confidential figures.

    Parameters
    ----------
    lowest, highest
        Counts that some world has, so that a reader cannot rule them out.
    is_safe
        Whether that is enough.
    """

    lowest: FloatColumn
    highest: FloatColumn
    is_safe: Booleans


def count_levels(groups: Groups, min_units: int) -> tuple[FloatColumn, FloatColumn]:
    """Return how far down and up the count of each small cell must be open: from below as far as from above.

    A reader must be unable to tell a cell of few records from a safe one, which has `min_units`.
    """
    lacking = min_units - groups.sizes
    return groups.sizes - np.minimum(lacking, groups.sizes), np.full(groups.count, float(min_units))


def audit_counts(
    atoms: Atoms, known: Knowledge, groups: Groups, low: FloatColumn, min_units: int, cache: Cache | None = None
) -> CountFindings:
    """Find for small groups whether a reader can conclude too much.

    A small group is safe when the reader cannot rule out `min_units` records, nor as few as a given number. Where the
    first holds for every atom, it holds for every group that outputs tell apart, as each is made of atoms and has at
    least as many records as one.

    Parameters
    ----------
    atoms
        The groups of records that outputs tell apart.
    known
        What the outputs show.
    groups
        Small groups: at least one record, and fewer than `min_units`.
    low
        For each group how few records a reader must be unable to rule out; its own number for no such demand.
    min_units
        The smallest safe number of records.
    cache
        What earlier audits of the same atoms found of parts that hang together; it is added to.
    """
    merged = merge_atoms(atoms, known)
    inside = (groups.members @ merged.place).tocsr()
    touched, full = (
        entries_where(inside, inside.data > 0),
        entries_where(inside, inside.data == merged.parts[inside.indices]),
    )
    seen = SeenCounts(groups, low, min_units)
    seen.see_world(np.arange(groups.count), touched @ merged.sizes, full @ merged.sizes)
    marks = hashes(known.sets, atoms.marks), hashes(groups.members, atoms.marks)
    kept = Cache() if cache is None else cache
    kept.worlds.replay(merged, known, touched, full, seen)
    for part in components(merged.sets, touched, full, seen.open_groups):
        key = part.key(known, marks) + low[part.groups].tobytes()
        if key not in kept.parts:
            ends = known.lower[part.figures], known.upper[part.figures]
            worlds = CountWorlds(part.sets, *ends, merged.sizes.sum())
            is_large = part.atoms.size > LARGE_PART
            _reach_each(worlds, part, seen, is_large=is_large)
            if is_large:
                kept.worlds.keep(search_locally(part, *ends, merged.sizes[part.atoms], seen), merged, part.atoms)
            if not is_large or np.count_nonzero(seen.is_open[part.groups]) <= MAX_LEFT:
                _search(worlds, part, seen, is_large=is_large)
            kept.parts[key] = seen.highest[part.groups], seen.lowest[part.groups]
        seen.see_world(part.groups, *kept.parts[key])
    return CountFindings(seen.lowest, seen.highest, ~seen.is_open)


def _search(worlds: CountWorlds, part: Component, seen: SeenCounts, *, is_large: bool) -> None:
    """Look for worlds that make the groups of a component safe, one by one; single atoms of a small one are done."""
    most = part.touched @ worlds.most_of_atoms()
    is_done = (np.diff(part.touched.indptr) == 1) & (not is_large)
    for place, group in enumerate(part.groups.tolist()):
        for is_up in (False, True):
            if not seen.wants(group, is_up=is_up) or (is_up and (is_done[place] or most[place] < seen.min_units)):
                continue
            costs = -part.touched[[place]].toarray()[0] if is_up else part.full[[place]].toarray()[0]
            world = worlds.lowest(costs, seen.goal(group, is_up=is_up))
            if world is not None:
                seen.see_world(part.groups, part.touched @ world, part.full @ world)


def _reach_each(worlds: CountWorlds, part: Component, seen: SeenCounts, *, is_large: bool) -> None:
    """Look for worlds in which an atom has enough records, and as many others as can be that lack them too.

    In a large part only such worlds are looked for as serve many, and none by a search in whole numbers.
    """
    single = np.flatnonzero(np.diff(part.touched.indptr) == 1)
    groups, atoms = part.groups[single], part.touched.indices[part.touched.indptr[single]]
    can_have = worlds.most_of_atoms()[atoms] >= seen.min_units
    fruitless = 0
    for place in np.flatnonzero(can_have).tolist():
        is_short = can_have & (seen.highest[groups] < seen.min_units)
        if not is_short[place]:
            continue
        if fruitless > MAX_FRUITLESS:
            return
        world = worlds.fill(int(atoms[place]), np.unique(atoms[is_short]), seen.min_units)
        if world is None and not is_large:
            world = worlds.reach(int(atoms[place]), seen.min_units)
        if world is not None:
            seen.see_world(part.groups, part.touched @ world, part.full @ world)
        if is_large:
            closed = is_short & (seen.highest[groups] >= seen.min_units)
            fruitless += int(np.count_nonzero(closed) < MIN_CLOSED)
