"""Spaces as they are written: entries, grids, intervals, files, and everything that is wrong with them."""

from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import DocumentError, FileError, ParameterError
from sfumato.improve import MomentMatching
from sfumato.masking import Mdav, RankSwapping
from sfumato.recipe import Recipe
from sfumato.study.search.interval import between
from sfumato.study.search.space import Entry
from sfumato.study.search.space_entries import load_space, read_space

IMPROVER = {"post_masking_optimisation": {"columns": ["tax"], "target_percent": between(20, 100)}}


def only(entry: Any) -> Entry:
    (found,) = read_space([entry]).entries
    return found


def values_at(entry: Entry, end: int) -> dict[str, Any]:
    return {key: dimension.ends[end] for key, dimension in entry.dimensions.items()}


def test_intervals_grids_and_single_values_make_a_recipe() -> None:
    entry = only({"mdav": {"columns": ["tax", "age"], "k": between(3, 9.5), "refine": [False, True]}})
    assert entry.recipe(values_at(entry, 0)) == Recipe(steps=[Mdav(columns=("tax", "age"), k=3)])
    assert entry.recipe(values_at(entry, 1)) == Recipe(steps=[Mdav(columns=("tax", "age"), k=9, refine=True)])
    assert entry.count == 7 * 2


def test_a_parameter_of_whole_numbers_gets_whole_numbers_and_others_all() -> None:
    whole, any_number = (
        only({"mdav": {"columns": ["a"], "k": between(3, 9)}}),
        only({"rank_swapping": {"columns": ["a"], "window": between(3, 9)}}),
    )
    assert [dimension.is_whole for dimension in whole.dimensions.values()] == [True]
    assert [dimension.is_whole for dimension in any_number.dimensions.values()] == [False]
    assert any_number.count is None


def test_pipelines_improvers_and_ready_methods_are_entries() -> None:
    swapping = {"rank_swapping": {"columns": ["tax"], "window": range(1, 4)}}
    entry = only({"steps": [swapping, Mdav(columns=("age",))], "improve": IMPROVER})
    assert entry.label == "rank_swapping + mdav + post_masking_optimisation"
    made = entry.recipe(values_at(entry, 1))
    assert made.steps == (RankSwapping(columns=("tax",), window=3), Mdav(columns=("age",)))
    assert made.improve is not None
    assert only({**swapping, "improve": IMPROVER}).label == "rank_swapping + post_masking_optimisation"
    ready = Recipe(steps=[Mdav(columns=("age",))], improve=MomentMatching(columns=("age",)))
    assert only(ready).recipe({}) == ready
    assert only(Mdav(columns=("age",))).recipe({}) == Recipe(steps=[Mdav(columns=("age",))])


def test_every_candidate_of_a_space_that_can_be_counted_is_different() -> None:
    space = read_space(
        [
            {"mdav": {"columns": [["a"], ["a", "b"]], "k": between(3, 6)}},
            [
                {"rank_swapping": {"columns": ["a"], "window": [1, 5]}},
                {"mdav": {"columns": ["b"], "k": [2, 3]}},
            ],
        ]
    )
    recipes = {
        entry.recipe({key: entry.dimensions[key].value(place) for key, place in numbers.items()}).to_yaml()
        for entry, numbers in space.all_values()
    }
    assert len(recipes) == space.count == 2 * 4 + 2 * 2


def test_the_same_entry_twice_is_one() -> None:
    assert len(read_space([Mdav(columns=("a",)), {"mdav": {"columns": ["a"]}}]).entries) == 1


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"mdavv": {}}, "there is no method 'mdavv'; did you mean 'mdav'?"),
        ({"mdav": {"colums": ["a"], "k": between(2, 5)}}, "Mdav has no parameter 'colums'; did you mean 'columns'?"),
        ({"mdav": {"columns": ["a"], "k": between(0, 5)}}, "Mdav.k must be in [2, inf); got 0"),
        ({"rank_swapping": {"columns": ["a"], "window": between(5, 101)}}, "RankSwapping.window must be in (0, 100]"),
        (
            {"mdav": {"columns": ["a"], "k": between(3.2, 3.7)}},
            "takes whole numbers; between(3.2, 3.7) has none",
        ),
        ({"mdav": {"columns": ["a"], "k": []}}, "the grid is empty"),
        ({"mdav": {"columns": "between(1, 2)"}}, "Mdav.columns must be a list of column names"),
        ([], "a list of methods must hold at least one"),
        ({"steps": [Mdav(columns=("a",))], "improve": {"mdav": {}}}, "there is no improver 'mdav'"),
        ({"steps": [], "improve": IMPROVER}, "must hold at least one"),
        (7, "expected a method"),
    ],
)
def test_what_is_wrong_with_an_entry_is_told(entry: Any, words: str) -> None:
    with pytest.raises(ParameterError) as error:
        read_space([Mdav(columns=("a",)), entry])
    assert words in str(error.value)
    assert str(error.value).startswith("entry 2 of the space: ")


@pytest.mark.parametrize("space", ["mdav", {"mdav": {}}, Mdav(columns=("a",)), 5, []])
def test_what_is_no_list_of_entries_is_refused(space: Any) -> None:
    with pytest.raises(ParameterError, match="a space must"):
        read_space(space)


def test_a_space_file_is_read_like_the_candidates_of_a_study(tmp_path: Path) -> None:
    (tmp_path / "space.yaml").write_text(
        "candidates:\n"
        "  - rank_swapping:\n      columns: numeric\n      window: between(1, 30)\n"
        '  - - mdav: {columns: numeric, k: "between(3, 50, logarithmic)"}\n'
        "    - top_coding: {columns: numeric, percent: [1, 5]}\n"
    )
    assert [entry.label for entry in load_space(tmp_path / "space.yaml").entries] == [
        "rank_swapping",
        "mdav + top_coding",
    ]


def test_every_problem_of_a_space_file_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "space.yaml"
    path.write_text(
        "candidats: []\ncandidates:\n  - mdavv: {}\n  - rank_swapping:\n      columns: [a]\n      window: between(1\n"
    )
    with pytest.raises(DocumentError, match="the space has 3 problems") as error:
        load_space(path)
    told = str(error.value)
    assert "line 1: a space has no key 'candidats'; did you mean 'candidates'?" in told
    assert "line 3, candidate 1: there is no method 'mdavv'" in told
    assert "line 6, candidate 2: RankSwapping.window must be an interval" in told


@pytest.mark.parametrize("text", ["", "[]", "candidates:", "candidates: []", "mdav"])
def test_an_empty_space_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "space.yaml").write_text(text)
    with pytest.raises(DocumentError, match="'candidates' must be a list"):
        load_space(tmp_path / "space.yaml")


def test_a_space_file_that_lacks_the_key_is_told_to_have_it(tmp_path: Path) -> None:
    (tmp_path / "space.yaml").write_text("- mdav: {columns: numeric, k: 3}")
    with pytest.raises(DocumentError, match="the space must be a mapping with the key 'candidates'; got a list"):
        load_space(tmp_path / "space.yaml")


def test_a_space_file_that_is_no_yaml_is_told_as_a_space(tmp_path: Path) -> None:
    (tmp_path / "space.yaml").write_text("candidates: [mdav\n")
    with pytest.raises(DocumentError, match="the space has 1 problem:\n  - line 2: not valid YAML"):
        load_space(tmp_path / "space.yaml")


def test_a_space_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the space .*none\.yaml cannot be read"):
        load_space(tmp_path / "none.yaml")
