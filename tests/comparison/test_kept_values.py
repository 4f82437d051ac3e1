"""What stayed as it was is counted among values, and a code for "no answer" is none."""

import polars as pl
import pytest

from sfumato.comparison.kept_values import count_kept_values, kept_percents, unchanged_names
from sfumato.data import Microdata, Schema


@pytest.mark.parametrize("numbers", [[98, 98, 98, 3, 4, 5], ["98", "98", "98", "3", "4", "5"]])
def test_codes_for_no_answer_are_no_values_that_stayed(numbers: list[object]) -> None:
    frame = pl.DataFrame({"arrival": numbers})
    schema = Schema.infer(frame).with_kinds(nominal=["arrival"])
    code = numbers[0]
    data = Microdata(frame, schema.with_variables(schema["arrival"].replace(missing_codes=(code,))))
    after = frame.with_columns(arrival=pl.when(pl.col("arrival") == pl.lit(code)).then("arrival"))
    suppressed = data.with_frame(after)
    counts = count_kept_values(data, suppressed)
    assert (counts["arrival"].values, counts["arrival"].kept, counts["arrival"].differing) == (3, 0, 3)
    assert kept_percents(counts) == {}
    half = data.with_frame(frame.with_columns(arrival=pl.Series([*numbers[:4], None, None])))
    assert kept_percents(count_kept_values(data, half)) == {"arrival": pytest.approx(100 / 3, abs=0.01)}
    assert unchanged_names(count_kept_values(data, data)) == ("arrival",)
