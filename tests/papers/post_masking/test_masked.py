from sfumato.papers import Verdict
from sfumato.papers.post_masking.masked import TABLE_1, TABLE_2
from sfumato.papers.rounded_parts import score_from_parts
from sfumato.scores.published import simplified_score


def test_all_printed_scores_but_one_are_those_of_their_parts() -> None:
    outside = []
    for number, table in enumerate((TABLE_1, TABLE_2), start=1):
        for row, (score, *parts) in table.items():
            named = dict(zip(("IL", "DLD", "ID"), parts, strict=True))
            if score_from_parts("", simplified_score, named, score).verdict is Verdict.DEVIATES:
                outside.append((number, row))
    assert outside == [(2, "0.5")]
