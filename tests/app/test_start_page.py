"""Without a file the page lets one be chosen, or brought, and nothing else of the machine is reached."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import sfumato as sf
from tests.app.browser import Server, barriers, needs_chromium, opened

pytestmark = needs_chromium


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    folder = tmp_path / "chosen"
    (folder / "below").mkdir(parents=True)
    sf.write(sf.datasets.demo(40), folder / "survey.csv")
    server = Server(folder, "--max-upload", "1")
    yield server
    server.stop()


def test_a_file_is_chosen_or_brought_and_two_projects_do_not_meet(server: Server, tmp_path: Path) -> None:
    brought, large = tmp_path / "brought.csv", tmp_path / "large.csv"
    brought.write_text("age,town\n" + "31,Pisa\n44,Rome\n" * 20)
    large.write_bytes(b"x" * 1_100_000)
    folder = tmp_path / "chosen"
    with opened(server) as page:
        path = page.get_by_label("Path of a file, or of the folder of a project")
        path.fill(str(large))
        page.get_by_role("button", name="Open", exact=True).first.click()
        page.get_by_text("is not in the folders that this page may open").wait_for()
        page.get_by_role("alert").filter(has_text="may open").get_by_role("button", name="Close").click()
        page.get_by_role("button", name="below").click()
        page.get_by_text("No file here is of a format that is read").wait_for()
        page.get_by_role("button", name="Up").click()
        page.get_by_role("button", name="Open survey.csv").wait_for()
        page.get_by_text("Bring a file into this folder").click()
        found = barriers(page, "start")
        page.get_by_label("File to bring here").set_input_files(large)
        page.get_by_role("button", name="Bring it here").click()
        page.get_by_text("this file is larger than 1 MB").wait_for()
        page.get_by_role("alert").filter(has_text="1 MB").get_by_role("button", name="Close").click()
        page.get_by_label("File to bring here").set_input_files(brought)
        page.get_by_role("button", name="Bring it here").click()
        page.get_by_role("button", name="Open brought.csv").click()
        page.get_by_text("Last action: opened brought.csv").wait_for()
        page.get_by_role("link", name="Other files").click()
        page.get_by_role("button", name="Open survey.csv").click()
        page.get_by_text("Last action: opened survey.csv").wait_for()
        page.get_by_role("link", name="Other files").click()
        page.get_by_role("button", name="Close survey.csv").click()
        found += barriers(page, "start, with a project")
        page.get_by_role("button", name="Go on with brought.csv").click()
        page.get_by_text("Last action: opened brought.csv").wait_for()
    assert found == []
    assert (folder / "brought.csv").read_bytes() == brought.read_bytes()
    assert (folder / "brought.csv.sfumato" / "journal.jsonl").exists()
    assert not (folder / "large.csv").exists()
