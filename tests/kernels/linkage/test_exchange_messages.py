"""Messages along exchanges: held against the sum over all matchings and all swaps of tiny files."""

from itertools import permutations

import numpy as np
import pytest

from sfumato.intruder.exchanges.beliefs import propagate_beliefs
from sfumato.kernels.linkage import exchange_messages as module
from sfumato.kernels.linkage.exchange_cells import ExchangedCells, pairs_of
from sfumato.kernels.linkage.exchange_messages import chance_totals, exchange_messages, scale_to_matching
from sfumato.numerics.arrays import FloatMatrix, Integers

N = 6


def every_swapping(members: tuple[int, ...]) -> list[dict[int, int]]:
    """Return all ways in which each member exchanges with one other."""
    if not members:
        return [{}]
    first, rest = members[0], members[1:]
    return [
        {first: other, other: first} | swapping
        for other in rest
        for swapping in every_swapping(tuple(member for member in rest if member != other))
    ]


SWAPPINGS = np.array([[swapping[i] for i in range(N)] for swapping in every_swapping(tuple(range(N)))])
MATCHINGS = np.array(list(permutations(range(N))))


def oracle(scores: FloatMatrix, densities: list[FloatMatrix]) -> FloatMatrix:
    """Return the probability of each pair, by the density of each masked value given each original one, by column.

    In the first column, of which the log densities are given, nothing was exchanged.
    """
    weights = np.exp(scores[np.arange(N), MATCHINGS].sum(axis=1))
    for density in densities:
        partners = SWAPPINGS[:, MATCHINGS]  # whose value each masked record shows: swappings x matchings x records
        weights *= density[np.arange(N), partners].prod(axis=2).sum(axis=0)
    marginals = np.zeros((N, N))
    for matching, weight in zip(MATCHINGS, weights / weights.sum(), strict=True):
        marginals[np.arange(N), matching] += weight
    return marginals


def cells_of(density: FloatMatrix) -> ExchangedCells:
    starts, owners = np.arange(N + 1) * N, np.tile(np.arange(N), N)
    weights = scale_to_matching(starts, owners, np.log(density).ravel(), N, 50)
    ranks, zeros, chances = np.zeros(N), np.zeros(N, dtype=np.int64), np.ones((1, 3))
    totals = chance_totals(ranks, zeros, chances, zeros)
    every = np.arange(N)
    return ExchangedCells(every, starts, owners, weights, every, ranks, zeros, chances, totals, zeros, 0.0, np.ones(N))


def all_pairs() -> tuple[Integers, Integers]:
    return np.arange(N + 1) * N, np.tile(np.arange(N), N)


def swapped_files(seed: int, noise: float) -> tuple[FloatMatrix, list[FloatMatrix], Integers]:
    """Return the log densities of pairs in a column without exchanges, those of values in others, and the truth."""
    rng = np.random.default_rng(seed)
    truth, densities = rng.permutation(N), []
    known = rng.normal(size=N)
    scores = -0.5 * (known[truth] + rng.normal(size=N) - known[:, None]).T ** 2
    for _ in range(3):
        values, swapping = rng.normal(size=N), SWAPPINGS[rng.integers(len(SWAPPINGS))]
        masked = values[swapping[truth]] + noise * rng.normal(size=N)
        densities.append(np.exp(-0.5 * ((masked[:, None] - values) / noise) ** 2) + 1e-9)
    return scores, densities, truth


def test_beliefs_come_near_the_sum_over_all_matchings_and_swaps() -> None:
    gaps, blind = [], []
    for seed in range(8):
        scores, densities, _ = swapped_files(seed, 0.1)
        columns = [cells_of(density) for density in densities]
        pairs, logs = propagate_beliefs(pairs_of(*all_pairs(), N), scores.ravel(), columns, N)
        found, exact = np.zeros((N, N)), oracle(scores, densities)
        found[pairs.records, pairs.originals] = scale_to_matching(pairs.starts, pairs.originals, logs, N, 50)
        gaps.append(np.abs(found - exact).sum() / (2 * N))
        unaware = scale_to_matching(*all_pairs(), scores.ravel(), N, 50).reshape(N, N)
        blind.append(np.abs(unaware - exact).sum() / (2 * N))
    assert np.mean(gaps) < 0.2 * np.mean(blind)


def test_a_value_that_one_original_had_points_to_the_record_of_the_partner() -> None:
    """Record 0 shows the value of original 1, and record 1 that of original 0; who 1 became is known."""
    density = np.full((N, N), 1e-12)
    density[np.arange(N), [1, 0, 3, 2, 5, 4]] = 1.0
    pairs = pairs_of(*all_pairs(), N)
    beliefs = np.full((N, N), 1 / N)
    beliefs[1] = beliefs[:, 1] = 0.0
    beliefs[1, 1] = 1.0
    messages = exchange_messages(pairs, beliefs.ravel(), cells_of(density)).reshape(N, N)
    assert messages[0].argmax() == 0
    assert messages[0, 0] > np.sort(messages[0])[-2] + 2.0


def test_who_exchanged_with_somebody_left_out_has_a_value_that_nobody_shows() -> None:
    """Record 0 shows the value of original 1, of whom no record is; only the value of original 0 is nowhere."""
    density = np.full((N, N), 1e-12)
    density[np.arange(N), [1, 3, 2, 5, 4, 1]] = 1.0
    beliefs = np.full((N, N), 1 / N)
    beliefs[:, 1] = 0.0
    unshown = np.zeros(N)
    unshown[0] = N
    found = []
    for left in (np.ones(N), unshown):
        cells = cells_of(density)._replace(unshown=left)
        found.append(exchange_messages(pairs_of(*all_pairs(), N), beliefs.ravel(), cells).reshape(N, N)[0])
    assert found[1].argmax() == 0
    assert found[1][0] > np.delete(found[1], [0, 1]).max() + 1.5
    assert found[0][0] < np.delete(found[0], [0, 1]).min()  # without it anybody else is likelier


def test_a_masked_record_without_owners_says_nothing() -> None:
    cells = cells_of(np.ones((N, N)))
    some = np.flatnonzero(np.repeat(np.arange(N), N) > 0)
    lacking = cells._replace(
        starts=np.concatenate([[0], cells.starts[1:] - N]), owners=cells.owners[some], weights=cells.weights[some]
    )
    messages = exchange_messages(pairs_of(*all_pairs(), N), np.full(N * N, 1 / N), lacking).reshape(N, N)
    assert not messages[0].any()
    assert messages[1:].any()


def test_scaled_weights_add_up_to_one_in_rows_and_to_no_more_in_columns() -> None:
    starts, columns = all_pairs()
    weights = scale_to_matching(starts, columns, np.random.default_rng(3).normal(size=N * N), N, 100).reshape(N, N)
    assert np.allclose(weights.sum(axis=1), 1.0)
    assert weights.sum(axis=0).max() < 1.0 + 1e-3


def random_cells(rng: np.random.Generator, count: int, most: int) -> ExchangedCells:
    """Return cells of which each has up to `most` owners; some have none, and some originals no value."""
    owners = [np.sort(rng.choice(count, rng.integers(0, most + 1), replace=False)) for _ in range(count)]
    starts, groups = np.concatenate([[0], np.cumsum([len(some) for some in owners])]), rng.integers(0, 2, count)
    levels, ranks, chances = rng.integers(-1, 3, count), rng.random(count), rng.random((3, 21))
    totals = chance_totals(ranks, levels, chances, groups)
    weights, order, unshown = rng.random(starts[-1]), rng.permutation(count), rng.random(count)
    owned, every = np.concatenate(owners), np.arange(count)
    return ExchangedCells(every, starts, owned, weights, order, ranks, levels, chances, totals, groups, 0.1, unshown)


@pytest.mark.parametrize("most", [1, 3])
def test_few_pairs_get_the_messages_that_they_get_among_many(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, count = np.random.default_rng(most), 60
    cells, held = random_cells(rng, count, most), rng.integers(0, 4, count)
    originals = np.concatenate([rng.choice(count, some, replace=False) for some in held])
    pairs = pairs_of(np.concatenate([[0], np.cumsum(held)]), originals, count)
    found = {}
    for is_sparse in (True, False):
        monkeypatch.setattr(module, "_is_sparse", lambda *_, answer=is_sparse: answer)
        found[is_sparse] = exchange_messages(pairs, np.linspace(0.0, 1.0, len(originals)), cells)
    assert np.array_equal(found[True], found[False])
    assert len(np.unique(found[True])) > 10


def by_record(cells: ExchangedCells) -> ExchangedCells:
    """Return the same cells with a value of its own for each record."""
    places = [np.arange(*cells.starts[[value, value + 1]]) if value >= 0 else np.arange(0) for value in cells.values]
    some, starts = np.concatenate(places), np.concatenate([[0], np.cumsum([len(one) for one in places])])
    return cells._replace(
        values=np.arange(len(places)), starts=starts, owners=cells.owners[some], weights=cells.weights[some]
    )


@pytest.mark.parametrize("is_sparse", [True, False])
def test_records_that_show_one_value_share_what_is_said(is_sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_is_sparse", lambda *_: is_sparse)
    rng, count = np.random.default_rng(4), 40
    cells, held = random_cells(rng, count, 5), rng.integers(0, 5, count)
    shared = cells._replace(values=rng.integers(-1, 6, count))
    pairs = pairs_of(
        np.concatenate([[0], np.cumsum(held)]),
        np.concatenate([rng.choice(count, some, replace=False) for some in held]),
        count,
    )
    beliefs = rng.random(len(pairs.originals))
    found = [exchange_messages(pairs, beliefs, one) for one in (shared, by_record(shared))]
    assert np.allclose(found[0], found[1], rtol=1e-12, atol=0)
    assert len(np.unique(found[0])) > 10
