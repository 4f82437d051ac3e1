"""Columns that differ for most records do not leave by mistake: numbers are masked, texts dropped, unless kept."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import ParameterError

N = 200


def people() -> sf.Microdata:
    rng = np.random.default_rng(7)
    home = np.sort(rng.integers(0, 70, N))
    frame = pl.DataFrame(
        {
            "home": home,
            "sex": rng.choice(["f", "m"], N),
            "income": rng.lognormal(8, 1, N).round(2),
            "spent": rng.lognormal(8, 1, 70).round(2)[home],
            "children": rng.integers(0, 5, N),
            "remark": pl.Series([f"case {place}" for place in range(N)]),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["home", "remark"], continuous=["income", "spent", "children"])
    roles = {
        "key": ["sex"],
        "household": ["home"],
        "confidential": ["income"],
        "other": ["spent", "children", "remark"],
    }
    return sf.Microdata(frame, schema.with_roles(**roles, identifier=[]))


def test_a_number_that_differs_for_most_households_is_masked_and_a_text_dropped_unless_they_are_kept() -> None:
    data = people()
    found = sf.protect(data, k=3, seed=1)
    assert "remark" not in found.data.schema
    shared = pl.DataFrame({"home": data.frame["home"], "spent": found.data.frame["spent"]}).unique()["spent"]
    assert min(shared.value_counts()["count"].to_list()) >= 3
    assert found.unchanged == ("sex", "children")
    assert any("masked like confidential numbers: spent" in remark for remark in found.remarks)
    assert any("dropped like identifiers: remark" in remark for remark in found.remarks)
    kept = sf.protect(data, k=3, seed=1, keep=["spent", "remark"])
    assert {"spent", "remark"} <= {*kept.unchanged}
    assert any("and different for most records" in one and "remark" in one for one in kept.remarks)


def test_a_column_to_keep_that_is_not_there_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"protect.keep: there is no column 'spend'; did you mean 'spent'"):
        sf.protect(people(), k=3, keep=["spend"])
