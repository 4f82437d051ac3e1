"""Sequential synthesis: one column after another drawn from a model of the columns before it."""

from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count, strata_columns
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.expressions.expression import parse_condition
from sfumato.expressions.missing_codes import rows_with_codes
from sfumato.masking.synthesis._imputation import Releases, check_releases, join_releases
from sfumato.masking.synthesis._models import Models, check_models
from sfumato.masking.synthesis._models.contract import Settings
from sfumato.masking.synthesis._observed_columns import ObservedColumn
from sfumato.masking.synthesis._sequential.chain import Chain, DrawnRecords, fit_chain, replace_records
from sfumato.masking.synthesis._sequential.conditions import (
    Condition,
    check_conditions,
    drawn_codes,
    unmet_conditions,
)
from sfumato.masking.synthesis._sequential.copied_records import excess_copies
from sfumato.masking.synthesis._sequential.label_column import add_label, check_label
from sfumato.masking.synthesis._sequential.memory import check_memory
from sfumato.masking.synthesis._sequential.predictors import Predictors, check_predictors
from sfumato.masking.synthesis._sequential.rare_categories import rare_category_remarks
from sfumato.masking.synthesis._sequential.redraws import redraw_copies, redraw_until_met
from sfumato.masking.synthesis._sequential.stratum_sizes import (
    StratumSizes,
    check_stratum_sizes,
    join_strata,
    sized_strata,
)
from sfumato.masking.synthesis._sequential.synthetic_cells import nobodys_rows, write_columns
from sfumato.masking.synthesis._sequential.weights import OriginalWeights, scale_weights
from sfumato.masking.synthesis._untrue_rules import untrue_rule_remarks
from sfumato.numerics.arrays import Rows
from sfumato.parameters import Columns, Given, GroupSize, Ratio, Records, Strata


class SequentialSynthesis(MaskingMethod):
    """Replace columns by synthetic ones, each drawn given those before it, by a tree unless another model is named.

    A tree divides one half of the original records by the columns that come before, and keeps the splits that predict
    the other half better. A synthetic record falls into a leaf by its own, already synthetic values. There it takes the
    category of one of the original records; a number it takes only where `min_leaf` records of the leaf have it, and
    otherwise one drawn around twice as many of them. What fewer than `min_leaf` records of the file have, as a rare
    category, is not drawn at all.

    Parameters
    ----------
    columns
        Columns of any kind, in the order in which they are drawn. A column of many categories is best last.
    given
        Columns that stay as they are and are predicted from as well; none means that the file is synthetic
        altogether.
    min_leaf
        The fewest original records that a drawn value rests on. Leaves hold twice as many at least.
    models
        For some columns another model: `tree`, `forest`, `linear` (on ranks), `normal` (a linear regression with normal
        residuals), `pmm`, `logistic`, `resample` (unrelated to the others), or, for what is computed from columns
        before, `formula: {expression: wages + pensions}`.
    predictors
        For some columns those that they are drawn from, as `wage: [age, sex]`, among the columns before and the given
        ones; all of these for a column that is not named.
    conditions
        What every record must meet, as `age >= 16 or status == 'single'`; records that do not are drawn
        anew. A condition that a missing value leaves open is met; `missing(status)` asks for one, and
        `missing(status, -8)` for one code.
    size
        How many records to make; they have row ids of their own, since they are nobody's. Other columns than synthetic
        ones must be dropped first. As many as the file has, in its rows, when not given.
    weight_total
        What the weights of each synthetic file, in the column of the role weight, add up to where they are drawn; when
        not given, to what they do in the file or stratum, where a few far beyond all others count only as the others
        let expect.
    releases
        Number of synthetic files. With more than one a new column `release` has the number of the file.
    bootstrap
        Whether the donors of each leaf get random weights by the Bayesian bootstrap, so that several synthetic files
        differ as much as the estimates behind them are uncertain.
    within
        Columns whose equal values make the strata; each is then a file of its own.
    stratum_sizes
        How many records to make of some strata, as `north: 500`, or `north, male: 300` where `within` names two
        columns; of the others as many as the file has. They are nobody's, as with `size`, and their weights add up to
        those of the stratum.
    label
        What a new column `label` says of every record, as `synthetic data`; no such column when not given.

    Effect on risk
        A file of synthetic columns only holds nobody's records. In the demo survey an intruder can hardly tell who was
        in the original: 1.2 to 1.7 % of members are found at 1 % false alarms. Copies of unique records are drawn anew
        where they are more than two files drawn from the models have in common. Small files show more: of 480 persons
        2.6 % are found. No largest or smallest number comes out as it was, and how far less than `min_leaf` numbers
        lie beyond all others, or what finer digits they have, does not show: models see them where the others let
        expect them. With `given` the columns
        beside it are real and belong to a real record: a drawn category may be the true one, and more so where the
        given columns determine it. Small strata, and columns that stay beside the synthetic ones, take protection away.
    Effect on utility
        Keeps distributions, and relations that hold for both halves of the file, also those that are not linear or
        hold in a subdomain only. Relations within less than `min_leaf` records are lost, and exact ones are blurred:
        compute sums by a formula. Beside synthetic columns, those neither in `columns` nor in `given` stay in their
        rows and are unrelated to them.
    Missing values
        Are drawn like values: missing is a state of its own, in a column and in those that it is predicted from, so
        that they are as many, and as related to other columns, as in the original, in other rows. A single record is
        refused.
    Source
        Reiter (2005), Using CART to generate partially synthetic public use microdata; Nowok, Raab and Dibben (2016),
        synthpop: bespoke creation of synthetic data in R. Splits that a second half of the records confirms: reduced
        error pruning of Quinlan (1987), Simplifying decision trees. Here trees split by the ranks of a continuous
        column, so that a few large values do not decide.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"job": ["none", "none", "clerk", "clerk"] * 25, "pay": [0.0, 0.0, 9.5, 9.0] * 25})
    >>> method = SequentialSynthesis(columns=("job", "pay"))
    >>> masked = method.mask(Microdata(frame), np.random.default_rng(1)).frame
    >>> sorted(masked.unique().rows())
    [('clerk', 9.0), ('clerk', 9.5), ('none', 0.0)]
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_shape: ClassVar[bool] = False
    keeps_missing: ClassVar[bool] = False
    """Missing values are redrawn, so they do not stay in their rows."""

    columns: Columns
    given: Given = ()
    min_leaf: GroupSize = 5
    models: Models = None
    predictors: Predictors = None
    conditions: tuple[Condition, ...] = ()
    size: Annotated[Records, Field(ge=1)] | None = None
    weight_total: Ratio | None = None
    releases: Releases = 1
    bootstrap: bool = False
    within: Strata = ()
    stratum_sizes: StratumSizes = None
    label: str | None = None

    @property
    def makes_new_records(self) -> bool:
        """Whether the records are nobody's: where it is said how many to make."""
        return self.size is not None or bool(self.stratum_sizes)

    @property
    def strata(self) -> tuple[str, ...]:
        """The columns that make the strata; none where the method takes strata by itself, each of a size of its own."""
        return () if self.stratum_sizes else super().strata

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them against the data."""
        bound = super().bound_to(data)
        names = data.select(bound.columns)
        check_models(type(self).__name__, self.models, names, data)
        before = {name: (*data.select(bound.given), *names[:place]) for place, name in enumerate(names)}
        check_predictors(type(self).__name__, self.predictors, before, self.models or {})
        conditions = [[parse_condition(condition)] for condition in self.conditions]
        check_conditions(type(self).__name__, conditions, data, (*names, *data.select(bound.given)))
        if self.size is not None and bound.within:
            raise DataError(
                "SequentialSynthesis.size: strata have sizes of their own; leave out size, or within, or say in "
                "stratum_sizes how many records each stratum gets"
            )
        if self.weight_total is not None and (bound.within or self.stratum_sizes):
            raise DataError(
                "SequentialSynthesis.weight_total: the weights of a stratum add up to those that it has in the file; "
                "leave it out"
            )
        if self.stratum_sizes:
            bound = self._with_sized_strata(bound, data)
        within = bound.within if self.stratum_sizes else ()
        if self.makes_new_records and (bound.given or set(data.schema.names) != {*names, *within}):
            raise DataError(
                "SequentialSynthesis.size: another number of records needs a file of synthetic columns only; put "
                "all columns into columns, or drop the others first, and leave given empty"
            )
        return bound

    def _with_sized_strata(self, bound: Self, data: Microdata) -> Self:
        """Return the method with the columns of its strata named, after checking their sizes."""
        within = strata_columns(bound, data, data.select(bound.columns))
        check_stratum_sizes(type(self).__name__, data, within, self.stratum_sizes or {})
        return bound.replace(within=within)

    def remarks(self, data: Microdata) -> tuple[str, ...]:
        """Return which rules the file does not follow, what is too rare to be drawn, and whether a total is untrue."""
        rules = untrue_rule_remarks(self.bound_to(data), data, np.arange(data.n))
        rare = rare_category_remarks(data, data.select(self.columns), self.min_leaf)
        return (*rules, *rare, *self._weights(data).remarks())

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with synthetic values in the chosen columns, once per release."""
        if self.stratum_sizes:
            return self._mask_strata(block, rng)
        names, who = block.select(self.columns), type(self).__name__
        check_value_count(who, block, names, min_values=self.min_leaf)
        check_releases(who, block, self.releases)
        check_label(who, block, self.label)
        check_memory(who, (self.size or block.n) * self.releases, len(names))
        given, columns = (
            tuple(ObservedColumn.of(block, name) for name in part) for part in (block.select(self.given), names)
        )
        settings = Settings(self.min_leaf, self.bootstrap)
        targets = [block] * self.releases
        if self.size is not None:
            targets = [nobodys_rows(block, self.size, release * self.size) for release in range(self.releases)]
        files = []
        for target in targets:
            # 1. Fit models to the original records, anew for each release: what one fit misses, another has.
            chain = fit_chain(given, columns, self.models or {}, settings, rng, predictors=self.predictors or {})
            # 2. Draw its records, with ids of their own where it is said how many to make.
            files.append(self._write(block, chain, target, rng))
        # 3. Put the releases into one file.
        order = block.row_ids if self.size is None else np.concatenate([file.row_ids for file in files])
        return add_label(join_releases(files, order), self.label)

    def _mask_strata(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return new records of each stratum, drawn from models of its own."""
        alone = self.replace(within=(), stratum_sizes=None)
        strata = sized_strata(block, block.select(self.within), self.stratum_sizes or {})
        return join_strata([alone.replace(size=size).mask_block(stratum, rng) for stratum, size in strata])

    def _write(self, block: Microdata, chain: Chain, target: Microdata, rng: np.random.Generator) -> Microdata:
        drawn = self._draw(block, chain, np.arange(target.n), rng)
        if not chain.given:  # beside given columns a refused copy would tell what the true values are not
            drawn = self._without_copies(block, chain, drawn, rng)
        written = write_columns(target, block, [column.name for column in chain.columns], drawn)
        return scale_weights(written, self.weight_total, self._weights(block), np.arange(written.n), rng)

    def _weights(self, data: Microdata) -> OriginalWeights:
        return OriginalWeights(data.take_columns(data.select(self.columns)), np.arange(data.n), self.min_leaf)

    def _draw(self, block: Microdata, chain: Chain, rows: Rows, rng: np.random.Generator) -> DrawnRecords:
        """Return a record that meets all conditions for each of some rows."""
        shown = rows_with_codes(map(parse_condition, self.conditions), block)

        def broken_of(drawn: DrawnRecords, places: Rows) -> Rows:
            theirs, codes = (
                {name: values[places] for name, values in found.items()}
                for found in (chain.values(drawn, rows), drawn_codes(shown, drawn, rows))
            )
            return places[unmet_conditions(self.conditions, block, theirs, codes)]

        def redraw(drawn: DrawnRecords, places: Rows, _: int) -> DrawnRecords:
            return replace_records(drawn, places, chain.draw(rows[places], rng))

        drawn = chain.draw(rows, rng)
        return redraw_until_met(drawn, rows.size, broken_of, redraw, type(self).__name__, "record")

    def _without_copies(
        self, block: Microdata, chain: Chain, drawn: DrawnRecords, rng: np.random.Generator
    ) -> DrawnRecords:
        original = {column.name: column.values for column in chain.columns}
        everybody, others = np.arange(len(next(iter(drawn.values())).donors)), np.arange(block.n)
        second = chain.values(self._draw(block, chain, others, rng), others)
        return redraw_copies(
            drawn,
            lambda made: excess_copies(original, chain.values(made, everybody), second, rng),
            lambda made, copies: replace_records(made, copies, self._draw(block, chain, copies, rng)),
        )
