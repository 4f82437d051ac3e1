import polars as pl
import pytest

from sfumato.files.folders import row_digests
from sfumato.files.folders.row_digests import chunk_digests, rows_digest
from tests.masking.survey import survey

FRAME = survey(50)


def digest(frame: pl.DataFrame) -> str:
    return rows_digest(frame, chunk_digests(frame))


def test_the_checksum_does_not_depend_on_the_sizes_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_digests, "ROWS_PER_DIGEST", 10)
    parts = [FRAME[:20], FRAME[20:30], FRAME[30:]]
    assert rows_digest(FRAME, [each for part in parts for each in chunk_digests(part)]) == digest(FRAME)


@pytest.mark.parametrize(
    "change",
    [
        pl.col("tax") + pl.when(pl.col("person_id") == 33).then(1).otherwise(0),
        pl.col("note").fill_null(""),
        pl.col("note").fill_null("ä"),
        pl.col("born").dt.offset_by("1d"),
        pl.col("income").fill_null(0.0),
        pl.col("tax").cast(pl.Int32),
        pl.col("region").reverse(),
    ],
)
def test_any_other_value_gap_or_type_gives_another_checksum(change: pl.Expr) -> None:
    assert digest(FRAME.with_columns(change)) != digest(FRAME)


def test_text_that_moves_from_one_cell_to_the_next_is_seen() -> None:
    assert digest(pl.DataFrame({"x": ["ab", "c"]})) != digest(pl.DataFrame({"x": ["a", "bc"]}))
