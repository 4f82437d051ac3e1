"""The verdict tells what users lose in analyses, the worst first, counted anew here."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.data import Microdata
from tests.reports.release.chapters.test_plain_verdict import rows


def incomes() -> Microdata:
    rng = np.random.default_rng(2)
    wage, rent = rng.lognormal(3, 0.5, 200).round(2), rng.lognormal(2, 0.5, 200).round(2)
    frame = pl.DataFrame({"sex": ["f", "m"] * 100, "wage": wage + [0, 5] * 100, "rent": rent})
    frame = frame.with_columns(total=pl.col("wage") + pl.col("rent"))
    return Microdata(frame).with_schema(Microdata(frame).schema.with_roles(key=["sex"], confidential=["wage"]))


def test_broken_sums_and_correlations_stand_in_the_verdict_the_worst_first() -> None:
    data = incomes()
    mixed = data.frame["total"].sample(fraction=1.0, shuffle=True, seed=1).to_numpy()
    after = Microdata(data.frame.with_columns(pl.Series("total", mixed)), data.schema)
    inside, outside = (
        rows(sf.report(data, after, same_order=True, edition=one))["Lost"] for one in ("internal", "public")
    )
    gaps = np.abs((data.frame["wage"] + data.frame["rent"]).to_numpy() - mixed)
    broken = 100 * float((gaps > 1e-4 * mixed.mean()).mean())
    sums = f"total is not the sum of its parts in {broken:g} % of the records that have all these numbers"
    names = ["wage", "rent", "total"]
    before, now = (np.corrcoef(one.frame.select(names).to_numpy(), rowvar=False) for one in (data, after))
    largest = np.abs(now - before).max()
    assert sums in inside
    assert f"The correlation that changed most changed by {largest:.2f}" in inside
    assert inside.index(sums) < inside.index("The correlation")  # broken nearly everywhere
    assert "The correlation that changed most changed by more than 0.2" in outside


def test_nothing_is_said_to_be_lost_in_analyses_of_a_file_as_it_was() -> None:
    told = rows(sf.report(incomes(), incomes(), same_order=True))["Lost"]
    assert not [
        words for words in ("means within categories", "sum", "correlation that", "regression") if words in told
    ]


def test_means_within_categories_that_are_not_reliable_are_counted_of_all() -> None:
    data = incomes()
    after = Microdata(data.frame.with_columns(pl.col("wage") * pl.Series([1.0, 1.3] * 100)), data.schema)
    told = rows(sf.report(data, after, same_order=True, edition="public"))["Lost"]
    counted = (
        "1 of 6 means (3 numbers within the categories of 1 variable; at least 20 persons in each have the number)"
    )
    assert f"{counted} is not reliable" in told


def test_records_that_got_the_same_numbers_are_counted_first_in_both_editions() -> None:
    data = incomes()
    among = pl.int_range(pl.len()) < 76
    numbers = [
        pl.when(among).then(pl.col(name).mean()).otherwise(name).alias(name) for name in ("wage", "rent", "total")
    ]
    after = Microdata(data.frame.with_columns(numbers), data.schema)
    for edition, share in (("internal", "38 %"), ("public", "More than 35 %")):
        told = rows(sf.report(data, after, same_order=True, edition=edition))["Lost"]
        assert told.startswith(
            f"\u2013 {share} of the records have the same values in all 3 numbers (wage, rent, total)"
        )
    assert "have the same values" not in rows(sf.report(after, after, same_order=True))["Lost"]
