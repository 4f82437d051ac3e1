"""Links of which the intruder knows that they are right, checked against plain loops over the definition."""

import numpy as np
import pytest

from sfumato.contracts import Correspondence
from sfumato.numerics.arrays import FloatMatrix
from tests.risk.linkage.test_individual_ranking_linkage import example as averaged_example
from tests.risk.linkage.test_individual_ranking_linkage import measured as by_groups
from tests.risk.linkage.test_individual_ranking_linkage import plain_groups
from tests.risk.linkage.test_rank_interval_linkage import all_plain_ranks, plain_possible
from tests.risk.linkage.test_rank_interval_linkage import example as swapped_example
from tests.risk.linkage.test_rank_interval_linkage import measured as by_ranks

NAN = float("nan")


def plain_sure(original: FloatMatrix, masked: FloatMatrix, window: float) -> list[list[bool]]:
    """Tell by number of keys for which persons the own record is the only possible one."""
    columns = [sorted(x for x in column if x == x) for column in masked.T.tolist()]
    reaches = [len(column) * window / 100 for column in columns]
    before, after = (all_plain_ranks(file.tolist(), columns) for file in (original, masked))
    return [
        [
            [n for n, record in enumerate(after) if plain_possible(person[:keys], record[:keys], reaches[:keys])]
            == [row]
            for row, person in enumerate(before)
        ]
        for keys in range(1, original.shape[1] + 1)
    ]


@pytest.mark.parametrize("missing", [0.0, 0.05])
def test_links_are_sure_where_no_other_rank_is_possible(missing: float) -> None:
    original, masked = swapped_example(window=10.0)
    masked[np.random.default_rng(4).random(masked.shape) < missing] = NAN
    expected = plain_sure(original, masked, 10.0)
    found = by_ranks(original, masked, window=10.0)
    assert found.parts["RSLDsure"] == pytest.approx(100 * np.mean(expected))
    assert 0 < found.parts["RSLDsure"] < found.value
    assert bool(found.remark) == (missing > 0)  # values that are gone move the ranks of the others


@pytest.mark.parametrize("suppressed", [0.0, 0.05])
def test_what_is_missing_must_fit_where_the_method_left_it(suppressed: float) -> None:
    original, whole = swapped_example(n=60, window=10.0)
    rng = np.random.default_rng(4)
    gaps = rng.random(original.shape) < 0.15
    hidden = gaps | (rng.random(gaps.shape) < suppressed)  # afterwards, which tells nothing of who lacked a value
    before, after = np.where(gaps, NAN, original), np.where(hidden, NAN, whole)
    columns = [sorted(column[column == column].tolist()) for column in after.T]
    reaches = [len(column) * 0.1 for column in columns]
    persons, records = (all_plain_ranks(file.tolist(), columns) for file in (before, after))
    sure = []
    for keys in range(1, 5):
        for row, person in enumerate(persons):
            fitting = [
                n
                for n, record in enumerate(records)
                if plain_possible(person[:keys], record[:keys], reaches[:keys])
                and (hidden[n, :keys] >= gaps[row, :keys]).all()
                and (suppressed or (hidden[n, :keys] == gaps[row, :keys]).all())
            ]
            sure.append(fitting == [row])
    found = by_ranks(before, after, window=10.0)
    assert found.parts["RSLDsure"] == pytest.approx(100 * np.mean(sure))
    assert found.parts["RSLDsure"] > 1


def test_missing_values_that_stay_do_not_make_links_less_sure() -> None:
    original, masked = averaged_example()
    gaps = np.random.default_rng(1).random(original.shape) < 0.15
    gaps[:, 0] = np.arange(len(gaps)) == 7  # a single person lacks the first value, and so a single record
    found = by_groups(np.where(gaps, NAN, original), np.where(gaps, NAN, masked))
    assert found.parts["IRLDsure"] > 0.5 * by_groups(original, masked).parts["IRLDsure"]
    assert found.per_record is not None
    assert found.per_record[7] == 100.0


def test_copies_of_a_record_leave_no_link_sure() -> None:
    original, masked = swapped_example(n=20, window=5.0)
    once, twice = (
        by_ranks(np.tile(original, (times, 1)), np.tile(masked, (times, 1)), window=5.0).parts["RSLDsure"]
        for times in (1, 2)
    )
    assert once > twice == 0.0


def test_links_that_look_sure_and_are_wrong_are_remarked_on() -> None:
    original, _ = swapped_example()
    masked = original + original.std(axis=0) * np.random.default_rng(2).normal(size=original.shape)
    assert "it is a wrong one in" in by_ranks(original, masked, window=3.0).remark
    assert not by_ranks(original, masked, window=3.0, correspondence=Correspondence.NEAREST_RECORD).remark


def test_links_are_sure_where_one_record_fits_the_groups_of_all_known_columns() -> None:
    original, masked = averaged_example()
    columns = list(zip(original.T.tolist(), masked.T.tolist(), strict=True))
    sure = []
    for keys in (1, 2, 3):
        for row, person in enumerate(original[:, :keys].tolist()):
            groups = [plain_groups(x, *column) for x, column in zip(person, columns[:keys], strict=True)]
            fitting = [
                n for n, record in enumerate(masked[:, :keys].tolist()) if all(map(set.__contains__, groups, record))
            ]
            sure.append(fitting == [row])
    found = by_groups(original, masked)
    assert found.parts["IRLDsure"] == pytest.approx(100 * np.mean(sure))
    assert 0 < found.parts["IRLDsure"] < found.value
    assert not found.remark
