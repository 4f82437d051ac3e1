"""Weights that tell a region which nobody should see are rounded by protect, and only then."""

import numpy as np
import polars as pl

import sfumato as sf

SIZES = (4, 4, 4, 130, 140, 150)


def survey() -> sf.Microdata:
    """Return persons of regions of which some have fewer than k persons, each region with weights of its own."""
    rng = np.random.default_rng(5)
    region = np.repeat(np.arange(6), SIZES)
    frame = pl.DataFrame(
        {
            "region": [f"r{one}" for one in region],
            "sex": rng.choice(["f", "m"], region.size),
            "weight": (10 * 2.0**region * rng.uniform(1, 1.4, region.size)).round(2),
        }
    )
    return sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["region", "sex"], weight=["weight"]))


def test_weights_are_rounded_where_gaps_in_keys_do_not_hide_who_has_them() -> None:
    data = survey()
    found = sf.protect(data, k=5, number_steps=[], limits=["k=5"], seed=1)
    assert "weight_rounding" in [step.name() for step in found.recipe.steps]
    assert found.after.meets_limits
    assert found.data.frame.equals(found.recipe.run(data).frame)
    assert np.isclose(found.data.frame["weight"].sum(), data.frame["weight"].sum())
    _, sharing = np.unique(found.data.frame["weight"].to_numpy(), return_counts=True)
    assert sharing.min() >= 10


def test_weights_are_rounded_also_where_another_column_exposes_somebody_whom_that_does_not_hide() -> None:
    data = survey()
    is_foreign = np.arange(data.n) % 100 == 99  # four persons, and their language tells them
    frame = data.frame.with_columns(country=pl.Series(is_foreign), language=pl.Series(is_foreign))
    schema = sf.Schema.infer(frame).with_roles(key=["region", "sex", "country"], weight=["weight"], other=["language"])
    found = sf.protect(sf.Microdata(frame, schema), k=5, number_steps=[], seed=1)
    assert "weight_rounding" in [step.name() for step in found.recipe.steps]
    told = [remark for remark in found.remarks if remark.startswith("OTHER COLUMNS TELL")]
    assert "language (country)" in told[0]
    assert "finds at least 4 of" in told[0]
    assert "weight" not in told[0]


def test_weights_that_expose_nobody_stay_as_they_are() -> None:
    data = survey()
    found = sf.protect(data.take_rows(np.arange(12, data.n)), k=5, number_steps=[], seed=1)
    assert "weight_rounding" not in [step.name() for step in found.recipe.steps]
    assert "weight" in found.unchanged


def test_a_limit_on_suppression_is_kept_by_broader_keys_with_hints_counted_in() -> None:
    rng = np.random.default_rng(2)
    age = rng.integers(18, 78, 500)
    status = np.where(age < 25, "pupil", np.where(age > 62, "retired", "at work"))
    frame = pl.DataFrame({"age": age, "town": rng.choice([*"abcdef"], 500), "status": status})
    schema = sf.Schema.infer(frame).with_roles(key=["age", "town"], other=["status"])
    data = sf.Microdata(frame, schema)
    free = sf.protect(data, k=4, seed=1)
    limit = free.suppressed / 2
    assert free.hinted
    found = sf.protect(data, k=4, seed=1, max_suppressed=limit)
    shown = [found.data.frame[name] for name in ("age", "town")]
    assert 100 * sum(column.null_count() for column in shown) / 1000 == found.suppressed <= limit
    assert found.after.meets_limits
    assert found.key_loss > free.key_loss
    assert found.data.frame.equals(found.recipe.run(data).frame)


def test_the_page_names_the_columns_on_which_the_count_of_fitting_persons_rests() -> None:
    found = sf.protect(survey(), k=5, number_steps=[], seed=1)
    [told] = [line for line in found.to_html().splitlines() if "By the keys and hints" in line]
    assert found.hinting == ("weight",)
    assert "of each key by itself is counted: weight; by what was looked for, each record then still fits 5" in told
    assert "Not counted is what several columns tell only together" in told
    assert found.side is not None
    assert "is left with fewer than 5 records" in found.to_html()
    assert found.side.persons == 1
    assert "whatever other columns" not in found.to_html()
