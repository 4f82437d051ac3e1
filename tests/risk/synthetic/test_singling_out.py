"""Singling out: descriptions of one synthetic record, and whom they fit."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import ControlledRisk
from sfumato.data import Microdata, Schema
from sfumato.errors import DataError
from sfumato.kernels.linkage.isolated_records import RecordIndex
from sfumato.risk import Linkability, SinglingOut
from sfumato.risk.synthetic._coded_files import ORIGINAL, SYNTHETIC, code_files
from sfumato.risk.synthetic._queries import multivariate_queries, univariate_queries
from sfumato.risk.synthetic._rates import wilson
from tests.risk.synthetic.planted import NAMES, column_copied, file, population

PEOPLE, OTHERS = population(300, 1), population(300, 2)


def test_a_copied_column_gives_its_values_away() -> None:
    measure = SinglingOut(columns=("pay",)).with_control(file(OTHERS))
    found = measure.measure(file(PEOPLE), file(column_copied(PEOPLE, 1)))
    assert found.value > 80
    assert found.interval is not None
    assert found.interval[0] > 70
    assert found.shows_leak
    assert "LEAK FOUND" in found.remark


def test_every_description_fits_just_one_synthetic_record() -> None:
    files = code_files(SinglingOut(columns=NAMES), file(PEOPLE), file(OTHERS))
    index, rng = RecordIndex.of(files.codes(SYNTHETIC)), np.random.default_rng(1)
    for queries in (univariate_queries(files), multivariate_queries(files, 200, 3, rng)):
        assert len(queries) > 50
        assert queries.matches(index).is_single.all()


def test_the_rates_are_those_of_a_plain_look_at_all_values_of_a_column() -> None:
    found = SinglingOut(columns=("pay", "sex"), attacks=5).measure(file(PEOPLE), file(OTHERS))
    once = OTHERS["pay"].filter(OTHERS["pay"].is_unique())
    hits = [int((PEOPLE["pay"] == value).sum() == 1) for value in once]
    top, bottom = OTHERS["pay"].max(), OTHERS["pay"].min()
    hits += [int((PEOPLE["pay"] >= top).sum() == 1), int((PEOPLE["pay"] <= bottom).sum() == 1)]
    assert found.parts["SOuni (original)"] == pytest.approx(100 * np.mean(hits))


def test_without_a_control_it_says_what_cannot_be_told() -> None:
    found = SinglingOut(columns=NAMES, attacks=50).measure(file(PEOPLE), file(PEOPLE))
    assert found.value == 100
    assert found.shows_leak is None
    assert "Without a control it cannot be told" in found.remark


def test_one_description_is_no_figure_beside_many_of_the_other_kind() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({name: rng.choice([*"abcdefgh"], 200).tolist() for name in ("one", "two", "three")})
    lone = Microdata(frame.with_columns(one=pl.when(pl.int_range(200) == 7).then(pl.lit("z")).otherwise(pl.col("one"))))
    other = lone.frame.with_columns(pl.col("two", "three").shuffle(seed=1))
    found = SinglingOut(columns=("one", "two", "three")).measure(lone, Microdata(other))
    assert found.parts["SOuni"] == 100  # of one
    assert found.value == found.parts["SOmulti"] < 100
    assert "by one column it is 100 % of 1, too few to judge by" in found.remark


def test_a_file_in_which_nobody_stands_out_has_no_risk() -> None:
    same = Microdata(pl.DataFrame({"town": ["A", "B"] * 20, "sex": ["f", "f", "m", "m"] * 10}))
    found = SinglingOut(columns=("town", "sex")).measure(same, same)
    assert (found.value, found.interval) == (0, None)  # nothing could be tried, so that nothing is bounded


def test_a_smaller_control_says_the_same_less_surely() -> None:
    made = file(population(300, 3))
    small, large = (
        SinglingOut(columns=NAMES, attacks=300).with_control(file(others)).measure(file(PEOPLE), made)
        for others in (OTHERS.head(60), OTHERS)
    )
    assert not small.shows_leak
    assert not large.shows_leak
    assert small.interval is not None
    assert large.interval is not None
    assert small.interval[1] >= large.interval[1] - 5


def test_a_smaller_control_does_not_make_strangers_look_like_members() -> None:
    excess = []
    for seed in range(4, 9):
        made, few = file(population(300, seed)), file(population(75, seed + 100))
        parts = SinglingOut(columns=NAMES, attacks=300).with_control(few).measure(file(PEOPLE), made).parts
        excess.append(parts["SOmulti (original)"] - parts["SOmulti (control)"])
    assert abs(np.mean(excess)) < 4


def test_a_control_cut_out_of_the_original_is_refused() -> None:
    measure = SinglingOut(columns=NAMES).with_control(file(PEOPLE.head(100)))
    with pytest.raises(DataError, match="most records of the control are in the original too"):
        measure.measure(file(PEOPLE), file(OTHERS))


def test_the_original_is_never_looked_at_to_make_descriptions() -> None:
    one, other = (
        univariate_queries(code_files(SinglingOut(columns=NAMES), file(people), file(OTHERS)))
        for people in (PEOPLE, population(300, 9))
    )
    assert np.array_equal(one.columns, other.columns)
    assert ORIGINAL == 0


def test_descriptions_of_one_person_tell_no_more_than_one_person() -> None:
    one = pl.Series([1.0] + [0.0] * 99)
    people = Microdata(pl.DataFrame(dict.fromkeys("abcdef", one)))
    found = SinglingOut(columns=tuple("abcdef"), key_count=2).measure(people, people)
    assert found.value == 100  # all of at least six descriptions fit the same person
    assert found.trials is not None
    assert found.trials.tried >= 6
    middle, half = wilson(1, 1, count=2)
    assert found.interval == pytest.approx((100 * (middle - half), 100))


@pytest.mark.parametrize("measure", [SinglingOut(columns=NAMES), Linkability(columns=NAMES)])
def test_the_interval_for_all_attacks_counts_the_choice_of_the_worst_copy(measure: ControlledRisk) -> None:
    people, others, made = population(200, 1), population(200, 2), population(200, 3)
    both = pl.concat([made.with_columns(release=pl.lit(number)) for number in (1, 2)])
    held = measure.with_control(file(others))
    once = held.measure(file(people), file(made))
    twice = held.measure(file(people), Microdata(both, Schema.infer(both)))
    assert once.trials is not None
    assert twice.trials is not None
    assert once.trials.joint_interval is not None
    assert twice.trials.joint_interval is not None
    assert (twice.value, twice.trials.tried) == (once.value, once.trials.tried)
    assert twice.trials.joint_interval[1] > once.trials.joint_interval[1]
