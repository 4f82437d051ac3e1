from itertools import product

import numpy as np
import pytest

from sfumato.papers.slides.clustering import CORRELATIONS, HALF_UNIT, HEADINGS, TABLE, rounding_of_correlation


def test_the_rounding_of_a_correlation_is_the_most_that_rounded_values_make() -> None:
    *indices, loss = np.array(list(TABLE.values())).T
    for index in indices:
        moved = [
            abs(np.corrcoef(index + HALF_UNIT * np.array(signs), loss)[0, 1] - np.corrcoef(index, loss)[0, 1])
            for signs in product((-1.0, 1.0), repeat=index.size)
        ]
        assert rounding_of_correlation(index, loss) == pytest.approx(max(moved), rel=0.15)  # to first order


def test_rounding_explains_no_other_correlation_than_the_printed_one() -> None:
    *indices, loss = np.array(list(TABLE.values())).T
    for index, printed in zip(indices, CORRELATIONS, strict=True):
        assert rounding_of_correlation(index, loss) < 0.04 < abs(abs(printed) - 0.8)
    assert len(HEADINGS) == len(CORRELATIONS) + 1
