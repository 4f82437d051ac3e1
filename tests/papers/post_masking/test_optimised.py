from importlib import import_module

import pytest

from sfumato.data import numeric
from sfumato.masking import Mdav, RankSwapping
from sfumato.papers import Files
from sfumato.papers.post_masking.masked import SYMBOLS, TABLE_1, TABLE_2, scores_of_draws
from sfumato.papers.post_masking.optimised import FINDINGS, scores_of_optimised

DRAWS = 2  # fewer than the page shows: each of them must show the gain


@pytest.mark.reference
@pytest.mark.parametrize(
    ("method", "record_percent", "target", "most", "gain"),
    [
        (RankSwapping(columns=numeric, window=14), 10, 0.001, 21.8, 3.5),
        (Mdav(columns=numeric, k=10, columns_at_a_time=4), 50, 0.008, 26.0, 6.0),
    ],
)
def test_scores_fall_by_more_than_in_print(
    method: RankSwapping | Mdav,
    record_percent: float,
    target: float,
    most: float,
    gain: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(import_module("sfumato.papers.post_masking.optimised"), "RUNS", DRAWS)
    census = Files().census
    before = scores_of_draws(method, census, 0, DRAWS)["score"]
    after = scores_of_optimised(method, record_percent, target, census, 0)["score"]
    assert sum(after) / DRAWS < most
    assert all(one - other > gain for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize(("number", "table"), [(1, TABLE_1), (2, TABLE_2)])
def test_what_the_paper_says_holds_in_its_own_tables(number: int, table: dict[str, tuple[str, ...]]) -> None:
    means = {row: dict(zip(SYMBOLS, map(float, line), strict=True)) for row, line in table.items()}
    assert [text for text, holds in FINDINGS[number](means) if not holds] == []
