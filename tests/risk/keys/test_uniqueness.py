"""Uniqueness in the file and, by estimation, in the population."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, ParameterError
from sfumato.risk import Uniqueness
from sfumato.risk.keys._super_populations import count_classes, estimate_uniques


def jobs(*sizes: int, weight: float | None = None) -> Microdata:
    """Return records of jobs, so many of each; with a weight if it is given."""
    job = [f"job {number}" for number, size in enumerate(sizes) for _ in range(size)]
    frame = pl.DataFrame({"job": job, **({} if weight is None else {"persons": [weight] * len(job)})})
    schema = Schema.infer(frame).with_kinds(nominal=["job"], continuous=list(frame.columns[1:]))
    return Microdata(frame, schema.with_roles(key=["job"], weight=list(frame.columns[1:])))


SIZES = (1, 1, 1, 1, 2, 2, 5, 7, 40)


def test_sample_uniques_share_the_population_uniques_that_are_expected_among_them() -> None:
    found = Uniqueness(population_size=1200).of(jobs(*SIZES))
    expected = estimate_uniques(count_classes(np.array(SIZES)), 1200.0)
    assert found.parts["PUN"] == expected.uniques
    assert found.parts["PUF"] == pytest.approx(5.0)
    assert found.parts["PUS"] == pytest.approx(100 * 4 / 60)
    assert found.parts["PUC"] == pytest.approx(100 * expected.uniques * 0.05 / 4)
    assert found.per_record is not None
    assert found.per_record[:4] == pytest.approx(np.full(4, found.parts["PUC"]))
    assert not found.per_record[4:].any()
    assert found.value == pytest.approx(100 * expected.uniques / 1200)
    assert found.value == pytest.approx(found.parts["pitman"])


def test_the_weights_tell_the_size_of_the_population() -> None:
    by_weight = Uniqueness().of(jobs(*SIZES, weight=20.0))
    assert by_weight.parts == Uniqueness(population_size=1200).of(jobs(*SIZES)).parts
    assert Uniqueness(population_size=600).of(jobs(*SIZES, weight=20.0)).parts["PUF"] == pytest.approx(10.0)


def test_without_either_the_file_is_the_population_and_the_remark_says_so() -> None:
    found = Uniqueness().of(jobs(*SIZES))
    assert found.value == pytest.approx(100 * 4 / 60)
    assert (found.parts["PUC"], found.parts["PUN"]) == (100.0, 4.0)
    assert found.remark.startswith("without weights or a population the file counts as the whole population")


def test_a_smaller_sample_leaves_less_certainty() -> None:
    certainty = [Uniqueness(population_size=60 * factor).of(jobs(*SIZES)).parts["PUC"] for factor in (1, 2, 5, 20, 100)]
    assert certainty == sorted(certainty, reverse=True)


def test_the_remark_names_the_model_and_those_without_a_solution() -> None:
    assert Uniqueness(population_size=1200).of(jobs(*SIZES)).remark == "estimated by Pitman's model"
    different = Uniqueness(population_size=1200).of(jobs(*[1] * 30, 3)).remark
    assert "; the slide negative binomial model has no solution for this file" in different
    alone = Uniqueness(population_size=1200).of(jobs(*[1] * 30)).remark
    assert alone.startswith(
        "estimated by the model of Zayatz; Pitman's model and the slide negative binomial model have no solution"
    )


def test_a_population_smaller_than_the_file_is_refused() -> None:
    with pytest.raises(
        DataError, match=r"Uniqueness.population_size must be no less than the number of records, 60; got 50"
    ):
        Uniqueness(population_size=50).of(jobs(*SIZES))
    with pytest.raises(ParameterError, match=r"Uniqueness.population_size must be in \(0, 1000000000000\]; got 0"):
        Uniqueness(population_size=0)


def test_a_gap_fits_every_value_unless_it_is_to_be_a_value() -> None:
    data = Microdata(pl.DataFrame({"job": ["a", "a", None, "b", "b", "c"]}))
    assert Uniqueness(columns=("job",)).of(data).parts["PUS"] == 0.0
    assert Uniqueness(columns=("job",), missing="category").of(data).parts["PUS"] == pytest.approx(100 * 2 / 6)


def test_who_is_unique_in_the_population_does_not_grow_by_suppression() -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"town": rng.integers(0, 30, 400), "job": rng.integers(0, 20, 400)})
    schema = Schema.infer(frame).with_kinds(nominal=["town", "job"])
    suppressed = frame.with_columns(job=pl.when(pl.int_range(400) % 3 > 0).then(pl.col("job")))
    whole, gaps = (
        Uniqueness(columns=("town", "job"), population_size=8000).of(Microdata(f, schema)) for f in (frame, suppressed)
    )
    strict = Uniqueness(columns=("town", "job"), population_size=8000, missing="category").of(
        Microdata(suppressed, schema)
    )
    assert gaps.parts["PUS"] < strict.parts["PUS"] < whole.parts["PUS"]
    assert gaps.parts["PUN"] < strict.parts["PUN"]


def test_finds_the_uniques_of_a_known_population_from_a_sample() -> None:
    """A made population of 60,000 with five keys; estimates are within a third of the truth, and better than none."""
    rng = np.random.default_rng(5)
    persons = 60_000
    keys = {name: np.minimum(rng.geometric(0.15, persons), most) for name, most in [("age", 60), ("job", 40)]}
    frame = pl.DataFrame({**keys, **{name: rng.integers(0, most, persons) for name, most in [("sex", 2), ("town", 6)]}})
    names = ("age", "job", "sex", "town")
    truth = int((frame.group_by(names).len()["len"] == 1).sum())
    schema = Schema.infer(frame).with_kinds(nominal=list(names))
    for fraction in (0.05, 0.2):
        rows = rng.permutation(persons)[: int(persons * fraction)]
        found = Uniqueness(columns=names, population_size=persons).of(Microdata(frame[rows], schema))
        sample_uniques = found.parts["PUS"] / 100 * rows.size
        assert found.parts["PUN"] == pytest.approx(truth, rel=1 / 3)
        assert found.parts["PUN"] * fraction < sample_uniques


def test_weights_of_more_persons_than_there_are_are_refused() -> None:
    with pytest.raises(
        DataError, match=r"Uniqueness.weight: the weights in '.*' add up to more than 1000000000000, too large"
    ):
        Uniqueness(columns=("job",)).of(jobs(1, 1, 2, weight=1e13))
