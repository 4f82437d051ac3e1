"""The loop of score optimisation: what it adds up is what the measures find when they compute all anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.contracts import Correspondence
from sfumato.data import numeric
from sfumato.improve import ScoreOptimisation
from sfumato.improve._groups import shared_cells, single_cells
from sfumato.improve._moment_map import second_moments
from sfumato.improve._problem import Problem, build_problem
from sfumato.improve._score_start import ScoreStart, count_records, start_score
from sfumato.kernels.improvement.hill_climbing import Cells
from sfumato.kernels.improvement.moment_losses import moment_losses
from sfumato.kernels.improvement.rank_counts import count_all
from sfumato.kernels.improvement.score_climbing import HELD, KNOWN, LINKS, SCORE, VARIATIONS, climb_score
from sfumato.loss import InformationLoss
from sfumato.risk import DistanceLinkage, IntervalDisclosure
from tests.improve.files import grouped, incomes, noisy
from tests.matrices import microdata

MASKED = st.sampled_from(["noisy", "grouped", "whole", "constant", "balanced"])


def files(kind: str, n: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    if kind == "balanced":  # means and covariances of 0, up to rounding
        corners = np.array([[-1, -1, -1], [-1, 1, 1], [1, -1, 1], [1, 1, -1]]) * 0.1
        original = np.resize(corners, (n, 3))[:, :d]
        return original, np.random.default_rng(seed).permuted(original, axis=0) if seed % 2 else original[::-1].copy()
    original = incomes(n, d, seed)
    if kind == "whole":  # with zeros and repeated values
        original[:2] = [[0], [180]]  # so that no column is constant
        return np.rint(original / 60), np.rint(noisy(original, seed) / 60)
    masked = {"noisy": noisy(original, seed), "grouped": grouped(original, 3), "constant": noisy(original, seed)}[kind]
    if kind == "constant":
        masked[:, 0] = 80.0
    return original, masked


def found(
    original: np.ndarray, masked: np.ndarray, correspondence: Correspondence, ties: str, keys: int
) -> dict[str, float]:
    """IL with its parts, DLD and ID by the measures."""
    pair = microdata(original), microdata(masked)
    loss = InformationLoss(columns=numeric, correspondence=correspondence).measure(*pair)
    linkage = DistanceLinkage(columns=numeric, correspondence=correspondence, max_keys=keys).measure(*pair)
    disclosure = IntervalDisclosure(columns=numeric, correspondence=correspondence, ties=ties).measure(*pair)
    return {**loss.parts, "IL": loss.value, "DLD": linkage.value, "ID": disclosure.value}


def followed(begun: ScoreStart) -> dict[str, float]:
    """The same, as the loop has added them up."""
    state, figures = begun.state, begun.state.figures
    parts = moment_losses(begun.moments, state.sums, state.products, len(state.values))
    losses = (figures[VARIATIONS] / max(figures[KNOWN], 1), *parts)
    shares = {f"IL{number}": loss for number, loss in enumerate(losses, start=1)}
    shares |= {"IL": np.mean(losses), "DLD": figures[LINKS] / state.links.size, "ID": figures[HELD] / begun.intervals}
    return {symbol: 100 * share for symbol, share in shares.items()}


def begin(
    original: np.ndarray, masked: np.ndarray, correspondence: Correspondence, ties: str, keys: int
) -> tuple[Problem, ScoreStart]:
    improver = ScoreOptimisation(columns=numeric)
    pair = microdata(original), microdata(masked)
    problem = build_problem(improver, *pair)
    those = count_records(improver, problem, *pair, correspondence)
    return problem, start_score(problem, those, improver.weights, keys, ties == "mid")


def tries(cells: Cells, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return rng.integers(cells.columns.size, size=count), rng.normal(size=count)


@settings(max_examples=20, deadline=None)
@given(
    kind=MASKED,
    seed=st.integers(0, 999),
    d=st.integers(1, 3),
    correspondence=st.sampled_from(Correspondence),
    ties=st.sampled_from(["range", "mid"]),
    keeps_groups=st.booleans(),
)
def test_at_every_step_loss_and_risks_are_those_of_the_measures(
    kind: str, seed: int, d: int, correspondence: Correspondence, ties: str, keeps_groups: bool
) -> None:
    original, masked = files(kind, 24, d, seed)
    problem, begun = begin(original, masked, correspondence, ties, keys=2)
    cells = (shared_cells if keeps_groups else single_cells)(problem, np.ones(24, dtype=np.bool_))
    start = found(original, masked, correspondence, ties, keys=2)
    assert followed(begun) == pytest.approx(start, abs=1e-9)
    rng = np.random.default_rng(seed)
    score = begun.state.figures[SCORE]
    for _ in range(3):
        kept = climb_score(begun.moments, begun.originals, cells, begun.targets, begun.state, *tries(cells, 60, rng))
        now = found(original, begun.state.values, correspondence, ties, keys=2)
        assert followed(begun) == pytest.approx(now, abs=1e-7)
        assert now["DLD"] <= start["DLD"] + 1e-9
        assert now["ID"] <= start["ID"] + 1e-9
        weighted = 0.5 * now["IL"] + 0.25 * now["DLD"] + 0.25 * now["ID"]
        assert 100 * begun.state.figures[SCORE] == pytest.approx(weighted, abs=1e-7)
        assert (begun.state.figures[SCORE] < score) == (kept > 0)
        score = begun.state.figures[SCORE]


@settings(max_examples=15, deadline=None)
@given(kind=MASKED, seed=st.integers(0, 999), correspondence=st.sampled_from(Correspondence))
def test_ranks_links_and_moments_are_as_if_counted_anew(kind: str, seed: int, correspondence: Correspondence) -> None:
    problem, begun = begin(*files(kind, 30, 3, seed), correspondence, "range", keys=3)
    state, cells = begun.state, shared_cells(problem, np.ones(30, dtype=np.bool_))
    climb_score(
        begun.moments, begun.originals, cells, begun.targets, state, *tries(cells, 200, np.random.default_rng(seed))
    )
    counts, by_rank = state.ranks.counts.copy(), state.ranks.by_rank.copy()
    assert count_all(state.ranks) == state.figures[HELD]
    assert np.array_equal(state.ranks.counts, counts)
    assert np.array_equal(state.ranks.by_rank, by_rank)
    assert np.array_equal(state.ranks.values.T, state.values)
    assert np.array_equal(state.ranks.sought.T, problem.original[state.right])
    assert np.allclose(state.products, 30 * second_moments(state.points), atol=1e-9)
    assert state.figures[LINKS] == pytest.approx(state.links.sum())


@settings(max_examples=6, deadline=None)
@given(kind=MASKED, seed=st.integers(0, 999), correspondence=st.sampled_from(Correspondence))
def test_the_changes_kept_are_those_that_a_plain_loop_over_the_measures_keeps(
    kind: str, seed: int, correspondence: Correspondence
) -> None:
    original, masked = files(kind, 12, 2, seed)
    problem, begun = begin(original, masked, correspondence, "range", keys=2)
    cells = single_cells(problem, np.ones(12, dtype=np.bool_))
    places, shifts = tries(cells, 25, np.random.default_rng(seed))
    values, start = masked.copy(), found(original, masked, correspondence, "range", keys=2)
    best = 2 * start["IL"] + start["DLD"] + start["ID"]
    for place, shift in zip(places, shifts, strict=True):
        tried = values.copy()
        row, column = cells.rows[place], cells.columns[place]
        tried[row, column] += shift * problem.spread[column]
        if not problem.lows[column] <= tried[row, column] <= problem.highs[column]:
            continue
        now = found(original, tried, correspondence, "range", keys=2)
        score = 2 * now["IL"] + now["DLD"] + now["ID"]
        if score < best - 1e-9 and now["DLD"] <= start["DLD"] + 1e-9 and now["ID"] <= start["ID"] + 1e-9:
            values, best = tried, score
    climb_score(begun.moments, begun.originals, cells, begun.targets, begun.state, places, shifts)
    assert begun.state.values == pytest.approx(values)
