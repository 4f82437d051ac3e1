"""Lossy compression: the file as a grey image, compressed by JPEG."""

from io import BytesIO
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import AnyArray, Bytes, FloatColumn, FloatMatrix
from sfumato.parameters import Columns

GREYS = 255
LARGEST_SIDE = 65_496  # libjpeg takes 65 500 lines; strips of whole 8 x 8 squares compress as the whole would


class LossyCompression(MaskingMethod):
    """Turn the columns into a grey image, a record a line, compress it, and read the values back.

    Parameters
    ----------
    columns
        Continuous columns. Each is scaled so that its smallest value is black and its largest white. Integer columns
        get rounded values. Neighbouring columns and records are smoothed together, so that their order matters.
    quality
        Quality of the JPEG image, 1 to 100; lower loses more.

    Effect on risk
        Falls as `quality` falls. Even at quality 100 every value is one of 256 levels of its column.
    Effect on utility
        Blurs each value with its neighbours in squares of 8 x 8 cells; a skewed column loses all detail at its dense
        end, because the levels are equally spaced between the smallest and the largest value.
    Missing values
        Stay missing; in the image they have the mean of their column. A constant column stays as it is;
        one with a single value is refused.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, Example 2:
        scaled to 0..255 rounding down, one grey image, unscaled by the inverse.

    Examples
    --------
    >>> matrix = np.array([[0.0, 10.0], [51.0, 20.0], [255.0, 30.0]])
    >>> compress(matrix, matrix.min(axis=0), matrix.max(axis=0), 100).round()
    array([[  0.,  10.], [ 51.,  20.], [255.,  30.]])
    """

    family: ClassVar[str] = "compression"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    quality: Annotated[int, Field(ge=1, le=100)] = 80

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with compressed columns."""
        names, summary = block.select(self.columns), block.summary
        check_value_count(type(self).__name__, block, names)
        low = np.array([summary.quantile(name, 0.0) for name in names])
        high = np.array([summary.quantile(name, 1.0) for name in names])
        means = summary.means(names)

        def change(matrix: FloatMatrix) -> FloatMatrix:
            return compress(np.where(np.isnan(matrix), means, matrix), low, high, self.quality)

        return block.map_matrix(names, change)


def compress(matrix: FloatMatrix, low: FloatColumn, high: FloatColumn, quality: int) -> FloatMatrix:
    """Return `matrix` after a round trip through a JPEG image; `low` and `high` of each column are black and white."""
    reach = high - low
    shades = np.floor(GREYS * (matrix - low) / np.where(reach > 0, reach, 1.0)).astype(np.uint8)
    strips = [_through_jpeg(shades[top : top + LARGEST_SIDE], quality) for top in range(0, len(shades), LARGEST_SIDE)]
    return np.asarray(low + np.concatenate(strips) / GREYS * reach, dtype=np.float64)


def _through_jpeg(shades: Bytes, quality: int) -> AnyArray:
    from PIL import Image

    file = BytesIO()
    Image.fromarray(shades).save(file, format="JPEG", quality=quality)
    return np.asarray(Image.open(file), dtype=np.float64)
