"""Values in groups whose means are released after values were exchanged."""

from itertools import combinations

import numpy as np
import pytest

from sfumato.contracts import Knowledge
from sfumato.intruder import ExchangedColumns, build_model, posterior_of
from sfumato.intruder.exchanges import exchange_links
from sfumato.intruder.exchanges.grouped_values import HalfSums, grouped_owners
from sfumato.intruder.shadow_masking import Runs
from sfumato.masking import Mdav, RankSwapping
from sfumato.risk import LikelihoodLinkage
from sfumato.risk.linkage._likelihood_links import BLURRED
from tests.matrices import microdata, names_of


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_sets_with_a_mean_are_those_of_all_sets(size: int) -> None:
    rising = np.sort(np.random.default_rng(size).integers(0, 40, 12).astype(np.float64))
    mean = rising[[0, 3, 4, 8, 11][:size]].mean()
    every = [some for some in combinations(range(12), size) if abs(rising[list(some)].mean() - mean) < 1e-9]
    found = HalfSums.of(rising, size).sets_with_mean(mean, 1e-9)
    assert sorted(map(tuple, found.tolist())) == every


def test_a_mean_tells_whose_values_are_in_a_group() -> None:
    rng = np.random.default_rng(1)
    known, members = np.exp(rng.normal(9.0, 1.0, 60)).round(2), np.arange(60).reshape(20, 3)
    groups = np.repeat(np.arange(20), 3)
    owners = grouped_owners(known, known[members].mean(axis=1)[groups], groups, 1e-6, 1.0)
    assert owners is not None
    for number in range(20):
        cells = slice(*owners.starts[number : number + 2])
        likely = owners.order[owners.places[cells]][owners.weights[cells] > 0.3]
        assert sorted(likely) == members[number].tolist()


def linked_by_exchanges(k: int) -> tuple[ExchangedColumns, float]:
    """Return the columns of a file that was swapped and grouped, and the share of links to the right group."""
    data = microdata(np.exp(np.random.default_rng(3).normal(9.0, 1.0, (150, 3))).round(2))
    names = names_of(data.matrix(data.schema.names))
    steps = (RankSwapping(columns=names, window=10), Mdav(columns=names, k=k))
    masked = steps[1].mask(steps[0].mask(data, np.random.default_rng(1)), np.random.default_rng(2))
    columns = ExchangedColumns(Runs.of(data, masked, steps, 0), masked, names)
    model = build_model(data, masked, names, steps, 0)
    found = exchange_links(columns, model, posterior_of(model, 64), np.arange(150))
    assert found is not None
    released = masked.matrix(names)
    return columns, float(np.mean((released[found.rows] == released).all(axis=1)))


def test_groups_of_exchanged_values_are_told_by_their_means() -> None:
    columns, right = linked_by_exchanges(3)
    assert right > 0.9
    assert not columns.are_left


def test_values_that_cannot_be_followed_are_said_to_be_left_unused() -> None:
    data = microdata(np.exp(np.random.default_rng(3).normal(9.0, 1.0, (150, 3))).round(2))
    parts = [RankSwapping(columns=data.schema.names, window=10), Mdav(columns=data.schema.names, k=15)]
    knowledge = Knowledge.of(parts, data)
    swap, group = knowledge.steps
    masked = group.mask(swap.mask(data, np.random.default_rng(1)), np.random.default_rng(2))
    found = LikelihoodLinkage(columns=data.schema.names).informed_by(knowledge).measure(data, masked)
    assert found.bound == pytest.approx(100 / 15)
    assert BLURRED in found.remark
    swapped = LikelihoodLinkage(columns=data.schema.names).informed_by(Knowledge(steps=(swap,)))
    assert BLURRED not in swapped.measure(data, swap.mask(data, np.random.default_rng(1))).remark
