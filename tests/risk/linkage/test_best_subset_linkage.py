"""Best subset linkage: the columns that tell most count, wherever they stand."""

from itertools import combinations

import numpy as np
import pytest

from sfumato.contracts import Measurement
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import BestSubsetLinkage, DistanceLinkage
from sfumato.risk.linkage import best_subset_linkage
from sfumato.risk.linkage.best_subset_linkage import CONSIDERED, strongest_subsets
from sfumato.risk.linkage.distance_linkage import nearest_link_share
from tests.matrices import microdata, names_of


def measured(original: FloatMatrix, masked: FloatMatrix) -> Measurement:
    return BestSubsetLinkage(columns=names_of(original)).measure(microdata(original), microdata(masked))


def example(telling: tuple[int, ...] = (7, 8), n: int = 120, d: int = 9) -> tuple[FloatMatrix, FloatMatrix]:
    """Return a file of which all columns but those that tell are masked by much noise."""
    rng = np.random.default_rng(4)
    original = rng.normal(size=(n, d))
    noise = np.array([0.05 if place in telling else 4.0 for place in range(d)])
    return original, original + noise * rng.normal(size=(n, d))


def test_finds_the_columns_that_tell_most_though_they_are_the_last_of_the_file() -> None:
    original, masked = example()
    in_order = DistanceLinkage(columns=names_of(original)).measure(microdata(original), microdata(masked))
    found = measured(original, masked)
    assert found.parts["v7+v8"] == found.value > 80
    assert max(in_order.parts.values()) < 20


def test_links_as_many_as_the_best_of_all_sets() -> None:
    original, masked = example((1, 3, 4), n=60, d=5)
    masked += np.random.default_rng(5).normal(0, 0.5, masked.shape)
    rows = np.arange(60)
    sets = [known for size in range(1, 6) for known in combinations(range(5), size)]
    most = max(100 * nearest_link_share(original[:, known], masked[:, known], rows).mean() for known in sets)
    assert measured(original, masked).value == pytest.approx(most)


def test_is_never_below_what_all_columns_link_or_one_alone() -> None:
    original, masked = example((), n=80, d=4)
    found = measured(original, masked).value
    for known in ((0, 1, 2, 3), (0,), (1,), (2,), (3,)):
        alone = nearest_link_share(original[:, known], masked[:, known], np.arange(80)).mean()
        assert found >= 100 * alone - 1e-9


def test_the_figures_of_the_records_are_those_of_the_set_that_links_most() -> None:
    found = measured(*example())
    assert found.per_record is not None
    assert found.per_record.mean() == pytest.approx(found.value)
    assert found.remark == "of the sets of columns that were tried, that of v7 and v8 links most"


def test_one_column_is_the_only_set() -> None:
    original, masked = example(d=1)
    assert list(measured(original, masked).parts) == ["v0"]


def test_of_many_columns_those_that_tell_most_by_themselves_are_joined() -> None:
    asked: list[tuple[int, ...]] = []

    def share(known: tuple[int, ...]) -> float:
        asked.append(known)
        return sum(known) / len(known)

    strongest_subsets(60, share)
    joined = {place for known in asked if len(known) > 1 for place in known}
    assert joined == set(range(60 - CONSIDERED, 60))


def test_originals_with_few_values_do_not_hide_those_without_a_gap() -> None:
    original, masked = example(tuple(range(9)))
    masked += np.random.default_rng(6).normal(0, 0.2, masked.shape)
    gaps = np.zeros(original.shape, dtype=bool)
    gaps[:30, 1:] = True  # each of these has one value, which is near to that of many
    found = measured(np.where(gaps, np.nan, original), np.where(gaps, np.nan, masked))
    plain = nearest_link_share(np.where(gaps, np.nan, original), np.where(gaps, np.nan, masked), np.arange(120))
    assert found.value > 70 > 100 * plain.mean()


def test_of_many_records_some_are_drawn_and_the_figure_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    original, masked = example((7, 8), n=600)
    exact = measured(original, masked)
    monkeypatch.setattr(best_subset_linkage, "COUNTED", 200)
    drawn = measured(original, masked)
    assert "looked for in 200 masked records drawn at random" in drawn.remark
    assert "drawn" not in exact.remark
    assert exact.standard_error is None
    assert drawn.standard_error is not None
    assert abs(drawn.value - exact.value) < 4 * drawn.standard_error < 20
    assert drawn.per_record is not None
    assert np.count_nonzero(~np.isnan(drawn.per_record)) == 200


def test_the_same_records_are_drawn_whatever_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    _, masked = example(n=300)
    monkeypatch.setattr(best_subset_linkage, "COUNTED", 100)
    order = np.random.default_rng(6).permutation(300)
    before, after = best_subset_linkage._drawn(masked), best_subset_linkage._drawn(masked[order])
    assert sorted(order[after]) == before.tolist()
