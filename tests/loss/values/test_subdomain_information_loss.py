"""Subdomain information loss, checked against information loss of each part and simulated noise."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Measurement
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.loss import InformationLoss, SubdomainInformationLoss
from sfumato.masking import CorrelatedNoise, corrected_moments
from sfumato.numerics.arrays import FloatColumn, Rows

NAMES = ("a", "b")
PARTS = tuple(f"ILsub{place}" for place in range(1, 6))
SCHEMA = Schema(
    variables=(
        *(Variable(name=name, kind=Kind.CONTINUOUS) for name in NAMES),
        *(Variable(name=name, kind=Kind.NOMINAL) for name in ("town", "sex")),
    )
)


def file(n: int = 600, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    town = np.array(["north", "south", "west"])[rng.integers(3, size=n)]
    a = np.where(town == "south", 20.0, 8.0) + np.where(town == "west", 1.0, 3.0) * rng.gamma(2.0, size=n)
    sex = pl.Series([None if i % 11 == 0 else "fm"[i % 2] for i in range(n)])
    return Microdata(pl.DataFrame({"a": a, "b": 5 + 0.5 * a + rng.normal(size=n), "town": town, "sex": sex}), SCHEMA)


def noisy(data: Microdata, seed: int = 2) -> Microdata:
    rng = np.random.default_rng(seed)
    return data.map_columns(NAMES, lambda _, values: values + rng.normal(size=values.size))


def measured(original: Microdata, masked: Microdata, **parameters: object) -> Measurement:
    settings = {"columns": NAMES, "within": ("town",), **parameters}
    return SubdomainInformationLoss(**settings).measure(original, masked)


def loss_of(original: Microdata, masked: Microdata, rows: Rows) -> FloatColumn:
    """Return the five parts of the information loss of some records as files of their own."""
    found = InformationLoss(columns=NAMES).measure(original.take_rows(rows), masked.take_rows(rows))
    return np.array([found.parts[f"IL{place}"] for place in range(1, 6)])


@pytest.mark.parametrize("within", [("town",), ("town", "sex")])
def test_is_the_mean_information_loss_of_the_subdomains(within: tuple[str, ...]) -> None:
    original, masked = file(), noisy(file())
    expected = [loss_of(original, masked, rows) for rows in original.strata(within)]
    found = measured(original, masked, within=within, min_records=2)
    assert [found.parts[name] for name in PARTS] == pytest.approx(np.mean(expected, axis=0))
    assert found.value == pytest.approx(np.mean(expected))
    assert found.per_record is None


def test_names_the_loss_of_each_subdomain_by_its_categories() -> None:
    original, masked = file(), noisy(file())
    found = measured(original, masked, within=("town", "sex"), min_records=2).parts
    domains = {f"town={town}, sex={sex}" for town in ("north", "south", "west") for sex in ("f", "m", "(missing)")}
    assert set(found) == {*PARTS, *domains}
    rows = np.flatnonzero(((original.table["town"] == "west") & (original.table["sex"] == "f")).to_numpy())
    assert found["town=west, sex=f"] == pytest.approx(loss_of(original, masked, rows).mean())


def test_missing_values_are_treated_as_information_loss_treats_them() -> None:
    rng = np.random.default_rng(4)
    original, masked = file(), noisy(file())
    holes = [pl.Series(rng.random((600, 2)) < 0.2).arr.to_list() for _ in range(2)]

    def with_holes(data: Microdata, gaps: pl.Series) -> Microdata:
        lost = [pl.when(~gaps.list.get(place)).then(pl.col(name)).alias(name) for place, name in enumerate(NAMES)]
        return Microdata(data.frame.with_columns(lost), SCHEMA)

    original, masked = with_holes(original, holes[0]), with_holes(masked, holes[1])
    expected = [loss_of(original, masked, rows) for rows in original.strata(("town",))]
    assert measured(original, masked).value == pytest.approx(np.mean(expected))


def test_a_masked_record_belongs_to_the_subdomain_of_its_original() -> None:
    original, masked = file(), noisy(file())
    expected = measured(original, masked).value
    elsewhere = masked.frame.with_columns(town=pl.lit("north"))
    assert measured(original, Microdata(elsewhere, SCHEMA)).value == pytest.approx(expected)
    order = np.random.default_rng(1).permutation(600)
    assert measured(original, masked.take_rows(order)).value == pytest.approx(expected)


def test_small_subdomains_are_left_out() -> None:
    data = file()
    rare = pl.Series(["rare"] * 9 + data.frame["town"].to_list()[9:])
    original = Microdata(data.frame.with_columns(town=rare), SCHEMA)
    assert "town=rare" not in measured(original, noisy(original), min_records=10).parts
    assert "town=rare" in measured(original, noisy(original), min_records=9).parts
    few = noisy(original).take_rows(np.arange(2, 600))  # seven of its records were released
    assert "town=rare" not in measured(original, few, min_records=9).parts


def test_a_column_lost_in_a_subdomain_has_lost_all_its_moments_there() -> None:
    data = file()
    gone = data.frame.with_columns(b=pl.when(pl.col("town") != "west").then("b"))
    found = measured(data, Microdata(gone, SCHEMA)).parts
    assert found["town=north"] == found["town=south"] == 0.0
    # of value, mean, three covariances, variance and correlation the half, two thirds and all that are of b
    correlation = np.corrcoef(*data.matrix(NAMES)[(data.table["town"] == "west").to_numpy()].T)[0, 1]
    assert found["town=west"] == pytest.approx(100 * np.mean([1 / 2, 1 / 2, 2 / 3, 1 / 2, correlation]))


def test_a_column_without_a_value_in_a_subdomain_is_left_out_there() -> None:
    gone = file().frame.with_columns(b=pl.when(pl.col("town") != "west").then("b"))
    original = Microdata(gone, SCHEMA)
    rows = np.flatnonzero((original.table["town"] == "west").to_numpy())
    masked = noisy(original)
    expected = InformationLoss(columns=("a",)).measure(original.take_rows(rows), masked.take_rows(rows)).value
    assert measured(original, masked).parts["town=west"] == pytest.approx(expected)


@pytest.mark.parametrize("rescaled", [False, True])
def test_corrects_as_users_of_the_masked_file_do(rescaled: bool) -> None:
    original = file()
    noise = CorrelatedNoise(columns=NAMES, variance_ratio=0.5, rescaled=rescaled)
    masked = noise.mask(original, np.random.default_rng(3))
    found = measured(original, masked, noise_ratio=0.5, rescaled=rescaled).parts
    corrected = corrected_moments(masked, noise, within=("town",)).domains
    means, variances, covariances, correlations = [], [], [], []
    for domain, after in corrected.items():
        before = original.matrix(NAMES)[(original.table["town"] == domain[0]).to_numpy()]
        covariance, truth = after.covariance, np.cov(before, rowvar=False)
        change = np.abs(covariance / truth - 1)
        means.append(np.mean(np.abs(after.means / before.mean(axis=0) - 1)))
        covariances.append(np.mean(change[np.triu_indices(2)]))
        variances.append(np.mean(np.diag(change)))
        correlation = covariance[0, 1] / np.sqrt(np.prod(np.diag(covariance)))
        correlations.append(abs(np.clip(correlation, -1, 1) - np.corrcoef(*before.T)[0, 1]))
    expected = [100 * np.mean(errors) for errors in (means, covariances, variances, correlations)]
    assert [found[name] for name in PARTS[1:]] == pytest.approx(expected)


@pytest.mark.parametrize("rescaled", [False, True])
def test_correction_lowers_the_loss_under_much_noise(rescaled: bool) -> None:
    original = file(n=6000)
    noise = CorrelatedNoise(columns=NAMES, variance_ratio=1.0, rescaled=rescaled)
    plain, corrected = [], []
    for seed in range(10):
        masked = noise.mask(original, np.random.default_rng(seed))
        plain.append(measured(original, masked).parts)
        corrected.append(measured(original, masked, noise_ratio=1.0, rescaled=rescaled).parts)
    for name in ("ILsub3", "ILsub4"):  # covariances and variances, which noise spreads
        lowered = [after[name] / before[name] for before, after in zip(plain, corrected, strict=True)]
        assert max(lowered) < 0.5
    assert all(after["ILsub1"] == before["ILsub1"] for before, after in zip(plain, corrected, strict=True))


def test_a_corrected_variance_is_never_negative() -> None:
    original = file()
    # a subdomain of equal records in a noisy file, and less noise than is stated: too much is taken away
    frame = original.frame.with_columns(a=pl.when(pl.col("town") == "west").then(8.0).otherwise("a"))
    data = Microdata(frame, SCHEMA)
    masked = CorrelatedNoise(columns=NAMES, variance_ratio=0.1).mask(data, np.random.default_rng(1))
    found = measured(data, masked, noise_ratio=5.0)
    assert np.isfinite([found.value, *found.parts.values()]).all()
    assert max(found.parts["ILsub4"], found.parts["ILsub5"]) <= 100


def test_refuses_files_without_a_subdomain_of_enough_records() -> None:
    with pytest.raises(DataError, match=r"within: none of the 3 subdomains has 601 records in both files; name fewer"):
        measured(file(), noisy(file()), min_records=601)


def test_refuses_rescaling_without_the_ratio() -> None:
    with pytest.raises(ParameterError, match=r"SubdomainInformationLoss.rescaled needs the noise_ratio"):
        SubdomainInformationLoss(columns=NAMES, within=("town",), rescaled=True)


def test_refuses_no_columns_or_unknown_ones_to_make_subdomains() -> None:
    with pytest.raises(ParameterError, match=r"SubdomainInformationLoss.within must name at least one column"):
        SubdomainInformationLoss(columns=NAMES, within=())
    with pytest.raises(UnknownColumnError, match="there is no column 'tow'; did you mean 'town'"):
        measured(file(), file(), within=("tow",))
