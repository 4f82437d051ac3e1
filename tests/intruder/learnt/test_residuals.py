"""What is expected to become of an original, by what became of it in several runs of a recipe."""

import numpy as np

from sfumato.intruder.learnt.pairs import Pairs
from sfumato.intruder.learnt.residuals import Residuals


def test_records_that_always_become_the_same_are_expected_to_be_equal_to_the_last_bit() -> None:
    """However often each was drawn: otherwise chance decides which of them a matching takes, and they share nothing."""
    rng = np.random.default_rng(0)
    original = rng.normal(size=(40, 2))
    means = original.reshape(10, 4, 2).mean(axis=1).repeat(4, axis=0)
    rows = np.concatenate([np.sort(rng.permutation(40)[:20]) for _ in range(7)])
    expected = Residuals.of(Pairs(original, rows, means[rows], (True, True))).expected
    drawn = np.unique(rows)
    assert len(drawn) > 35
    np.testing.assert_array_equal(expected[drawn], means[drawn])
