"""Entropy loss, checked against plain loops over the definition and against another library."""

from collections import Counter
from math import isnan, log2
from statistics import mean

import numpy as np
import pytest
from sklearn.metrics import homogeneity_score

from sfumato.contracts import Measurement
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.loss import EntropyLoss
from tests.loss.made_categories import NAMES, TOWNS, Pair, column, example, file, pairs

SEX = {"f": {"f": 0.9, "m": 0.1}, "m": {"f": 0.2, "m": 0.8}}


def measured(original: Microdata, masked: Microdata, *names: str, **parameters: object) -> Measurement:
    return EntropyLoss(columns=names or NAMES, **parameters).measure(original, masked)


def plain_entropy(weights: list[float]) -> float:
    total = sum(weights)
    return sum(-weight / total * log2(weight / total) for weight in weights if weight)


def plain_uncertainty(found: list[Pair], values: list[str | None]) -> list[float | None]:
    """Return H(V | V' = j) of each masked record in bits, or none where the original lacks the value."""
    whole = plain_entropy(list(Counter(value for value in values if value is not None).values()))
    remaining: list[float | None] = []
    for before, after in found:
        if before is None:
            remaining.append(None)
        elif after is None:
            remaining.append(whole)
        else:
            alike = Counter(i for i, j in found if i is not None and j == after)
            remaining.append(plain_entropy(list(alike.values())))
    return remaining


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kept", [40, 25])
def test_equals_plain_loops_for_shuffled_samples_with_missing_values(seed: int, kept: int) -> None:
    original, masked = example(seed, kept=kept)
    found = measured(original, masked)
    bits, shares = [], {}
    for name in NAMES:
        values = column(original, name)
        whole = plain_entropy(list(Counter(value for value in values if value is not None).values()))
        remaining = plain_uncertainty(pairs(original, masked, name), values)
        bits += [cell for cell in remaining if cell is not None]
        shares[name] = [None if cell is None else 100 * cell / whole for cell in remaining]
    assert found.parts["EBIL"] == pytest.approx(sum(bits))
    for name in NAMES:
        assert found.parts[name] == pytest.approx(mean(cell for cell in shares[name] if cell is not None))
    assert found.value == pytest.approx(mean(cell for cells in shares.values() for cell in cells if cell is not None))
    assert found.per_record is not None
    for figure, *cells in zip(found.per_record.tolist(), *shares.values(), strict=True):
        there = [cell for cell in cells if cell is not None]
        assert isnan(figure) if not there else figure == pytest.approx(mean(there))


def test_is_the_lack_of_homogeneity_that_another_library_finds() -> None:
    original, masked = example(4, n=500, kept=500, missing=0.0)
    for name in NAMES:
        before, after = zip(*pairs(original, masked, name), strict=True)
        expected = 100 * (1 - homogeneity_score(before, after))
        assert measured(original, masked, name).value == pytest.approx(expected)


def test_a_given_matrix_serves_by_bayes_with_the_shares_of_the_original() -> None:
    original = file({"sex": ["f"] * 30 + ["m"] * 10})
    masked = file({"sex": ["f"] * 20 + ["m"] * 20})
    found = measured(original, masked, "sex", matrices={"sex": SEX})
    women, men = [0.75 * 0.9, 0.25 * 0.2], [0.75 * 0.1, 0.25 * 0.8]  # joint probabilities of those now f and now m
    assert found.parts["EBIL"] == pytest.approx(20 * plain_entropy(women) + 20 * plain_entropy(men))
    assert found.value == pytest.approx(100 * found.parts["EBIL"] / (40 * plain_entropy([0.75, 0.25])))


def test_with_a_given_matrix_only_the_masked_categories_matter() -> None:
    original = file({"sex": ["f", "f", "m", "m"]})
    same = measured(original, original, "sex", matrices={"sex": SEX})
    swapped = measured(original, file({"sex": ["m", "m", "f", "f"]}), "sex", matrices={"sex": SEX})
    assert same.value == pytest.approx(swapped.value)
    assert same.value > 0


def test_the_estimate_comes_near_the_matrix_that_masked_the_file() -> None:
    rng = np.random.default_rng(5)
    before = rng.choice(["f", "m"], 20_000, p=[0.7, 0.3])
    stays = rng.random(20_000) < np.where(before == "f", 0.9, 0.8)
    after = np.where(stays, before, np.where(before == "f", "m", "f"))
    original, masked = file({"sex": before.tolist()}), file({"sex": after.tolist()})
    given = measured(original, masked, "sex", matrices={"sex": SEX}).value
    # the shares in the matrix are off by 1 / 150 at most, five standard errors, and the entropies by three times that
    assert measured(original, masked, "sex").value == pytest.approx(given, abs=2.0)


def test_a_file_that_tells_nothing_loses_everything() -> None:
    original = file({"sex": ["f", "f", "m", "m", "m", "m"]})
    masked = file({"sex": ["f", "m", "f", "m", "f", "m"]})
    assert measured(original, masked, "sex").value == pytest.approx(100.0)
    assert measured(original, file({"sex": ["?"] * 6}), "sex").value == pytest.approx(100.0)


def test_a_rare_category_that_is_lost_altogether_is_a_full_loss() -> None:
    original = file({"sex": ["f"] * 99 + ["m"]})
    assert measured(original, file({"sex": ["f"] * 100}), "sex").value == pytest.approx(100.0)


def test_categories_that_only_change_their_names_lose_nothing() -> None:
    original = file({"town": ["A", "B", "A", "C"]})
    assert measured(original, file({"town": ["B", "west", "B", "A"]}), "town").value == 0.0


def test_joining_categories_loses_the_uncertainty_within_them() -> None:
    original = file({"town": list(TOWNS)})
    masked = file({"town": ["A", "B", "C or D", "C or D"]})
    found = measured(original, masked, "town")
    assert found.parts["EBIL"] == 2.0  # one bit for each of the two records
    assert found.value == 25.0  # of two bits for each of the four


def test_a_suppressed_value_leaves_the_whole_entropy_and_one_that_was_missing_is_left_out() -> None:
    original = file({"sex": ["f", "m", "f", "m", None, None]})
    found = measured(original, file({"sex": ["f", "m", "f", None, "f", None]}), "sex")
    assert found.per_record is not None
    assert np.array_equal(found.per_record, [0, 0, 0, 100, np.nan, np.nan], equal_nan=True)
    assert (found.value, found.parts["EBIL"]) == (25.0, 1.0)


def test_a_constant_column_has_nothing_to_lose() -> None:
    original = file({"sex": ["f", "f", "f", "f"], "town": ["A", "A", "B", "B"]})
    masked = file({"sex": ["f", "m", "f", "m"], "town": ["A", "B", "A", "B"]})
    found = measured(original, masked, "sex", "town")
    assert dict(found.parts) == pytest.approx({"sex": 0.0, "town": 100.0, "EBIL": 4.0})
    assert found.value == pytest.approx(100.0)
    assert measured(original, masked, "sex").value == 0.0


def test_refuses_a_matrix_that_cannot_have_masked_the_file_without_showing_a_category() -> None:
    original, masked = file({"sex": ["f", "m", "f"]}), file({"sex": ["m", "m", "m"]})
    certain = {"f": {"f": 1.0}, "m": {"m": 1.0}}
    with pytest.raises(
        DataError, match=r"EntropyLoss.matrices: 'sex' has 2 records whose change has probability 0 in its matrix; "
    ):
        measured(original, masked, "sex", matrices={"sex": certain})


def test_refuses_a_category_without_a_row() -> None:
    original, _ = example(1)
    with pytest.raises(DataError, match="'sex' has 1 category without a row in its matrix; add a row for each"):
        measured(original, original, "sex", matrices={"sex": {"f": {"f": 1.0}}})


def test_refuses_a_category_that_neither_file_has() -> None:
    original, _ = example(1)
    with pytest.raises(DataError, match="'sex' has no category x; list it in the 'categories' of the schema"):
        measured(original, original, "sex", matrices={"sex": {**SEX, "f": {"f": 0.5, "x": 0.5}}})


def test_refuses_the_matrix_of_a_column_that_is_not_measured() -> None:
    original, _ = example(1)
    with pytest.raises(DataError, match=r"EntropyLoss.matrices must be of columns that are measured; got sex beside"):
        measured(original, original, "town", matrices={"sex": SEX})


def test_refuses_a_row_that_does_not_add_up_to_one() -> None:
    with pytest.raises(
        ParameterError,
        match=r"EntropyLoss.matrices must have rows that add up to 1; the row 'f' of 'sex' adds up to 0.9",
    ):
        EntropyLoss(columns=("sex",), matrices={"sex": {"f": {"f": 0.5, "m": 0.4}}})
