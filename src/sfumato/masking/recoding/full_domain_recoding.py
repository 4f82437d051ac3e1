"""Full-domain recoding: choose one level of each key's hierarchy, so that records are safe and little is lost."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.data.category_merging import merge_categories, plan_merge
from sfumato.display import Column, Table, format_count, format_number, header_column, paragraph, render_notebook
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError
from sfumato.keys.cells import Importance, without_cells
from sfumato.keys.checks import check_keys, check_missing_codes, check_sensitive, check_size
from sfumato.masking.recoding._class_model import ClassModel
from sfumato.masking.recoding._hierarchy_checks import (
    check_conditions,
    check_hierarchies,
    check_order,
    unmet_conditions_message,
)
from sfumato.masking.recoding._key_lattice import KeyLattice, lattice_of
from sfumato.masking.recoding._lattice_descent import low_loss
from sfumato.masking.recoding._lattice_node import suppressed_records
from sfumato.masking.recoding._lattice_search import MAX_NODES, least_loss
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters import Columns, GroupSize, InPercent
from sfumato.parameters.hierarchies import CategoryTree

if TYPE_CHECKING:
    import polars

EXAMPLE = {
    "education": {
        "lower": ["none", "primary", "lower secondary"],
        "middle": ["upper secondary", "post-secondary"],
        "higher": ["bachelor", "master", "doctorate"],
    }
}

MAX_KEYS = 30

NOT_CERTAIN = (
    "the levels are good, not certainly the best: there are {ways:,} ways to choose them, and {most:,} are as many as "
    "are searched; for certainty give fewer keys, or hierarchies of fewer levels"
)


class FullDomainRecoding(MaskingMethod):
    """Recode each key to one level of its hierarchy, the same for all records, chosen so that least is lost.

    Of all ways to choose the levels, a lattice, that is found which loses least information among those where every
    class of records with equal keys is safe, or few enough records are in unsafe ones: these are suppressed. The loss
    of a key is 0 where all values are leaves of its hierarchy and 1 where they are its root: the mean share of the
    leaves that lie under the released value, a suppressed one counting as the root. The loss of the file is the
    geometric mean over the keys of 1 + loss, minus 1. `search_lattice` tells the levels and the loss.

    Parameters
    ----------
    columns
        Nominal or ordinal columns, the keys.
    hierarchies
        The hierarchy of each key, in the forms that `Generalisation` takes. A key without one has two levels: its
        values as they are, and `*` for all of them. Level 0 is what the file holds; the levels of a hierarchy whose
        leaves lie at different depths are counted from the deepest.
    k
        How many records a class must have at least.
    max_suppressed
        How many records may be suppressed, in percent of the file: 0 for none, 100 for any number. All keys of a
        suppressed record are made missing. The suppressed records are a class too, and as safe as the others.
    importance
        How much the loss of a key counts, as in `{region: 3, sex: 0.5}`; 1 for those not named.
    sensitive
        A nominal or ordinal column that must not be inferred from the keys; the conditions below are about its values.
    l
        How many different values each class must have at least (distinct l-diversity).
    entropy_l
        Each class must have the entropy of so many equally frequent values at least (entropy l-diversity).
    recursive_cl
        c and l, as in `[2, 3]`: in each class the most frequent value must have fewer records than c times
        all those from the l-th most frequent value on (recursive (c, l)-diversity).
    t
        The largest distance between the distribution of the values in a class and in the file, from 0 to 1
        (t-closeness): half the sum of differences for nominal values; for ordinal ones the mean number of steps by
        which mass moves, of all the steps there are.

    Effect on risk
        Each record is equal to at least `k - 1` others in all keys, missing ones included, so that nobody
        can be singled out by them. What is sensitive cannot be read off a class either, as far as conditions say so.
    Effect on utility
        One level for all records keeps tables comparable, and recodes common values for the sake of rare ones:
        `LocalRecoding` loses less where that is not needed. Some suppression lets far lower levels do. The search is
        exact up to a lattice of a million nodes; beyond that it ends with good levels that may not be the best.
    Missing values
        Stay missing, and are a category of their own at every level: where few records lack a key, these must be
        suppressed. They count for no loss. Missing values of the sensitive column count as no value. Keys that hold
        codes for missing are refused, as these stay visible. Types and labels are as with `Generalisation`.
    Source
        Samarati (2001), Protecting respondents' identities in microdata release; l-diversity: Machanavajjhala and
        others (2007); t-closeness: Li, Li and Venkatasubramanian (2007); the loss: Iyengar (2002), Transforming data
        to satisfy privacy constraints, averaged over the keys as ARX does.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"town": ["Pisa", "Rome", "Lucca", "Rome"], "sex": ["f", "m", "f", "m"]}))
    >>> places = {"town": {"Tuscany": ["Pisa", "Lucca"], "Lazio": ["Rome"]}}
    >>> recoding = FullDomainRecoding(columns=("town", "sex"), hierarchies=places, k=2)
    >>> search_lattice(people, recoding).levels
    mappingproxy({'town': 1, 'sex': 0})
    >>> recoding.mask(people, np.random.default_rng()).frame["town"].to_list()
    ['Tuscany', 'Lazio', 'Tuscany', 'Lazio']
    """

    family: ClassVar[str] = "recoding"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_types: ClassVar[bool] = False
    keeps_missing: ClassVar[bool] = False

    columns: Columns = Field(examples=[["region", "sex", "education"]])
    hierarchies: dict[str, CategoryTree] = Field(default={}, examples=[EXAMPLE])
    k: GroupSize = 3
    max_suppressed: Annotated[InPercent, Field(ge=0, le=100)] = 5.0
    importance: Importance | None = None
    sensitive: str | None = None
    l: Annotated[int, Field(ge=2)] | None = None
    entropy_l: Annotated[float, Field(gt=1)] | None = None
    recursive_cl: tuple[Annotated[float, Field(gt=0)], Annotated[int, Field(ge=2)]] | None = None
    t: Annotated[float, Field(gt=0, le=1)] | None = None

    @model_validator(mode="after")
    def _check_sensitive(self) -> Self:
        check_conditions(self.sensitive, (self.l, self.entropy_l, self.recursive_cl, self.t))
        return self

    @property
    def masks_by_kind(self) -> bool:
        """Whether equal records are recoded and suppressed alike: they are."""
        return True

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after holding everything against the file."""
        bound = super().bound_to(data)
        who, names = type(self).__name__, data.select(bound.columns)
        check_keys(who, names, self.importance, MAX_KEYS)
        check_size(who, data.summary.n, self.k)
        check_missing_codes(who, data, names)
        check_hierarchies(who, data, names, self.hierarchies)
        for name in self.hierarchies:
            check_order(who, data, name, self.hierarchies[name])
        if self.sensitive is not None:
            check_sensitive(who, data, names, self.sensitive, self.model(data).different)
        return bound

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with its keys recoded, and those of unsafe records missing."""
        names, lattice, model = block.select(self.columns), self.lattice(block), self.model(block)
        levels = _search(block, self, lattice, model).levels
        chosen = {
            name: plan_merge("FullDomainRecoding.hierarchies", block, name, key.becomes[levels[name]])
            for name, key in zip(names, lattice.key_levels, strict=True)
            if levels[name]
        }
        suppressed = suppressed_records(lattice, model, tuple(levels[name] for name in names))
        cells = np.repeat(suppressed[:, None], len(names), axis=1)
        return without_cells(merge_categories(block, chosen), names, cells)

    def remarks(self, data: Microdata) -> tuple[str, ...]:
        """Return that the levels are not certainly the best, where there are too many ways to choose them."""
        nodes = self.bound_to(data).lattice(data).nodes
        return (NOT_CERTAIN.format(ways=nodes, most=MAX_NODES),) if nodes > MAX_NODES else ()

    def lattice(self, data: Microdata) -> KeyLattice:
        """Return the lattice of the keys."""
        names, values = data.select(self.columns), self.values(data)
        return lattice_of(data, names, self.hierarchies, self.importance or {}, values)

    def model(self, data: Microdata) -> ClassModel:
        """Return what classes must be like."""
        if self.sensitive is None:
            return ClassModel(self.k)
        counts = np.array(list(data.summary.counts(self.sensitive).values()), dtype=np.float64)
        return ClassModel(
            self.k,
            self.l or 0,
            self.entropy_l or 1.0,
            self.recursive_cl or (0.0, 0),
            1.0 if self.t is None else self.t,
            overall=counts / max(counts.sum(), 1.0),
            is_ordered=data.schema[self.sensitive].kind is Kind.ORDINAL,
        )

    def values(self, data: Microdata) -> CodeColumn:
        """Return the sensitive value of each record from 1 up, 0 where missing; 1 where nothing is sensitive."""
        if self.sensitive is None:
            return np.ones(data.n, dtype=np.int64)
        return data.codes(self.sensitive)[0] + 1


@dataclass(frozen=True)
class LatticeSearch(TabularResult):
    """What a search found.

    Parameters
    ----------
    levels
        The level of each key, from 0 for values as they are.
    loss
        The information loss, suppressed records included: 0 where all is as it was, 1 where nothing is left.
    suppressed
        How many records are suppressed.
    nodes, looked_at
        How many ways there are to choose the levels, and how many of them had to be looked at.
    is_optimal
        Whether it is certain that no other choice loses less.
    remark
        A sentence to be read with it, where it is not.
    """

    levels: Mapping[str, int]
    loss: float
    suppressed: int
    nodes: int
    looked_at: int
    is_optimal: bool
    remark: str = ""

    def to_frame(self) -> "polars.DataFrame":
        """Return the level of each key as a polars dataframe."""
        import polars

        schema = {"key": polars.String, "level": polars.Int64}
        return polars.DataFrame(list(self.levels.items()), schema=schema, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values, ready for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {"levels": dict(self.levels)}

    def _repr_html_(self) -> str:
        lost = f"Loss {format_number(self.loss, 3)} of 1; {format_count(self.suppressed, 'record')} suppressed."
        table = Table((header_column("key"), Column("level")), tuple(self.levels.items()), title=lost)
        return render_notebook([table.to_html(), *([paragraph(self.remark)] if self.remark else [])])


def search_lattice(data: Microdata, recoding: FullDomainRecoding) -> LatticeSearch:
    """Return the levels that a full-domain recoding takes in a file, and what is lost by them.

    Parameters
    ----------
    data
        The file.
    recoding
        The keys, their hierarchies and the conditions.
    """
    bound = recoding.bound_to(data)
    return _search(data, bound, bound.lattice(data), bound.model(data))


def _search(data: Microdata, recoding: FullDomainRecoding, lattice: KeyLattice, model: ClassModel) -> LatticeSearch:
    names = data.select(recoding.columns)
    max_suppressed = floor(data.summary.n * recoding.max_suppressed / 100 + 1e-9)
    is_small = lattice.nodes <= MAX_NODES
    found = (least_loss if is_small else low_loss)(lattice, model, max_suppressed)
    if found is None:
        raise DataError(unmet_conditions_message(data, names, recoding.max_suppressed))
    remark = "" if found.is_optimal else NOT_CERTAIN.format(ways=lattice.nodes, most=MAX_NODES)
    levels = MappingProxyType(dict(zip(names, found.levels, strict=True)))
    return LatticeSearch(levels, found.loss, found.suppressed, lattice.nodes, found.looked_at, found.is_optimal, remark)
