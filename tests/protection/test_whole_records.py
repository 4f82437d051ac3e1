"""Protection of whole records: equal in every released column, whatever columns tell of each other."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.keys.findings.equal_records import are_equal_in_groups
from tests.protection.surveys import survey


def pupils(n: int = 300) -> Microdata:
    """Return pupils whose school year tells their age but for the years repeated, and whose gaps tell their sex."""
    rng = np.random.default_rng(3)
    age, sex = rng.integers(7, 18, n), rng.choice(["f", "m"], n)
    costs = rng.lognormal(6, 1, n).tolist()
    frame = pl.DataFrame(
        {
            "pupil": [f"p{row}" for row in range(n)],
            "age": age.astype(float),
            "sex": sex,
            "town": rng.choice(["A", "B", "C", "D"], n),
            "year": age - 6 - rng.integers(0, 2, n),
            "service": [
                None if one == "f" and row % 2 else cost for row, (one, cost) in enumerate(zip(sex, costs, strict=True))
            ],
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "year", "service"])
    return Microdata(frame, schema.with_roles(key=["age", "sex", "town"], identifier=["pupil"]))


@pytest.mark.parametrize("k", [3, 7])
def test_each_record_is_equal_to_k_minus_one_others_in_everything_that_is_released(k: int) -> None:
    found = sf.protect(pupils(), k=k, whole_records=True, seed=1)
    frame = found.released.frame
    assert "pupil" not in frame.columns
    assert min(frame.group_by(frame.columns).len()["len"].to_list()) >= k
    assert f"equal to at least {k - 1} others in every column" in str(found)
    assert not found.alarms


def test_limits_on_k_and_on_the_worst_case_are_met_by_proof() -> None:
    limits = ["k=5", "strict_k=5", "worst_case_linkage<=20"]
    found = sf.protect(pupils(), k=5, whole_records=True, limits=limits, seed=1)
    assert found.after.meets_limits
    worst = next(one for one in found.assessment.measurements if one.name == "worst_case_linkage")
    assert worst.bound is not None
    assert worst.value <= worst.bound <= 20


def test_households_are_dropped_and_recounted_by_the_recipe_alone() -> None:
    data = survey(200)
    found = sf.protect(data, k=4, whole_records=True, seed=1)
    assert not {"home", "name"} & set(found.released.frame.columns)
    again = sf.Recipe.from_yaml(found.recipe.to_yaml()).run(data)
    assert again.frame.equals(found.data.frame)


def test_a_file_of_equal_records_is_not_searched_for_columns_that_tell() -> None:
    data = pupils()
    found = sf.protect(data, k=4, whole_records=True, seed=1)
    told = str(sf.assess(data, found.data, methods=found.recipe.steps))
    assert "a key can be read off" not in told.replace("\n", " ").lower()
    assert "equal to at least" in told.replace("\n", " ")


def test_equal_records_are_counted_gaps_and_codes_included() -> None:
    frame = pl.DataFrame({"a": [1, 1, -9, -9, None, None], "b": list("xxyyzz")})
    schema = sf.Schema.infer(frame)
    coded = schema.with_variables(schema["a"].model_copy(update={"missing_codes": (-9,)}))
    assert are_equal_in_groups(Microdata(frame, coded), 2)
    assert not are_equal_in_groups(Microdata(frame, coded), 3)
    assert not are_equal_in_groups(Microdata(frame.with_columns(c=pl.Series(range(6)))), 2)


def test_refuses_what_is_about_keys_alone_and_groups_of_two() -> None:
    with pytest.raises(ParameterError) as error:
        sf.protect(pupils(), k=2, whole_records=True, importance={"age": 2.0}, number_steps=[])
    assert "protect.importance must be left out with protect.whole_records" in str(error.value)
    assert "protect.number_steps must be left out with protect.whole_records" in str(error.value)
    assert "protect.k must be at least 3 with protect.whole_records" in str(error.value)


@pytest.mark.parametrize("k", [3, 5])
def test_every_record_keeps_a_weight_and_weights_keep_their_sum(k: int) -> None:
    data = sf.datasets.demo(600)
    found = sf.protect(data, k=k, whole_records=True, seed=1)
    weights = found.released.frame["sampling_weight"]
    assert weights.null_count() == 0
    assert weights.sum() == pytest.approx(data.frame["sampling_weight"].sum(), rel=1e-4)
