import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking.synthesis.tree_imputation import TreeImputation, leaf_draw


def jobs(n: int = 600) -> Microdata:
    rng = np.random.default_rng(1)
    job, age = rng.integers(0, 3, n), rng.uniform(20, 70, n)
    pay = np.choose(job, [np.zeros(n), 1000 + 10 * (age - 45) ** 2, 9000.0]) + rng.random(n)
    return Microdata(pl.DataFrame({"job": np.array(["none", "clerk", "boss"])[job], "age": age, "pay": pay}))


@given(seed=st.integers(0, 99), n=st.integers(6, 60), min_leaf=st.integers(2, 8))
def test_each_donor_is_another_record_of_the_leaf(seed: int, n: int, min_leaf: int) -> None:
    rng = np.random.default_rng(seed)
    known = np.vstack([np.ones(n), rng.integers(0, 3, n)]).astype(float)
    values = 100 * known[1] + rng.random(n)  # a tree splits by the group before anything else
    drawn = leaf_draw(values, known, known, min_leaf, rng)
    assert np.isin(drawn, values).all()
    assert not (drawn == values).any()
    sizes = np.bincount(known[1].astype(int), minlength=3)
    if (sizes >= min_leaf).all():
        assert np.array_equal(drawn // 100, known[1])


def test_relations_that_are_not_linear_are_kept() -> None:
    data = jobs()
    masked = run_step(TreeImputation(columns=("pay",), given=("job", "age")), data, seed=1, step=0).frame
    assert masked.filter(pl.col("job") == "none")["pay"].max() < 2
    assert masked.filter(pl.col("job") == "boss")["pay"].min() >= 9000
    clerks = masked.filter(pl.col("job") == "clerk")
    ends, middle = (
        clerks.filter((pl.col("age") - 45).abs() > 20)["pay"],
        clerks.filter((pl.col("age") - 45).abs() < 5)["pay"],
    )
    assert ends.mean() > 2 * middle.mean()


def test_larger_leaves_weaken_the_relation() -> None:
    data = jobs()
    fine, coarse = (
        run_step(TreeImputation(columns=("pay",), given=("age", "job"), min_leaf=leaf), data, seed=1, step=0).values(
            "pay"
        )
        for leaf in (5, 400)
    )
    original = data.values("pay")
    assert np.corrcoef(fine, original)[0, 1] > 0.95
    assert np.corrcoef(coarse, original)[0, 1] < 0.2


def test_donors_are_drawn_with_the_weights_of_a_bayesian_bootstrap() -> None:
    known = np.ones((1, 2000))
    drawn = leaf_draw(np.arange(2000.0), known, known, 2000, np.random.default_rng(3))
    unused = 1 - np.unique(drawn).size / 2000
    assert unused == pytest.approx(1 / 2, abs=0.05)  # with equal weights it would be exp(-1)


def test_refuses_leaves_of_a_single_record() -> None:
    with pytest.raises(ParameterError, match=r"^TreeImputation.min_leaf must be in \[2, inf\); got 1$"):
        TreeImputation(columns=("pay",), min_leaf=1)
