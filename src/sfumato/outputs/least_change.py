"""The least change that makes a new output safe beside all earlier ones: which of its cells to hide."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn, Hashes, Rows
from sfumato.outputs.audit.atoms import atoms_of
from sfumato.outputs.audit.measures import Demands, Measure, facts_telling
from sfumato.outputs.audit.programme import build_programme
from sfumato.outputs.audit.small_groups import Groups, hashes
from sfumato.outputs.facts import Facts
from sfumato.tables import AutomaticSuppression

MAX_ROUNDS = 25
MAX_RETRIES = 60  # cells of one part that are tried one by one whether they can be shown after all
TIE = 1e-3  # of a cell: what the share of records in a cell counts beside their number


@dataclass(frozen=True, eq=False)
class SafeOutput:
    """An output with those cells hidden that have to be.

    Parameters
    ----------
    facts
        The output.
    hidden
        The cells that were asked for and are not shown.
    is_unsafe_itself
        Those of them that a rule calls unsafe; others are hidden to protect these, or groups of earlier outputs.
    disclosed_before
        Groups that earlier outputs give away by themselves, whatever is done to this one.
    """

    facts: Facts
    hidden: Booleans
    is_unsafe_itself: Booleans
    disclosed_before: tuple[str, ...]


def hide_least(earlier: Sequence[Facts], new: Facts, measures: Sequence[Measure]) -> SafeOutput:
    """Return a new output with as few cells hidden as keeps readers of all outputs from every unsafe group.

    Measures are protected one after the other; hiding more never tells more, so that the last pattern serves all.

    Parameters
    ----------
    earlier
        The outputs that are out already, which cannot be changed.
    new
        The output, with every cell shown that is asked for.
    measures
        The counts, and every variable that some output adds up.
    """
    hidden = np.zeros(new.size, dtype=np.bool_)
    is_unsafe = np.zeros(new.size, dtype=np.bool_)
    before: list[str] = []
    for measure in measures:
        if measure.key not in new.measures:
            continue
        search = _Search(facts_telling(measure, earlier), new, measure)
        is_unsafe |= search.is_unsafe_cell
        hidden = search.run(hidden | is_unsafe)
        before += search.disclosed_before
    return SafeOutput(new.hide(hidden), hidden & new.is_asked, is_unsafe & new.is_asked, tuple(dict.fromkeys(before)))


class _Search:
    """The search for the cells of a new output to hide, for one measure."""

    def __init__(self, earlier: Sequence[Facts], new: Facts, measure: Measure) -> None:
        atoms = atoms_of([*earlier, new], new.groups.size)
        self._earlier, self._new, self._measure, self._atoms = earlier, new, measure, atoms
        self._cells = atoms.cells[-1]
        self._marks = hashes(self._cells, atoms.marks)
        self._without_new = [*earlier, new.hide(np.ones(new.size, dtype=np.bool_))]
        known = measure.known(self._without_new, atoms)
        self._is_known = np.isin(self._marks, hashes(known.sets[known.is_exact], atoms.marks))
        self._relaxed: Hashes = np.empty(0, dtype=np.uint64)
        self._spared: Hashes = np.empty(0, dtype=np.uint64)
        self._safe: Hashes = np.empty(0, dtype=np.uint64)
        self.disclosed_before: tuple[str, ...] = ()

    @property
    def is_unsafe_cell(self) -> Booleans:
        """The cells of the output that are unsafe by themselves, and not known already."""
        demands = self._measure.demands([*self._earlier, self._new], self._atoms)
        unsafe = hashes(demands.groups.members[np.flatnonzero(demands.groups.is_cell)], self._atoms.marks)
        return np.isin(self._marks, unsafe) & ~self._is_known

    def run(self, hidden: Booleans) -> Booleans:
        """Return the cells to hide, given some that are hidden in any case."""
        must_hide = hidden.copy()
        demands: Demands | None = None
        found, is_safe = self._audit(hidden)
        if is_safe.all():
            return hidden
        self._safe = hashes(found.groups.members[np.flatnonzero(is_safe)], self._atoms.marks)
        self._spare_given_away()
        for _ in range(MAX_ROUNDS):
            found, is_safe = self._audit(hidden)
            is_open = ~is_safe & ~self._is_spared(found.groups)
            if not is_open.any():
                return self._show_needless(must_hide, hidden) if demands is not None else hidden
            remedies, is_settled = self._only_remedies(found.groups, is_open, hidden)
            must_hide = must_hide | remedies
            if is_settled.all():
                hidden = hidden | remedies
                continue
            demands = self._add(demands, found, is_open)
            chosen = self._choose(demands, must_hide)
            if chosen is None or not (chosen & ~hidden).any():
                must_hide = must_hide | self._next_cell(found.groups, is_open, hidden)
                chosen = must_hide if chosen is None else must_hide | chosen
            hidden = chosen | must_hide
        return self._new.is_asked & ~self._is_known

    def _spare_given_away(self) -> None:
        """Ask for less, or nothing, of groups that earlier outputs give away: hiding cells of this one is in vain."""
        given_away = self._given_away()
        if given_away.count:
            self._relaxed = hashes(given_away.members, self._atoms.marks)
            given_away = self._given_away()
        self._spared = hashes(given_away.members, self._atoms.marks)
        self.disclosed_before = given_away.names

    def _given_away(self) -> Groups:
        """Return the groups that earlier outputs give away by themselves; none is safe beside cells of this one."""
        demands = self._demands(self._without_new)
        demands = _take(demands, np.flatnonzero(~self._are_among(demands.groups, self._safe)))
        is_safe = self._measure.are_safe(self._without_new, self._atoms, demands)
        return demands.groups.take(np.flatnonzero(~is_safe))

    def _audit(self, hidden: Booleans) -> tuple[Demands, Booleans]:
        facts = [*self._earlier, self._new.hide(hidden)]
        demands = self._demands(facts)
        return demands, self._measure.are_safe(facts, self._atoms, demands)

    def _demands(self, facts: Sequence[Facts]) -> Demands:
        demands = self._measure.demands(facts, self._atoms)
        return self._measure.relax(demands, self._are_among(demands.groups, self._relaxed))

    def _is_spared(self, groups: Groups) -> Booleans:
        return self._are_among(groups, self._spared)

    def _are_among(self, groups: Groups, marks: Hashes) -> Booleans:
        return np.isin(hashes(groups.members, self._atoms.marks), marks)

    def _add(self, demands: Demands | None, found: Demands, is_open: Booleans) -> Demands:
        """Return what the pattern has to achieve: every unsafe cell, and other groups that were given away so far."""
        from scipy.sparse import vstack

        asked = found.groups.is_cell & ~self._is_spared(found.groups) if demands is None else is_open
        fresh = _take(found, np.flatnonzero(asked | is_open))
        if demands is None:
            return fresh
        members = vstack([demands.groups.members, fresh.groups.members]).tocsr()
        _, first = np.unique(hashes(members, self._atoms.marks), return_index=True)
        both = Groups(
            members,
            np.concatenate([demands.groups.sizes, fresh.groups.sizes]),
            np.concatenate([demands.groups.is_cell, fresh.groups.is_cell]),
            np.concatenate([demands.groups.numbers, fresh.groups.numbers]),
            demands.groups.describe,
        )
        levels = [np.concatenate([getattr(demands, one), getattr(fresh, one)]) for one in ("above", "below", "width")]
        return _take(Demands(both, *levels), np.sort(first))

    def _only_remedies(self, groups: Groups, is_open: Booleans, hidden: Booleans) -> tuple[Booleans, Booleans]:
        """Return the cells without an alternative, and for each open group whether it has one of them in its part.

        Where nothing ties a group to more than one set of records that is still shown, only hiding that one can help.
        """
        of_cell, of_atom = self._all_parts
        shown = np.flatnonzero(self._new.is_asked & ~self._is_known & ~hidden)
        first = np.unique(self._marks[shown], return_index=True)[1]
        has_one = np.bincount(of_cell[shown[first]], minlength=int(of_atom.max(initial=0)) + 1) == 1
        members = groups.members[np.flatnonzero(is_open)]
        inside = of_atom[members.indices]
        of_group, last = (extreme.reduceat(inside, members.indptr[:-1]) for extreme in (np.minimum, np.maximum))
        is_settled = np.asarray(has_one[of_group] & (of_group == last), dtype=np.bool_)
        remedies = np.zeros(self._new.size, dtype=np.bool_)
        remedies[shown[np.isin(of_cell[shown], of_group[is_settled])]] = True
        return remedies, is_settled

    @cached_property
    def _all_parts(self) -> tuple[Rows, Rows]:
        """The parts of cells and atoms that no figure ties, whatever is shown or hidden."""
        return self._parts(np.ones(self._new.size, dtype=np.bool_))

    def _choose(self, demands: Demands, must_hide: Booleans) -> Booleans | None:
        """Return the cheapest cells that meet the demands in fractions of records; None where nothing does."""
        chosen = self._candidates
        if not chosen.size:
            return None
        costs = 1.0 + TIE * self._sizes[chosen] / max(self._atoms.sizes.sum(), 1.0)
        programme = build_programme(
            self._measure,
            self._without_new,
            self._atoms,
            demands,
            self._cells[chosen],
            must_hide[chosen],
            costs,
        )
        try:
            pattern = AutomaticSuppression().protect(programme.problem, np.random.default_rng(0))
        except DataError:  # some group needs whole numbers, or to be open below and not above
            return None
        hidden = must_hide.copy()
        hidden[chosen] = pattern.suppressed[programme.candidates]
        return hidden

    @property
    def _candidates(self) -> Rows:
        """The cells that may be shown or hidden, each set of records once."""
        places = np.flatnonzero(self._new.is_asked & ~self._is_known)
        return places[np.unique(self._marks[places], return_index=True)[1]]

    @property
    def _sizes(self) -> FloatColumn:
        return np.asarray(self._cells @ self._atoms.sizes)

    def _next_cell(self, groups: Groups, is_open: Booleans, hidden: Booleans) -> Booleans:
        """Return one more cell to hide: the smallest with records of a group that is given away, or the smallest."""
        shown = self._new.is_asked & ~hidden & ~self._is_known
        inside = np.asarray(groups.members[np.flatnonzero(is_open)].sum(axis=0)).reshape(-1) > 0
        meets = shown & (self._cells @ inside.astype(np.float64) > 0)
        among = np.flatnonzero(meets if meets.any() else shown)
        more = np.zeros(self._new.size, dtype=np.bool_)
        if among.size:
            more[among[np.argmin(self._sizes[among])]] = True
        return more

    def _show_needless(self, must_hide: Booleans, hidden: Booleans) -> Booleans:
        """Return the pattern without cells that turn out to be hidden for nothing, the largest first.

        Cells that no figures tie together are tried at once.
        """
        extra = np.flatnonzero(hidden & ~must_hide & self._new.is_asked)
        waiting = extra[np.argsort(-self._sizes[extra], kind="stable")]
        of_cell, of_atom = self._parts(hidden)
        for _ in range(MAX_RETRIES):
            if not waiting.size:
                break
            first = np.unique(of_cell[waiting], return_index=True)[1]
            hidden = self._try_to_show(waiting[first], hidden, of_cell, of_atom)
            waiting = np.delete(waiting, first)
        return hidden

    def _try_to_show(self, tried: Rows, hidden: Booleans, of_cell: Rows, of_atom: Rows) -> Booleans:
        """Return the pattern without those cells of different parts that can be shown."""
        fewer = hidden.copy()
        fewer[tried] = False
        is_open, members = self._open_groups(fewer)
        if not is_open.any():
            return fewer
        blamed = np.unique(of_atom[members[np.flatnonzero(is_open)].indices])
        fewer[tried[np.isin(of_cell[tried], blamed)]] = True
        return hidden if self._open_groups(fewer)[0].any() else fewer

    def _open_groups(self, hidden: Booleans) -> tuple[Booleans, Any]:
        found, is_safe = self._audit(hidden)
        return ~is_safe & ~self._is_spared(found.groups), found.groups.members

    def _parts(self, hidden: Booleans) -> tuple[Rows, Rows]:
        """Return for each cell and each atom the part that it lies in: no figure ties two parts, whatever is shown."""
        from scipy.sparse import block_array, vstack
        from scipy.sparse.csgraph import connected_components

        patterns = hidden, np.zeros_like(hidden)
        known = [self._measure.known([*self._earlier, self._new.hide(one)], self._atoms).sets for one in patterns]
        asked = np.flatnonzero(self._new.is_asked)
        sets = vstack([self._cells[asked], *known]).tocsr()
        labels = connected_components(block_array([[None, sets], [sets.T, None]]), directed=False)[1]
        of_cell = np.full(self._new.size, -1)
        of_cell[asked] = labels[: asked.size]
        return of_cell, labels[sets.shape[0] :]


def _take(demands: Demands, chosen: Rows) -> Demands:
    return replace(
        demands,
        groups=demands.groups.take(chosen),
        above=demands.above[chosen],
        below=demands.below[chosen],
        width=demands.width[chosen],
    )
