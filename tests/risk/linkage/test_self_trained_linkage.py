"""Linkage by weights learnt from a first round of links."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.risk import ExpectationMaximisationLinkage, ProbabilisticLinkage, SelfTrainedLinkage
from tests.matrices import names_of
from tests.risk.plain_linkage import example, linked, measured


def test_links_more_than_the_round_that_it_learns_from() -> None:
    original, masked = example(n=300, d=4, noise=0.1)
    first, learnt = (
        measured(original, masked, linkage, metric="logarithmic").value
        for linkage in (ProbabilisticLinkage, SelfTrainedLinkage)
    )
    assert learnt > first


def test_a_first_round_that_links_nobody_teaches_nothing() -> None:
    original, masked = example(n=200, noise=0.1)
    taught, untaught = (linked(original, masked, SelfTrainedLinkage, tolerance=width) for width in (None, 1e-9))
    assert taught.weights.max() > 1
    assert untaught.weights.max() < 1e-5  # what settles ties


def test_learns_once_and_not_in_rounds() -> None:
    original, masked = example(n=200, noise=0.2)
    once, in_rounds = (
        linked(original, masked, linkage, metric="relative")
        for linkage in (SelfTrainedLinkage, ExpectationMaximisationLinkage)
    )
    assert not np.array_equal(once.weights, in_rounds.weights)


def test_estimated_weights_need_no_weights_of_the_user() -> None:
    columns = names_of(example()[0])
    for linkage in (SelfTrainedLinkage, ExpectationMaximisationLinkage):
        with pytest.raises(ParameterError, match=f"{linkage.__name__} has no parameter 'weights'"):
            linkage(columns=columns, weights={"v0": 1.0})  # type: ignore[call-arg]
