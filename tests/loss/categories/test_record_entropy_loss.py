"""Record entropy loss, checked against plain loops over the definition."""

from collections import Counter
from math import isnan, log2
from statistics import mean

import numpy as np
import pytest

from sfumato.contracts import Measurement
from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.loss import EntropyLoss, RecordEntropyLoss
from tests.loss.made_categories import NAMES, Pair, column, example, file, pairs

SEX = {"f": {"f": 0.9, "m": 0.1}, "m": {"f": 0.2, "m": 0.8}}


def measured(original: Microdata, masked: Microdata, *names: str, **parameters: object) -> Measurement:
    return RecordEntropyLoss(columns=names or NAMES, **parameters).measure(original, masked)


def plain_bits(found: list[Pair], values: list[str | None]) -> list[float | None]:
    """Return -log2 P(V = i | V' = j) of each masked record, or none where the original lacks the value."""
    known = [value for value in values if value is not None]
    bits: list[float | None] = []
    for before, after in found:
        if before is None:
            bits.append(None)
        elif after is None:
            bits.append(-log2(known.count(before) / len(known)))
        else:
            alike = [i for i, j in found if i is not None and j == after]
            bits.append(-log2(alike.count(before) / len(alike)))
    return bits


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kept", [40, 25])
def test_equals_plain_loops_for_shuffled_samples_with_missing_values(seed: int, kept: int) -> None:
    original, masked = example(seed, kept=kept)
    found = measured(original, masked)
    bits = {name: plain_bits(pairs(original, masked, name), column(original, name)) for name in NAMES}
    known = {name: [cell for cell in cells if cell is not None] for name, cells in bits.items()}
    total = sum(sum(cells) for cells in known.values())
    assert dict(found.parts) == pytest.approx({name: mean(cells) for name, cells in known.items()} | {"PRILT": total})
    assert found.value == pytest.approx(total / sum(len(cells) for cells in known.values()))
    assert found.unit == "bits per value"
    assert found.per_record is not None
    for figure, *cells in zip(found.per_record.tolist(), *bits.values(), strict=True):
        there = [cell for cell in cells if cell is not None]
        assert isnan(figure) if not there else figure == pytest.approx(mean(there))


@pytest.mark.parametrize("seed", range(5))
def test_the_total_is_that_of_the_entropies_where_the_matrix_is_estimated(seed: int) -> None:
    original, masked = example(seed, missing=0.0)
    entropies = EntropyLoss(columns=NAMES).measure(original, masked)
    records = measured(original, masked)
    assert records.parts["PRILT"] == pytest.approx(entropies.parts["EBIL"])
    assert records.per_record is not None
    assert entropies.per_record is not None
    assert len(set(records.per_record.round(9))) > len(set(entropies.per_record.round(9)))


def test_a_given_matrix_serves_by_bayes_with_the_shares_of_the_original() -> None:
    original = file({"sex": ["f"] * 3 + ["m"]})
    found = measured(original, file({"sex": ["f", "m", "f", "f"]}), "sex", matrices={"sex": SEX})
    now_f, now_m = 0.75 * 0.9 + 0.25 * 0.2, 0.75 * 0.1 + 0.25 * 0.8
    chances = [0.75 * 0.9 / now_f, 0.75 * 0.1 / now_m, 0.75 * 0.9 / now_f, 0.25 * 0.2 / now_f]
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([-log2(chance) for chance in chances])
    assert found.parts["PRILT"] == pytest.approx(sum(found.per_record))


def test_a_sample_is_held_against_the_shares_of_the_whole_original() -> None:
    original = file({"sex": ["f"] * 6 + ["m"] * 2})
    masked = file({"sex": ["f", None, "m"]}, row_ids=[0, 7, 6])
    found = measured(original, masked, "sex")
    assert found.per_record is not None
    assert found.per_record.tolist() == [0.0, 2.0, 0.0]  # the suppressed record was one of 2 in 8


def test_the_rarer_of_two_joined_categories_loses_more() -> None:
    original = file({"town": ["A"] * 7 + ["B"] + ["C"] * 8})
    found = measured(original, file({"town": ["A or B"] * 8 + ["C"] * 8}), "town")
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([-log2(7 / 8)] * 7 + [3.0] + [0.0] * 8)


def test_a_suppressed_value_leaves_the_share_of_its_category_and_one_that_was_missing_is_left_out() -> None:
    original = file({"sex": ["f", "f", "f", "m", None, None]})
    found = measured(original, file({"sex": ["f", "f", None, None, "f", None]}), "sex")
    assert found.per_record is not None
    assert np.allclose(found.per_record, [0, 0, -log2(3 / 4), 2, np.nan, np.nan], equal_nan=True)


def test_an_unchanged_file_loses_nothing_and_shows_no_negative_zero() -> None:
    original, _ = example(1, missing=0.0)
    found = measured(original, original)
    assert str(found.value) == "0.0"
    assert Counter(map(str, found.parts.values())) == {"0.0": 4}


def test_refuses_a_change_that_the_matrix_does_not_allow() -> None:
    original, masked = file({"sex": ["f", "m", "f"]}), file({"sex": ["f", "m", "m"]})
    certain = {"f": {"f": 1.0}, "m": {"m": 1.0}}
    with pytest.raises(
        DataError, match=r"RecordEntropyLoss.matrices: 'sex' has 1 records whose change has probability 0"
    ):
        measured(original, masked, "sex", matrices={"sex": certain})
