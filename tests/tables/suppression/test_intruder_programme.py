"""The intruder's linear programme, asked again and again, answers as one that is built anew."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from sfumato.numerics.arrays import FloatColumn
from sfumato.tables.suppression._intruder_programme import IntruderProgramme
from tests.tables.audited_problems import crossed


@given(st.integers(0, 2**32), st.sampled_from([(3, 3), (2, 4), (2, 2, 2)]))
@settings(max_examples=8, deadline=None)
def test_finds_how_far_each_cell_can_move_whatever_was_asked_before(seed: int, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(seed)
    values, relations = crossed(rng.integers(0, 20, shape).astype(float))
    lowest, highest = -values, rng.integers(0, 30, values.size).astype(float)
    intruder = IntruderProgramme(relations, lowest, highest)
    for cell in rng.choice(values.size, 4):
        fixed = rng.choice(values.size, 2, replace=False)
        intruder.confine(fixed, np.zeros(2), np.zeros(2))
        lowest[fixed] = highest[fixed] = 0.0
        for sign in (1, -1):
            found = intruder.furthest(int(cell), sign)
            np.testing.assert_allclose(found, furthest(relations, lowest, highest, cell, sign), atol=1e-7)
            moved = intruder.deviation()
            np.testing.assert_allclose(sign * moved[cell], found, atol=1e-7)
            np.testing.assert_allclose(relations @ moved, 0.0, atol=1e-7)


def test_prices_prove_that_a_cell_cannot_move_further() -> None:
    values, relations = crossed(np.array([[5.0, 7, 2], [3, 9, 4]]))
    lowest, highest = -values, np.full(values.size, 6.0)
    intruder = IntruderProgramme(relations, lowest, highest)
    for cell in range(values.size):
        found = intruder.furthest(cell, 1)
        pull = relations.T @ intruder.relation_prices()
        pull[cell] += 1
        np.testing.assert_allclose(np.where(pull > 0, pull * highest, pull * lowest).sum(), found, atol=1e-9)


def furthest(relations: object, lowest: FloatColumn, highest: FloatColumn, cell: int, sign: int) -> float:
    objective = np.zeros(lowest.size)
    objective[cell] = -sign
    bounds = np.column_stack([lowest, highest])
    return -float(linprog(objective, A_eq=relations, b_eq=np.zeros(relations.shape[0]), bounds=bounds).fun)  # type: ignore[attr-defined]
