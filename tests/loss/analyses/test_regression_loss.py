"""Regression loss, checked against regressions and intervals computed in full."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from scipy.stats import t

from sfumato import numeric
from sfumato.contracts import Measurement
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.loss import RegressionLoss
from sfumato.loss.analyses.regression_loss import overlap
from sfumato.numerics.arrays import FloatMatrix
from tests.assessment.examples import pair
from tests.matrices import microdata

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix) -> Measurement:
    """Return the loss for the first column regressed on the others."""
    given = tuple(f"v{place}" for place in range(1, original.shape[1]))
    return RegressionLoss(columns=("v0",), given=given).measure(microdata(original), microdata(masked))


def example(n: int = 200) -> FloatMatrix:
    rng = np.random.default_rng(3)
    given = rng.normal(size=(n, 2)) @ [[1.0, 0.5], [0.0, 1.0]] * [1.0, 100.0] + 7
    return np.column_stack([given @ [2.0, 0.01] + rng.normal(size=n), given])


def noisy(original: FloatMatrix, scale: float) -> FloatMatrix:
    return np.asarray(original + scale * original.std(axis=0) * np.random.default_rng(4).normal(size=original.shape))


def plain_fit(table: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix, float]:
    """Return slopes, standard errors and the factor of the interval, from the whole design."""
    design = np.column_stack([np.ones(len(table)), table[:, 1:]])
    coefficients, residuals, rank, _ = np.linalg.lstsq(design, table[:, 0], rcond=None)
    freedom = len(table) - rank
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * residuals[0] / freedom)
    return np.asarray(coefficients[1:]), np.asarray(errors[1:]), float(t.ppf(0.975, freedom))


def plain_loss(original: FloatMatrix, masked: FloatMatrix) -> tuple[float, float]:
    (b, se, q), (c, sf, r) = plain_fit(original), plain_fit(masked)
    shares = []
    for j in range(len(b)):
        ends = (b[j] - q * se[j], b[j] + q * se[j], c[j] - r * sf[j], c[j] + r * sf[j])
        shared = max(0.0, min(ends[1], ends[3]) - max(ends[0], ends[2]))
        shares.append((shared / (ends[1] - ends[0]) + shared / (ends[3] - ends[2])) / 2)
    return 100 * (1 - float(np.mean(shares))), float(np.mean(np.abs(c - b) / se))


@pytest.mark.parametrize("scale", [0.05, 0.2, 0.5])
def test_equals_intervals_computed_in_full(scale: float) -> None:
    original = example()
    masked = noisy(original, scale)[:150]  # another number of records is fine
    found = measured(original, masked)
    loss, difference = plain_loss(original, masked)
    assert found.value == pytest.approx(loss)
    assert found.parts["RLdifference"] == pytest.approx(difference)
    assert found.parts["v0"] == found.value


def test_categories_are_held_against_the_commonest() -> None:
    original, masked = (data.take_rows(np.flatnonzero(data.observed("income"))) for data in pair())
    found = RegressionLoss(columns=("income",), given=("region",)).measure(original, masked)
    tables = []
    for data in (original, masked):
        codes, categories = data.codes("region")
        assert categories == ("north", "south", "west")
        commonest = int(np.argmax(np.bincount(original.codes("region")[0])))
        others = [code for code in range(3) if code != commonest]
        tables.append(np.column_stack([data.values("income"), *(codes == code for code in others)]))
    loss, difference = plain_loss(*tables)
    assert found.value == pytest.approx(loss)
    assert found.parts["RLdifference"] == pytest.approx(difference)


def test_each_target_has_its_own_regression_over_its_own_records() -> None:
    original, masked = example(), noisy(example(), 0.3)
    original[5, 0] = masked[6:9, 0] = masked[11, 2] = NAN
    measure = RegressionLoss(columns=("v0", "v1"), given=("v2",))
    found = measure.measure(microdata(original), microdata(masked))
    losses = []
    for target in (0, 1):
        pairs = [table[:, [target, 2]] for table in (original, masked)]
        losses.append(plain_loss(*(table[~np.isnan(table).any(axis=1)] for table in pairs)))
        assert found.parts[f"v{target}"] == pytest.approx(losses[-1][0])
    assert found.value == pytest.approx(np.mean([loss for loss, _ in losses]))
    assert found.parts["RLdifference"] == pytest.approx(np.mean([difference for _, difference in losses]))


def test_the_overlap_is_the_shared_length_in_shares_of_both() -> None:
    low, high = np.array([0.0, 0.0, 0.0, 0.0]), np.array([4.0, 4.0, 4.0, 4.0])
    other_low, other_high = np.array([0.0, 1.0, 2.0, 5.0]), np.array([4.0, 3.0, 10.0, 6.0])
    assert overlap(low, high, other_low, other_high).tolist() == [1.0, 0.75, 0.375, 0.0]


def test_intervals_apart_lose_all_and_no_more() -> None:
    original = example()
    masked = original.copy()
    masked[:, 0] *= -1
    found = measured(original, masked)
    assert found.value == 100.0
    assert found.parts["RLdifference"] > 10


def test_units_and_zeros_of_scales_do_not_matter() -> None:
    original, masked = example(), noisy(example(), 0.2)
    units, shift = np.array([1000.0, -0.001, 3.0]), np.array([5.0, 1e4, -1e3])
    found = measured(original * units + shift, masked * units + shift)
    expected = measured(original, masked)
    assert found.value == pytest.approx(expected.value, rel=1e-6)
    assert found.parts["RLdifference"] == pytest.approx(expected.parts["RLdifference"], rel=1e-6)


def test_more_noise_loses_more() -> None:
    losses = [measured(example(2000), noisy(example(2000), scale)) for scale in (0.0, 0.01, 0.1, 1.0)]
    assert losses[0].value == pytest.approx(0, abs=1e-9)
    assert [loss.value for loss in losses] == sorted(loss.value for loss in losses)
    differences = [loss.parts["RLdifference"] for loss in losses]
    assert differences == sorted(differences)


def test_a_predictor_that_others_give_is_left_out() -> None:
    original, masked = example(), noisy(example(), 0.2)
    with_sum = [np.column_stack([table, table[:, 1] + table[:, 2]]) for table in (original, masked)]
    with_constant = [np.column_stack([table, np.full(len(table), 0.1)]) for table in (original, masked)]
    expected = measured(original, masked).value
    assert measured(*with_sum).value == pytest.approx(expected)
    assert measured(*with_constant).value == pytest.approx(expected)


def test_a_slope_that_the_masked_file_no_longer_has_is_fully_lost() -> None:
    original = example()
    masked = original.copy()
    masked[:, 2] = 0.1
    found = measured(original, masked)
    slopes, errors, _ = plain_fit(original)
    kept = plain_fit(masked[:, :2])[0][0]
    first = plain_loss_of_first(original, masked)
    assert found.value == pytest.approx((first + 100) / 2)
    expected = np.mean([abs(kept - slopes[0]) / errors[0], abs(slopes[1]) / errors[1]])
    assert found.parts["RLdifference"] == pytest.approx(expected)


def plain_loss_of_first(original: FloatMatrix, masked: FloatMatrix) -> float:
    """Return the loss of the first slope where the masked regression has only that."""
    (b, se, q), (c, sf, r) = plain_fit(original), plain_fit(masked[:, :2])
    low, high, other_low, other_high = b[0] - q * se[0], b[0] + q * se[0], c[0] - r * sf[0], c[0] + r * sf[0]
    shared = max(0.0, min(high, other_high) - max(low, other_low))
    return float(100 * (1 - (shared / (high - low) + shared / (other_high - other_low)) / 2))


def test_categories_that_only_the_masked_file_has_are_not_taken_for_the_commonest() -> None:
    schema = Schema(variables=(Variable(name="town", kind=Kind.NOMINAL), Variable(name="y", kind=Kind.CONTINUOUS)))
    y = np.random.default_rng(0).normal(size=60) + np.repeat([0.0, 5.0, 50.0], 20)
    towns = np.repeat(["A", "B", "C"], 20)
    original = Microdata(pl.DataFrame({"town": towns, "y": y}), schema)
    masked = Microdata(pl.DataFrame({"town": np.where(towns == "C", "elsewhere", towns), "y": y}), schema)
    found = RegressionLoss(columns=("y",), given=("town",)).measure(original, masked)
    assert found.value == pytest.approx(50, abs=1e-9)  # that of B is as it was, that of C is lost


def test_exact_fits_can_be_compared() -> None:
    x = np.random.default_rng(0).normal(size=100)
    exact = np.column_stack([2 * x + 1, x])
    order = np.random.default_rng(1).permutation(100)
    assert measured(exact, exact[order]).value == pytest.approx(0, abs=0.1)
    other = measured(exact, np.column_stack([3 * x, x]))
    assert (other.value, other.parts["RLdifference"]) == (100.0, 1000.0)


def test_a_rule_leaves_out_the_targets() -> None:
    files = [microdata(table) for table in (example(), noisy(example(), 0.2))]
    by_rule = RegressionLoss(columns=("v0",), given=numeric).measure(*files)
    assert by_rule == RegressionLoss(columns=("v0",), given=("v1", "v2")).measure(*files)
    with pytest.raises(DataError, match=r"RegressionLoss.given: numeric picks no column beside the targets"):
        RegressionLoss(columns=numeric, given=numeric).measure(*files)


def test_refuses_a_target_that_is_also_given() -> None:
    with pytest.raises(DataError, match=r"RegressionLoss.given: 'tax' is also in columns; name it in one of the two"):
        RegressionLoss(columns=("income", "tax"), given=("tax",)).measure(*pair())


def test_refuses_a_given_column_that_the_masked_file_lacks() -> None:
    original, masked = pair()
    with pytest.raises(UnknownColumnError, match=r"RegressionLoss.given: the masked file has no column 'tax'"):
        RegressionLoss(columns=("income",), given=("tax",)).measure(original, masked.without_columns(("tax",)))


def test_refuses_a_given_column_of_two_kinds_or_of_dates() -> None:
    original, masked = pair()
    as_ordinal = masked.with_schema(masked.schema.with_kinds(nominal=["health"]))
    with pytest.raises(
        KindError, match=r"RegressionLoss.given: 'health' is ordinal in the original and nominal in the"
    ):
        RegressionLoss(columns=("income",), given=("health",)).measure(original, as_ordinal)
    born = Variable(name="region", kind=Kind.DATE)
    dated = [data.with_column(born, [date(1990, 2, 1)] * data.n) for data in (original, masked)]
    with pytest.raises(KindError, match=r"RegressionLoss.given: 'region' is date; expected continuous, nominal or"):
        RegressionLoss(columns=("income",), given=("region",)).measure(*dated)


def test_refuses_a_given_column_without_a_value() -> None:
    original, masked = example(), example()
    masked[:, 1] = NAN
    with pytest.raises(DataError, match=r"RegressionLoss.given: 'v1' has no observed value in the masked file"):
        measured(original, masked)


def test_refuses_a_constant_target() -> None:
    original = example()
    original[:, 0] = 0.3
    with pytest.raises(DataError, match=r"RegressionLoss.columns: 'v0' is constant in the original; leave it out"):
        measured(original, example())


def test_refuses_given_columns_that_do_not_vary() -> None:
    original = example()
    original[:, 1:] = 0.3
    with pytest.raises(DataError, match=r"RegressionLoss.given: no given column varies in the original"):
        measured(original, example())


def test_refuses_no_more_records_than_coefficients() -> None:
    with pytest.raises(
        DataError, match="needs more complete records than coefficients for 'v0'; the masked file has 1"
    ):
        measured(example(), example()[:3])
    apart = example()
    apart[1:, 1] = NAN
    with pytest.raises(
        DataError, match="needs at least 2 records with 'v0' and all given columns; the masked file has"
    ):
        measured(example(), apart)
