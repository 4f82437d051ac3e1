import numpy as np

from sfumato.intruder.learnt.pairs import RankScale


def test_values_stand_in_the_middle_of_a_scale_learnt_from_missing_ones() -> None:
    scale = RankScale.of(np.array([np.nan]), np.array([np.nan, np.nan]))
    np.testing.assert_equal(scale.ranks(np.array([3.0, np.nan])), np.array([0.5, np.nan]))
