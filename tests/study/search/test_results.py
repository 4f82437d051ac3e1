"""What a search shows of itself: tables, words, pictures, plain values."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sfumato.study.axes import default_loss
from sfumato.study.search import Search
from sfumato.study.search.history import axis_ends, best_so_far
from tests.study.search.examples import SWAPPING, WINDOWS, searched


@pytest.fixture(scope="module")
def found() -> Search:
    return searched([SWAPPING], limits=["DLD<=10"], trials=12)


def test_the_table_has_a_row_per_trial(found: Search) -> None:
    table = found.to_frame()
    assert table.columns == ["trial", "candidate", "family", "meets", "IL", "DLD", "error"]
    assert table["trial"].to_list() == list(range(1, 13))
    assert table["meets"].to_list() == (table["DLD"] <= 10).to_list()


def test_the_best_stands_first_in_the_text_and_no_more_than_ten_follow(found: Search) -> None:
    assert found.best is not None
    lines = str(found).splitlines()
    assert lines[1] == f"best by IL within DLD <= 10: {found.best.label}"
    assert lines[3].strip().startswith(found.best.label)
    assert len(lines) < 20
    assert f'<th scope="row">{found.best.label}</th>' in found._repr_html_()


def test_the_plain_form_is_ready_for_json_and_holds_the_recipe(found: Search) -> None:
    assert found.best is not None
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["best"] == found.best.label
    assert plain["recipe"] == found.best.recipe.to_yaml()
    assert len(plain["trials"]) == 12


def test_it_survives_being_sent_to_another_process(found: Search) -> None:
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301


def test_where_each_candidate_failed_once_the_nearest_is_told_by_its_other_runs() -> None:
    whole = searched([SWAPPING], limits=["DLD<=10"], trials=4, replications=2)
    results = [
        replace(result, values={}, error="failed") if result.replication else result for result in whole.study.results
    ]
    found = replace(whole, study=replace(whole.study, results=tuple(results)))
    assert found.best is None
    assert (found.nearest.mean("DLD") or 0.0) <= 10


def test_the_best_so_far_is_the_lowest_within_the_limits() -> None:
    values, meets = np.array([3.0, 9.0, 8.0, np.nan, 2.0, 7.0]), np.array([False, True, True, False, False, True])
    np.testing.assert_array_equal(best_so_far(values, meets), [np.nan, 9, 8, 8, 8, 7])


def test_the_picture_shows_all_within_the_limits_and_not_the_farthest_others() -> None:
    values, meets = np.array([10.0, 20.0, 1000.0, 1.0]), np.array([True, True, False, False])
    low, high = axis_ends(values, meets)
    assert low <= 1
    assert 20 < high < 30


def test_the_history_and_the_map_are_saved_the_same_each_time(found: Search, tmp_path: Path) -> None:
    for name in ("one", "two"):
        found.history(tmp_path / f"{name}.svg", title="Ways")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    found.ru_map(tmp_path / "map.svg")
    assert "DLD ≤ 10" in "".join(text.get_text() for text in found.ru_map().axes[0].texts)


def test_the_history_of_a_search_without_a_best_has_no_line_for_it() -> None:
    def names(search: Search) -> list[str]:
        return [text.get_text() for text in search.history().legends[0].get_texts()]

    assert "best so far" in names(searched([WINDOWS], trials=6))
    assert "best so far" not in names(searched([WINDOWS], limits=["DLD<=0"], trials=6))


def test_two_figures_have_a_panel_each() -> None:
    found = searched(minimise=("IL", "DLD"), limits=(), trials=9)
    assert len(found.history().axes) == 2
    assert "on the front of IL and DLD; the most balanced: " in str(found)


def test_the_map_of_a_search_for_the_mean_loss_is_of_that() -> None:
    assert default_loss(["IL", "CTL", "DLD", "meanL"]) == "meanL"
    assert default_loss(["CTL", "IL", "DLD"]) == "IL"
