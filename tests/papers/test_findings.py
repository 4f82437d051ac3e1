import numpy as np
import pytest

from sfumato.papers import Verdict
from sfumato.papers.findings import Pick, finding, share_that_hold


def share(runs: list[float]) -> float:
    def evaluate(pick: Pick) -> dict[str, bool]:
        return {"positive": bool(np.array(runs)[pick(len(runs))].mean() > 0)}

    return share_that_hold(evaluate, seed=1, runs=len(runs))["positive"]


@pytest.mark.parametrize(
    ("runs", "verdict"),
    [
        ([1.0, 1.2, 0.9, 1.1], Verdict.REPRODUCED),
        ([-1.0, -1.2, -0.9, -1.1], Verdict.DEVIATES),
        ([-1.0, 1.2, -0.9, 1.1], Verdict.UNDECIDED),
    ],
)
def test_a_sentence_holds_fails_or_cannot_be_told_apart_by_the_error_of_the_mean(
    runs: list[float], verdict: Verdict
) -> None:
    found = finding("a", share(runs))
    assert found.verdict is verdict
    assert found.agrees == (verdict is not Verdict.DEVIATES)


def test_the_share_is_the_chance_that_the_mean_of_other_runs_is_on_the_same_side() -> None:
    drawn = np.random.default_rng(3).standard_normal(40)
    drawn += 1 / np.sqrt(40) - drawn.mean()  # a mean of one standard error
    assert share((drawn / drawn.std()).tolist()) == pytest.approx(0.84, abs=0.06)


def test_a_sentence_that_is_not_judged_never_fails() -> None:
    assert finding("a", 0.0, unjudged="not judged: why").verdict is Verdict.DIFFERS
    assert finding("a", 0.5, unjudged="not judged: why").verdict is Verdict.UNDECIDED
