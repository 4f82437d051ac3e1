"""A project loses no action, whatever ends it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.app import changes
from sfumato.app.project import JOURNAL, Project
from sfumato.errors import FileError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age,income\n31,2000\n44,3100\n59,1800\n")
    return path


@pytest.fixture
def project(file: Path, tmp_path: Path) -> Iterator[Project]:
    project = Project.create(tmp_path / "project", file, sf.read(file).schema)
    yield project
    project.close()


def act(project: Project, change: object, *arguments: object) -> None:
    project.reach(change(project.state, *arguments))  # type: ignore[operator]


def reopened(project: Project) -> Project:
    """Return the project as it is when it is opened again; nobody has it open then."""
    project.close()
    again = Project.open(project.folder)
    again.close()
    return again


def test_a_project_that_is_opened_again_is_as_it_was_left(project: Project) -> None:
    act(project, changes.give_role, "age", "key")
    act(project, changes.add_step, sf.TopCoding(columns=("age",), at=50))
    project.undo()
    again = reopened(project)
    assert again.state == project.state
    assert again.can_redo
    again.redo()
    assert again.state.recipe == sf.Recipe(steps=[sf.TopCoding(columns=("age",), at=50)])


def test_an_action_after_undo_takes_the_place_of_what_was_undone(project: Project) -> None:
    act(project, changes.give_role, "age", "key")
    project.undo()
    act(project, changes.give_role, "income", "confidential")
    assert not project.can_redo
    assert [state.action for state in reopened(project).states] == ["opened people.csv", "income is confidential"]


def test_half_a_line_that_a_killed_process_left_is_no_action_and_does_not_spoil_the_next(project: Project) -> None:
    act(project, changes.give_role, "age", "key")
    journal = project.folder / JOURNAL
    whole = journal.read_bytes()
    first = whole.index(b"\n") + 1
    for length in sorted({*range(first, len(whole), 7), first + 1, len(whole) - 1}):
        project.close()
        journal.write_bytes(whole[:length])
        project = Project.open(project.folder)
        assert project.state.action == "opened people.csv"
        act(project, changes.give_kind, "age", "ordinal")
        assert reopened(project).state == project.state


def test_an_action_that_changes_nothing_is_no_action(project: Project) -> None:
    act(project, changes.give_kind, "age", str(project.state.schema["age"].kind))
    assert len(project.states) == 1


def test_refuses_a_file_that_has_changed_since(project: Project, file: Path) -> None:
    project.close()
    file.write_text(file.read_text() + "20,900\n")
    with pytest.raises(FileError, match="has changed since the project began"):
        Project.open(project.folder)


def test_refuses_to_be_opened_twice(project: Project) -> None:
    with pytest.raises(FileError, match="another run is at work"):
        Project.open(project.folder)


def test_refuses_a_folder_that_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is no project"):
        Project.open(tmp_path)


def test_the_seed_is_in_no_state_and_in_no_repr(project: Project) -> None:
    act(project, changes.add_step, sf.TopCoding(columns=("age",), at=50))
    assert str(project.seed) not in (project.folder / JOURNAL).read_text()
    assert str(project.seed) not in repr(project)
    assert project.recipe is not None
    assert project.recipe.seed == project.seed


def test_results_are_kept_under_all_that_they_depend_on(project: Project) -> None:
    first = project.result_path("measure", {})
    risk = project.result_path("risk", {"k": 3})
    act(project, changes.add_step, sf.TopCoding(columns=("age",), at=50))
    assert project.result_path("measure", {}) != first
    assert project.result_path("risk", {"k": 3}) == risk
    assert project.result_path("risk", {"k": 5}) != risk
    act(project, changes.give_role, "age", "key")
    assert project.result_path("risk", {"k": 3}) != risk


def test_a_result_that_is_not_there_is_none(project: Project) -> None:
    assert project.result("risk") is None
    project.result_path("risk", {}).write_text(json.dumps({"k": 1}))
    assert project.result("risk") == {"k": 1}


def test_the_schema_and_the_recipe_are_there_as_the_command_line_reads_them(project: Project) -> None:
    act(project, changes.add_step, sf.TopCoding(columns=("age",), at=50))
    assert sf.Recipe.load(project.folder / "recipe.yaml") == project.recipe
    assert sf.Schema.from_yaml((project.folder / "schema.yaml").read_text()) == project.state.schema
    (project.folder / "recipe.yaml").unlink()  # killed before it was written
    assert sf.Recipe.load(reopened(project).folder / "recipe.yaml") == project.recipe
    again = Project.open(project.folder)
    again.undo()
    again.close()
    assert not (project.folder / "recipe.yaml").exists()
