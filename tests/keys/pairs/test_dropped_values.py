"""Dropped numbers that released columns give back are named and counted, and chance is not."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import DROPPED_COMPUTED
from sfumato.keys.pairs.dropped_values import DROPPED, dropped_amounts

N = 400


def tenants() -> pl.DataFrame:
    rng = np.random.default_rng(2)
    income, rent = rng.lognormal(7.6, 0.5, N).round(2), rng.lognormal(6.3, 0.4, N).round(2)
    return pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], N),
            "rent": rent,
            "burden": (100 * rent / income).round(1),
            "debts": rng.lognormal(8, 1, N).round(2),
            "income": income,
        }
    )


def with_words(frame: pl.DataFrame, *, is_german: bool) -> pl.DataFrame:
    """Return the incomes as a text, in which one of twenty did not answer."""
    english = [f"{amount:,.2f}" for amount in frame["income"]]
    swapped = [text.translate(str.maketrans(",.", ".,")) for text in english]
    cells = ["k.A." if row % 20 == 0 else text for row, text in enumerate(swapped if is_german else english)]
    return frame.with_columns(income=pl.Series(cells))


def microdata(frame: pl.DataFrame) -> sf.Microdata:
    schema = sf.Schema.infer(frame).with_kinds(continuous=["rent", "burden", "debts"])
    roles = {"key": ["sex"], "identifier": ["income"], "confidential": ["rent"], "other": ["burden", "debts"]}
    return sf.Microdata(frame, schema.with_roles(**roles))


@pytest.mark.parametrize("form", ["number", "german", "english"])
def test_a_dropped_income_is_computed_from_the_rent_and_its_share(form: str) -> None:
    frame = tenants()
    data = microdata(frame if form == "number" else with_words(frame, is_german=form == "german"))
    found = sf.protect(data, k=3, seed=1)
    released = pl.DataFrame(found.data.frame)
    assert "income" not in released.columns
    answered = [row for row in range(N) if form == "number" or row % 20]
    ratio = (released["rent"] / released["burden"] / frame["income"]).to_numpy()[answered]
    near = int(np.count_nonzero(np.abs(ratio / np.median(ratio) - 1) <= 0.05))
    assert near > 0.8 * len(answered)
    [told] = [remark for remark in found.remarks if remark.startswith(DROPPED)]
    assert f"income by rent and burden (of {near} of {len(answered)} records, within 5 %)" in told
    assert DROPPED_COMPUTED in found.alarms
    assert DROPPED_COMPUTED in sf.assess(data, found.data, worst_case=False).alarms


def test_a_dropped_amount_that_no_column_goes_with_is_not_told() -> None:
    frame = tenants().with_columns(burden=pl.col("burden").shuffle(seed=3))
    data = microdata(frame)
    assert dropped_amounts(data, data.without_columns(("income",))) == []


def test_a_dropped_year_that_any_year_comes_near_is_not_told() -> None:
    rng = np.random.default_rng(5)
    frame = tenants().with_columns(
        income=pl.Series(rng.integers(1950, 2000, N)), debts=pl.Series(rng.integers(1990, 2020, N).astype(float))
    )
    data = microdata(frame)
    assert dropped_amounts(data, data.without_columns(("income",))) == []


def test_names_and_numbers_of_persons_are_no_amounts() -> None:
    names = pl.Series([f"person {row}" for row in range(N)])
    data = microdata(tenants().with_columns(income=names))
    assert dropped_amounts(data, data.without_columns(("income",))) == []
    numbered = microdata(tenants().with_columns(income=pl.int_range(1, N + 1)))
    assert dropped_amounts(numbered, numbered.without_columns(("income",))) == []


def test_a_dropped_total_is_computed_from_parts_that_were_masked() -> None:
    rng = np.random.default_rng(6)
    parts = {name: rng.lognormal(7, 0.5, N).round(2) for name in ("wage", "rent", "pension", "interest")}
    frame = pl.DataFrame({"sex": rng.choice(["f", "m"], N), **parts, "income": sum(parts.values())})
    schema = sf.Schema.infer(frame).with_kinds(continuous=[*parts, "income"])
    data = sf.Microdata(frame, schema.with_roles(key=["sex"], identifier=["income"], confidential=[*parts]))
    noisy = {name: column * rng.normal(1, 0.03, N) for name, column in parts.items()}
    masked = data.without_columns(("income",))
    for name, column in noisy.items():
        masked = masked.with_column(masked.schema[name], column)
    near = int(np.count_nonzero(np.abs(sum(noisy.values()) / frame["income"].to_numpy() - 1) <= 0.05))
    [found] = dropped_amounts(data, masked)
    assert (found.sources, found.values) == (tuple(parts), N)
    assert abs(found.records - near) <= 8  # the constant by which sums are taken may differ a little from 1


def test_a_number_of_persons_is_not_told_by_that_of_households_which_are_renumbered() -> None:
    frame = pl.DataFrame({"home": np.arange(N) // 2 + 1, "person": np.arange(N) + 10, "sex": [*"fm"] * (N // 2)})
    schema = sf.Schema.infer(frame).with_kinds(continuous=["home", "person"])
    data = sf.Microdata(frame, schema.with_roles(key=["sex"], household=["home"], identifier=["person"]))
    assert dropped_amounts(data, data.without_columns(("person",))) == []
