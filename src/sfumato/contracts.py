"""What every method, measure and improver promises: one record of parameters, one verb."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar, Self

import numpy as np
from pydantic import ConfigDict

from sfumato.data import FloatColumn, Kind, Mask, Microdata, Rows
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.improvement import Improvement
from sfumato.parameters import Columns
from sfumato.record import Record

INSTEAD = {
    Kind.CONTINUOUS: "rank_swapping, mdav, correlated_noise, rounding and top_coding",
    Kind.ORDINAL: "rank_swapping, pram and recoding",
    Kind.NOMINAL: "pram, recoding and local_suppression",
    Kind.DATE: "only drop_identifiers and pseudonymise: make them ages or years first",
}
"""What to use for a kind of column that a method does not take."""


class Layout(StrEnum):
    """How a file is cut into the blocks that a method sees one at a time."""

    ROWS = "rows"
    """Runs of rows: what happens to a record depends on it and on the summary of the whole."""
    RANKS = "ranks"
    """Each column by itself, in runs of consecutive ranks."""
    NEIGHBOURS = "neighbours"
    """Sets of near records."""
    GROUPS = "groups"
    """Records with equal keys stay together."""
    WHOLE = "whole"
    """The method needs all records at once."""


class Correspondence(StrEnum):
    """Which original record a masked record is held against."""

    TRUE_RECORD = "true_record"
    """The one that it came from, known by its row id: the truth about re-identification."""
    NEAREST_RECORD = "nearest_record"
    """The nearest one over all compared columns, as some papers count; synthetic records come from none."""


class Named(Record):
    """A record that is known by the snake-case form of its class name, as recipes write it."""

    model_config = ConfigDict(ignored_types=(property,))

    @classmethod
    def name(cls) -> str:
        """Return the name used in recipes, file names and listings."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", cls.__name__).lower()


class MaskingMethod(Named, ABC):
    """A way to mask records: parameters, and one verb.

    A method writes `mask_block`; callers use `mask`, which looks at the data first and takes each stratum by itself.
    Blocks, threads and seeds are the business of `sfumato.execution`.
    """

    family: ClassVar[str]
    kinds: ClassVar[frozenset[Kind]]
    layout: ClassVar[Layout]
    keeps_shape: ClassVar[bool] = True
    """Whether the same records and columns come back; a method that drops or adds some says no."""
    keeps_types: ClassVar[bool] = True
    """Whether each column keeps its type and kind; a method that makes classes or other categories says no."""
    keeps_missing: ClassVar[bool] = True
    """Whether values are missing where they were; a method that draws them anew, or suppresses some, says no."""
    needs_columns: ClassVar[bool] = True
    """Whether there must be a column to change."""
    needs_values: ClassVar[bool] = True
    """Whether each column must hold a value; a method that does not read what the columns hold says no."""

    columns: Columns

    @property
    def strata(self) -> tuple[str, ...]:
        """The columns whose equal values make the strata; none for a method without `within`."""
        return getattr(self, "within", ())

    def reach(self, n: int) -> int:
        """Return how many ranks away a value may go in a column of `n` values; needed by methods cut by ranks."""
        return n

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them against the data."""
        if not data.n:
            raise DataError(f"{type(self).__name__} needs records to mask; the file has none")
        names = data.select(self.columns)
        if not names and self.needs_columns:
            raise DataError(
                f"{type(self).__name__}.columns: {self.columns} picks no column of this file; name the columns"
            )
        for name in names:
            check_column(type(self), data, name, needs_values=self.needs_values)
        changes = {"columns": names}
        if self.strata:
            changes["within"] = data.select(self.strata)
        return self.replace(**changes)

    def mask(self, data: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a masked copy of `data`, each stratum masked as a file of its own."""
        method = self.bound_to(data)
        if not method.strata:
            return method.mask_block(data, rng)
        masked = [method.mask_block(data.take_rows(rows), rng) for rows in data.strata(method.strata)]
        return Microdata.joined(masked, order=data.row_ids)

    @abstractmethod
    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a masked copy of one block; what it needs of the whole is in `block.summary`."""


@dataclass(frozen=True)
class Measurement:
    """What a measure found.

    Parameters
    ----------
    name, symbol
        The measure's name in recipes and its short symbol in tables (`DLD`).
    value
        The figure itself.
    unit
        The unit of the value, such as `%`.
    parts
        The same figure by part, variable or scenario, where it exists.
    per_record
        One figure per masked record, in its order, where it exists; NaN where a record has nothing to measure. Never
        printed.
    record_symbol
        The symbol of the figure that `per_record` divides among the records: that of one of the parts, or when not
        given that of the measure.
    standard_error
        The sampling error, where the figure was sampled.
    interval
        The ends of a 95 % confidence interval, where there is one.
    remark
        A sentence to be read with the figure, such as the name of the strongest attack.
    """

    name: str
    symbol: str
    value: float
    unit: str = "%"
    parts: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    per_record: FloatColumn | None = field(default=None, repr=False, compare=False)
    record_symbol: str = ""
    standard_error: float | None = None
    interval: tuple[float, float] | None = None
    remark: str = ""

    def among(self, records: Mask) -> dict[str, float]:
        """Return the mean figure of some masked records by its symbol; nothing where no record has one."""
        figures = np.empty(0) if self.per_record is None else self.per_record[records]
        known = figures[~np.isnan(figures)]
        return {self.record_symbol or self.symbol: float(known.mean())} if known.size else {}


class Measure(Named, ABC):
    """A question asked of an original file and its masked form; lower is better.

    `part_symbols` names the parts that are figures in their own right, so that scores and limits can use them;
    `part_units` their units, where these are not that of the measure.
    """

    symbol: ClassVar[str]
    part_symbols: ClassVar[tuple[str, ...]] = ()
    part_units: ClassVar[Mapping[str, str]] = MappingProxyType({})
    family: ClassVar[str]
    kinds: ClassVar[frozenset[Kind]]

    columns: Columns

    @abstractmethod
    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return what the measure finds."""

    def selected(self, original: Microdata, masked: Microdata) -> tuple[str, ...]:
        """Return the names of the columns to look at, after checking that both files have them in a fitting kind."""
        names = columns_of_both(self, original, masked)
        for name in names:
            if name in self.part_symbols:
                raise DataError(
                    f"{type(self).__name__}.columns: a column called '{name}' cannot be told from the figure of that "
                    f"name; rename it in both files"
                )
        return names


class RiskMeasure(Measure):
    """What an intruder learns from the masked file."""


class FileRisk(RiskMeasure):
    """What a file gives away by itself, through rare combinations of what others know."""

    @abstractmethod
    def of(self, data: Microdata) -> Measurement:
        """Return the risk of releasing a file as it is."""

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the risk of releasing the masked file, after checking that both files have the columns."""
        self.selected(original, masked)
        check_records(type(self).__name__, original, masked)
        return self.of(masked)


class LossMeasure(Measure):
    """What an honest user loses by having the masked file only."""


class Improver(Named, ABC):
    """A way to change a masked file so that it serves its users better at about the same risk.

    It sees the original file and a masked one, whatever made that, and needs no row ids: a synthetic file will do.
    """

    family: ClassVar[str]
    kinds: ClassVar[frozenset[Kind]]

    columns: Columns

    @abstractmethod
    def improve(self, original: Microdata, masked: Microdata, rng: np.random.Generator) -> Improvement:
        """Return an improved copy of `masked`, and how it was come by."""

    def selected(self, original: Microdata, masked: Microdata) -> tuple[str, ...]:
        """Return the names of the columns to change, after checking that both files have them in a fitting kind."""
        return columns_of_both(self, original, masked)


def columns_of_both(who: Measure | Improver, original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the names of the columns that are asked for; refuse one that a file lacks, or has in a wrong kind."""
    names = original.select(who.columns)
    if not names:
        raise DataError(f"{type(who).__name__}.columns: {who.columns} picks no column of this file; name the columns")
    for name in names:
        check_column(type(who), original, name)
        if name not in masked.schema:
            raise UnknownColumnError(
                f"{type(who).__name__}.columns: the masked file has no column '{name}'; "
                f"name only columns that both files have"
            )
        check_column(type(who), masked, name, file="the masked file")
    return names


def paired_rows(original: Microdata, masked: Microdata) -> Rows:
    """Return, for each masked record, the row of the original record that it came from."""
    return original.rows_of(masked.row_ids)


def check_records(who: str, original: Microdata, masked: Microdata) -> None:
    """Refuse files that are too small to be compared."""
    if min(original.n, masked.n) < 2:
        raise DataError(
            f"{who} needs at least 2 records in each file; the original has {original.n} and the masked {masked.n}"
        )


def check_column(
    who: type[MaskingMethod | Measure | Improver], data: Microdata, name: str, file: str = "", needs_values: bool = True
) -> None:
    """Refuse a column of a kind that the method or measure does not take, or without any value."""
    where = f" in {file}" if file else ""
    kind = data.schema[name].kind
    if kind not in who.kinds:
        expected = " or ".join(sorted(who.kinds))
        instead = f"; for {kind} columns there are {INSTEAD[kind]}" if issubclass(who, MaskingMethod) else ""
        raise KindError(f"{who.__name__}.columns: '{name}' is {kind}{where}; expected {expected} columns{instead}")
    if needs_values and not data.summary.observed(name):
        raise DataError(f"{who.__name__}.columns: '{name}' has no observed value{where}; leave it out")
