"""Numbers in text that nothing reads as numbers."""

from collections.abc import Sequence

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from sfumato.data.recognition.numbers import count_other_texts


def others(texts: Sequence[str | None]) -> int | None:
    return count_other_texts(nw.from_native(pl.Series(texts, dtype=pl.String), series_only=True))


@pytest.mark.parametrize(
    "texts",
    [
        ["1.709,91", "812,5"],
        ["1,709.91", "812.5"],
        ["1 709,91", "812,5"],
        ["12 €", "15 €"],
        ["EUR 12,50", "EUR 9"],
        ["45 %", "7,5 %"],
        ["1.709,91-", "(812.5)"],
        ["\u22121,5", "2,5"],
    ],
)
def test_numbers_with_marks_signs_or_units_are_known(texts: list[str | None]) -> None:
    assert others([*texts, None]) == 0


def test_a_few_other_words_are_counted() -> None:
    assert others([f"{number},5" for number in range(40)] + ["k.A.", "about 3"]) == 2
    assert others(["1,5", "2,5", "k.A.", "about 3"]) is None


@pytest.mark.parametrize("texts", [["12", "15"], ["01.11", "47.19"], ["A1.5", "B2.5"], ["31.12.1999", "1.1.2000"], []])
def test_codes_words_and_dates_are_none(texts: list[str | None]) -> None:
    assert others(texts) is None
