"""Audit counts: what a reader of all outputs can conclude of each small group, exactly and in whole numbers."""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Hashes
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.components import Component, components
from sfumato.outputs.audit.count_worlds import CountWorlds
from sfumato.outputs.audit.knowledge import Knowledge
from sfumato.outputs.audit.local_search import search_locally
from sfumato.outputs.audit.merged_atoms import MergedAtoms, entries_where, merge_atoms
from sfumato.outputs.audit.remembered_worlds import Cache, PartSearch, marks_of_merged
from sfumato.outputs.audit.seen_counts import SeenCounts
from sfumato.outputs.audit.small_groups import Groups, hashes

LARGE_PART = 400  # atoms: a part of more is searched around each group before it is as a whole
MIN_CLOSED = 50  # groups that a world of a large part must make safe at once, else worlds around groups are quicker
MAX_FRUITLESS = 3  # worlds that may make fewer safe
MAX_LEFT = 40  # groups: if more are open then, they count as disclosed without a search of the whole


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
        What earlier audits found of parts that hang together; it is added to.
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
    of_merged = marks_of_merged(merged.place, atoms.marks)
    kept = Cache() if cache is None else cache
    kept.begin(atoms.marks)
    kept.large_worlds.replay(merged, known, touched, full, seen)
    for part in components(merged.sets, touched, full, seen.open_groups):
        if part.atoms.size > LARGE_PART:
            _search_large(part, known, marks, low, merged, seen, kept)
            continue
        search = PartSearch(part, kept.part(part.key(known, marks[0])), of_merged[part.atoms], low[part.groups], seen)
        if search.is_open.any():
            _search_small(search, CountWorlds(part.sets, *_ends(part, known), merged.sizes.sum()))
    return CountFindings(seen.lowest, seen.highest, ~seen.is_open)


def _ends(part: Component, known: Knowledge) -> tuple[FloatColumn, FloatColumn]:
    return known.lower[part.figures], known.upper[part.figures]


def _search_small(search: PartSearch, worlds: CountWorlds) -> None:
    """Look for worlds that make the groups of a part safe: single atoms first, then others one by one."""
    _reach_each(worlds, search)
    part, seen = search.part, search.seen
    is_single = np.diff(part.touched.indptr) == 1
    most = part.touched @ worlds.most_of_atoms()
    for place in np.flatnonzero(search.is_open).tolist():
        group = int(part.groups[place])
        for is_up in (False, True):
            if not seen.wants(group, is_up=is_up) or (is_up and (is_single[place] or most[place] < seen.min_units)):
                continue
            world = _world_of(worlds, part, place, seen, is_up=is_up)
            if world is not None:
                search.see(world)
    search.end()


def _reach_each(worlds: CountWorlds, search: PartSearch) -> None:
    """Look for worlds in which an atom has enough records, and as many others as can be that lack them too."""
    part, seen = search.part, search.seen
    single = np.flatnonzero(np.diff(part.touched.indptr) == 1)
    atoms = part.touched.indices[part.touched.indptr[single]]
    can_have = search.is_asked[single] & (worlds.most_of_atoms()[atoms] >= seen.min_units)
    for place in np.flatnonzero(can_have).tolist():
        is_short = can_have & (seen.highest[part.groups[single]] < seen.min_units)
        if not is_short[place]:
            continue
        world = worlds.fill(int(atoms[place]), np.unique(atoms[is_short]), seen.min_units)
        if world is None:
            world = worlds.reach(int(atoms[place]), seen.min_units)
        if world is not None:
            search.see(world)


def _search_large(
    part: Component,
    known: Knowledge,
    marks: tuple[Hashes, Hashes],
    low: FloatColumn,
    merged: MergedAtoms,
    seen: SeenCounts,
    kept: Cache,
) -> None:
    """Look for worlds of a large part: of the whole as long as each serves many, then around each group."""
    key = part.key(known, marks[0]) + marks[1][part.groups].tobytes() + low[part.groups].tobytes()
    if key not in kept.large_parts:
        ends = _ends(part, known)
        worlds = CountWorlds(part.sets, *ends, merged.sizes.sum())
        _reach_many(worlds, part, seen)
        kept.large_worlds.keep(search_locally(part, *ends, merged.sizes[part.atoms], seen), merged, part.atoms)
        if np.count_nonzero(seen.is_open[part.groups]) <= MAX_LEFT:
            _search_whole(worlds, part, seen)
        kept.large_parts[key] = seen.highest[part.groups], seen.lowest[part.groups]
    seen.see_world(part.groups, *kept.large_parts[key])


def _reach_many(worlds: CountWorlds, part: Component, seen: SeenCounts) -> None:
    """Look for such worlds of a large part as make many atoms safe at once."""
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
        if world is not None:
            seen.see_world(part.groups, part.touched @ world, part.full @ world)
        closed = is_short & (seen.highest[groups] >= seen.min_units)
        fruitless += int(np.count_nonzero(closed) < MIN_CLOSED)


def _search_whole(worlds: CountWorlds, part: Component, seen: SeenCounts) -> None:
    """Look for worlds of a large part that make its last groups safe, one by one."""
    most = part.touched @ worlds.most_of_atoms()
    for place, group in enumerate(part.groups.tolist()):
        for is_up in (False, True):
            if not seen.wants(group, is_up=is_up) or (is_up and most[place] < seen.min_units):
                continue
            world = _world_of(worlds, part, place, seen, is_up=is_up)
            if world is not None:
                seen.see_world(part.groups, part.touched @ world, part.full @ world)


def _world_of(worlds: CountWorlds, part: Component, place: int, seen: SeenCounts, *, is_up: bool) -> FloatColumn | None:
    """Return a world in which a group of a part has enough records, or few enough; None if none is found."""
    costs = -part.touched[[place]].toarray()[0] if is_up else part.full[[place]].toarray()[0]
    return worlds.lowest(costs, seen.goal(int(part.groups[place]), is_up=is_up))
