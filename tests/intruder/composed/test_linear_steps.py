"""Steps that mix columns after noise are undone: matrices, and improvers that give a file its moments again."""

from itertools import product

import numpy as np
import pytest

from sfumato.contracts import Knowledge
from sfumato.improve import MomentMatching
from sfumato.intruder.composed.linear_steps import is_linear
from sfumato.masking import MatrixMasking, Mdav, RankSwapping, Rounding
from sfumato.risk import LikelihoodLinkage
from tests.intruder.composed.test_composition import NAMES, NOISE, PEAKS, VARIANCE, attack, masked_by, people

MIXED = {"x": {"x": 0.7, "y": 0.3}, "z": {"z": 0.6, "x": -0.4}}
MIXING = MatrixMasking(columns=NAMES, column_weights=MIXED, scale=None)
MATCHING = MomentMatching(columns=NAMES, max_steps=1)  # one linear function, and no search for the best distance


def test_mixing_by_a_given_matrix_is_undone_as_bayes_would() -> None:
    original = people(60)
    masked = masked_by([NOISE, MIXING], original)
    weights = np.array([[0.7, 0.0, -0.4], [0.3, 1.0, 0.0], [0.0, 0.0, 0.6]])
    x, m = original.matrix(NAMES), masked.matrix(NAMES) @ np.linalg.inv(weights)
    root = np.linalg.cholesky(0.3 * np.cov(x.T))
    inverse = np.linalg.inv(VARIANCE * root @ root.T)
    densities = np.zeros((60, 60))
    for signs in product((-1.0, 1.0), repeat=3):
        gaps = m[:, None] - x - root @ (PEAKS * np.array(signs))
        densities += np.exp(-0.5 * np.einsum("ija,ab,ijb->ij", gaps, inverse, gaps))
    right = 100 * float((densities.argmax(axis=1) == np.arange(60)).mean())
    assert attack([NOISE, MIXING], original, masked).parts["row by row"] == pytest.approx(right, abs=2.0)


def test_an_improver_after_noise_hides_next_to_nothing() -> None:
    original = people(120)
    noisy = masked_by([NOISE], original)
    improved = MATCHING.improve(original, noisy, np.random.default_rng(0)).data
    alone = attack([NOISE], original, noisy)
    knowledge = Knowledge.of([NOISE, MATCHING], original)
    found = LikelihoodLinkage(columns=NAMES).informed_by(knowledge).measure(original, improved)
    assert found.parts["one to one"] > 0.85 * alone.value
    assert found.parts["right at 90"] > 85
    assert "does not fit" not in found.remark
    assert found.bound == 100  # an improver may go by the order of the records


@pytest.mark.parametrize("looks_foreign", [False, True])
def test_an_improved_file_counts_as_no_safer_than_the_one_before(
    looks_foreign: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it looks unlike those that the intruder makes: an improver may choose another factor by the file."""
    if looks_foreign:
        monkeypatch.setattr("sfumato.intruder.learnt.shadow_learning.ShadowLearning.fits", lambda *_: False)
    original = people(90)
    swap = RankSwapping(columns=NAMES, window=20)
    swapped = masked_by([swap], original)
    improved = MATCHING.improve(original, swapped, np.random.default_rng(0)).data
    knowledge = Knowledge.of([swap, MATCHING], original)
    found = LikelihoodLinkage(columns=NAMES).informed_by(knowledge).measure(original, improved)
    assert found.value == found.parts["before it was improved"]
    assert found.value > attack([swap], original, swapped).value - 10
    assert "masked and did not improve" in found.remark


def test_only_steps_that_move_all_records_by_one_function_count_as_linear() -> None:
    original = people()
    others = [RankSwapping(columns=NAMES, window=20), Mdav(columns=NAMES, k=8), Rounding(columns=NAMES, base=0.1)]
    assert is_linear([NOISE, MIXING], 1, original, NAMES, 0)
    assert not any(is_linear([NOISE, step], 1, original, NAMES, 0) for step in others)
