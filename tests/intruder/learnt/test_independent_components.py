"""Independent components: the elements that noise was made of."""

import numpy as np
import pytest

from sfumato.intruder.learnt.independent_components import independent_directions


@pytest.mark.parametrize("columns", [1, 2, 5, 9])
def test_the_elements_of_a_mixture_are_found_in_any_rotation(columns: int) -> None:
    rng = np.random.default_rng(columns)
    elements = rng.choice([-1.0, 1.0], size=(4000, columns)) * np.sqrt(0.95) + rng.normal(
        0, np.sqrt(0.05), (4000, columns)
    )
    turned, _ = np.linalg.qr(rng.normal(size=(columns, columns)))
    found = independent_directions(elements @ turned.T) @ turned
    assert (np.abs(found).max(axis=1) > 0.99).all()


def test_the_result_is_a_rotation_even_of_normal_residuals() -> None:
    found = independent_directions(np.random.default_rng(3).normal(size=(300, 4)))
    assert found @ found.T == pytest.approx(np.eye(4), abs=1e-9)
