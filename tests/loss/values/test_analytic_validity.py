"""Winkler's conditions, checked against plain loops over the figures and against what noise must do to them."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from scipy.stats import ks_2samp

from sfumato.contracts import Measurement
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.loss import AnalyticValidity

N = 800
COLUMNS = ("pay", "tax", "rent")
FAR = 2 * np.sqrt(2)  # standard errors of one sample that are two of the difference of two


def people(seed: int = 0, noise: float = 0.0, n: int = N, moved: float = 0.0) -> pl.DataFrame:
    """Return the same persons with noise of a variance ratio, and with some of them moved to another region."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n, 3)) @ [[1, 0.5, 0], [0, 1, 0.3], [0, 0, 1]] * [[9.0, 2.0, 4.0]] + [[50, 8, 12]]
    sex, region = rng.integers(0, 2, n), rng.integers(0, 3, n)
    draws = np.random.default_rng(seed + 1)
    values = values + np.sqrt(noise) * values.std(axis=0) * draws.normal(size=values.shape)
    region = np.where(draws.random(n) < moved, 0, region)
    return pl.DataFrame(
        {
            **dict(zip(COLUMNS, values.T, strict=True)),
            "sex": np.array(["f", "m"])[sex],
            "region": np.array(list("nsw"))[region],
        }
    )


def measured(masked: pl.DataFrame, original: pl.DataFrame | None = None, **parameters: object) -> Measurement:
    measure = AnalyticValidity(**{"columns": COLUMNS, "within": ("sex", "region"), **parameters})
    return measure.measure(Microdata(people() if original is None else original), Microdata(masked))


def plain_errors(columns: np.ndarray) -> tuple[np.ndarray, dict[tuple[int, int], float]]:
    """Return the standard errors of means and covariances, from the products of the deviations."""
    n = len(columns)
    apart = columns - columns.mean(axis=0)
    covariance = {}
    for i in range(3):
        for j in range(i, 3):
            products = apart[:, i] * apart[:, j]
            spread = np.mean(apart[:, i] ** 2) * np.mean(apart[:, j] ** 2)
            extra = (spread + np.mean(products) ** 2) / (n - 1)
            covariance[i, j] = np.sqrt((products.var() + extra) / n)
    return columns.std(axis=0, ddof=1) / np.sqrt(n), covariance


def plain_moments(before: pl.DataFrame, after: pl.DataFrame) -> list[bool]:
    """Tell of each mean and covariance, in the file and in each sex and region, whether it is off."""
    parts = [pl.lit(value=True)] + [
        (pl.col("sex") == sex) & (pl.col("region") == region) for sex in "fm" for region in "nsw"
    ]
    off = []
    for part in parts:
        old, new = (frame.filter(part).select(COLUMNS).to_numpy() for frame in (before, after))
        of_means, of_covariances = plain_errors(old)
        off += (np.abs(new.mean(axis=0) - old.mean(axis=0)) > FAR * of_means).tolist()
        changes = np.abs(np.cov(new.T) - np.cov(old.T))
        off += [bool(changes[pair] > FAR * error) for pair, error in of_covariances.items()]
    return off


def plain_tables(before: pl.DataFrame, after: pl.DataFrame) -> list[bool]:
    off = []
    for names in [["sex"], ["region"], *map(list, combinations(["sex", "region"], 2))]:
        for cell in before.select(names).unique().rows():
            old, new = (
                (frame.select(names) == pl.DataFrame([cell] * frame.height, schema=names, orient="row"))
                .select(pl.all_horizontal(pl.all()))
                .to_series()
                .to_numpy()
                for frame in (before, after)
            )
            off.append(abs(new.mean() - old.mean()) > FAR * np.sqrt(old.mean() * (1 - old.mean()) / len(old)))
            if len(names) == 1:
                for column in COLUMNS:
                    totals = [frame[column].to_numpy() * there for frame, there in ((before, old), (after, new))]
                    error = totals[0].std(ddof=1) / np.sqrt(len(totals[0]))
                    off.append(abs(totals[1].mean() - totals[0].mean()) > FAR * error)
    return off


@pytest.mark.parametrize(("noise", "moved"), [(0.0, 0.08), (0.25, 0.02), (0.4, 0.3)])
def test_equals_plain_loops_over_the_figures(noise: float, moved: float) -> None:
    before, after = people(), people(noise=noise, moved=moved)
    found = measured(after).parts
    assert found["AVmoments"] == pytest.approx(100 * np.mean(plain_moments(before, after)))
    assert found["AVtables"] == pytest.approx(100 * np.mean(plain_tables(before, after)))
    distances = [ks_2samp(before[name], after[name]).statistic for name in COLUMNS]
    assert found["AVdistributions"] == pytest.approx(100 * np.mean(np.array(distances) > 1.358 * np.sqrt(2 / N)))
    assert found["AVmoments"] + found["AVtables"] > 0


def test_a_file_is_valid_against_itself_and_interesting_with_six_variables() -> None:
    found = measured(people())
    assert found.value == 0
    assert found.parts["AVvariables"] == 5
    assert found.remark.startswith("analytically valid, not analytically interesting: 0 %")
    more = people().with_columns(other=pl.col("sex"))
    six = measured(more, more, within=("sex", "region", "other"))
    assert six.remark.startswith("analytically valid, analytically interesting")


def test_variances_bear_as_much_noise_as_their_own_error() -> None:
    # the standard error of the variance of a normal column is sqrt(2 / n) of it: 0.05 for 800 records; 0.14 is allowed
    frames = [
        people().with_columns(pay=pl.col("pay").mean() + (pl.col("pay") - pl.col("pay").mean()) * np.sqrt(1 + d))
        for d in (0.12, 0.18)
    ]
    kept, off = (measured(frame, within=("sex",), min_records=N).parts["AVmoments"] for frame in frames)
    assert kept == 0
    assert off == pytest.approx(100 / 9)  # one of three means, three variances and three covariances


def test_a_large_file_must_be_kept_more_exactly() -> None:
    small, large = (
        measured(people(noise=0.15, n=n), people(n=n), within=("sex",)).parts["AVmoments"] for n in (400, 2400)
    )
    assert small < large


def test_synthetic_records_of_another_number_from_the_same_law_are_mostly_valid() -> None:
    whole = people(n=6000)
    found = measured(whole[3000:5000], whole[:3000])
    assert found.parts["AVmoments"] <= 12
    assert found.parts["AVtables"] <= 12
    assert found.remark.startswith("analytically valid")


def another_sample(rng: np.random.Generator, n: int) -> pl.DataFrame:
    sex, region = rng.integers(0, 2, n), rng.choice(3, n, p=[0.5, 0.3, 0.2])
    values = 10 + rng.normal(size=(n, 3)) @ [[1, 0.7, 0.7], [0, 0.7, 0.3], [0, 0, 0.6]] + sex[:, None]
    return (
        pl.DataFrame(values, schema=COLUMNS)
        .with_columns(sex=pl.Series(sex), region=pl.Series(region))
        .cast({"sex": pl.String, "region": pl.String})
    )


@pytest.mark.parametrize("m", [400, 200])
def test_another_sample_of_the_same_population_is_valid_and_a_noisy_one_is_not(m: int) -> None:
    rng = np.random.default_rng(5)
    pairs = [(another_sample(rng, 400), another_sample(rng, m)) for _ in range(8)]
    valid = [measured(after, before).remark.startswith("analytically valid") for before, after in pairs]
    assert sum(valid) >= 6  # 95 % are expected; fewer than 6 come in 0.6 % of such eights
    noisy = pl.col(COLUMNS) + pl.lit(pl.Series(rng.normal(0, 1.2, m)))
    assert all(
        measured(after.with_columns(noisy), before).remark.startswith("not analytically valid")
        for before, after in pairs[:2]
    )


def test_a_whole_file_that_is_clearly_off_is_not_hidden_by_many_small_domains() -> None:
    # a variance that grows by 0.32 moves 4.5 standard errors of a difference for 800 records, 1.9 for a sixth of them
    centre = pl.col("pay").mean()
    found = measured(people().with_columns(pay=centre + (pl.col("pay") - centre) * np.sqrt(1.32)))
    assert found.parts["AVmoments"] < 10  # so many are off in another sample too
    assert found.remark.startswith("not analytically valid")
    assert "in the whole file 11.11 % of the means and covariances and 0 % of the correlations" in found.remark


def test_values_that_are_gone_are_off() -> None:
    gone = people().with_columns(pay=pl.when(pl.col("sex") == "f").then(pl.col("pay")))
    found = measured(gone, within=("sex",))
    # of the men the mean, the variance and two covariances of pay cannot be computed any more
    assert found.parts["AVmoments"] == pytest.approx(100 * 4 / 27)
    assert "not analytically valid" in found.remark


def test_a_category_that_only_the_masked_file_has_is_off_in_the_tables() -> None:
    changed = people().with_columns(region=pl.when(pl.col("region") == "w").then(pl.lit("x")).otherwise("region"))
    assert measured(changed).parts["AVtables"] > 30


def incomes(n: int, rng: np.random.Generator) -> pl.DataFrame:
    """Return columns with heavy tails, whose covariances have errors as large as they are."""
    values = np.exp(1.5 * rng.normal(size=(n, 3)) @ [[1, 0.6, 0.6], [0, 0.8, 0.4], [0, 0, 0.7]])
    return pl.DataFrame(values, schema=COLUMNS).with_columns(sex=pl.Series(["f", "m"] * (n // 2)), region=pl.lit("n"))


def test_a_file_whose_relations_are_lost_is_not_valid_however_heavy_the_tails() -> None:
    rng = np.random.default_rng(3)
    before = incomes(400, rng)
    for _ in range(2):
        shuffled = before.with_columns(before[name].gather(rng.permutation(400)).alias(name) for name in COLUMNS)
        found = measured(shuffled, before)
        assert found.parts["AVrelations"] == 100
        assert found.remark.startswith("not analytically valid")
    samples = [measured(incomes(400, rng), before).remark.startswith("analytically valid") for _ in range(5)]
    assert sum(samples) >= 2  # 85 % are expected; fewer than 2 come in 0.2 % of such fives


def test_relations_equal_plain_correlations_of_cut_values() -> None:
    before, after = people(), people(noise=0.25)
    off = []
    for part in [pl.lit(value=True), pl.col("sex") == "f", pl.col("sex") == "m"]:
        old, new = (frame.filter(part).select(COLUMNS).to_numpy() for frame in (before, after))
        low, high = np.quantile(old, [0.025, 0.975], axis=0)
        cut, other = np.clip(old, low, high), np.clip(new, low, high)
        z = [np.arctanh(np.corrcoef(values.T)[np.triu_indices(3, 1)]) for values in (cut, other)]
        off += (np.abs(z[1] - z[0]) > FAR * jackknife_errors(cut)).tolist()
    assert measured(after, within=("sex",)).parts["AVrelations"] == pytest.approx(100 * np.mean(off))
    assert 0 < np.mean(off) < 1


def jackknife_errors(values: np.ndarray) -> np.ndarray:
    """Return the standard errors of Fisher's z of the correlations, leaving out records one by one."""
    rows = range(len(values))
    z = [np.arctanh(np.corrcoef(np.delete(values, row, axis=0).T)[np.triu_indices(3, 1)]) for row in rows]
    return np.asarray(np.std(z, axis=0) * (len(values) - 1) / np.sqrt(len(values)))


def test_noise_that_moves_no_moment_is_valid_in_columns_of_zeros_and_heavy_tails_too() -> None:
    rng = np.random.default_rng(4)
    before = incomes(1000, rng).with_columns(tax=pl.when(pl.col("tax") > 1).then(pl.col("tax") - 1).otherwise(0.0))
    noise = [pl.col(name) + pl.Series(rng.normal(0, 0.03 * before[name].to_numpy().std(), 1000)) for name in COLUMNS]
    assert measured(before.with_columns(noise), before).remark.startswith("analytically valid")


def test_the_remark_says_when_relations_are_hardly_tested() -> None:
    few = people(n=40)
    assert "relations are hardly tested: 2 of 3 correlations could vanish" in measured(few, few, within=()).remark
    assert "hardly tested" not in measured(people(), columns=COLUMNS[:2], within=()).remark


def test_without_subdomains_the_whole_file_is_judged_and_the_remark_says_so() -> None:
    found = measured(people(noise=0.4), within=())
    assert found.parts["AVtables"] == 0
    conditions = [found.parts[f"AV{name}"] for name in ("moments", "relations", "distributions")]
    assert found.value == pytest.approx(np.mean(conditions))
    assert found.remark.endswith("without columns in `within` no subdomain and no table was judged")
    assert "in 1 domain" in found.remark


def test_refuses_subdomains_that_the_masked_file_does_not_have() -> None:
    with pytest.raises(DataError, match="must name columns that both files have; the masked file has no 'region'"):
        measured(people().drop("region"))


def test_refuses_no_tolerance() -> None:
    with pytest.raises(ParameterError, match=r"AnalyticValidity.tolerance must be in \(0, 1000\]; got 0"):
        AnalyticValidity(columns=("pay",), within=("sex",), tolerance=0)


def test_files_with_fewer_records_than_a_domain_must_have_are_refused() -> None:
    few = Microdata(pl.DataFrame({"x": [1.0, 2.0, 4.0], "sex": ["m", "f", "f"]}))
    with pytest.raises(DataError, match=r"AnalyticValidity\.min_records must be at most .* 3; got 30: take a smaller"):
        AnalyticValidity(columns=("x",), within=("sex",)).measure(few, few)
