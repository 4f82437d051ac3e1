import json

import pytest

from sfumato.papers import Figure, FigureKind, Verdict

EXACT, STATISTICAL, FINDING, PRINT, MISPRINT, OUTSIDE, REPORT = FigureKind


@pytest.mark.parametrize(
    ("kind", "printed", "ours", "verdict", "agrees"),
    [
        (EXACT, 1.5, 1.5, Verdict.REPRODUCED, True),
        (EXACT, 1.5, 1.6, Verdict.REPRODUCED, True),  # as far apart as rounding allows
        (EXACT, 1.5, 1.8, Verdict.DEVIATES, False),
        (EXACT, "safe", "safe", Verdict.REPRODUCED, True),
        (EXACT, "safe", "sensitive", Verdict.DEVIATES, False),
        (EXACT, "safe", 1.5, Verdict.DEVIATES, False),
        (STATISTICAL, 1.5, 1.7, Verdict.WITHIN, True),
        (STATISTICAL, 1.5, 1.8, Verdict.DEVIATES, False),
        (STATISTICAL, 1.5, 1.5, Verdict.WITHIN, True),
        (FINDING, "holds", "holds", Verdict.REPRODUCED, True),
        (FINDING, "holds", "does not hold", Verdict.DEVIATES, False),
        (FINDING, "holds", "cannot be told apart", Verdict.UNDECIDED, True),
        (PRINT, 1.5, 1.6, Verdict.CONSISTENT, True),  # says nothing of what is computed here
        (PRINT, 1.5, 1.8, Verdict.DEVIATES, False),
        (MISPRINT, 1.5, 9.0, Verdict.EXPLAINED, True),
        (OUTSIDE, 1.5, 1.5, Verdict.DIFFERS, True),  # near with this seed, not with another
        (REPORT, 1.5, 1.5, Verdict.EXPLAINED, True),  # never shown as if it could have failed,
        (REPORT, 1.5, 9.0, Verdict.DIFFERS, True),  # nor as if it came out
        (REPORT, "holds", "does not hold", Verdict.DIFFERS, True),
    ],
)
def test_a_figure_is_judged_by_what_its_kind_asks(
    kind: FigureKind, printed: float | str, ours: float | str, verdict: Verdict, agrees: bool
) -> None:
    figure = Figure("a figure", kind, printed, ours, tolerance=0.25)
    assert (figure.verdict, figure.agrees) == (verdict, agrees)
    assert figure.is_judged == (kind not in (MISPRINT, OUTSIDE, REPORT))


def test_a_figure_as_plain_values_is_ready_for_json() -> None:
    plain = json.loads(json.dumps(Figure("a figure", STATISTICAL, 1.5, 1.7, 0.25, "a note").to_dict()))
    assert plain == {
        "figure": "a figure",
        "kind": "statistical",
        "printed": 1.5,
        "ours": 1.7,
        "tolerance": 0.25,
        "verdict": "within",
        "note": "a note",
        "follows": "",
    }
