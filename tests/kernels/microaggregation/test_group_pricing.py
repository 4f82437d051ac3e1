from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation.group_pricing import cheapest_triples

small = st.integers(-20, 20).map(float)


@st.composite
def worthy_records(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Draw the squared distances of a few records, and what each is worth."""
    n = draw(st.integers(3, 9))
    points = draw(hnp.arrays(np.float64, (n, 2), elements=st.integers(0, 8).map(float)))
    worths = draw(hnp.arrays(np.float64, n, elements=small))
    return ((points[:, None] - points) ** 2).sum(axis=2), worths


def excess_of(distances: np.ndarray, worths: np.ndarray, members: tuple[int, ...]) -> float:
    pairs = sum(distances[pair] for pair in combinations(members, 2))
    return float(pairs / len(members) - worths[list(members)].sum())


@given(records=worthy_records())
def test_every_record_gets_the_cheapest_of_all_triples_it_is_in(records: tuple[np.ndarray, np.ndarray]) -> None:
    distances, worths = records
    excess, others = cheapest_triples(distances, worths)
    for row in range(len(worths)):
        triples = [triple for triple in combinations(range(len(worths)), 3) if row in triple]
        least = min(excess_of(distances, worths, triple) for triple in triples)
        assert np.isclose(excess[row], min(least, 0.0), atol=1e-9)
        if others[row, 0] >= 0:
            assert np.isclose(excess_of(distances, worths, (row, *others[row].tolist())), excess[row], atol=1e-9)


@given(records=worthy_records())
def test_where_no_triple_is_cheaper_than_its_worth_no_larger_group_is(records: tuple[np.ndarray, np.ndarray]) -> None:
    distances, worths = records
    fair = worths + cheapest_triples(distances, worths)[0] / 3
    assert cheapest_triples(distances, fair)[0].min() >= -1e-9
    for size in (4, 5):
        for members in combinations(range(len(worths)), size):
            assert excess_of(distances, fair, members) >= -1e-9
