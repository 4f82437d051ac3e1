"""Whether what a paper says of its figures holds in ours: by the means of several runs, and by how much these may err.

A sentence is held against the means of our runs, and against those of runs drawn from them again and again, with
repetition (a bootstrap). It holds where hardly any of these contradict it, does not hold where hardly any agree, and
cannot be told apart where they are divided: the runs differ by more than the sentence says.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from sfumato.numerics.arrays import Rows
from sfumato.papers.figure import FAILS, HOLDS, UNDECIDED, Figure, FigureKind

RESAMPLES = 400
DOUBT = 0.005
"""The share of resampled runs that may say otherwise where a sentence is taken to hold, or not to."""

# a sentence is judged only if it held with each of four seeds, so that only a change of the code makes it fail
IN_DOUBT = "not judged: with some seeds our runs cannot tell whether it holds"

Pick = Callable[[int], Rows]
"""Which of so many runs are taken, some of them twice or more."""
Evaluate = Callable[[Pick], Mapping[str, bool]]
"""Whether each sentence holds, by its text, in the means of the runs that are taken."""


def share_that_hold(evaluate: Evaluate, seed: int, runs: int) -> dict[str, float]:
    """Return for each sentence the share of resampled runs in which it holds; one run is taken as it is.

    Examples
    --------
    >>> runs = np.array([1.0, 1.2, 0.9, 1.1])
    >>> share_that_hold(lambda pick: {"more than nothing": bool(runs[pick(4)].mean() > 0)}, seed=0, runs=4)
    {'more than nothing': 1.0}
    """
    rng = np.random.default_rng(seed)
    held: Counter[str] = Counter()
    resamples = RESAMPLES if runs > 1 else 1
    for _ in range(resamples):
        found = evaluate(lambda runs: rng.integers(runs, size=runs))
        held.update({text: int(holds) for text, holds in found.items()})
    return {text: count / resamples for text, count in held.items()}


def findings(
    place: str,
    evaluate: Evaluate,
    seed: int,
    runs: int,
    *,
    unjudged: Mapping[str, str],
    notes: Mapping[str, str] | None = None,
) -> Iterator[Figure]:
    """Yield each sentence with whether it holds in the means of our runs.

    Parameters
    ----------
    place
        The paper, and the place in it where the sentences stand.
    evaluate, seed, runs
        What they are held against, and how the runs are drawn again; see `share_that_hold`.
    unjudged
        By its text, why a sentence is not judged.
    notes
        By its text, the figures behind a sentence.
    """
    shares = share_that_hold(evaluate, seed, runs)
    for text in unjudged.keys() - shares.keys():  # which would be judged by a slip of the pen
        raise KeyError(text)
    for text, share in shares.items():
        note, why = (notes or {}).get(text, ""), unjudged.get(text, "")
        yield finding(f"{place}{text}", share, note, "; ".join(part for part in (why, note) if part) if why else "")


def finding(figure: str, share: float, note: str = "", unjudged: str = "") -> Figure:
    """Return a sentence of a paper with whether it holds here; it is judged unless `unjudged` says why not.

    Examples
    --------
    >>> finding("a paper: more is less", share=0.4).verdict.value
    'undecided'
    >>> finding("a paper: more is less", share=0.0, unjudged="not judged: nor in its table").verdict.value
    'differs'
    """
    kind = FigureKind.REPORT if unjudged else FigureKind.FINDING
    ours = HOLDS if share >= 1 - DOUBT else FAILS if share <= DOUBT else UNDECIDED
    parts = (unjudged or note, f"holds in {100 * share:.0f} % of resampled runs" if ours == UNDECIDED else "")
    return Figure(figure, kind, HOLDS, ours, note="; ".join(part for part in parts if part))
