import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable, numeric
from sfumato.errors import DataError, KindError, ParameterError
from sfumato.masking import IpsoA
from tests.masking.ipso import X, Y, close, design, fit, people

RNG = np.random.default_rng(0)  # IPSO-A draws nothing
METHOD = IpsoA(columns=Y, given=X)


@given(seed=st.integers(0, 999), n=st.integers(30, 80), scale=st.sampled_from([1e-6, 1.0, 1e9]))
def test_gives_the_fitted_values_of_least_squares(seed: int, n: int, scale: float) -> None:
    data = people(seed, n, scale)
    masked = METHOD.mask(data, RNG)
    assert close(masked.matrix(Y), design(data) @ fit(data)[0])


@given(seed=st.integers(0, 999))
def test_keeps_coefficients_and_loses_the_residuals(seed: int) -> None:
    data = people(seed)
    masked = METHOD.mask(data, RNG)
    assert close(fit(masked)[0], fit(data)[0])
    assert np.abs(fit(masked)[1]).max() < 1e-12 * np.abs(fit(data)[1]).max()


def test_a_given_column_that_is_a_sum_of_others_changes_nothing() -> None:
    data = people(1)
    more = METHOD.replace(given=(*X, "costs")).mask(data, RNG)
    assert close(more.matrix(Y), METHOD.mask(data, RNG).matrix(Y))


def test_ordinal_columns_are_given_by_dummies_like_nominal_ones() -> None:
    data = people(2)
    order = Variable(name="region", kind="ordinal", categories=("west", "north", "south"))
    ordinal = data.with_schema(data.schema.with_variables(order))
    assert close(METHOD.mask(ordinal, RNG).matrix(Y), METHOD.mask(data, RNG).matrix(Y))


def test_a_total_stays_the_sum_of_its_parts() -> None:
    masked = METHOD.mask(people(3), RNG).frame
    assert (masked["income"] - masked["wages"] - masked["profits"]).abs().max() < 1e-9


def test_within_strata_there_is_a_regression_for_each() -> None:
    data = people(4, 120)
    masked = IpsoA(columns=Y, given=("age",), within=("region",)).mask(data, RNG)
    for region in ("north", "south", "west"):
        rows = np.flatnonzero(data.frame["region"].to_numpy() == region)
        slope, level = np.polyfit(data.values("age")[rows], data.values("wages")[rows], 1)
        assert close(masked.values("wages")[rows], level + slope * data.values("age")[rows])


def test_a_record_that_lacks_given_values_is_predicted_from_what_it_has() -> None:
    data = people(5)
    frame = data.frame.with_columns(rent=pl.when(pl.int_range(60) == 7).then(None).otherwise("rent"))
    masked = METHOD.mask(Microdata(frame, data.schema), RNG)
    others = np.arange(60) != 7
    x = np.delete(design(data), 2, axis=1)  # without the rent
    coefficients = np.linalg.lstsq(x[others], data.matrix(Y)[others], rcond=None)[0]
    assert close(masked.matrix(Y)[7], x[7] @ coefficients)


def test_a_record_that_lacks_every_given_value_gets_the_means() -> None:
    data = people(6)
    absent = [pl.when(pl.int_range(60) == 7).then(None).otherwise(pl.col(name)).alias(name) for name in X]
    masked = METHOD.mask(Microdata(data.frame.with_columns(absent), data.schema), RNG)
    assert close(masked.matrix(Y)[7], data.matrix(Y)[np.arange(60) != 7].mean(axis=0))


def test_a_record_that_lacks_a_masked_value_has_its_other_values_masked_too() -> None:
    data = people(7)
    frame = data.frame.with_columns(profits=pl.when(pl.int_range(60) < 9).then(None).otherwise("profits"))
    masked = METHOD.mask(Microdata(frame, data.schema), RNG)
    assert masked.frame["profits"].null_count() == 9
    x, y = design(data), data.values("wages")
    coefficients = np.linalg.lstsq(x[9:], y[9:], rcond=None)[0]
    assert close(masked.values("wages"), x @ coefficients)


def test_given_columns_of_one_category_only_leave_the_mean() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 4.0, 9.5], "land": ["a", "a", "a", None]})
    masked = IpsoA(columns=("x",), given=("land",)).mask(Microdata(frame), RNG)
    assert np.allclose(masked.values("x"), 7 / 3)


def test_a_rule_for_given_leaves_out_the_masked_columns() -> None:
    bound = IpsoA(columns=Y, given=numeric).bound_to(people(1))
    assert bound.given == ("age", "rent", "costs")


def test_refuses_a_column_that_is_masked_and_given() -> None:
    with pytest.raises(DataError, match=r"^IpsoA.given: 'wages' is also in columns; name it in one of the two$"):
        IpsoA(columns=Y, given=("age", "wages")).mask(people(1), RNG)


def test_refuses_a_column_that_the_given_ones_determine() -> None:
    with pytest.raises(DataError, match=r"IpsoA.columns: 'income' is constant or determined by the given columns"):
        IpsoA(columns=("income",), given=("wages", "profits")).mask(people(1), RNG)


def test_refuses_a_constant_column() -> None:
    data = people(1)
    flat = Microdata(data.frame.with_columns(wages=pl.lit(2.5)), data.schema)
    with pytest.raises(DataError, match=r"IpsoA.columns: 'wages' is constant"):
        IpsoA(columns=("wages",), given=("age",)).mask(flat, RNG)


def test_refuses_a_category_with_a_single_record() -> None:
    data = people(1)
    frame = data.frame.with_columns(region=pl.when(pl.int_range(60) == 5).then(pl.lit("isle")).otherwise("region"))
    with pytest.raises(
        DataError, match=r"^IpsoA.given: records that decide alone what is fitted.*there are 1: join rare categories"
    ):
        METHOD.mask(Microdata(frame, data.schema), RNG)


def test_refuses_a_record_so_far_out_that_it_decides_alone_what_is_fitted_to_it() -> None:
    x = np.append(np.linspace(0, 1, 40), 30.0)
    y = np.append(np.random.default_rng(1).normal(size=40), 17.0)

    def mask(at: float) -> float:
        frame = pl.DataFrame({"y": y, "x": np.append(x[:-1], at)})
        return float(IpsoA(columns=("y",), given=("x",)).mask(Microdata(frame), RNG).frame["y"][-1])

    assert abs(mask(3.0) - 17) > 1
    with pytest.raises(DataError, match="or one that is far out in a given column, would keep their values, or nearly"):
        mask(30.0)


def test_refuses_whole_numbers_that_rounding_would_give_back() -> None:
    rng = np.random.default_rng(2)
    age = rng.uniform(20, 60, 200)
    frame = pl.DataFrame({"years": np.rint(age - 18 + 0.2 * rng.normal(size=200)).astype(int), "age": age})
    with pytest.raises(DataError, match=r"'years' holds whole numbers, and \d+ % of them are nearer than a half"):
        IpsoA(columns=("years",), given=("age",)).mask(Microdata(frame), RNG)
    as_float = frame.with_columns(pl.col("years").cast(pl.Float64))
    assert IpsoA(columns=("years",), given=("age",)).mask(Microdata(as_float), RNG).n == 200


def test_refuses_as_many_coefficients_as_records() -> None:
    frame = pl.DataFrame({"y": [1.0, 5.0, 2.5], "x": [1.0, 2.5, 7.0]})
    with pytest.raises(DataError, match=r"IpsoA needs more than 3 records complete in columns and given.*there are 3"):
        IpsoA(columns=("y",), given=("x",)).mask(Microdata(frame), RNG)


def test_refuses_a_date_to_predict_from() -> None:
    schema = Schema(variables=(Variable(name="y", kind="continuous"), Variable(name="born", kind="date")))
    frame = pl.DataFrame({"y": [1.0, 2.0], "born": ["2001-01-01", "2002-02-02"]}).with_columns(
        pl.col("born").str.to_date()
    )
    with pytest.raises(KindError, match=r"IpsoA.given: 'born' is date; expected continuous, nominal or ordinal"):
        IpsoA(columns=("y",), given=("born",)).mask(Microdata(frame, schema), RNG)


def test_refuses_a_given_column_without_a_value() -> None:
    data = people(1)
    empty = Microdata(data.frame.with_columns(rent=pl.lit(None, dtype=pl.Float64)), data.schema)
    with pytest.raises(DataError, match=r"IpsoA.given: 'rent' has no observed value; leave it out"):
        METHOD.mask(empty, RNG)


def test_needs_columns_to_predict_from() -> None:
    with pytest.raises(ParameterError, match=r"^IpsoA.given is required$"):
        IpsoA(columns=Y)  # type: ignore[call-arg]
