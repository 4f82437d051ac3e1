from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.datasets import demo
from sfumato.errors import DataError, KindError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import SequentialSynthesis
from sfumato.masking.synthesis._donor_trees import draw_from_leaves, ordered_categories
from sfumato.masking.synthesis.sequential_synthesis import smooth

MIXED = ("region", "age", "sex", "marital_status", "education", "employment_status", "occupation", "wage_income")


def synthetic(data: Microdata, *columns: str, seed: int = 1, **parameters: object) -> Microdata:
    return run_step(SequentialSynthesis(columns=columns, **parameters), data, seed=seed, step=0)


def numbers(data: Microdata, names: tuple[str, ...]) -> np.ndarray:
    """Return columns of any kind as numbers, codes for categories; missing is far below all others."""
    columns = [data.codes(n)[0] if data.schema[n].kind is Kind.NOMINAL else data.values(n) for n in names]
    return np.nan_to_num(np.column_stack(columns).astype(np.float64), nan=-1e9)


@pytest.mark.parametrize("seed", range(2))
def test_a_tree_can_hardly_tell_synthetic_records_from_original_ones(seed: int) -> None:
    from sklearn.tree import DecisionTreeClassifier

    names = (*MIXED, "transfer_income", "tax")
    data = demo()
    both = np.vstack([numbers(data, names), numbers(synthetic(data, *names, seed=seed), names)])
    is_synthetic = np.repeat([0, 1], data.n)
    tree = DecisionTreeClassifier(min_samples_leaf=len(both) // 100, random_state=0).fit(both, is_synthetic)
    propensities = tree.predict_proba(both)[:, 1]
    assert ((propensities - 0.5) ** 2).mean() <= 0.003


def test_relations_that_are_not_linear_survive() -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, 3000)
    data = Microdata(pl.DataFrame({"x": x, "y": x**2 + rng.normal(0, 0.05, 3000)}))
    masked = synthetic(data, "x", "y")
    left = masked.values("y") - masked.values("x") ** 2
    assert left.std() < 0.07
    assert abs(np.corrcoef(masked.values("x"), masked.values("y"))[0, 1]) < 0.1


def test_combinations_that_never_occur_stay_away() -> None:
    rng = np.random.default_rng(2)
    is_child = rng.random(2000) < 0.3
    frame = pl.DataFrame(
        {
            "age": np.where(is_child, rng.integers(0, 15, 2000), rng.integers(15, 90, 2000)),
            "status": np.where(is_child, "single", rng.choice(["single", "married", "widowed"], 2000)),
            "wage": np.where(is_child, 0.0, np.exp(rng.normal(7, 1, 2000))),
        }
    )
    masked = synthetic(Microdata(frame), "age", "status", "wage").frame
    children = masked.filter(pl.col("age") < 15)
    assert len(children) > 400
    assert set(children["status"]) == {"single"}
    assert children["wage"].max() == 0.0


def test_without_given_columns_rows_are_arbitrary() -> None:
    x = np.random.default_rng(3).normal(size=4000)
    data = Microdata(pl.DataFrame({"x": x, "y": x + 1e-3 * x**2}))
    masked = synthetic(data, "x", "y")
    assert abs(np.corrcoef(x, masked.values("y"))[0, 1]) < 5 / np.sqrt(4000)


def test_given_columns_stay_and_predict() -> None:
    x = np.random.default_rng(4).normal(size=1000)
    data = Microdata(pl.DataFrame({"x": x, "y": 3 * x}))
    masked = synthetic(data, "y", given=("x",))
    assert np.array_equal(masked.values("x"), x)
    assert np.corrcoef(x, masked.values("y"))[0, 1] > 0.999
    assert np.mean(masked.values("y") == 3 * x) < 0.25  # own donors: at most one in min_leaf, here 5


def test_larger_leaves_blur_more() -> None:
    x = np.random.default_rng(5).normal(size=2000)
    data = Microdata(pl.DataFrame({"x": x, "y": 3 * x}))
    moved = [np.abs(synthetic(data, "y", given=("x",), min_leaf=k).values("y") - 3 * x).mean() for k in (2, 5, 50, 500)]
    assert moved == sorted(moved)


def test_missing_values_come_as_often_and_where_they_belong() -> None:
    rng = np.random.default_rng(6)
    region = rng.choice(["north", "south"], 4000)
    income = np.where((region == "north") & (rng.random(4000) < 0.4), np.nan, rng.lognormal(size=4000))
    data = Microdata(pl.DataFrame({"region": region, "income": income}).with_columns(pl.col("income").fill_nan(None)))
    masked = synthetic(data, "region", "income")
    gaps = masked.frame.group_by("region").agg(pl.col("income").null_count() / pl.len()).rows_by_key("region")
    assert gaps["south"][0][0] == 0.0
    assert gaps["north"][0][0] == pytest.approx(0.4, abs=5 * np.sqrt(2 * 0.24 / 2000))


def test_missing_values_of_a_predictor_predict() -> None:
    rng = np.random.default_rng(7)
    x = np.where(rng.random(2000) < 0.3, np.nan, rng.normal(size=2000))
    data = Microdata(
        pl.DataFrame({"x": pl.Series(x).fill_nan(None), "y": np.where(np.isnan(x), 100.0, np.nan_to_num(x))})
    )
    masked = synthetic(data, "x", "y")
    assert np.array_equal(masked.values("y") == 100.0, np.isnan(masked.values("x")))


def test_missing_codes_are_drawn_as_they_are() -> None:
    tax = np.where(np.arange(600) % 3 == 0, np.where(np.arange(600) % 2 == 0, -9, -8), np.arange(600))
    schema = Schema(variables=(Variable(name="tax", kind="continuous", missing_codes=(-9, -8)),))
    masked = synthetic(Microdata(pl.DataFrame({"tax": tax}), schema), "tax")
    assert masked.frame["tax"].dtype == pl.Int64
    counts = {code: int((masked.frame["tax"] == code).sum()) for code in (-9, -8)}
    assert all(60 < count < 140 for count in counts.values())  # 100 each, give or take five deviations


def test_a_column_of_hundreds_of_categories_is_synthesised_and_predicts() -> None:
    rng = np.random.default_rng(8)
    town = rng.integers(0, 300, 6000)
    frame = pl.DataFrame({"town": [f"town {t}" for t in town], "rent": 10.0 * town + rng.normal(size=6000)})
    masked = synthetic(Microdata(frame), "town", "rent").frame
    number = masked["town"].str.strip_prefix("town ").cast(pl.Float64)
    assert np.corrcoef(number, masked["rent"])[0, 1] > 0.99
    back = synthetic(Microdata(frame), "town", given=("rent",)).frame
    assert np.corrcoef(back["town"].str.strip_prefix("town ").cast(pl.Float64), back["rent"])[0, 1] > 0.9


def test_in_a_stratum_where_a_column_has_no_value_it_has_none_after() -> None:
    frame = pl.DataFrame({"x": [None] * 20 + [float(i) for i in range(20)], "half": ["a"] * 20 + ["b"] * 20})
    masked = synthetic(Microdata(frame), "x", within=("half",)).frame
    assert masked["x"][:20].null_count() == 20
    assert masked["x"][20:].null_count() == 0


def test_the_bootstrap_adds_the_uncertainty_of_the_estimates() -> None:
    data = Microdata(pl.DataFrame({"x": np.random.default_rng(9).normal(size=200)}))
    spread = {}
    for bootstrap in (False, True):
        means = [synthetic(data, "x", seed=s, bootstrap=bootstrap).values("x").mean() for s in range(400)]
        spread[bootstrap] = np.var(means)
    # n draws around an estimate that itself varies as a mean of n does: twice the variance
    assert spread[True] / spread[False] == pytest.approx(2, rel=5 * 2 / np.sqrt(2 * 400))


@given(seed=st.integers(0, 999), n=st.integers(2, 40), fewest=st.integers(2, 4))
def test_smoothing_stays_half_way_to_the_neighbours(seed: int, n: int, fewest: int) -> None:
    rng = np.random.default_rng(seed)
    original = rng.integers(0, 20, n).astype(np.float64)
    after = smooth(original, np.append(original, np.nan), fewest, rng)
    for before, moved in zip(original, after, strict=True):
        if np.sum(original == before) >= fewest:
            assert moved == before
        else:
            below = max(original[original < before], default=before)
            above = min(original[original > before], default=before)
            assert (before + below) / 2 <= moved <= (before + above) / 2


def test_smoothing_leaves_no_rare_value_as_it_was() -> None:
    x = np.random.default_rng(10).lognormal(size=500)
    x[:100] = 0.0
    data = Microdata(pl.DataFrame({"x": x}))
    plain, smooth = (synthetic(data, "x", smoothing=choice).values("x") for choice in (False, True))
    assert np.isin(plain, x).all()
    assert set(smooth[np.isin(smooth, x)]) == {0.0}


@given(seed=st.integers(0, 999))
def test_donors_come_from_the_wanted_leaf_with_their_weights(seed: int) -> None:
    rng = np.random.default_rng(seed)
    leaves = rng.integers(0, 5, 60)
    wanted = rng.choice(leaves, 100)
    weights = np.where(np.arange(60) % 2 == 0, rng.exponential(size=60), 0.0)
    weights[np.unique(leaves, return_index=True)[1]] = 1.0  # no leaf without weight
    donors = draw_from_leaves(leaves, wanted, weights, rng.random(100))
    assert np.array_equal(leaves[donors], wanted)
    assert (weights[donors] > 0).all()


def test_donors_are_drawn_in_proportion_to_their_weights() -> None:
    weights, n = np.array([1.0, 5.0, 3.0, 1.0]), 40_000
    rng = np.random.default_rng(11)
    donors = draw_from_leaves(np.array([0, 7, 7, 0]), np.full(n, 7), weights, rng.random(n))
    assert np.mean(donors == 1) == pytest.approx(5 / 8, abs=5 * np.sqrt(15 / 64 / n))


@settings(max_examples=30)
@given(seed=st.integers(0, 999), classes=st.integers(0, 2))
def test_the_best_split_of_categories_is_a_split_of_their_order(seed: int, classes: int) -> None:
    """For numbers and two classes this is a theorem; by brute force over all sets of categories."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 6, 120)
    response = rng.normal(size=120) + codes % 3 if classes < 2 else (rng.random(120) < codes / 8).astype(np.int64)

    def left_over(chosen: tuple[int, ...]) -> float:
        inside = np.isin(codes, chosen)
        return sum(float(part.var() * part.size) for part in (response[inside], response[~inside]) if part.size)

    order = np.argsort(ordered_categories(codes, response, 6, 1))
    best = min(left_over(chosen) for size in range(1, 6) for chosen in combinations(range(6), size))
    assert min(left_over(tuple(order[:size])) for size in range(1, 6)) == pytest.approx(best)


def test_categories_of_like_classes_are_near() -> None:
    codes = np.repeat(np.arange(4), 30)
    shares = [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8], [0.75, 0.15, 0.1], [0.1, 0.2, 0.7]]
    rng = np.random.default_rng(12)
    response = np.concatenate([rng.choice(3, 30, p=share) for share in shares])
    places = ordered_categories(codes, response, 4, 1)
    assert abs(places[0] - places[2]) < 0.5 * abs(places[0] - places[1])
    assert abs(places[1] - places[3]) < 0.5 * abs(places[0] - places[1])


def test_a_category_of_few_records_shows_nothing_of_its_response() -> None:
    places = ordered_categories(np.array([0] * 9 + [1] * 9 + [2]), np.array([0.0] * 9 + [1.0] * 9 + [99.0]), 3, 5)
    assert places[2] == 0.0
    assert abs(places[0]) != abs(places[1])


def test_refuses_a_single_record() -> None:
    with pytest.raises(DataError, match="needs at least 5 values in"):
        synthetic(Microdata(pl.DataFrame({"x": [1.5]})), "x")


def test_refuses_a_date() -> None:
    frame = pl.DataFrame({"born": ["2001-01-01", "2002-02-02"]}).with_columns(pl.col("born").str.to_date())
    with pytest.raises(KindError, match=r"SequentialSynthesis.columns: 'born' is date; expected"):
        synthetic(Microdata(frame), "born")


def test_refuses_leaves_without_donors() -> None:
    with pytest.raises(ParameterError, match=r"^SequentialSynthesis.min_leaf must be in \[2, inf\); got 0$"):
        SequentialSynthesis(columns=("x",), min_leaf=0)
