"""Vector camouflage: the confidential values are hidden in a convex hull, and every answer is an interval."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, Likelihood, MaskingMethod, Spans
from sfumato.data import Kind, Microdata, Variable
from sfumato.errors import DataError
from sfumato.masking.camouflage._answers import CamouflagedAnswers
from sfumato.masking.camouflage._hulls import camouflage_intervals
from sfumato.masking.camouflage._place_likelihood import place_coordinate
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.parameters import Columns, Scale


class Camouflage(MaskingMethod):
    """Replace each column by two: an interval per record that holds its value and never pins it.

    The column is hidden in the convex hull of several vectors, of which it is a secret mixture. `answers` gives the
    hull itself, which answers any number of queries with intervals that hold the exact answer: sums, means, smallest
    and largest values, medians, variances and regressions.

    Parameters
    ----------
    columns
        Continuous columns; each becomes the columns NAME_low and NAME_high, after the others.
    scale
        Half the width of each record's interval, in standard deviations of the column.
    vectors
        Number of vectors whose hull hides the column, at least 3. An insider who knows the exact values of
        `vectors` - 1 records of the file could work out where in the hull the column lies, and with it all values: take
        more than the largest enterprise or household has records. Medians take longer with many vectors, and their
        intervals get wider than the hull makes them.

    Effect on risk
        Each value is known up to its interval, but not every place in it is as likely: in one file about 95 % of the
        values lie within 63 % of the width with 10 vectors, within 48 % with 5 and within 33 % with 3, and who runs the
        method on other files learns this. Assess with `LikelihoodLinkage`, which does. However many queries are
        answered, every vector of the hull stays possible, so no interval ever shrinks. Nothing is assumed about what
        the intruder believes beforehand.
    Effect on utility
        A sum over many records has an interval that grows with their number, unlike the error of noise. Methods
        that need one value per record cannot use the file.
    Missing values
        Stay missing at both ends, and cannot be asked for. A constant column is refused.
    Source
        Gopal, Goes and Garfinkel (1998), Confidentiality via camouflage: the CVC approach to database query. The
        vectors are our own draw: one lies above the column in every record, one below, the others to either side.

    Examples
    --------
    >>> incomes = np.array([10.0, 20.0, 40.0])
    >>> answers = CamouflagedAnswers("income", camouflage_intervals(incomes, 3, 5.0, np.random.default_rng(0)))
    >>> low, high = answers.sum(np.array([0, 2]))
    >>> low < 50 < high
    True
    >>> low, high = answers.median(np.array([0, 1, 2]))
    >>> low < 20 < high
    True
    """

    family: ClassVar[str] = "camouflage"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_shape: ClassVar[bool] = False

    columns: Columns
    scale: Scale = 0.5
    vectors: Annotated[int, Field(ge=3, le=10_000)] = 10

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with intervals in place of the chosen columns."""
        masked = block
        for name, answers in self.answers(block, rng).items():
            for end, values in (("low", answers.vectors.min(axis=0)), ("high", answers.vectors.max(axis=0))):
                variable = Variable(name=f"{name}_{end}", kind=Kind.CONTINUOUS, role=block.schema[name].role)
                if variable.name in block.schema:
                    raise DataError(
                        f"Camouflage.columns: '{name}' needs a new column '{variable.name}', but the file has one of "
                        f"that name; rename it first"
                    )
                masked = masked.with_column(variable, [None if np.isnan(value) else value for value in values.tolist()])
        return masked.without_columns(block.select(self.columns))

    def values_before(self, masked: Microdata, name: str, after: Spans) -> Spans | None:
        """Return the intervals that the release has in place of a column."""
        low, high = (masked.values(f"{name}_{end}") for end in ("low", "high"))
        return Spans(low, high)

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return where values may lie in their intervals; the masked file has the middles of these as the columns."""
        if any(name not in masked.schema for name in names):
            return None
        half_widths = {name: self.scale * original.summary.deviation(name) for name in names}
        if not all(half_widths.values()):
            return None
        columns = [(original.values(name), masked.values(name), half_widths[name]) for name in names]
        return tuple(place_coordinate(*column, self.vectors) for column in columns)

    def answers(self, data: Microdata, rng: np.random.Generator) -> dict[str, CamouflagedAnswers]:
        """Return for each column the hull that answers queries; as confidential as the data.

        A generator of the same state gives the hulls whose intervals `mask` puts into the file.
        """
        return {name: self._hide(data, name, rng) for name in data.select(self.columns)}

    def _hide(self, data: Microdata, name: str, rng: np.random.Generator) -> CamouflagedAnswers:
        column, half_width = data.values(name), self.scale * data.summary.deviation(name)
        observed = ~np.isnan(column)
        if half_width == 0.0:
            raise DataError(f"Camouflage.columns: '{name}' is constant, so its intervals would have no width")
        hull = np.full((self.vectors, data.n), np.nan)
        hull[:, observed] = camouflage_intervals(column[observed], self.vectors, half_width, rng)
        if not _holds(hull[:, observed], column[observed]):
            raise DataError(
                f"Camouflage.scale: intervals for '{name}' are too narrow to be told from its values, or too wide to "
                f"hold; choose another scale"
            )
        if _pins_whole_numbers(hull[:, observed], column[observed]):
            raise DataError(
                f"Camouflage.scale: '{name}' has whole numbers only, and some intervals hold just one of them; "
                f"choose a larger scale"
            )
        return CamouflagedAnswers(name, hull)


def _pins_whole_numbers(hull: FloatMatrix, column: FloatColumn) -> bool:
    """Tell whether a column of whole numbers has an interval with a single whole number in it, its own."""
    if not np.array_equal(column, np.rint(column)):
        return False
    return bool((np.floor(hull.max(axis=0)) - np.ceil(hull.min(axis=0)) < 1).any())


def _holds(hull: FloatMatrix, column: FloatColumn) -> bool:
    """Tell whether rounding has left the outer vectors strictly above and below the column."""
    return bool(np.isfinite(hull).all() and (hull[0] > column).all() and (hull[-1] < column).all())
