"""Log-linear risk: closed forms, and populations whose truth is known."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import Integers
from sfumato.risk import LogLinearRisk
from sfumato.risk.keys._log_linear_models import Fit
from sfumato.risk.keys.log_linear_risk import fit_remark, unique_chances


def nominal(**columns: list[str | None] | Integers) -> Microdata:
    frame = pl.DataFrame(columns)
    return Microdata(frame, Schema.infer(frame).with_kinds(nominal=list(columns)))


def records(counts: Integers) -> Microdata:
    """Return so many records of each cell of a table."""
    cells = np.repeat(np.argwhere(counts > 0), counts[counts > 0], axis=0)
    return nominal(**{f"key{place}": key for place, key in enumerate(cells.T)})


def test_chances_are_the_poisson_probabilities_of_further_persons() -> None:
    expected, fraction = np.array([0.01, 0.3, 2.0]), 0.1
    more = expected * 9
    persons = np.arange(400)
    logs = persons * np.log(more[:, None]) - np.array([sum(np.log(np.arange(1, k + 1))) for k in persons])
    chance = np.exp(logs - more[:, None])
    unique, right = unique_chances(expected, fraction)
    assert unique == pytest.approx(chance[:, 0])
    assert right == pytest.approx((chance / (1 + persons)).sum(axis=1))


def test_main_effects_have_the_product_of_the_shares() -> None:
    data = nominal(sex=list("fffffmmmm"), job=list("aaaabaabb"))
    found = LogLinearRisk(columns=("sex", "job"), model="main_effects", population_size=90).of(data)
    more = 5 * 3 / 9 * 9  # the only woman in job b
    assert found.parts == pytest.approx({"LLU": 1.0, "LLP": np.exp(-more), "LLE": (1 - np.exp(-more)) / more})
    assert found.value == pytest.approx(100 * found.parts["LLE"] / 9)
    assert found.per_record is not None
    assert np.flatnonzero(found.per_record).tolist() == [4]


@pytest.mark.parametrize("fraction", [0.2, 0.5])
def test_finds_the_risk_of_populations_of_the_model_on_average(fraction: float) -> None:
    """Twelve samples of populations of 20,000 with all two-way interactions: the estimates agree with the truth."""
    rng = np.random.default_rng(2)
    shape = (6, 5, 8, 4, 3)
    axes = np.indices(shape)
    logs = sum((rng.normal(0, 0.8, size)[axis] for size, axis in zip(shape, axes, strict=True)), np.zeros(shape))
    for i in range(5):
        for j in range(i):
            logs = logs + rng.normal(0, 0.4, (shape[i], shape[j]))[axes[i], axes[j]]
    means = np.exp(logs) * 20_000 / np.exp(logs).sum()
    differences = []
    for _ in range(12):
        population = rng.poisson(means)
        counts = rng.binomial(population, fraction)
        alone = population[counts == 1]
        found = LogLinearRisk(columns=("key0", "key1", "key2", "key3", "key4"), population_size=population.sum())
        parts = found.of(records(counts)).parts
        assert parts["LLU"] == alone.size
        differences.append((parts["LLP"] / (alone == 1).sum() - 1, parts["LLE"] / (1 / alone).sum() - 1))
    spread = np.std(differences, axis=0) / np.sqrt(12)
    assert (np.abs(np.mean(differences, axis=0)) < 0.06 + 3 * spread).all()
    assert (spread < 0.1).all()


def test_a_whole_population_has_the_sure_risk_of_its_uniques() -> None:
    found = LogLinearRisk(columns=("sex", "job")).of(nominal(sex=list("ffm"), job=list("aab")))
    assert dict(found.parts) == {"LLU": 1.0, "LLP": 1.0, "LLE": 1.0}
    assert found.remark.startswith("without weights or a population")


def test_too_simple_a_model_is_told() -> None:
    both = ["a", "b", "c", "d", "e"] * 40
    data = nominal(one=[*both, "a"], other=[*both, "b"])
    simple = LogLinearRisk(columns=("one", "other"), model="main_effects", population_size=5000).of(data)
    assert "the counts vary more than the model expects" in simple.remark
    assert LogLinearRisk(columns=("one", "other"), model="one * other", population_size=5000).of(data).remark == ""


def test_a_fit_that_did_not_settle_is_told() -> None:
    unsettled = Fit(expected=np.array([1.0, 2.0]), squares=5.0, off=0.25)
    assert fit_remark(unsettled, np.array([1.0, 2.0])) == (
        "the model did not settle: its tables are still up to 0.25 records off"
    )


def test_the_weights_tell_the_sampling_fraction() -> None:
    frame = pl.DataFrame({"sex": list("fffm"), "job": list("aaba"), "persons": [10.0] * 4})
    schema = Schema.infer(frame).with_kinds(nominal=["sex", "job"], continuous=["persons"])
    data = Microdata(frame, schema.with_roles(key=["sex", "job"], weight=["persons"]))
    assert LogLinearRisk().of(data).parts == LogLinearRisk(population_size=40, weight=None).of(data).parts


def test_missing_keys_are_a_category_of_their_own() -> None:
    gaps = nominal(sex=["f", "f", None, "m", "m"], job=list("aabbb"))
    named = nominal(sex=["f", "f", "unknown", "m", "m"], job=list("aabbb"))
    measure = LogLinearRisk(columns=("sex", "job"), population_size=50)
    assert measure.of(gaps).parts == pytest.approx(measure.of(named).parts)


def test_bad_models_and_populations_are_refused() -> None:
    data = nominal(sex=list("fffm"), job=list("aaba"))
    with pytest.raises(
        ParameterError, match=r"LogLinearRisk.model: 'jb' is not one of the columns; did you mean 'job'"
    ):
        LogLinearRisk(columns=("sex", "job"), model="sex * jb").of(data)
    with pytest.raises(DataError, match=r"LogLinearRisk.population_size must be no less than the number of records, 4"):
        LogLinearRisk(columns=("sex", "job"), population_size=3).of(data)


def test_too_large_a_table_is_refused_with_the_key_to_recode() -> None:
    rng = np.random.default_rng(0)
    data = nominal(town=rng.integers(0, 1500, 9000), job=rng.integers(0, 1400, 9000), age=rng.integers(0, 99, 9000))
    with pytest.raises(
        DataError, match=r"LogLinearRisk.model needs a table .* 'town' has most categories, 1\d+; recode"
    ):
        LogLinearRisk(columns=("town", "job", "age"), model="town * age + job * age", population_size=10**6).of(data)
    simple = LogLinearRisk(columns=("town", "job", "age"), model="main_effects", population_size=10**6)
    assert simple.of(data).value > 0
