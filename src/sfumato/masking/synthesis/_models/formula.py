"""A formula: a column computed from others, such as a total."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import AfterValidator

from sfumato.data import Kind
from sfumato.errors import DataError
from sfumato.expressions.expression import Expression, parse_formula
from sfumato.masking.synthesis._models.contract import ColumnModel, Drawn, FittedModel, Settings
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.numerics.arrays import Rows


def _is_formula(text: str) -> str:
    parse_formula(text)
    return text


class Formula(ColumnModel):
    """Compute the column from columns before it, so that what adds up still adds up.

    Parameters
    ----------
    expression
        Numbers and names of columns of numbers or dates with `+ - * / **` and parentheses, as in `wages + pensions` or
        `weight / height**2`; a name that is no word stands in backticks. Dates stand in quotes; a date less a date is a
        number of days, and `years('2021-12-31' - birth)` counts whole years, `year(birth)` is the year. Where a column
        is missing, so is the result.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.DATE})

    expression: Annotated[str, AfterValidator(_is_formula)]

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns that it is computed from."""
        return parse_formula(self.expression).names

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return the formula, after checking that its columns are numbers that come before."""
        parsed = parse_formula(self.expression)
        known = {other.name: other for other in before}
        for name in parsed.names:
            if name not in known or known[name].kind not in self.kinds:
                raise DataError(
                    f"the formula of '{column.name}' needs '{name}', which is no number or date "
                    f"among the columns before it; put it there"
                )
        codes = column.tell_gaps(np.isnan(column.values).astype(np.int64))
        if codes.all():
            raise DataError(f"'{column.name}' has a formula, but no record has a value of it")
        without_value = np.flatnonzero(codes)
        if without_value.size:  # of several codes for missing the commonest
            without_value = np.flatnonzero(codes == np.bincount(codes[without_value]).argmax())
        return FittedFormula(parsed, np.flatnonzero(codes == 0), without_value, column.name)


@dataclass(frozen=True, eq=False)
class FittedFormula:
    """A formula, and the rows that have a value or none."""

    parsed: Expression
    with_value: Rows
    without_value: Rows
    name: str

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return what the formula gives."""
        numbers = np.broadcast_to(self.parsed.evaluate(before), (n,)).astype(np.float64)
        lacks = ~np.isfinite(numbers)
        if lacks.any() and not self.without_value.size:
            raise DataError(
                f"the formula of '{self.name}' gives no number for some records, but the "
                f"column is never missing; synthesise it by another model"
            )
        donors = np.full(n, self.with_value[0])
        if lacks.any():
            donors[lacks] = self.without_value[0]
        return DrawnColumn(donors, np.where(lacks, np.nan, numbers))
