"""Projects are opened by a process of their own, and only from folders that were chosen."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.app.desk import Desk, OpenedProject
from sfumato.app.folder_listing import list_folder
from sfumato.app.lanes import wait_for_ended
from sfumato.app.opening import find_project, prepare_project
from sfumato.app.project import Project
from sfumato.errors import FileError

PEOPLE = "age,town\n31,Pisa\n44,Rome\n59,Pisa\n"
# what the server does when a file is named: the worker reads it, and the server has nothing with which it could
OPENING = """
import asyncio, sys
from pathlib import Path
from sfumato.app.desk import Desk
from sfumato.app.lanes import wait_for_ended
from sfumato.app.opening import find_project
import sfumato.app.pages

async def walk():
    desk = Desk()
    opened = desk.projects[await desk.open(find_project(Path(sys.argv[1])))]
    while opened.tasks:
        await asyncio.sleep(0.05)
    print(opened.workbench.project.state.action, *({"polars", "pandas", "pyarrow"} & set(sys.modules)))
    desk.close()
    await wait_for_ended()

asyncio.run(walk())
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "chosen"
    folder.mkdir()
    (folder / "people.csv").write_text(PEOPLE)
    return folder / "people.csv"


def ignore(stage: object) -> None:
    pass


def opened(desk: Desk, path: Path) -> OpenedProject:
    """Open a project, and wait until it is open or refused."""

    async def wait() -> OpenedProject:
        found = desk.projects[await desk.open(find_project(path))]
        async with asyncio.timeout(120):
            while not found.task.has_ended or found.tasks:
                await asyncio.sleep(0.02)
        desk.close()
        await wait_for_ended()
        return found

    return asyncio.run(wait())


def test_the_server_itself_reads_no_records(file: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", OPENING, str(file)], capture_output=True, text=True, timeout=120)
    assert ran.stdout == "opened people.csv\n"


def test_a_project_goes_on_where_it_was_and_a_file_that_has_changed_is_told(file: Path) -> None:
    place = find_project(file)
    prepare_project(place, ignore)
    first = Project.open(place.folder)
    first.close()
    again = opened(Desk(), file).workbench
    assert again is not None
    assert again.project.seed == first.seed
    file.write_text(PEOPLE + "20,Rome\n")
    with pytest.raises(FileError, match="has changed since the project began"):
        prepare_project(place, ignore)


def test_a_file_that_cannot_be_read_is_told_and_leaves_no_project(file: Path) -> None:
    file.write_bytes(b"")
    refused = opened(Desk(), file)
    assert refused.problem
    assert list(file.parent.iterdir()) == [file]


def test_a_project_whose_beginning_was_killed_is_begun_anew(file: Path) -> None:
    place = find_project(file)
    unfinished = place.folder.with_name(f".{place.folder.name}.part")
    unfinished.mkdir()
    (unfinished / "project.json").write_text("{")
    prepare_project(place, ignore)
    project = Project.open(place.folder)
    project.close()
    assert project.state.action == "opened people.csv"
    assert not unfinished.exists()


def test_the_browser_opens_nothing_outside_the_chosen_folders(file: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text(PEOPLE)
    (file.parent / "link.csv").symlink_to(secret)
    desk = Desk([file.parent])
    named = [str(secret), "../secret.csv", "../nothing.csv", "link.csv", str(file.parent / ".." / "secret.csv"), "/"]
    for path in [*named, "\0"]:
        with pytest.raises(FileError, match=r"not in the folders that this page may open|not the path of a file"):
            asyncio.run(desk.open_within(path))
    with pytest.raises(FileError, match="not in the folders"):
        Desk().path_within(str(file))
    assert desk.path_within("people.csv") == file.resolve()


def test_a_project_of_a_file_outside_is_not_opened_by_the_browser(file: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text(PEOPLE)
    prepare_project(find_project(secret)._replace(folder=file.parent / "moved.sfumato"), ignore)
    with pytest.raises(FileError, match="not in the folders"):
        asyncio.run(Desk([file.parent]).open_within("moved.sfumato"))


def test_what_is_no_file_is_refused_before_anything_is_begun(file: Path) -> None:
    for path, why in ((file.parent, "is a folder and no project"), (file.with_name("nobody.csv"), "is not there")):
        with pytest.raises(FileError, match=why):
            find_project(path)
    picture = file.with_name("people.png")
    picture.write_bytes(b"")
    with pytest.raises(FileError, match="is not known"):
        find_project(picture)
    with pytest.raises(FileError, match="is not a folder"):
        Desk([file])


def test_a_folder_lists_what_can_be_opened_those_used_last_first(file: Path) -> None:
    for name in ("another.csv", ".hidden.csv", "notes.doc"):
        file.with_name(name).write_text(PEOPLE)
    (file.parent / "below").mkdir()
    prepare_project(find_project(file), ignore)
    found = list_folder(file.parent)
    assert [one.path.name for one in found.files] == ["people.csv", "another.csv"]
    assert [one.used is not None for one in found.files] == [True, False]
    assert [one.name for one in found.folders] == ["below"]
    assert not found.is_cut
