import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema, Variable, summary
from sfumato.data.summary import Summary
from sfumato.numerics import selection
from sfumato.numerics.covariances import estimated_covariances

N = 500
RNG = np.random.default_rng(5)
AGES = RNG.integers(0, 80, N).astype(float)
AGES[RNG.choice(N, 20, replace=False)] = 999.0
FRAME = pl.DataFrame(
    {
        "x": np.where(RNG.random(N) < 0.2, np.nan, RNG.normal(5, 2, N)),
        "y": RNG.lognormal(size=N),
        "age": AGES,
        "region": RNG.choice(["north", "south", "refused"], N, p=[0.7, 0.29, 0.01]),
        "health": RNG.choice(["good", "bad"], N),
    }
).with_columns(pl.col("x").fill_nan(None))
SCHEMA = Schema(
    variables=(
        Variable(name="x", kind="continuous"),
        Variable(name="y", kind="continuous"),
        Variable(name="age", kind="continuous", missing_ranges=((998, 1000),)),
        Variable(name="region", kind="nominal"),
        Variable(name="health", kind="ordinal", categories=("bad", "fair", "good")),
    )
)
WHOLE = Microdata(FRAME, SCHEMA).summary


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> Summary:
    """The summary of a file of 500 records in pieces of 37, more than are sorted at once."""
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 37)
    monkeypatch.setattr(summary, "ENOUGH_TO_SORT", 50)
    monkeypatch.setattr(selection, "ENOUGH_TO_SORT", 50)
    return Microdata(FRAME, SCHEMA).summary


def test_counts_categories_and_codes_of_pieces_are_those_of_the_whole(pieces: Summary) -> None:
    for name in ("region", "health"):
        assert list(pieces.counts(name).items()) == list(WHOLE.counts(name).items())
    assert [pieces.observed(name) for name in FRAME.columns] == [WHOLE.observed(name) for name in FRAME.columns]
    assert pieces.missing_codes("age") == WHOLE.missing_codes("age") == (999,)
    assert pieces.count_between("y", 0.5, 1.5) == WHOLE.count_between("y", 0.5, 1.5)


@pytest.mark.parametrize("share", [0.0, 0.123, 0.5, 0.99, 1.0])
def test_quantiles_of_pieces_are_exactly_those_of_the_whole(pieces: Summary, share: float) -> None:
    known = FRAME["x"].drop_nulls().to_numpy()
    assert pieces.quantile("x", share) == WHOLE.quantile("x", share) == np.quantile(known, share)
    assert pieces.quantile("y", share, above=1.0) == np.quantile(FRAME["y"].filter(FRAME["y"] > 1).to_numpy(), share)


def test_values_at_ranks_of_pieces_are_exactly_those_of_the_whole(pieces: Summary) -> None:
    ascending = np.sort(FRAME["y"].to_numpy())
    assert [pieces.value_at_rank("y", rank) for rank in (-1, 0, 77, N)] == ascending[[0, 0, 77, -1]].tolist()


def test_means_and_deviations_of_pieces_agree_with_those_of_the_whole(pieces: Summary) -> None:
    for name in ("x", "y", "age", "health"):
        assert pieces.mean(name) == pytest.approx(WHOLE.mean(name), rel=1e-14)
        assert pieces.deviation(name) == pytest.approx(WHOLE.deviation(name), rel=1e-14)


def test_covariances_of_pieces_agree_with_those_of_the_whole(pieces: Summary) -> None:
    assert pieces.covariance(("y", "age"))[0, 0] == pytest.approx(np.var(FRAME["y"].to_numpy(), ddof=1))
    together = FRAME.select("x", "y").to_numpy()
    assert pieces.covariance(("x", "y")) == pytest.approx(estimated_covariances(together), rel=1e-12)


def test_codes_that_look_like_no_answer_are_found_over_all_pieces(
    pieces: Summary, monkeypatch: pytest.MonkeyPatch
) -> None:
    undeclared = Schema(variables=tuple(each.replace(missing_ranges=()) for each in SCHEMA.variables))
    split = Microdata(FRAME, undeclared).summary
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", N)
    whole = Microdata(FRAME, undeclared).summary
    for name in ("age", "region", "y"):
        assert split.suspected_codes(name) == whole.suspected_codes(name)
    assert split.suspected_codes("age")[0].records == 20
    assert split.suspected_codes("region")[0].code == "refused"
