import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.randomisation.transition import draw_transitions


def plainly_transited(codes: np.ndarray, reached: np.ndarray, draws: np.ndarray) -> list[int]:
    """The first category whose share of the unit interval ends above the draw."""
    return [
        next(j for j, end in enumerate(reached[code]) if draw < end) for code, draw in zip(codes, draws, strict=True)
    ]


@given(seed=st.integers(0, 999), n=st.integers(0, 40), k=st.integers(1, 6))
def test_each_code_turns_into_the_category_whose_share_holds_the_draw(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    reached = np.cumsum(rng.dirichlet(np.full(k, 0.3), k), axis=1)
    reached[:, -1] = 1.0
    codes, draws = rng.integers(k, size=n), rng.random(n)
    assert draw_transitions(codes, reached, draws).tolist() == plainly_transited(codes, reached, draws)


def test_a_category_without_a_share_is_never_reached() -> None:
    reached = np.array([[0.0, 0.5, 0.5, 1.0]])
    draws = np.array([0.0, 0.25, 0.5, 1 - 2**-53])
    assert draw_transitions(np.zeros(4, dtype=np.int64), reached.repeat(4, axis=0), draws).tolist() == [1, 1, 3, 3]
