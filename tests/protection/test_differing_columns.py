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


@pytest.mark.parametrize("none", [0.0, np.nan])
def test_amounts_that_most_have_none_of_are_masked_where_those_that_there_are_differ(none: float) -> None:
    rng = np.random.default_rng(8)
    exports, fee = rng.lognormal(9, 1, N).round(2), rng.choice([0.0, 50.0, 80.0], N)
    exports[rng.random(N) < 0.7] = none
    data = people()
    more = data.frame.with_columns(exports=exports, fee=fee).with_columns(pl.col("exports").fill_nan(None))
    schema = sf.Schema.infer(more).with_kinds(
        nominal=["home", "remark"], continuous=["spent", "children", "exports", "fee"]
    )
    data = sf.Microdata(
        more, schema.with_roles(key=["sex"], household=["home"], confidential=["income"], identifier=[])
    )
    found = sf.protect(data, k=3, seed=1)
    was, shown = data.values("exports"), found.data.values("exports")
    own = {amount for amount in was[was > 0] if (was == amount).sum() == 1}
    assert len(own) > 0.2 * N
    assert not own & {*shown[shown > 0]}
    assert "fee" in found.unchanged
