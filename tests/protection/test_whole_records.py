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


INCOMES = ("wage_income", "business_income", "capital_income", "transfer_income")


@pytest.mark.parametrize("k", [3, 10])
def test_totals_tell_no_more_than_what_their_parts_show(k: int) -> None:
    survey = sf.datasets.demo(600)
    complete = Microdata(survey.frame.drop_nulls([*INCOMES, "total_income"]), survey.schema)
    found = sf.protect(complete, k=k, whole_records=True, seed=1).released.frame
    shown = found.drop_nulls([*INCOMES, "total_income"])
    apart = (shown["total_income"] - shown.select(pl.sum_horizontal(INCOMES)).to_series()).abs()
    assert shown.height > 200
    assert apart.max() <= 3  # rounded
    assert found["capital_income"].sum() < 0.9 * complete.frame["capital_income"].sum()


def statements(n: int = 90) -> Microdata:
    """Return persons with a statement and a reference each, and a district of which some is one person's alone."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(20, 70, n),
            "statement": [f"I, number {row}, call me" for row in range(n)],
            "reference": [f"A/{row:04d}" for row in range(n)],
            "office": ["Linz", *(["Graz", "Wien"] * n)[: n - 1]],
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["statement", "reference", "office"])
    return Microdata(frame, schema.with_roles(key=["sex", "age"], confidential=["statement", "reference", "office"]))


def test_texts_that_are_somebodys_own_are_not_released() -> None:
    data = statements()
    found = sf.protect(data, k=3, whole_records=True, seed=1)
    assert "statement" not in found.released.frame.columns
    assert "reference" not in found.released.frame.columns
    assert set(found.released.frame["office"].unique()) <= {"Graz", "Wien", None}
    assert any("dropped" in remark and "statement" in remark for remark in found.remarks)
    kept = sf.protect(data, k=3, whole_records=True, keep=["statement"], seed=1)
    assert "statement" not in kept.released.frame.columns
    assert any("drop the column, or join its categories" in remark for remark in kept.remarks)


def test_confidential_texts_that_differ_for_most_records_are_dropped_without_whole_records_too() -> None:
    found = sf.protect(statements(), k=3, seed=1)
    assert not {"statement", "reference"} & set(found.released.frame.columns)
    assert "office" in found.released.frame.columns
    kept = sf.protect(statements(), k=3, keep=["reference"], seed=1)
    assert "reference" in kept.released.frame.columns


def test_a_key_that_becomes_all_gaps_is_no_error() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        [
            {"home": home, "year": str(year), "branch": branch, "employees": size, "town": f"T{home}", "turnover": size}
            for home, (branch, size) in enumerate(
                zip(rng.choice(list("ABC"), 40), rng.integers(5, 900, 40), strict=True)
            )
            for year in range(4)
        ]
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["employees", "turnover"])
    roles = schema.with_roles(key=["branch", "employees", "town"], household=["home"], confidential=["turnover"])
    found = sf.protect(Microdata(frame, roles), k=4, whole_records=True, seed=1)
    assert found.released.frame["town"].null_count() == frame.height
    assert any(remark.startswith("town") and "nothing is left" in remark for remark in found.remarks)


def test_a_note_on_changed_means_says_which_were_cut_and_which_moved_by_gaps() -> None:
    rng = np.random.default_rng(1)
    n = 120
    age = np.where(rng.random(n) < 0.4, np.nan, rng.integers(20, 80, n))
    age[:60] += 40
    frame = pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "area": np.repeat(["N", "S"], 60),
            "age": age,
            "legacy": np.where(np.arange(n) % 40 == 0, 9e5, rng.integers(1, 90, n)),
        },
        nan_to_null=True,
    )
    frame = frame.with_columns(age=pl.when(pl.int_range(n) % 6 < 4).then(pl.col("age")))
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "legacy"]).with_roles(key=["sex", "area"])
    remarks = sf.protect(Microdata(frame, schema), k=5, whole_records=True, seed=1).remarks
    cut = next(remark for remark in remarks if "far above those of its group" in remark)
    assert "legacy" in cut
    assert "age" not in cut


def test_a_note_on_changed_means_says_the_same_whatever_the_amount_was_that_was_cut() -> None:
    rng, notes = np.random.default_rng(2), set()
    sex, others = rng.choice(["f", "m"], 120), rng.lognormal(8, 1, 119).round()
    for giant in (4e6, 1e8):
        frame = pl.DataFrame({"sex": sex, "hens": np.append(others, giant)})
        schema = sf.Schema.infer(frame).with_kinds(continuous=["hens"]).with_roles(key=["sex"])
        found = sf.protect(Microdata(frame, schema), k=5, whole_records=True, seed=1)
        assert np.nansum(found.data.values("hens")) < 0.5 * (others.sum() + giant)
        notes |= {remark for remark in found.remarks if "far above those of its group" in remark}
    [note] = notes
    assert "hens (by more than half)" in note
