from itertools import islice

import numpy as np
import pytest

from sfumato.papers import Files, Verdict
from sfumato.papers.slides.ipso import DISTANCES, KNOWN, PRINTED, add_noise, slides_ipso
from tests.matrices import microdata


def test_twice_the_noise_is_twice_as_far_from_what_is_fitted() -> None:
    fitted, masked = microdata(np.array([[1.0, 5.0], [2.0, 6.0]])), microdata(np.array([[1.5, 4.0], [2.0, 7.0]]))
    doubled = add_noise(fitted, masked, ("v0", "v1"), 2.0)
    assert doubled.matrix(("v0", "v1")).tolist() == [[2.0, 3.0], [2.0, 8.0]]
    assert add_noise(fitted, masked, ("v0", "v1"), 1.0).matrix(("v0", "v1")).tolist() == [[1.5, 4.0], [2.0, 7.0]]


def test_every_method_has_a_count_for_each_distance_and_each_set_of_known_variables() -> None:
    for lines in PRINTED.values():
        assert [len(line.split()) for line in lines] == [len(DISTANCES)] * len(KNOWN)


@pytest.mark.reference
def test_all_fifteen_counts_after_ipso_a_come_out_exactly() -> None:
    figures = list(islice(slides_ipso(Files(), 0), 15))  # the drawn ones are not waited for
    assert [figure.verdict for figure in figures] == [Verdict.REPRODUCED] * 15
