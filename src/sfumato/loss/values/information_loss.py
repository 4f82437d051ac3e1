"""Information loss: how far values, means, covariances, variances and correlations have moved."""

from typing import ClassVar

import numpy as np

from sfumato.comparison.blocks import BlockFigures, Records, Sums, measure_in_blocks
from sfumato.comparison.side_by_side import compare_block, corresponding_rows
from sfumato.contracts import Correspondence, LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.loss.values._moments import Moments, moment_sums, moments_of_sums
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Floats, Rows
from sfumato.numerics.known_means import known_sums, mean_of_known, means_of_sums, row_means
from sfumato.numerics.standardisation import NEGLIGIBLE
from sfumato.parameters import Columns


class InformationLoss(LossMeasure):
    """Average the relative changes of values, means, covariances and variances, and the changes of correlations.

    The value is the mean of five parts, all in percent: `IL1` the mean variation of the values, `IL2` of the means,
    `IL3` of the covariances (variances among them), `IL4` of the variances, and `IL5` the mean absolute error of the
    correlations. A variation is |masked - original| / |original|; an original of 0 is divided by |masked| instead, and
    where both are 0 the component is left out. `IL1` is averaged over the columns of a record, then over records; a
    record with nothing left is left out. A part with nothing left is 0.

    Parameters
    ----------
    columns
        Continuous columns.
    correspondence
        The original record that the values of a masked record are compared with in `IL1`.

    Meaning
        0: the same values and moments. 100: on average the five have changed by as much as they were. There is no upper
        bound: values, means and covariances near 0 change by large factors easily, and `IL3` is often the noisiest
        part.
    Missing values
        A value that is missing only in the masked file is fully lost and counts 100 in `IL1`; one that was missing in
        the original is left out. Moments are of the values that are there, those of two columns of the records that
        have both. A covariance or correlation that cannot be computed (fewer than two such records, or a constant
        column) counts as 0, so that losing it is a full loss. With one column `IL5` is 0. The figure per record is
        `IL1`, NaN where a record has nothing left.
    Source
        Domingo-Ferrer and Torra (2001), A quantitative comparison of disclosure control methods for microdata; the rule
        for zeros from Mateo-Sanz, Sebé and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking.

    Examples
    --------
    >>> variation(np.array([10.0, 0.0, 0.0]), np.array([12.0, 7.0, 0.0]))
    array([0.2, 1. , nan])
    """

    symbol: ClassVar[str] = "IL"
    part_symbols: ClassVar[tuple[str, ...]] = ("IL1", "IL2", "IL3", "IL4", "IL5")
    family: ClassVar[str] = "values"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    correspondence: Correspondence = Correspondence.TRUE_RECORD

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the information loss in percent, with its five parts."""
        rows = corresponding_rows(self, original, masked, self.correspondence)
        return measure_in_blocks(self, original, masked, rows)

    def look(self, original: Microdata, masked: Microdata, rows: Rows) -> BlockFigures:
        """Return the variation of the records of a block, and the sums that the moments are made of."""
        files = compare_block(self, original, masked, rows)
        by_record = record_variation(files.corresponding, files.masked)
        sums: dict[str, Floats] = {"variation": known_sums(by_record[:, None])}
        for file, whole, matrix in (("original", original, files.original), ("masked", masked, files.masked)):
            means, varying = whole.summary.means(files.names), whole.summary.varying(files.names)
            found = moment_sums(matrix, means, varying)
            sums |= {f"{file} {name}": figures for name, figures in found.items()}
        return BlockFigures(sums, 100 * by_record)

    def conclude(self, original: Records, masked: Records, sums: Sums) -> Measurement:
        """Return the five parts and their mean."""
        names = original.schema.select(self.columns)
        before, after = (
            moments_of_sums(
                whole.summary.means(names),
                {name.removeprefix(f"{file} "): each for name, each in sums.items() if name.startswith(file)},
            )
            for file, whole in (("original", original), ("masked", masked))
        )
        parts = {
            "IL1": means_of_sums(sums["variation"])[1],
            "IL2": mean_of_known(variation(before.means, after.means)),
            "IL3": covariance_variation(before, after),
            "IL4": mean_of_known(variation(before.variances, after.variances)),
            "IL5": correlation_error(before, after),
        }
        percent = {name: 100 * part for name, part in parts.items()}
        value = float(np.mean(list(percent.values())))
        return Measurement(self.name(), self.symbol, value, parts=percent, record_symbol="IL1")


def variation(original: FloatMatrix, masked: FloatMatrix) -> FloatMatrix:
    """Return |masked - original| / |original|, where the original is 0 divided by |masked|; NaN where both are 0."""
    scale = np.where(np.abs(original) <= NEGLIGIBLE, np.abs(masked), np.abs(original))
    change = np.full(scale.shape, np.nan)
    np.divide(np.abs(masked - original), scale, out=change, where=scale > NEGLIGIBLE)
    return change


def record_variation(original: FloatMatrix, masked: FloatMatrix) -> FloatColumn:
    """Return the mean variation of each record, a suppressed value counting 1; NaN where no cell is left."""
    suppressed = np.isnan(masked) & ~np.isnan(original)
    return row_means(np.where(suppressed, 1.0, variation(original, masked)))


def covariance_variation(before: Moments, after: Moments) -> float:
    """Return the mean variation of the covariances, each pair of columns once, with the variances."""
    upper = np.triu_indices(len(before.means))
    return mean_of_known(variation(before.covariances[upper], after.covariances[upper]))


def correlation_error(before: Moments, after: Moments) -> float:
    """Return the mean absolute error of the correlations, each pair of columns once; 0 for a single column."""
    upper = np.triu_indices(len(before.means), k=1)
    return mean_of_known(np.abs(after.correlations[upper] - before.correlations[upper]))
