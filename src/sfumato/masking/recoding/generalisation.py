"""Generalisation: replace categories by what lies above them in a hierarchy."""

from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Category, Kind, Microdata
from sfumato.data.category_merging import merge_categories, plan_merge
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.parameters import Columns
from sfumato.parameters.hierarchies import CategoryTree

EXAMPLE = {
    "lower": ["none", "primary", "lower secondary"],
    "middle": ["upper secondary", "post-secondary"],
    "higher": ["bachelor", "master", "doctorate"],
}


class Generalisation(MaskingMethod):
    """Replace each category by the one above it at a depth of a hierarchy.

    Parameters
    ----------
    columns
        Nominal or ordinal columns; all are recoded by the same hierarchy.
    hierarchy
        The tree of categories: groups with their children, as in `{Tuscany: [Pisa, Lucca], Lazio: [Rome]}`, where a
        child may be a group too; or rows from the leaf up, as in `[[Pisa, Tuscany, Italy], ...]`; or a `Hierarchy`.
        Where several codes are at the top, `*` is put above them.
    depth
        How many steps below the root the new categories lie: 0 makes all of them one, 1 takes the branches under the
        root. A category at this depth or above it stays itself.
    labels
        Value labels of new categories, as files with labelled codes have them.

    Effect on risk
        Records agree with more others, the more the smaller the depth.
    Effect on utility
        Counts of the new categories are exact sums of the old; everything below the depth is lost.
    Missing values
        Stay missing. Codes that stand for missing stay too, as text where the column becomes text.
        A column keeps its type where that can hold the new categories; ordinal categories keep their order, so only
        neighbours may lie in one branch. Value labels of categories that were changed or joined are dropped.
    Source
        Samarati (2001), Protecting respondents' identities in microdata release, section 3: generalisation
        hierarchies. The depth is counted from the root, so that leaves may lie at
        different ones; the levels of `FullDomainRecoding` are counted from what the file holds.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"town": ["Pisa", "Rome", None, "Lucca"]}))
    >>> places = {"Tuscany": ["Pisa", "Lucca"], "Lazio": ["Rome"]}
    >>> broader = Generalisation(columns=("town",), hierarchy=places, depth=1)
    >>> broader.mask(people, np.random.default_rng()).frame["town"].to_list()
    ['Tuscany', 'Lazio', None, 'Tuscany']
    """

    family: ClassVar[str] = "recoding"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL
    layout: ClassVar[Layout] = Layout.ROWS
    keeps_types: ClassVar[bool] = False

    columns: Columns = Field(examples=[["education"]])
    hierarchy: CategoryTree = Field(examples=[EXAMPLE])
    depth: Annotated[int, Field(ge=0, examples=[1])]
    labels: dict[Category, str] | None = None

    @model_validator(mode="after")
    def _check_depth(self) -> Self:
        if self.depth > self.hierarchy.depth:
            raise ValueError(
                f"Generalisation.depth must be in [0, {self.hierarchy.depth}], the depth of the hierarchy; "
                f"got {self.depth}"
            )
        return self

    def detail(self) -> str:
        """Return the depth."""
        return f"depth {self.depth} of its hierarchy"

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after holding the hierarchy against their categories."""
        bound = super().bound_to(data)
        for name in data.select(bound.columns):
            lacking = sum(
                count > 0 and category not in self.hierarchy for category, count in data.summary.counts(name).items()
            )
            if lacking:
                raise DataError(
                    f"Generalisation.hierarchy lacks {format_count(lacking, 'category')} of '{name}'; add what it "
                    "lacks under a group"
                )
            plan_merge("Generalisation.hierarchy", data, name, self.becomes(data, name), self.labels)
        return bound

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns generalised."""
        names = block.select(self.columns)
        who = "Generalisation.hierarchy"
        return merge_categories(
            block, {name: plan_merge(who, block, name, self.becomes(block, name), self.labels) for name in names}
        )

    def becomes(self, data: Microdata, name: str) -> dict[Category, Category]:
        """Return what each category of a column becomes; those that no record has may not be in the tree."""
        categories = data.summary.categories(name)
        return {code: self.hierarchy.at_depth(code, self.depth) for code in categories if code in self.hierarchy}
