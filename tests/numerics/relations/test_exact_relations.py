"""What columns are multiples of each other is found to the rounding, also where it holds in a part of the records."""

import numpy as np
import pytest

from sfumato.numerics.arrays import Floats
from sfumato.numerics.relations.exact_relations import exact_relation
from sfumato.numerics.relations.fits import Rounded

CENT = 0.01


def columns_of(seed: int, n: int, count: int) -> Floats:
    return np.random.default_rng(seed).lognormal(6, 1, (n, count)).round(2)


def found(target: Floats, columns: Floats, unit: float = CENT) -> dict[int, float]:
    return exact_relation(target, unit, Rounded(columns, np.full(columns.shape[1], CENT)))


@pytest.mark.parametrize(("share", "factor"), [(1.0, 0.2), (0.8, 0.2), (0.5, 1.0)])
@pytest.mark.parametrize("unit", [CENT, 1.0, 10.0])
def test_a_relation_is_found_that_holds_in_a_part_of_the_records_and_is_rounded(
    share: float, factor: float, unit: float
) -> None:
    columns, rng = columns_of(1, 800, 8), np.random.default_rng(2)
    exact = columns[:, 1] + factor * columns[:, 4] - columns[:, 6] + 300
    target = np.where(rng.random(800) < share, exact, rng.lognormal(7, 1, 800))
    assert found(np.round(target / unit) * unit, columns, unit) == {1: 1.0, 4: factor, 6: -1.0}


def test_unrelated_columns_have_no_relation() -> None:
    columns = columns_of(3, 500, 9)
    assert all(found(columns[:, place], np.delete(columns, place, axis=1)) == {} for place in range(9))


def test_a_relation_is_found_among_many_columns_of_few_records() -> None:
    columns = columns_of(4, 60, 40)
    assert found((0.1 * columns[:, 7] + columns[:, 30]).round(2), columns) == {7: 0.1, 30: 1.0}


def test_a_sum_is_found_beside_columns_that_are_equal_but_for_rounding() -> None:
    gross, bonus, rent = columns_of(5, 600, 3).T
    health, pension = (0.073 * gross).round(2), (0.093 * gross).round(2)
    net = (gross + bonus - health - pension).round(2)
    relation = found(net, np.column_stack([health, pension, bonus, rent, gross]))
    others = np.column_stack([health, pension, bonus, rent, gross]) @ [relation.get(place, 0.0) for place in range(5)]
    assert np.abs(net - others).max() < 0.1
    assert relation[2] == 1


def test_a_step_of_a_scale_that_half_of_the_records_are_in_is_no_relation() -> None:
    income = columns_of(6, 600, 4)
    tax = np.where(income[:, 0] < np.median(income[:, 0]), 0.2 * income[:, 0], 0.5 * income[:, 0] ** 1.1)
    assert found(tax.round(2), income) == {}
