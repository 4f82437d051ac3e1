"""Steps after noise that mix columns linearly, or nearly so: what an intruder's own runs show of them.

Matrices that are known, and improvers that give a file its moments again, move all records by one linear function. Who
knows it undoes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.shadow_masking import mask_shadow, shadow_generator
from sfumato.numerics.arrays import FloatColumn, FloatMatrix

NEARLY = 0.05  # of the variance of a column: what a step that counts as linear leaves unexplained
USUAL = 0.8  # of the records, with the smallest errors: outliers have errors of another size
RECORDS_PER_COLUMN = 10  # that are needed to tell
ROUNDING_VARIANCE = 1 / 12  # of values that are rounded to whole numbers


@dataclass(frozen=True, eq=False)
class LinearStep:
    """Values after a step are shift + matrix times the values before it + errors.

    Parameters
    ----------
    matrix, shift
        One row, and one number, for each column after the step.
    errors
        The covariance of the errors.
    """

    matrix: FloatMatrix
    shift: FloatColumn
    errors: FloatMatrix

    @classmethod
    def fit(cls, before: FloatMatrix, after: FloatMatrix) -> "LinearStep | None":
        """Return the linear function nearest to what a step did to records; none where too few tell.

        Examples
        --------
        >>> before = np.random.default_rng(0).normal(size=(50, 2))
        >>> LinearStep.fit(before, before @ np.array([[1.0, 0.5], [0.0, 1.0]]) + 3.0).matrix.round(6) + 0.0
        array([[1. , 0. ],
               [0.5, 1. ]])
        """
        there = ~(np.isnan(before).any(axis=1) | np.isnan(after).any(axis=1))
        x, y = before[there], after[there]
        if len(x) < RECORDS_PER_COLUMN * (x.shape[1] + 1):
            return None
        means = x.mean(axis=0), y.mean(axis=0)
        scales = np.maximum(x.std(axis=0), 1e-300)
        slopes = np.linalg.lstsq((x - means[0]) / scales, y - means[1], rcond=None)[0] / scales[:, None]
        left = y - means[1] - (x - means[0]) @ slopes
        sizes = ((left / np.maximum(left.std(axis=0), 1e-300)) ** 2).sum(axis=1)
        usual = left[sizes <= np.quantile(sizes, USUAL)]
        errors = usual.T @ usual / max(len(usual) - x.shape[1] - 1, 1)
        return cls(slopes.T, means[1] - slopes.T @ means[0], errors)

    def explains(self, after: FloatMatrix) -> bool:
        """Tell whether little of the variance of each column is left over."""
        return bool((np.diag(self.errors) <= NEARLY * np.nanvar(after, axis=0)).all())


def is_linear(
    steps: Sequence[MaskingMethod], number: int, original: Microdata, names: tuple[str, ...], seed: int
) -> bool:
    """Tell whether a step changes columns by a linear function of these columns, nearly; some run of it shows that."""
    step = steps[number]
    tells = type(step).values_before is not MaskingMethod.values_before
    if tells or step.exchanges_values or not step.keeps_shape or not step.keeps_types:
        return False
    try:
        before = mask_shadow(steps[:number], original, seed, 0).data
        after = step.mask(before, shadow_generator(seed, 1))
    except SfumatoError:
        return False
    if any(before.schema[name].kind is not Kind.CONTINUOUS for name in names):
        return False
    if not np.array_equal(before.row_ids, after.row_ids):
        return False
    fitted = LinearStep.fit(before.matrix(names), after.matrix(names))
    return fitted is not None and fitted.explains(after.matrix(names))
