"""What the linkages by weights share: blocks, the zone, records that nobody can tell apart, and what they refuse."""

import numpy as np
import pytest

from sfumato.errors import ParameterError, UnknownColumnError
from sfumato.risk import ProbabilisticLinkage
from tests.matrices import microdata, names_of
from tests.risk.plain_linkage import NAN, Linkage, every_linkage, every_metric, example, linked, measured, with_areas


@every_metric
@every_linkage
def test_an_unmasked_file_is_linked_completely(metric: str, linkage: Linkage) -> None:
    original, _ = example()
    found = measured(original, original, metric=metric, linkage=linkage)
    assert dict(found.parts) == {"whole file": 100.0, f"{linkage.symbol}z": 100.0}


@every_metric
@every_linkage
def test_more_noise_links_less(metric: str, linkage: Linkage) -> None:
    values = [
        measured(*example(n=200, noise=noise), metric=metric, linkage=linkage).value for noise in (0.01, 0.2, 2.0)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] > 2 * values[-1]


@every_linkage
def test_strangers_are_linked_as_often_as_chance_has_it(linkage: Linkage) -> None:
    original = np.random.default_rng(1).normal(size=(1000, 3))
    strangers = np.random.default_rng(2).normal(size=(1000, 3))
    for metric in ("rank", "standardised"):
        # a chance near 1 / 1000 for each of 1000: Poisson(1) exceeds 8 once in a million
        assert measured(original, strangers, metric=metric, linkage=linkage).value <= 100 * 8 / 1000


@every_linkage
def test_records_that_nobody_can_tell_apart_share_their_links(linkage: Linkage) -> None:
    ages = np.repeat(np.arange(10.0, 18.0), 50)[:, None]
    found = measured(ages, ages, metric="rank", linkage=linkage)
    assert found.value == pytest.approx(100 / 50, rel=0.02)  # of 50 candidates each record has 20
    assert found.parts[f"{linkage.symbol}z"] == 0.0
    assert len(linked(ages, ages, metric="rank", linkage=linkage)) > 0.95 * len(ages)


@every_linkage
def test_a_record_without_a_known_value_is_not_linked(linkage: Linkage) -> None:
    original, _ = example()
    masked = original.copy()
    masked[4] = NAN
    found = measured(original, masked, linkage=linkage)
    assert found.per_record is not None
    assert np.flatnonzero(found.per_record == 0).tolist() == [4]


@every_linkage
@every_metric
def test_a_constant_column_tells_nothing(linkage: Linkage, metric: str) -> None:
    original, masked = example()
    constant = np.full((60, 1), 7.0)
    with_it = measured(
        np.hstack([constant, original]), np.hstack([constant * 2, masked]), linkage=linkage, metric=metric
    )
    assert dict(with_it.parts) == dict(measured(original, masked, linkage=linkage, metric=metric).parts)
    assert measured(constant, constant, linkage=linkage, metric=metric).value == 0.0


@every_linkage
def test_only_records_of_one_block_are_linked(linkage: Linkage) -> None:
    original, masked = example(noise=0.5)
    areas = [("north", "south", "west")[place % 3] for place in range(60)]
    files = with_areas(original, areas), with_areas(masked, areas)
    measure = linkage(columns=names_of(original), blocking=("area",))
    links = measure.links(*files)
    assert [areas[row] for row in links.masked_rows] == [areas[row] for row in links.original_rows]
    assert measure.measure(*files).value > measure.replace(blocking=()).measure(*files).value


def test_blocks_are_linked_as_files_of_their_own() -> None:
    original, masked = example(noise=0.5)
    areas = [("north", "south", "west")[place % 3] for place in range(60)]
    measure = ProbabilisticLinkage(columns=names_of(original), blocking=("area",))
    whole = measure.measure(with_areas(original, areas), with_areas(masked, areas))
    apart = [measured(original[part::3], masked[part::3]) for part in range(3)]
    assert whole.value == pytest.approx(np.mean([part.value for part in apart]))


def test_a_record_in_another_block_than_its_original_is_not_linked_to_it() -> None:
    original, _ = example(n=9)
    areas = ["a", "b", "c"] * 3
    moved = ["elsewhere", "a", *areas[2:]]
    measure = ProbabilisticLinkage(columns=names_of(original), blocking=("area",))
    found = measure.measure(with_areas(original, areas), with_areas(original, moved))
    assert found.remark == "22.2 % of the records are in another block than before"
    assert found.per_record is not None
    assert np.flatnonzero(found.per_record == 0).tolist() == [0, 1]


def test_the_zone_holds_the_links_that_can_be_trusted() -> None:
    original, masked = example(n=200, noise=0.02)
    masked[50:] = np.random.default_rng(3).permuted(masked[50:], axis=0)  # 150 strangers, hardly near to anybody
    whole = measured(original, masked, precision=90)
    links = linked(original, masked)
    right = links.masked_rows == links.original_rows
    good = [count for count in range(1, len(links) + 1) if right[:count].mean() >= 0.9]
    assert whole.parts["PLDz"] == pytest.approx(100 * right[: max(good)].sum() / 200)
    assert 0 < whole.parts["PLDz"] < whole.value
    assert measured(original, masked, precision=1).parts["PLDz"] == pytest.approx(whole.value)


@every_linkage
def test_records_are_told_by_their_ids_and_not_by_their_place(linkage: Linkage) -> None:
    original, masked = (np.rint(matrix) for matrix in example(noise=0.5))
    order = np.random.default_rng(3).permutation(60)
    measure = linkage(columns=names_of(original))
    straight = measure.measure(microdata(original), microdata(masked))
    turned = measure.measure(microdata(original), microdata(masked[order], order.tolist()))
    assert straight.per_record is not None
    assert turned.per_record is not None
    assert turned.per_record.tolist() == straight.per_record[order].tolist()


def test_refuses_a_blocking_column_that_the_masked_file_lacks() -> None:
    original, masked = example(n=4)
    measure = ProbabilisticLinkage(columns=("v0",), blocking=("area",))
    with pytest.raises(UnknownColumnError, match=r"blocking: the masked file has no column 'area'; name only columns"):
        measure.measure(with_areas(original, list("aabb")), microdata(masked))


def test_refuses_to_look_at_no_candidate() -> None:
    with pytest.raises(ParameterError, match=r"ProbabilisticLinkage.max_candidates must be in \[1, 100000\]; got 0"):
        ProbabilisticLinkage(columns=("v0",), max_candidates=0)
