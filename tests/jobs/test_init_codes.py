"""`sfumato init`: what becomes of codes that may be values, and of what only a part of a name or of cells tells."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import ParameterError
from sfumato.files import ReadOptions, read
from sfumato.jobs.init import init


def test_a_code_that_only_its_frequency_suggests_is_a_value_in_a_key_and_left_open_elsewhere(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    age = np.minimum(rng.normal(70, 17, 900).round().clip(18), 99).astype(int)  # 99 stands for 99 and older
    limit = rng.choice([1.1, 5.6, 17.5, 99.0], 900, p=[0.2, 0.2, 0.2, 0.4])
    frame = pl.DataFrame({"age": age, "sex": rng.choice(["f", "m"], 900), "ref_high": limit})
    frame.write_csv(tmp_path / "patients.csv")
    text = init(tmp_path / "patients.csv", options=ReadOptions(confidential=("ref_high",))).output.read_text()
    data = read(tmp_path / "patients.csv")
    assert (data.schema["age"].missing_codes, data.schema["age"].valid_codes) == ((), (99,))
    assert (data.schema["ref_high"].missing_codes, data.schema["ref_high"].valid_codes) == ((), ())
    assert "far above every other value: left open: write missing_codes: [99] if" in text
    with pytest.raises(ParameterError, match="column 'ref_high' holds 99"):
        sf.protect(data, k=3)
    found = sf.protect(data.with_schema(data.schema.with_roles(other=["ref_high"])), k=3, seed=1)
    assert "99" not in {str(value) for value in found.data.frame["age"]}


def test_a_column_called_w_dates_among_gaps_and_illnesses_are_pointed_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    days = pl.Series([f"Mar {day}, {year}" for day in range(10, 29) for year in range(2020, 2030)])
    frame = pl.DataFrame(
        {
            "w": rng.uniform(1, 40, 190).round(3),
            "release_due": pl.Series(np.where(rng.random(190) < 0.8, "n/a", days)),
            "special_need": rng.choice(["yes", "no"], 190),
            "Hepatitis": rng.choice(["A", "B", "none"], 190),
            "homelang": rng.choice(["de", "fr", "it"], 190),
        }
    )
    frame.write_csv(tmp_path / "people.csv", quote_style="non_numeric")
    result = init(tmp_path / "people.csv")
    assert any("may be a sampling weight" in remark for remark in result.remarks["w"])
    assert any("Mon dd, yyyy" in remark for remark in result.remarks["release_due"])
    roles = {name: str(result.schema[name].role) for name in ("special_need", "Hepatitis", "homelang")}
    assert roles == {"special_need": "confidential", "Hepatitis": "confidential", "homelang": "key"}
