"""Models of whole households: size and common columns first, then the members, each given those before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Kind
from sfumato.errors import DataError
from sfumato.masking.synthesis._households.age_difference import AgeDifference
from sfumato.masking.synthesis._households.drawn_households import DrawnHouseholds
from sfumato.masking.synthesis._households.household_sizes import SizeClasses
from sfumato.masking.synthesis._households.members import Members, starts_of
from sfumato.masking.synthesis._models import ColumnModel
from sfumato.masking.synthesis._models.contract import Drawn, Settings
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.masking.synthesis._sequential.chain import Chain, DrawnRecords, fit_chain
from sfumato.numerics.arrays import FloatColumn, Rows

SIZE, POSITION = "\nsize", "\nposition"  # no column of a file is called so
FIRSTS = (0, 1, 2)  # positions from which on members have models of their own: heads, second members, all later ones
EARLIER = ("head", "second", "previous")  # the members before whom one is predicted from
GROUP_SIZE = 10  # times the fewest records: how many households the members of a group come from at least


@dataclass(frozen=True)
class MemberSettings:
    """What holds for households beside the settings of all columns.

    Parameters
    ----------
    models
        The models of some columns; a tree for others.
    predictors
        For some columns those that they are drawn from: of members their own, and those of the members before.
    age
        The column of ages, or of dates of birth, which are drawn as differences from those of the head.
    relation
        The column that says what a member is to the head.
    """

    models: Mapping[str, ColumnModel]
    predictors: Mapping[str, tuple[str, ...]]
    age: str | None
    relation: str | None

    def models_of(self, stop: int) -> Mapping[str, ColumnModel]:
        """Return the models of the members up to a position: heads alone have nobody to be compared with."""
        if self.age is None or stop < 2:
            return self.models
        difference = AgeDifference(reference=earlier_name("head", self.age), relation=self.relation)
        return {**self.models, self.age: difference}

    def predictors_of(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the predictors of columns of members, with those of the members before, size and position."""
        expanded = {
            name: (SIZE, POSITION, *chosen, *(earlier_name(who, one) for who in EARLIER for one in chosen))
            for name, chosen in self.predictors.items()
            if name in names
        }
        if self.age in expanded:  # what a difference is taken from is always known
            needed = (earlier_name("head", self.age), *([self.relation] if self.relation else []))
            expanded[self.age] = (*expanded[self.age], *needed)
        return expanded


@dataclass(frozen=True, eq=False)
class MemberModel:
    """The models of the members from one position on.

    Parameters
    ----------
    first, stop
        The first position, and the one after the last.
    chain
        The models of their columns.
    rows
        The original records that they were fitted to, one of a household.
    """

    first: int
    stop: int
    chain: Chain
    rows: Rows


@dataclass(frozen=True, eq=False)
class HouseholdModel:
    """The fitted models of households and members.

    Parameters
    ----------
    shared
        The models of the class of sizes and of the columns that households have, fitted to the heads.
    sizes
        The classes of sizes.
    heads
        The row of the head of each original household.
    members
        The models of the members, by the position from which on they hold; none where members have no columns.
    common, own
        The columns of households and of members, of all original records.
    """

    shared: Chain
    sizes: SizeClasses
    heads: Rows
    members: tuple[MemberModel, ...]
    common: tuple[ObservedColumn, ...]
    own: tuple[ObservedColumn, ...]

    def draw(self, count: int, rng: np.random.Generator) -> DrawnHouseholds:
        """Return synthetic households."""
        drawn = self.shared.draw_after({}, count, rng)
        classes = drawn.pop(SIZE).values(self.shared.columns[0].values).astype(np.int64)
        sizes = self.sizes.draw(classes, rng)
        return self.redraw_members(DrawnHouseholds(sizes, _in_rows(drawn, self.heads), {}), rng)

    def redraw_members(self, drawn: DrawnHouseholds, rng: np.random.Generator) -> DrawnHouseholds:
        """Return households with other members, of the same size and with the same columns in common."""
        if not self.own:
            return drawn
        sizes, total = drawn.sizes, int(drawn.sizes.sum())
        shared = {column.name: drawn.shared[column.name].values(column.values) for column in self.common}
        shared[SIZE] = sizes.astype(np.float64)
        known = {column.name: np.zeros(total) for column in self.own}
        own = {column.name: DrawnColumn.copied(np.zeros(total, dtype=np.int64)) for column in self.own}
        for position in range(int(sizes.max(initial=0))):
            households = np.flatnonzero(sizes > position)
            places = starts_of(sizes)[households] + position
            model = next(model for model in reversed(self.members) if model.first <= position)
            before = {name: values[households] for name, values in shared.items()}
            before |= earlier_members(self.own, known, places, np.full(places.size, position), model.stop)
            found = _in_rows(model.chain.draw_after(before, places.size, rng), model.rows)
            for column in self.own:
                own[column.name] = own[column.name].replace_rows(places, found[column.name])
                known[column.name][places] = found[column.name].values(column.values)
        return DrawnHouseholds(sizes, drawn.shared, own)

    def values(self, drawn: DrawnHouseholds) -> dict[str, FloatColumn]:
        """Return the values of synthetic members in all columns."""
        records = drawn.records()
        return {column.name: records[column.name].values(column.values) for column in (*self.common, *self.own)}


def fit_households(
    members: Members,
    common: Sequence[ObservedColumn],
    own: Sequence[ObservedColumn],
    chosen: MemberSettings,
    settings: Settings,
    rng: np.random.Generator,
) -> HouseholdModel:
    """Return the models of households and members, fitted to the original records.

    Every model sees one record of a household, so that what rests on so many records rests on so many households. Later
    members are fitted together, to one of each household drawn at random.

    Parameters
    ----------
    members
        Who lives together.
    common, own
        The columns of households and of members.
    chosen
        Models, predictors and ages.
    settings
        What holds for all columns.
    rng
        The generator.
    """
    classes = SizeClasses.of(members.sizes, settings.fewest)
    size_class = ObservedColumn(SIZE, Kind.ORDINAL, classes.classes.astype(np.float64))
    size = ObservedColumn(SIZE, Kind.ORDINAL, members.sizes.astype(np.float64))
    at_head = [column.take_rows(members.heads) for column in common]
    shared_predictors = {name: (SIZE, *names) for name, names in chosen.predictors.items()}
    shared = fit_chain((), (size_class, *at_head), chosen.models, settings, rng, predictors=shared_predictors)
    groups: tuple[MemberModel, ...] = ()
    firsts = first_positions(members, settings.fewest)
    while own and not groups:
        try:
            groups = tuple(
                _fit_members(members, (first, stop), (size, *at_head), own, chosen, settings, rng)
                for first, stop in zip(firsts, [*firsts[1:], int(members.sizes.max())], strict=True)
            )
        except DataError:  # a column that is too sparse among later members is modelled for more of them together
            firsts.pop()
            if not firsts:
                raise
    return HouseholdModel(shared, classes, members.heads, groups, tuple(common), tuple(own))


def earlier_members(
    columns: Sequence[ObservedColumn], known: Drawn, places: Rows, positions: Rows, stop: int
) -> dict[str, FloatColumn]:
    """Return what members of a group are predicted from: their position, and the values of those before them.

    These are the head, the second member, and the previous one where that is another.

    Parameters
    ----------
    columns
        The columns of members.
    known
        Their values, members of a household one after the other.
    places, positions
        Where the members stand there, and at which position of their household.
    stop
        The position after the last one of the group: heads have nobody before them.
    """
    before: dict[str, FloatColumn] = {POSITION: positions.astype(np.float64)}
    others = ((positions, 0), (positions - 1, 1), (np.ones_like(positions), 2))
    for who, (back, least) in zip(EARLIER, others, strict=True):
        if stop - 1 <= least:
            continue
        has_one = positions > least
        for column in columns:
            theirs = known[column.name][np.where(has_one, places - back, places)]
            nothing = np.nan if column.is_ordered else 0.0
            before[earlier_name(who, column.name)] = np.where(has_one, theirs, nothing)
    return before


def earlier_name(who: str, column: str) -> str:
    """Return what a column of a member before is called among the predictors; no column of a file is called so."""
    return f"\n{who} {column}"


def first_positions(members: Members, fewest: int) -> list[int]:
    """Return the positions from which on members have models of their own: where enough households have them."""
    enough = GROUP_SIZE * fewest
    return [first for first in FIRSTS if not first or int(np.count_nonzero(members.sizes > first)) >= enough]


def member_groups(members: Members, fewest: int) -> Rows:
    """Return for each row of the file the group of members that it is modelled with, from 0 for that of the heads."""
    groups = np.empty(members.rows.size, dtype=np.int64)
    groups[members.rows] = np.searchsorted(first_positions(members, fewest), members.positions, side="right") - 1
    return groups


def _fit_members(
    members: Members,
    positions: tuple[int, int],
    shared: Sequence[ObservedColumn],
    own: Sequence[ObservedColumn],
    chosen: MemberSettings,
    settings: Settings,
    rng: np.random.Generator,
) -> MemberModel:
    """Return the models of the members from a first position up to another, fitted to one member of a household."""
    inside = np.flatnonzero((members.positions >= positions[0]) & (members.positions < positions[1]))
    shuffled = rng.permutation(inside)
    households, place = np.unique(members.households[shuffled], return_index=True)
    places = shuffled[place]
    known = {column.name: column.values[members.rows] for column in own}
    before = earlier_members(own, known, places, members.positions[places], positions[1])
    kinds = {earlier_name(who, column.name): column.kind for who in EARLIER for column in own}
    seen = [ObservedColumn(name, kinds.get(name, Kind.ORDINAL), values) for name, values in before.items()]
    given = [*(column.take_rows(households) for column in shared), *seen]
    rows = members.rows[places]
    predictors = chosen.predictors_of([column.name for column in own])
    models = chosen.models_of(positions[1])
    drawn = [column.take_rows(rows) for column in own]
    chain = fit_chain(given, drawn, models, settings, rng, predictors=predictors)
    return MemberModel(*positions, chain, rows)


def _in_rows(drawn: DrawnRecords, rows: Rows) -> DrawnRecords:
    """Return drawn columns whose donors are rows of the file, in place of places among some of them."""
    return {name: DrawnColumn(rows[column.donors], column.numbers) for name, column in drawn.items()}
