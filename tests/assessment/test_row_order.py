"""What shows that two files are in the same order of rows, and what only looks like it: a rhythm that rows have."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.assessment.pairing import pair_records, synthetic_remark
from sfumato.assessment.row_order import order_evidence
from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.masking import AdditiveNoise, Mdav, RankSwapping
from sfumato.recipe import Recipe

PAIRS = 200


def couples(rng: np.random.Generator) -> pl.DataFrame:
    """Return men, each followed by his wife."""
    age = np.repeat(rng.integers(25, 80, PAIRS), 2) + rng.integers(-3, 4, 2 * PAIRS) - np.tile([0, 2], PAIRS)
    return pl.DataFrame({"sex": ["m", "f"] * PAIRS, "age": age, "income": rng.lognormal(8, 1, 2 * PAIRS)})


def cases_and_controls(rng: np.random.Generator) -> pl.DataFrame:
    weight = rng.normal(80, 12, 2 * PAIRS) + np.tile([3, 0], PAIRS)
    return pl.DataFrame({"group": ["case", "control"] * PAIRS, "weight": weight})


def quarters(rng: np.random.Generator) -> pl.DataFrame:
    return pl.DataFrame({"turnover": np.tile([100.0, 130, 105, 140], PAIRS // 2) + rng.normal(0, 10, 2 * PAIRS)})


def months(rng: np.random.Generator) -> pl.DataFrame:
    season = 10 * np.sin(np.arange(2 * PAIRS) * np.pi / 6)
    return pl.DataFrame({"warmth": season + rng.normal(0, 2, 2 * PAIRS), "sales": rng.normal(0, 5, 2 * PAIRS) - season})


def couples_after_singles(rng: np.random.Generator) -> pl.DataFrame:
    sex = [*rng.choice(["m", "f"], PAIRS), *["m", "f"] * (PAIRS // 2)]
    return pl.DataFrame({"sex": sex, "age": rng.integers(20, 80, 2 * PAIRS)})


RHYTHMS = [couples, cases_and_controls, quarters, months, couples_after_singles]


def shuffled_in_pairs(frame: pl.DataFrame, rng: np.random.Generator, start: int = 0) -> pl.DataFrame:
    """Return the file with its pairs of rows in another order, from the pair `start` on."""
    order = np.arange(PAIRS)
    order[start:] = rng.permutation(order[start:])
    return frame[(2 * order[:, None] + np.arange(2)).ravel()]


@pytest.mark.parametrize("rows", RHYTHMS)
@pytest.mark.parametrize("seed", range(5))
def test_other_records_in_the_same_rhythm_are_not_in_the_same_order(
    rows: Callable[[np.random.Generator], pl.DataFrame], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    assert not pair_records(Microdata(rows(rng)), Microdata(rows(rng))).is_known


def test_agreement_that_a_rhythm_makes_is_said_to_be_that() -> None:
    rng = np.random.default_rng(1)
    evidence = order_evidence(Microdata(quarters(rng)), Microdata(quarters(rng)))
    assert evidence.is_rhythm
    found = pair_records(Microdata(quarters(rng)), Microdata(quarters(rng)))
    assert "% do if one file is moved some rows on, since the rows have a rhythm" in found.sentences[-1]


def test_a_masked_series_whose_rhythm_hides_the_order_is_not_called_synthetic() -> None:
    original = Microdata(quarters(np.random.default_rng(1)))
    masked = Recipe(steps=[AdditiveNoise(columns=("turnover",), scale=0.2)], seed=1).run(original)
    assert synthetic_remark(original, masked) == ()
    stated = pair_records(original, Microdata(masked.table.to_polars()), same_order=True)
    assert stated.is_known
    assert "The records do not show that they are matched rightly" in stated.sentences[-1]


@pytest.mark.parametrize(
    "method",
    [
        AdditiveNoise(columns=("income",), scale=0.2),
        RankSwapping(columns=("age", "income"), window=10),
        Mdav(columns=("age", "income"), k=3),
    ],
    ids=["noise", "rank swapping", "mdav"],
)
def test_couples_that_were_masked_are_in_the_same_order_until_they_are_shuffled(
    method: AdditiveNoise | Mdav | RankSwapping,
) -> None:
    original = Microdata(couples(rng := np.random.default_rng(2)))
    masked = Recipe(steps=[method], seed=1).run(original).table.to_polars()
    assert pair_records(original, Microdata(masked)).is_known
    assert not pair_records(original, Microdata(shuffled_in_pairs(masked, rng))).is_known


def test_couples_of_which_some_were_shuffled_are_not_in_the_same_order() -> None:
    frame = couples(rng := np.random.default_rng(3))
    masked = frame.with_columns(income=pl.col("income") * rng.normal(1, 0.001, 2 * PAIRS))
    assert not pair_records(Microdata(frame), Microdata(shuffled_in_pairs(masked, rng, PAIRS // 2))).is_known


def test_a_copy_shuffled_in_pairs_is_found_to_be_a_copy_and_its_worst_case_is_withheld() -> None:
    frame = couples(rng := np.random.default_rng(4))
    found = assess(Microdata(frame), Microdata(shuffled_in_pairs(frame, rng)))
    assert found.values["SR"] == 100
    assert "worst_case_linkage" in found.withheld
    assert any("copies of originals that stand in other rows" in remark for remark in found.remarks)


def test_copies_that_stand_in_other_rows_outweigh_any_other_evidence() -> None:
    frame = couples(np.random.default_rng(5)).sort("income").with_columns(pl.col("age") + 0.0)
    exchanged = frame[(np.arange(2 * PAIRS) // 4 * 4 + (np.arange(2 * PAIRS) + 2) % 4)]  # pairs with their neighbours
    evidence = order_evidence(Microdata(frame), Microdata(exchanged))
    assert evidence.has_moved_copies
    assert not evidence.is_same_order


def test_values_swapped_in_a_file_of_one_column_are_no_moved_copies() -> None:
    original = Microdata(couples(np.random.default_rng(6)).select("income"))
    swapped = Recipe(steps=[RankSwapping(columns=("income",), window=5)], seed=1).run(original).table.to_polars()
    assert pair_records(original, Microdata(swapped)).is_known


@pytest.mark.parametrize("rows", [0, 1])
def test_a_file_of_at_most_one_record_shows_no_order_and_is_no_error(rows: int) -> None:
    people = Microdata(couples(np.random.default_rng(1)))
    assert not pair_records(people, Microdata(people.frame.head(rows), people.schema)).is_known


def test_a_file_without_records_is_refused_by_name() -> None:
    people = Microdata(couples(np.random.default_rng(1)))
    with pytest.raises(DataError, match="the masked file has no records"):
        assess(people, Microdata(people.frame.head(0), people.schema))
