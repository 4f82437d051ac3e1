"""Record swapping: similar households of different areas change places, the rarest first."""

from typing import ClassVar, Self

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata, role
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.kernels.swapping.area_pairing import pair_across_areas
from sfumato.keys.households import Households, households_of
from sfumato.numerics.arrays import CodeColumn, Rows
from sfumato.parameters import Columns, Percent, Strata


class RecordSwapping(MaskingMethod):
    """Exchange the areas of similar households that live in different ones, the rarest households first.

    Households take turns, those first that hold the record whose combination of `key_columns` is rarest in its area;
    equally rare ones in random order. Each exchanges its area with a random household elsewhere that has as many
    members, with the same values in `similar_on`. A household is swapped once at most.

    Parameters
    ----------
    columns
        The nominal or ordinal columns that say where a household lives, such as region and municipality; all of them
        are exchanged together. Every member of a household has the same.
    percent
        How many of the households to swap, in percent, partners included.
    similar_on
        Columns of any kind in which the members of both households have the same values, in whatever order. With none,
        partners only have the same number of members.
    key_columns
        Columns by which a record may be recognised: how many records of an area have the same values in them makes it
        rare or common. With none, households are swapped at random. Cut continuous ones into classes first: ages in
        years make nearly every household rare.
    household
        The column, or columns, that tell which household a record belongs to. With none, as when the file has no
        column of that role, each record is a household.
    within
        Columns whose equal values make the strata; households are then swapped inside each stratum, such as
        municipalities inside a region.

    Effect on risk
        Nobody can be sure that a record found in an area is from there; rare ones are protected first. Falls as
        `percent` grows. A household stays where it is when none like it lives elsewhere, which is most probable for the
        rarest: swap on fewer columns of `similar_on`, or recode those that stay. All other values remain true, so that
        who does not need the area to recognise somebody is not hindered.
    Effect on utility
        Counts of areas by household size and by `similar_on` stay exactly as they were, for households and for
        persons; so do all tables without `columns`. Relations of areas with other columns weaken as `percent` grows.
    Missing values
        Stay missing: a household that lacks a value in `columns` is not swapped. In `similar_on` and `key_columns`
        missing counts as a value of its own. A record without a household is one on its own.
    Source
        Dalenius and Reiss (1982), Data-swapping: a technique for disclosure control; targeted at rare households as
        by Shlomo, Tudor and Groom (2010), Data swapping for protecting census tables.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"area": ["north", "south"] * 10, "sex": ["f", "f", "m", "m"] * 5}))
    >>> method = RecordSwapping(columns=("area",), percent=40, similar_on=("sex",))
    >>> masked = method.mask(people, np.random.default_rng(0))
    >>> int((masked.frame["area"] != people.frame["area"]).sum())
    8
    """

    family: ClassVar[str] = "swapping"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL
    layout: ClassVar[Layout] = Layout.WHOLE
    draws_households: ClassVar[bool] = True

    columns: Columns = Field(examples=[["region"]])
    percent: Percent = 5.0
    similar_on: Strata = ()
    key_columns: Strata = role("key")
    household: Strata = role("household")
    within: Strata = ()

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them against the data."""
        bound = super().bound_to(data)
        named = {field: data.select(getattr(bound, field)) for field in ("similar_on", "key_columns", "household")}
        both = [name for name in named["similar_on"] if name in bound.columns]
        if both:
            raise DataError(f"RecordSwapping.similar_on must not name what is swapped; it names {', '.join(both)}")
        if bound.strata:
            _check_together(households_of(data, named["household"]), data, "within", bound.strata)
        return bound.replace(**named)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the areas of some households exchanged."""
        names = block.select(self.columns)
        households = households_of(block, block.select(self.household))
        _check_together(households, block, "columns", names)
        source = self._sources(block, names, households, rng)

        def change(name: str, observed: CodeColumn) -> CodeColumn:
            codes, _ = block.codes(name)
            return codes[source][codes >= 0]

        return block.map_codes(names, change)

    def _sources(
        self, block: Microdata, names: tuple[str, ...], households: Households, rng: np.random.Generator
    ) -> Rows:
        """Return for each record the row that it takes its area from."""
        area = block.stratum_numbers(names)[households.first_rows]
        alike = households.compositions(block.stratum_numbers(block.select(self.similar_on)))
        turn = np.lexsort((rng.random(households.count), self._rarity(block, names, households)))
        complete = np.logical_and.reduce([block.observed(name) for name in names])[households.first_rows]
        pairs = int(households.count * self.percent / 200 + rng.random())  # rounded at random: small strata count too
        partner = swap_partners(turn[complete[turn]], area, alike, pairs, rng)
        return np.where(
            partner[households.number] == households.number,
            np.arange(block.n),
            households.first_rows[partner][households.number],
        )

    def _rarity(self, block: Microdata, names: tuple[str, ...], households: Households) -> CodeColumn:
        """Return for each household how many records share the rarest combination of keys among its members."""
        keys = block.select(self.key_columns)
        if not keys:
            return np.zeros(households.count, dtype=np.int64)
        cells = block.stratum_numbers(names + tuple(key for key in keys if key not in names))
        return households.lowest(np.bincount(cells)[cells])


def swap_partners(turn: Rows, area: CodeColumn, alike: CodeColumn, pairs: int, rng: np.random.Generator) -> CodeColumn:
    """Return for each household the one that it changes places with, itself where it stays.

    Parameters
    ----------
    turn
        The households that may be swapped, in the order in which they choose.
    area, alike
        For each household its area, and a number that it shares with those like it.
    pairs
        How many pairs to make at most.
    rng
        The generator.
    """
    partner = np.arange(area.size)
    if not turn.size:
        return partner
    places, number = np.unique(area[turn], return_inverse=True)
    found, group = np.unique(alike[turn] * places.size + number, return_inverse=True)
    _, cell = np.unique(found // places.size, return_inverse=True)
    chosen = pair_across_areas(np.arange(turn.size), group, cell, pairs, rng.random(turn.size))
    partner[turn] = turn[chosen]
    return partner


def _check_together(households: Households, data: Microdata, field: str, names: tuple[str, ...]) -> None:
    """Refuse households whose members differ in columns that they must have in common."""
    apart = households.count_mixed(data.stratum_numbers(names))
    if apart:
        raise DataError(
            f"RecordSwapping.{field}: the members of {format_count(apart, 'household')} differ in "
            f"{', '.join(names)}; make them equal "
            f"first, or swap single records with household=()"
        )
