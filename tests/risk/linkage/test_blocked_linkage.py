"""Probabilistic linkage in blocks, of large files and by candidates, and what it refuses."""

import numpy as np
import pytest

from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.risk import ProbabilisticLinkage
from sfumato.risk.linkage import _estimated_weights as estimated_weights
from sfumato.risk.linkage import _linking as linking
from tests.matrices import microdata, names_of
from tests.risk.plain_linkage import every_weights, example, linked, measured, middle_rank, with_areas


@every_weights
def test_only_records_of_one_block_are_linked(weights: str) -> None:
    original, masked = example(noise=0.5)
    areas = [("north", "south", "west")[place % 3] for place in range(60)]
    files = with_areas(original, areas), with_areas(masked, areas)
    measure = ProbabilisticLinkage(columns=names_of(original), blocking=("area",), weights=weights)
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


@every_weights
def test_records_are_told_by_their_ids_and_not_by_their_place(weights: str) -> None:
    original, masked = (np.rint(matrix) for matrix in example(noise=0.5))
    order = np.random.default_rng(3).permutation(60)
    measure = ProbabilisticLinkage(columns=names_of(original), weights=weights)
    straight = measure.measure(microdata(original), microdata(masked))
    turned = measure.measure(microdata(original), microdata(masked[order], order.tolist()))
    assert straight.per_record is not None
    assert turned.per_record is not None
    assert turned.per_record.tolist() == straight.per_record[order].tolist()


def test_large_files_are_linked_by_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    original, masked = example(n=100, noise=0.05)
    exact = measured(original, masked)
    monkeypatch.setattr(linking, "LARGEST_TABLE", 50)
    found = measured(original, masked, candidates=100)
    assert found.value == exact.value
    assert exact.remark == ""
    assert found.remark.startswith("each record is compared only with the nearest by rank")
    links = linked(original, masked, candidates=1)
    before, after = (np.array([[middle_rank(x, list(c)) for x in c] for c in m.T]).T for m in (original, masked))
    nearest = ((after[:, None] - before[None]) ** 2).sum(axis=2).argmin(axis=1)
    assert links.original_rows.tolist() == nearest[links.masked_rows].tolist()


def test_says_when_the_weights_are_not_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measured(*example(), weights="estimated").remark == ""
    monkeypatch.setattr(estimated_weights, "MOST_ROUNDS", 1)
    found = measured(*example(), weights="estimated")
    assert found.remark == "the weights were still changing after 1 rounds"


def test_a_wider_tolerance_links_what_is_further_away() -> None:
    original = np.array([[100.0], [300.0]])
    assert len(linked(original, original * 1.15)) == 2
    assert len(linked(original, original * 1.15, tolerance=0.1)) == 0


@pytest.mark.parametrize("weights", ["equl", {"v0": 0}, {"v0": "much"}, 3, {"v0": float("inf")}])
def test_refuses_weights_that_are_none(weights: object) -> None:
    with pytest.raises(
        ParameterError,
        match="weights must be equal, estimated, or a mapping from columns to weights above 0; got",
    ):
        ProbabilisticLinkage(columns=("v0",), weights=weights)


def test_refuses_a_tolerance_for_estimated_weights() -> None:
    with pytest.raises(ParameterError, match=r"ProbabilisticLinkage.tolerance must be left out with estimated weights"):
        ProbabilisticLinkage(columns=("v0",), weights="estimated", tolerance=0.2)


@pytest.mark.parametrize("weights", [{"v0": 1.0}, {"v0": 1.0, "v1": 1.0, "v2": 1.0, "v9": 1.0}, {}])
def test_refuses_weights_of_other_columns_than_the_compared(weights: dict[str, float]) -> None:
    with pytest.raises(DataError, match="weights must name the compared columns, v0, v1, v2, and no others; got"):
        measured(*example(), weights=weights)


def test_refuses_a_blocking_column_that_the_masked_file_lacks() -> None:
    original, masked = example(n=4)
    measure = ProbabilisticLinkage(columns=("v0",), blocking=("area",))
    with pytest.raises(UnknownColumnError, match=r"blocking: the masked file has no column 'area'; name only columns"):
        measure.measure(with_areas(original, list("aabb")), microdata(masked))


def test_refuses_to_look_at_no_candidate() -> None:
    with pytest.raises(ParameterError, match=r"ProbabilisticLinkage.candidates must be in \[1, inf\); got 0"):
        ProbabilisticLinkage(columns=("v0",), candidates=0)
