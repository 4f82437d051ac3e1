"""Equal cells become one: the patterns of the smaller problem are those of the larger one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from sfumato.errors import DataError
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.suppression._merged_cells import merge_cells
from tests.tables.audited_problems import crossed, make_problem
from tests.tables.suppression_problems import cheapest


def chained(seed: int = 0) -> Problem:
    """Return 2 x 3 cells with totals, of which two have a further total of their own, and one that again."""
    rng = np.random.default_rng(seed)
    values, relations = crossed(rng.integers(1, 20, (2, 3)).astype(float))
    ties = np.zeros((3, values.size + 3))
    for line, part in enumerate((0, 5, values.size)):
        ties[line, [part, values.size + line]] = 1.0, -1.0
    wide = np.hstack([relations.toarray(), np.zeros((relations.shape[0], 3))])
    values = np.concatenate([values, values[[0, 5, 0]]])
    made = make_problem(values, csr_array(np.vstack([wide, ties])), [0, 6], above=2.0, below=1.0, upper=1e3)
    return replace(made, costs=rng.integers(1, 30, values.size).astype(float))


def test_a_chain_of_totals_of_one_part_each_becomes_one_cell() -> None:
    problem = chained()
    smaller = merge_cells(problem)
    assert smaller.problem.size == problem.size - 3
    assert np.unique(smaller.groups[[0, 12, 14]]).size == np.unique(smaller.groups[[5, 13]]).size == 1
    assert np.diff(smaller.problem.relations.indptr).min() > 2
    assert smaller.problem.costs[smaller.groups[5]] == problem.costs[[5, 13]].sum()


@given(st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_the_cheapest_pattern_costs_the_same(seed: int) -> None:
    problem = chained(seed)
    smaller = merge_cells(problem)
    with_a_primary = smaller.spread(smaller.problem.must_suppress) & ~problem.must_suppress
    forced = float(problem.costs[with_a_primary].sum())
    assert cheapest(smaller.problem) + forced == pytest.approx(cheapest(problem))


def test_patterns_go_there_and_back() -> None:
    problem = chained()
    smaller = merge_cells(problem)
    suppressed = smaller.spread(smaller.problem.must_suppress)
    assert suppressed[[0, 12, 14, 6]].all()
    assert suppressed.sum() == 4
    assert (smaller.gather(suppressed) == smaller.problem.must_suppress).all()
    half = suppressed.copy()
    half[13] = True
    assert not smaller.gather(half)[smaller.groups[13]]


def test_each_relation_is_kept_once() -> None:
    problem = chained()
    twice = replace(
        problem, relations=csr_array(np.vstack([problem.relations.toarray(), -problem.relations.toarray()]))
    )
    assert merge_cells(twice).problem.relations.shape == merge_cells(problem).problem.relations.shape


def test_refuses_an_intruder_who_knows_a_cell_that_equals_a_primary() -> None:
    problem = replace(chained(), intruders=(NOBODY_KNOWS, np.array([14])))
    with pytest.raises(DataError, match="cell 0 cannot be protected from an intruder who knows cell 14"):
        merge_cells(problem)
    knows_both = replace(problem, intruders=(NOBODY_KNOWS, np.array([0, 14])))
    assert merge_cells(knows_both).problem.intruders[1].size == 1


def test_an_intruder_of_whom_no_distance_is_asked_may_know_a_cell_that_equals_a_primary() -> None:
    problem = replace(chained(), intruders=(NOBODY_KNOWS, np.array([14])), only_exact=(False, True))
    nothing_above = replace(problem, upper_levels=np.zeros(problem.primaries.size))  # exactly means: from above
    assert merge_cells(nothing_above).problem.intruders[1].size == 1
    with pytest.raises(DataError, match="cannot be protected from an intruder"):
        merge_cells(problem)
