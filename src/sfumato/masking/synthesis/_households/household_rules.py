"""What every synthetic household must meet: conditions, and as many members of a relation as households have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.expressions.missing_codes import rows_with_codes
from sfumato.masking.synthesis._households.age_gaps import AgeGaps
from sfumato.masking.synthesis._households.member_conditions import ParsedMemberCondition, Values
from sfumato.masking.synthesis._households.members import Members, members_by_relation
from sfumato.masking.synthesis._observed_columns import DrawnColumn
from sfumato.masking.synthesis._sequential.conditions import (
    ShownCodes,
    category_numbers,
    drawn_codes,
    known_values,
)
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows


@dataclass(frozen=True, eq=False)
class RelationCounts:
    """How many members of each relation a household may have.

    Parameters
    ----------
    name
        The column of relations.
    least, most
        The fewest and most members by relation, its missing values first.
    """

    name: str
    least: Rows
    most: Rows

    @classmethod
    def of(cls, name: str, relation: CodeColumn, members: Members, fewest: int) -> "RelationCounts":
        """Return what all households have, but for less than `fewest` of them: one head, one spouse at most."""
        counts = members_by_relation(relation[members.rows] + 1, members.households, members.sizes.size)
        rising = np.sort(counts, axis=0)
        return cls(name, rising[min(fewest, len(rising)) - 1], rising[-min(fewest, len(rising))])

    def is_broken(self, relation: CodeColumn, households: Rows, count: int) -> Booleans:
        """Tell which households have too few or too many members of a relation."""
        counts = members_by_relation(np.append(relation, self.most.size - 1), np.append(households, count), count + 1)
        return np.asarray(((counts < self.least) | (counts > self.most)).any(axis=1), dtype=np.bool_)[:-1]


@dataclass(frozen=True, eq=False)
class HouseholdRules:
    """All that synthetic households must meet.

    Parameters
    ----------
    data
        The original file, whose categories conditions name.
    conditions
        Conditions over persons and members.
    relations
        How many members of each relation there may be; none where relations are not known.
    gaps
        How far apart in age members may be; none where relations or ages are not known.
    """

    data: Microdata
    conditions: Sequence[ParsedMemberCondition]
    relations: RelationCounts | None
    gaps: AgeGaps | None = None

    @cached_property
    def code_rows(self) -> ShownCodes:
        """The codes for no answer that conditions ask for, and which original records show them."""
        return rows_with_codes((part for condition in self.conditions for part in condition.parts), self.data)

    def is_broken(self, values: Values, sizes: Rows, members: Mapping[str, DrawnColumn]) -> Booleans:
        """Tell which households of these sizes break a rule, by the values and the drawn columns of their members."""
        households = np.repeat(np.arange(sizes.size), sizes)
        broken = np.zeros(sizes.size, dtype=np.bool_)
        if self.relations is not None:
            codes = self._relation_codes(values[self.relations.name])
            broken |= self.relations.is_broken(codes, households, sizes.size)
            if self.gaps is not None:
                broken |= self.gaps.is_broken(codes, values[self.gaps.age], sizes)
        if self.conditions:
            shown = drawn_codes(self.code_rows, members, np.empty(0, dtype=np.int64))
            known, categories = {**known_values(self.data, values), **shown}, category_numbers(self.data, tuple(values))
            for condition in self.conditions:
                persons = condition.is_broken(known, categories, households)
                broken |= np.bincount(households[persons], minlength=sizes.size) > 0
        return broken

    def _relation_codes(self, values: FloatColumn) -> CodeColumn:
        """Return codes from 1, 0 where missing: so models see nominal columns, and ordinal ones from 0."""
        is_nominal = self.relations is not None and self.data.schema[self.relations.name].kind is Kind.NOMINAL
        return np.nan_to_num(values if is_nominal else values + 1).astype(np.int64)
