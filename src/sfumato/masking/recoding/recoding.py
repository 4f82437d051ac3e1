"""Recoding: join categories by a map."""

from collections.abc import Iterable
from typing import ClassVar, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Category, Kind, Microdata
from sfumato.data.category_merging import merge_categories, plan_merge
from sfumato.display import format_count
from sfumato.errors import DataError, did_you_mean
from sfumato.parameters import Columns

EXAMPLE = {
    "never married": "never married",
    "married": "married or separated",
    "separated": "married or separated",
    "divorced": "widowed or divorced",
    "widowed": "widowed or divorced",
}


class Recoding(MaskingMethod):
    """Replace categories by broader ones, as a map from old to new says.

    Parameters
    ----------
    columns
        Nominal or ordinal columns; all are recoded by the same map.
    map
        The new category of each old one, as in `{widowed: widowed or divorced, divorced: widowed or divorced}`. The new
        ones are all text or all numbers. To join many into few, `Generalisation` reads better.
    others
        The category of all that the map does not name. Without it, and without `keeps_others`, they are refused.
    keeps_others
        Whether categories that the map does not name stay as they are.
    labels
        Value labels of new categories, as files with labelled codes have them.

    Effect on risk
        Records agree with more others, so that fewer are rare; what a joined category hides is which of its parts a
        record has.
    Effect on utility
        Counts of the new categories are exact sums of the old; everything about their parts is lost.
    Missing values
        Stay missing. Codes that stand for missing stay too, as text where the column becomes text.
        A column keeps its type where that can hold the new categories; ordinal categories keep their order, so only
        neighbours may be joined. Value labels of categories that were changed or joined are dropped.
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, chapter 3, global recoding.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"status": ["single", "widowed", "divorced", None]}))
    >>> join = Recoding(columns=("status",), map={"widowed": "was married", "divorced": "was married"}, others="never")
    >>> join.mask(people, np.random.default_rng()).frame["status"].to_list()
    ['never', 'was married', 'was married', None]
    """

    family: ClassVar[str] = "recoding"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL
    layout: ClassVar[Layout] = Layout.ROWS
    keeps_types: ClassVar[bool] = False

    columns: Columns = Field(examples=[["marital_status"]])
    map: dict[Category, Category] = Field(examples=[EXAMPLE])
    others: Category | None = None
    keeps_others: bool = False
    labels: dict[Category, str] | None = None

    @field_validator("map")
    @classmethod
    def _check_types(cls, given: dict[Category, Category]) -> dict[Category, Category]:
        if not given:
            raise ValueError("must name at least one category; got none")
        if len({isinstance(category, str) for category in given.values()}) > 1:
            raise ValueError("must have new categories that are all text or all numbers; they are mixed")
        return given

    @model_validator(mode="after")
    def _check_others(self) -> Self:
        if self.others is not None and self.keeps_others:
            raise ValueError("Recoding needs at most one of others and keeps_others; got both")
        return self

    def detail(self) -> str:
        """Return how many categories are joined into how many."""
        return f"{format_count(len(self.map), 'category')} joined into {len(set(self.map.values()))}"

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after holding the map against their categories."""
        bound = super().bound_to(data)
        names = data.select(bound.columns)
        known = {category for name in names for category in _categories(data, name)}
        unknown = [category for category in self.map if category not in known]
        for name in names:
            self._check_covered(data, name, unknown)
        listed = [category for name in names for category in data.schema[name].categories]
        is_listed = all(data.schema[name].categories for name in names)
        if unknown and (self.keeps_others or is_listed) and self.others is None:
            near = did_you_mean(str(unknown[0]), [str(category) for category in listed])
            raise DataError(
                f"Recoding.map: {_quote(names)} has no category {unknown[0]!r}{near}; "
                f"list it in the 'categories' of the schema, or leave it out of the map"
            )
        for name in names:
            plan_merge("Recoding.map", data, name, bound.becomes(data, name), self.labels)
        return bound

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns recoded."""
        names = block.select(self.columns)
        return merge_categories(
            block,
            {name: plan_merge("Recoding.map", block, name, self.becomes(block, name), self.labels) for name in names},
        )

    def becomes(self, data: Microdata, name: str) -> dict[Category, Category]:
        """Return what each category of a column becomes; a category that no record has may be left out."""
        return {
            category: self.map.get(category, category if self.keeps_others or self.others is None else self.others)
            for category, count in data.summary.counts(name).items()
            if count or category in self.map or self.keeps_others
        }

    def _check_covered(self, data: Microdata, name: str, unknown: list[Category]) -> None:
        if self.keeps_others or self.others is not None:
            return
        counts = data.summary.counts(name).items()
        lacking = sum(count > 0 and category not in self.map for category, count in counts)
        if lacking:
            spelling = f"; no record has {_quote(unknown)}: check the spelling" if unknown else ""
            raise DataError(
                f"Recoding.map lacks {format_count(lacking, 'category')} of '{name}'{spelling}; add what it lacks, "
                f"or say by others or keeps_others what becomes of the rest"
            )


def _categories(data: Microdata, name: str) -> set[Category]:
    return {*data.summary.categories(name), *data.schema[name].value_labels}


def _quote(names: Iterable[Category], most: int = 5) -> str:
    listed = list(names)
    return ", ".join(repr(name) for name in listed[:most]) + (" and others" if len(listed) > most else "")
