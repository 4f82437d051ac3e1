"""The contract of a masking method: parameters, and one verb."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import ClassVar, Self

import numpy as np

from sfumato.contracts.arguments import check_files, check_generator
from sfumato.contracts.columns import check_category_count, check_column, given_columns, strata_columns
from sfumato.contracts.knowledge import NOTHING, Knowledge
from sfumato.contracts.likelihood import Likelihood, Noise, Spans
from sfumato.contracts.named import ColumnRecord
from sfumato.data import Kind, Microdata, Selection
from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn

ALTERNATIVES = {
    Kind.CONTINUOUS: "rank_swapping, mdav, correlated_noise, rounding and top_coding",
    Kind.ORDINAL: "rank_swapping, pram and recoding",
    Kind.NOMINAL: "pram, recoding and local_suppression",
    Kind.DATE: "date_rounding, date_shift and local_suppression",
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


class MaskingMethod(ColumnRecord, ABC):
    """A way to mask records: parameters, and one verb.

    A method writes `mask_block`; callers use `mask`, which looks at the data first and takes each stratum by itself.
    Blocks, threads and seeds are the business of `sfumato.execution`.
    """

    alternatives: ClassVar[Mapping[Kind, str]] = ALTERNATIVES
    layout: ClassVar[Layout]
    keeps_shape: ClassVar[bool] = True
    """Whether the same records and columns come back; a method that drops or adds some says no."""
    drops_only_columns: ClassVar[bool] = False
    """Whether all that happens is that the method's columns go, whatever they hold; the records stay."""
    keeps_types: ClassVar[bool] = True
    """Whether each column keeps its type and kind; a method that makes classes or other categories says no.

    Where a method makes values missing, pandas integers and truth values, which cannot be, become its nullable types.
    """
    keeps_missing: ClassVar[bool] = True
    """Whether values are missing where they were; a method that redraws them, or suppresses some, says no."""
    exchanges_values: ClassVar[bool] = False
    """Whether each column is masked by itself, by exchanging values between two records at a time."""
    draws_households: ClassVar[bool] = False
    """Whether it draws once for all members of a household, which ties their records together for an intruder."""
    is_search: ClassVar[bool] = False
    """Whether a run takes long beside its result, as a search does: who learns by running the method runs it seldom."""
    needs_columns: ClassVar[bool] = True
    """Whether there must be a column to change."""
    needs_values: ClassVar[bool] = True
    """Whether each column must hold a value; a method that does not read what the columns hold says no."""
    needs_two_categories: ClassVar[bool] = False
    """Whether a column of a single category is refused, as it could only stay as it is."""

    ignores_order: ClassVar[bool] = False
    """Whether the order of the records in the file decides nothing, however much one hangs on others.

    What becomes of a record then tells nobody where it stands. A method that ranks values must rank equal ones at
    random, as `numerics.ranking.shuffled_order` does.
    """
    reads_original: ClassVar[bool] = False
    """Whether the method compares a file with what it was before the first step of a recipe."""

    @property
    def strata(self) -> tuple[str, ...]:
        """The columns whose equal values make the strata; none for a method without `within`."""
        return getattr(self, "within", ())

    @property
    def masks_by_kind(self) -> bool:
        """Whether records that are equal in the columns that it reads come out equal, whatever is drawn.

        Then `mask_block` may be given the different records alone, as `CountedRecords`: it takes from `copies_of` how
        many there are of each, and everything else that it needs of the file from `block.summary`.
        """
        return False

    @property
    def makes_new_records(self) -> bool:
        """Whether the records that come out are nobody's, so that none of them belongs to an original one."""
        return False

    def reach(self, n: int) -> int:
        """Return how many ranks away a value may go in a column of `n` values; needed by methods cut by ranks."""
        return n

    def knowledge(self, original: Microdata) -> Knowledge:
        """Return what an intruder who has the recipe and the original file knows about how this step masks columns.

        A method says so where some attack can use it, and only what holds for every record: not, for example, a
        window of ranks that are counted inside strata.
        """
        return NOTHING

    def as_step(self, original: Microdata) -> "MaskingMethod":
        """Return the method as an intruder who has the original file runs it: as it is."""
        return self

    def detail(self) -> str:
        """Return in a few words what the parameters ask for, as a report shows it behind the columns; may be empty."""
        return ""

    def remarks(self, data: Microdata) -> tuple[str, ...]:
        """Return sentences that whoever masks this file by the method must read, as that no best result was found."""
        return ()

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return how likely each masked record is to come from each original one, where that has a closed form.

        An intruder who has the recipe links by it. Where there is none, the intruder runs the method on the original
        file and learns it.

        Parameters
        ----------
        original, masked
            The files before and after this step; the strata and which values are missing are the same in both.
        names
            Those of the method's columns that the intruder knows, as they are in both files.
        """
        return None

    def groups_alike(self, data: Microdata) -> CodeColumn | None:
        """Return groups of records whose masked values do not tell which member is which; None where it has none.

        What the method makes of a group is the same, but for draws of which all orders are equally likely, whoever of
        its members is who. -1 is a record without a value.
        """
        return None

    def noise(self, stratum: Microdata) -> Noise | None:
        """Return the noise that this method adds to its columns in a file, or a stratum of it, if that is all it does.

        With it an intruder knows the likelihood also of records that other steps mask after this one.
        """
        return None

    def drawn_file(self, original: Microdata, most: int) -> Microdata | None:
        """Return what becomes of each record by each draw that is made once for a household, all equally likely.

        The file has all records after the first draw, then all after the second, and so on. None where it would have
        more than `most` records, or where it cannot be told.
        """
        return None

    def values_before(self, masked: Microdata, name: str, after: Spans) -> Spans | None:
        """Return between which values each value of a column lay before this step, where the release tells that.

        Parameters
        ----------
        masked
            The file that is released, after this step and perhaps others.
        name
            One of the method's columns, a number before this step.
        after
            Between which values each lies after this step; all NaN where the release has classes in place of numbers.
        """
        return None

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
            if self.needs_two_categories:
                check_category_count(type(self).__name__, name, data.summary.counts(name))
        changes = {"columns": names}
        if self.strata:
            changes["within"] = strata_columns(self, data, names)
        given: Selection | None = getattr(self, "given", None)
        if given is not None:
            changes["given"] = given_columns(self, data, given)
        return self.replace(**changes)

    def mask(self, data: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a masked copy of `data`, each stratum masked as a file of its own."""
        check_files(f"{type(self).__name__}.mask", data=data)
        check_generator(f"{type(self).__name__}.mask", rng)
        method = self.bound_to(data)
        masked = [method.mask_block(stratum, rng) for stratum in method.split_strata(data)]
        return Microdata.concatenate(masked, order=data.row_ids) if method.strata else masked[0]

    def mask_beside(self, original: Microdata, data: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a masked copy of `data`, which earlier steps made of `original`; needed where `reads_original`."""
        return self.mask(data, rng)

    def split_strata(self, data: Microdata) -> Iterator[Microdata]:
        """Yield each stratum as a file of its own; the whole file for a method without strata."""
        if not self.strata:
            yield data
            return
        for rows in data.strata(self.strata):
            yield data.take_rows(rows)

    @abstractmethod
    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a masked copy of one block; what it needs of the whole is in `block.summary`."""
