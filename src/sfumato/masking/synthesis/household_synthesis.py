"""Household synthesis: whole households drawn, their size and common columns first, then member after member."""

from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import CATEGORICAL, Kind, Microdata, role
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.keys.households import Households, free_numbers, households_of
from sfumato.masking.synthesis._households.age_difference import AgeDifference
from sfumato.masking.synthesis._households.age_gaps import AgeGaps
from sfumato.masking.synthesis._households.drawn_households import DrawnHouseholds
from sfumato.masking.synthesis._households.household_drawing import draw_households, redraw_copied_households
from sfumato.masking.synthesis._households.household_model import MemberSettings, fit_households, member_groups
from sfumato.masking.synthesis._households.household_rules import HouseholdRules, RelationCounts
from sfumato.masking.synthesis._households.household_sizes import rare_size_remarks
from sfumato.masking.synthesis._households.member_conditions import MemberCondition, parse_member_condition
from sfumato.masking.synthesis._households.members import order_members
from sfumato.masking.synthesis._households.rare_relations import rare_relation_remarks
from sfumato.masking.synthesis._imputation import Releases, check_releases, join_releases
from sfumato.masking.synthesis._models import Models, check_models
from sfumato.masking.synthesis._models.contract import Settings
from sfumato.masking.synthesis._observed_columns import ObservedColumn
from sfumato.masking.synthesis._sequential.conditions import check_conditions
from sfumato.masking.synthesis._sequential.label_column import add_label, check_label
from sfumato.masking.synthesis._sequential.memory import check_memory
from sfumato.masking.synthesis._sequential.predictors import Predictors, check_predictors
from sfumato.masking.synthesis._sequential.rare_categories import rare_category_remarks
from sfumato.masking.synthesis._sequential.synthetic_cells import nobodys_rows, write_columns
from sfumato.masking.synthesis._sequential.weights import OriginalWeights, scale_weights
from sfumato.masking.synthesis._untrue_rules import untrue_rule_remarks
from sfumato.numerics.arrays import Rows
from sfumato.parameters import Columns, GroupSize, Ratio, Records, Strata


class HouseholdSynthesis(MaskingMethod):
    """Make synthetic households: how many live together and what they share, then each member given those before.

    Each column is drawn as by `SequentialSynthesis`, with every model fitted to one record of a household, so that what
    a drawn value rests on are households. The head is predicted from size and common columns, the second member from
    the head as well, later ones from head, second and previous member. Columns that are not named are left out.

    Parameters
    ----------
    columns
        Columns of any kind but the one of the household numbers, in the order in which they are drawn: those that all
        members share, with the size of the household, before the others.
    household
        The column that says which household a record belongs to, that of the role household when not given. Synthetic
        households are numbered from 1.
    household_columns
        Those of the columns that are the same for a whole household; when not given, those that are so in the file.
    relation
        The column that says what a person is to the head of the household. Members are then drawn head first, else as
        the file has them; and no relation is held by more members, or fewer, than in `min_leaf` original households:
        all have one head, none two spouses.
    age
        The column of ages, or of dates of birth. Those of members are drawn as differences from the head's; where
        `relation` is named, no spouse, child or other member is older or younger than head or second member by more, or
        by less, than the households of the file let expect: a table of age differences by pairs of relations.
    min_leaf
        The fewest original households that a drawn value rests on. Leaves hold twice as many at least.
    models
        For some columns another model, as in `SequentialSynthesis`.
    predictors
        For some columns those that they are drawn from, as `wage: [age, wage]`: a column of the household from those
        before it; one of members from any, which stands for the person's own where it is drawn before, and for that of
        the members before. All for a column that is not named; size and position always.
    conditions
        What every person and household must meet: as there, and with `count`, `min`, `max` and `sum` of the members,
        in brackets of which. `count(relation == 'child') <= 9` or
        `max(age[relation == 'child']) + 15 <= min(age[relation == 'head'])`. Members of households that do not are
        drawn anew. A condition that a missing value, or the lack of such members, leaves open is met.
    size
        How many households to make; as many as the file has when not given.
    weight_total
        What the weights of each synthetic file, in the column of the role weight, add up to; when not given, to what
        they do in the file, where a few far beyond all others count only as the others let expect.
    releases
        Number of synthetic files. With more than one a new column `release` has the number of the file.
    bootstrap
        Whether donors get random weights by the Bayesian bootstrap, for several synthetic files.
    label
        What a new column `label` says of every record; no such column when not given.

    Effect on risk
        Nobody's households, with the protection of `SequentialSynthesis`: no category or number that fewer than
        `min_leaf` households have, rare sizes only as the mean of several, and no more copies of unique persons, or of
        whole unique households, than two files drawn from the models have in common. A household is easier to recognise
        than a person: judge the file by `HouseholdMembership`, too.
    Effect on utility
        Keeps sizes, composition and the relations between members that many households show, beside what
        `SequentialSynthesis` keeps; weakly where few households have so many members. How many records come out is
        left to chance.
    Missing values
        Are drawn like values. A record without a household number is a household of its own.
    Source
        Sequential regression trees as for `SequentialSynthesis`; households first and members given earlier ones as in
        Alfons, Kraft, Templ and Filzmoser (2011), Simulation of close-to-reality population data for household surveys
        with application to EU-SILC.

    Examples
    --------
    >>> import polars
    >>> rows = [(home, who, age) for home in range(90) for who, age in (("head", 40 + home % 9), ("child", 10))]
    >>> people = polars.DataFrame(rows, schema=["home", "who", "age"], orient="row")
    >>> method = HouseholdSynthesis(columns=("who", "age"), household="home", relation="who")
    >>> made = method.mask(Microdata(people), np.random.default_rng(1)).frame
    >>> made.group_by("home").agg(polars.col("who").sort()).get_column("who").unique().to_list()
    [['child', 'head']]
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_shape: ClassVar[bool] = False
    keeps_missing: ClassVar[bool] = False

    columns: Columns
    household: str | None = None
    household_columns: Strata | None = None
    relation: str | None = None
    age: str | None = None
    min_leaf: GroupSize = 5
    models: Models = None
    predictors: Predictors = None
    conditions: tuple[MemberCondition, ...] = ()
    size: Annotated[Records, Field(ge=1)] | None = None
    weight_total: Ratio | None = None
    releases: Releases = 1
    bootstrap: bool = False
    label: str | None = None

    @property
    def makes_new_records(self) -> bool:
        """Whether the records are nobody's: always."""
        return True

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them against the data."""
        who, bound = type(self).__name__, super().bound_to(data)
        names, household = data.select(bound.columns), self._household(data)
        if household in names:
            raise DataError(f"{who}.columns: '{household}' tells the households, which get new numbers; leave it out")
        check_models(who, self.models, names, data)
        shared = self._shared(data, names)
        check_predictors(who, self.predictors, known_before(names, shared), self.models or {})
        check_conditions(who, [parse_member_condition(text).parts for text in self.conditions], data, names)
        if self.relation is not None and (self.relation not in names or self.relation in shared):
            raise DataError(f"{who}.relation: '{self.relation}' must be in columns, and differ between members")
        if self.relation is not None and data.schema[self.relation].kind not in CATEGORICAL:
            raise DataError(f"{who}.relation: '{self.relation}' must be a categorical column")
        if self.age is not None:
            self._check_age(data, tuple(name for name in names if name not in shared))
        return bound.replace(household=household, household_columns=shared)

    def remarks(self, data: Microdata) -> tuple[str, ...]:
        """Return which rules the file does not follow, what is too rare to be drawn well, and if a total is untrue."""
        households, names = self._households(data), data.select(self.columns)
        homes, fewest = households.number, self.min_leaf
        relation = None if self.relation is None else data.codes(self.relation)[0]
        groups = member_groups(order_members(households, relation, fewest), fewest)
        found = [
            *untrue_rule_remarks(self.bound_to(data), data, homes),
            *rare_size_remarks(np.bincount(homes), fewest),
            *rare_category_remarks(data, names, fewest, groups, homes),
        ]
        if self.relation is not None:
            found += rare_relation_remarks(data, self.relation, homes, fewest, has_age=bool(self.age))
        found += OriginalWeights(data.take_columns(names), homes, fewest).remarks()
        return tuple(found)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return synthetic households, once per release."""
        names, who = block.select(self.columns), type(self).__name__
        check_value_count(who, block, names, min_values=self.min_leaf)
        check_releases(who, block, self.releases)
        check_label(who, block, self.label)
        households = self._households(block)
        if households.count < self.min_leaf:
            fewest = format_count(self.min_leaf, "household")
            raise DataError(f"{who} needs at least {fewest}; the file has {households.count}")
        persons = int((self.size or households.count) * block.n / households.count)
        check_memory(who, persons * self.releases, len(names))
        # 1. Put the members of each household in order.
        relation = None if self.relation is None else block.codes(self.relation)[0]
        members = order_members(households, relation, self.min_leaf)
        shared = self._shared(block, names)
        common, own = (
            [ObservedColumn.of(block, name) for name in names if (name in shared) == is_common]
            for is_common in (True, False)
        )
        settings = Settings(self.min_leaf, self.bootstrap)
        chosen = MemberSettings(self.models or {}, self.predictors or {}, self.age, self.relation)
        # 2. Draw the households of each release from models of its own; those that break a rule, or copy a household,
        # are drawn anew.
        counts = None if relation is None else RelationCounts.of(self.relation or "", relation, members, self.min_leaf)
        original = {column.name: column.values[members.rows] for column in (*common, *own)}
        gaps = None
        if relation is not None and self.age is not None:
            columns, codes = (self.relation or "", self.age), relation[members.rows] + 1
            gaps = AgeGaps.of(columns, codes, original[self.age], members.sizes, self.min_leaf)
        rules = HouseholdRules(block, [parse_member_condition(text) for text in self.conditions], counts, gaps)
        drawn = []
        for _ in range(self.releases):
            model = fit_households(members, common, own, chosen, settings, rng)
            made = draw_households(model, rules, self.size or households.count, rng)
            second = draw_households(model, rules, households.count, rng)
            drawn.append(redraw_copied_households(model, rules, made, (original, members.sizes), second, rng))
        weights = OriginalWeights(block.take_columns(names), households.number, self.min_leaf)
        # 3. Write them, with numbers of their own in all releases, and put these into one file.
        files: list[Microdata] = []
        for number, each in enumerate(drawn):
            written = sum(file.n for file in files)
            file = self._write(block, names, each, written, number * each.sizes.size)
            files.append(scale_weights(file, self.weight_total, weights, each.households, rng))
        return add_label(join_releases(files, np.concatenate([file.row_ids for file in files])), self.label)

    def _check_age(self, data: Microdata, own: tuple[str, ...]) -> None:
        who = type(self).__name__
        if self.age not in own:
            raise DataError(f"{who}.age: '{self.age}' must be in columns, and differ between members")
        if self.relation is not None and own.index(self.age) < own.index(self.relation):
            raise DataError(f"{who}.age: '{self.relation}' must come before '{self.age}' in columns, which hangs on it")
        if data.schema[self.age].kind not in AgeDifference.kinds:
            raise DataError(f"{who}.age: '{self.age}' must be a number or a date")
        if self.age in (self.models or {}):
            raise DataError(
                f"{who}.age: '{self.age}' is drawn as a difference from that of the head and has a model as well; "
                f"leave one out, and of an age that is computed name the date of birth"
            )

    def _household(self, data: Microdata) -> str:
        names = data.select(role("household")) if self.household is None else data.select((self.household,))
        if len(names) != 1:
            came = "no column has" if not names else "several columns have"
            raise DataError(
                f"{type(self).__name__}.household: {came} the role household; name the one that tells who lives "
                f"together"
            )
        return names[0]

    def _households(self, data: Microdata) -> Households:
        return households_of(data, (self._household(data),))

    def _shared(self, data: Microdata, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that all members of a household share: those named so, or found in the file."""
        households = self._households(data)
        mixed = {name: households.count_mixed(data.stratum_numbers((name,))) for name in names}
        if self.household_columns is None:
            return tuple(name for name in names if not mixed[name])
        named = data.select(self.household_columns)
        for name in named:
            if name not in names:
                raise DataError(f"{type(self).__name__}.household_columns: '{name}' is not among the columns")
            if mixed[name]:
                raise DataError(
                    f"{type(self).__name__}.household_columns: in {format_count(mixed[name], 'household')} members "
                    f"differ in '{name}'; make them equal, or leave it out"
                )
        return named

    def _write(
        self, block: Microdata, names: tuple[str, ...], drawn: DrawnHouseholds, written: int, homes: int
    ) -> Microdata:
        """Return households with the columns of the original, after so many records and households."""
        household = self._household(block)
        kept = block.take_columns(tuple(name for name in block.schema.names if name in (household, *names)))
        target = nobodys_rows(kept, int(drawn.sizes.sum()), written)
        return _number(write_columns(target, block, names, drawn.records()), household, homes + drawn.households)


def known_before(names: tuple[str, ...], shared: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return for each column what it may be drawn from: members from all columns, their own or of those before.

    Examples
    --------
    >>> known_before(("region", "age", "rooms"), ("region", "rooms"))
    {'region': (), 'age': ('region', 'rooms', 'age'), 'rooms': ('region',)}
    """
    own = tuple(name for name in names if name not in shared)
    common = tuple(name for name in names if name in shared)
    return {name: (*common, *own) if name in own else common[: common.index(name)] for name in names}


def _number(data: Microdata, name: str, households: Rows) -> Microdata:
    """Return the file with household numbers from 1, as text where the column is text."""
    variable = data.schema[name]
    numbers = free_numbers(int(households.max()) + 1, variable)[households]
    is_text = any(isinstance(category, str) for category in data.codes(name)[1])
    described = variable.replace(categories=(), value_labels={})
    return data.with_column(described, numbers.astype(str).tolist() if is_text else numbers)
