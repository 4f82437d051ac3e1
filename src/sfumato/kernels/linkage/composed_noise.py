"""How likely masked records are that show noisy values more or less exactly: as they are, blurred, or by an interval.

The noise of a record is normal noise plus A w, where each element of w is a draw from a mixture of normal
distributions. Given the component of each element the noisy values are normal: what is seen of them has a density, what
is known to lie in an interval a probability given the rest. The density of a record is the sum over all combinations of
components. In coordinates in which A is triangular, elements come in one at a time, and combinations that are far less
likely than others are left behind on the way, as a sphere decoder does (Hochwald and ten Brink 2003, Achieving
near-capacity on a multiple-antenna channel).
"""

import math
from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.linkage.noise_states import (
    EXHAUSTIVE,
    FAR_BELOW,
    FIRST_WIDTH,
    WIDTH,
    keep_best,
    log_sum,
    prune,
)
from sfumato.kernels.linkage.seen_forms import SeenForm, seen_form
from sfumato.kernels.linkage.tail_probabilities import log_interval
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.numerics.arrays import Floats, Integers

LIKELY = 64  # originals of each record that are looked at with all combinations, where there are many more
CAPACITY = 2048  # combinations that are looked at in one coordinate
HOPELESS, FIRST_HOPELESS = 30.0, 12.0  # an original so much less likely than another, in the end and at first sight


class NoiseElements(NamedTuple):
    """The noise on the records of each stratum.

    Parameters
    ----------
    normal
        The covariance of normal noise, shape (strata, d, d).
    loads
        The coefficients of the independent elements, shape (strata, d, e).
    centres, log_weights
        Where the components of each element lie and the logarithm of their probability, shapes (e, k).
    variances
        The variance inside the components of each element, shape (e,).
    """

    normal: Floats
    loads: Floats
    centres: Floats
    log_weights: Floats
    variances: Floats


class Seen(NamedTuple):
    """What masked records tell of the noisy values.

    Parameters
    ----------
    low, high
        Between which values each lies, shapes (m, d); equal where it is told as it is, NaN where nothing is.
    spread
        The variance by which it was blurred after that, shape (m, d).
    strata
        The stratum of each record, shape (m,).
    """

    low: Floats
    high: Floats
    spread: Floats
    strata: Integers


def composed_log_densities(before: Floats, seen: Seen, noise: NoiseElements, candidates: Integers) -> Floats:
    """Return the log density of each masked record given each of its candidates, up to a constant of the record.

    Parameters
    ----------
    before
        What the originals are expected to become by the noise, shape (n, d).
    seen
        What the masked records tell.
    noise
        The noise.
    candidates
        Rows of `before` for each masked record, shape (m, count); below 0 for none.
    """
    if noise.centres.shape[1] ** len(noise.centres) <= EXHAUSTIVE:
        return _scores(before, seen, noise, candidates, EXHAUSTIVE)
    if candidates.shape[1] <= 2 * LIKELY:
        return _scores(before, seen, noise, candidates, WIDTH)
    found = _scores(before, seen, noise, candidates, FIRST_WIDTH)
    likely = np.argpartition(np.where(candidates < 0, np.inf, -found), LIKELY, axis=1)[:, :LIKELY]
    some = np.take_along_axis(candidates, likely, axis=1)
    np.put_along_axis(found, likely, _scores(before, seen, noise, some, WIDTH), axis=1)
    return found


def _scores(before: Floats, seen: Seen, noise: NoiseElements, candidates: Integers, width: int) -> Floats:
    """Return the log density of each candidate with so many combinations of components."""
    found = np.zeros(candidates.shape)
    before = np.ascontiguousarray(before)

    def run(piece: slice) -> None:
        low, high, spread = (np.ascontiguousarray(part[piece]) for part in (seen.low, seen.high, seen.spread))
        some = Seen(low, high, spread, np.ascontiguousarray(seen.strata[piece]))
        _score(before, some, noise, np.ascontiguousarray(candidates[piece]), width, found[piece])

    run_in_threads(run, len(candidates))
    return found


@compiled
def _score(before: Floats, seen: Seen, noise: NoiseElements, candidates: Integers, width: int, found: Floats) -> None:
    """Score the candidates of some masked records; `found` is output."""
    size = before.shape[1] + 1
    states, others = np.empty((CAPACITY, size)), np.empty((CAPACITY, size))
    most = int(math.log(EXHAUSTIVE) / math.log(max(noise.centres.shape[1], 2)) + 1e-9)
    for record in range(len(candidates)):
        stratum = seen.strata[record]
        form = seen_form(
            seen.low[record],
            seen.high[record],
            seen.spread[record],
            noise.normal[stratum],
            noise.loads[stratum],
            noise.variances,
            most,
        )
        low, high = seen.low[record][form.wide], seen.high[record][form.wide]
        best, apart = -np.inf, FIRST_HOPELESS if width == FIRST_WIDTH else HOPELESS
        for place in range(candidates.shape[1]):
            if candidates[record, place] < 0:
                continue
            score = _pair(
                before[candidates[record, place]], form, noise, low, high, states, others, best - apart, width
            )
            found[record, place] = score + form.constant
            best = max(best, score)


@compiled
def _pair(
    original: Floats,
    form: SeenForm,
    noise: NoiseElements,
    low: Floats,
    high: Floats,
    states: Floats,
    others: Floats,
    least: float,
    width: int,
) -> float:
    """Return the log density of a pair; less than exact where it is below `least` anyway.

    A state is one combination of components so far: its logarithm, what is left of each coordinate, and the place where
    each wide value is expected.
    """
    used, rank, wide = len(form.seen), len(form.basis), len(form.wide)
    gaps = np.empty(used)
    for k in range(used):
        gaps[k] = form.middles[k] - original[form.seen[k]]
    for k in range(used - 1, -1, -1):
        total = 0.0
        for earlier in range(k + 1):
            total += form.white[k, earlier] * gaps[earlier]
        gaps[k] = total
    outside = 0.0
    for k in range(used):
        outside += gaps[k] * gaps[k]
    for k in range(rank):
        total = 0.0
        for place in range(used):
            total += form.basis[k, place] * gaps[place]
        states[0, 1 + k] = total
        outside -= total * total
    for c in range(wide):
        total = original[form.wide[c]]
        for k in range(used):
            total += form.gains[c, k] * gaps[k]
        states[0, 1 + rank + c] = total
    states[0, 0] = -0.5 * max(outside, 0.0)
    count = 1
    for k in range(rank - 1, -1, -1):
        count, states, others = _bring_in(form, noise, k, count, states, others)
        largest = -np.inf
        for state in range(count):
            states[state, 0] -= 0.5 * states[state, 1 + k] ** 2
            largest = max(largest, states[state, 0])
        if largest < least:
            return largest
        count = prune(states, count, largest, width)
    if wide == 0:
        return log_sum(states, count)
    count, states, others = _bring_in(form, noise, -1, count, states, others)
    return _with_intervals(form, low, high, states, count, least)


@compiled
def _with_intervals(form: SeenForm, low: Floats, high: Floats, states: Floats, count: int, least: float) -> float:
    """Return the log density with the probability that the wide values lie in their intervals.

    How far the nearest end of an interval is bounds its probability, so that most states need no more than that.
    """
    rank, wide = len(form.basis), len(form.wide)
    found = -np.inf
    for state in range(count):
        bound = 0.0
        for c in range(wide):
            expected = states[state, 1 + rank + c]
            away = max(low[c] - expected, expected - high[c], 0.0)
            bound = min(bound, -0.5 * away * away / max(form.wide_covariance[c, c], 1e-300))
        bound += states[state, 0]
        if bound < max(least, found - FAR_BELOW):
            if found == -np.inf:
                found = bound
            continue
        means = states[state, 1 + rank : 1 + rank + wide].copy()
        score = states[state, 0] + log_interval(means, form.wide_covariance.copy(), low, high)
        largest = max(found, score)
        found = largest + math.log(math.exp(found - largest) + math.exp(score - largest))
    return found


@compiled
def _bring_in(
    form: SeenForm, noise: NoiseElements, k: int, count: int, states: Floats, others: Floats
) -> tuple[int, Floats, Floats]:
    """Return the states with all components of the elements that come in at a coordinate, or (-1) at wide values."""
    elements, components = noise.centres.shape
    rank, wide = len(form.basis), len(form.wide)
    for e in range(elements):
        if form.enters[e] != k or (k < 0 and not (np.abs(form.wide_loads[:, e]) > 0.0).any()):
            continue
        if count * components > CAPACITY:
            count = keep_best(states, count, CAPACITY // components, 1 + k if k >= 0 else 0)
        made = 0
        for state in range(count):
            for one in range(components):
                if noise.log_weights[e, one] == -np.inf:
                    continue
                centre = noise.centres[e, one]
                others[made, 0] = states[state, 0] + noise.log_weights[e, one]
                for row in range(k + 1):
                    others[made, 1 + row] = states[state, 1 + row] - form.triangle[row, e] * centre
                for c in range(wide):
                    at = 1 + rank + c
                    others[made, at] = states[state, at] + form.wide_loads[c, e] * centre
                made += 1
        states, others, count = others, states, made
    return count, states, others
