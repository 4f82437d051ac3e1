"""Without a file the page lets one be chosen, or brought, and nothing else of the machine is reached."""

from pathlib import Path
from typing import TYPE_CHECKING

from tests.app.browser import Server, barriers, needs_chromium, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = needs_chromium


def test_a_file_is_chosen_or_brought_and_two_projects_do_not_meet(
    browser: "Browser", server: Server, tmp_path: Path
) -> None:
    brought, large = tmp_path / "brought.csv", tmp_path / "large.csv"
    brought.write_text("age,town\n" + "31,Pisa\n44,Rome\n" * 20)
    large.write_bytes(b"x" * 1_100_000)
    with opened(browser, server.address) as page:
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
        page.get_by_role("banner").get_by_text("survey.csv", exact=True).wait_for()
        assert page.get_by_text("brought.csv").count() == 0
        page.get_by_role("link", name="Other files").click()
        page.get_by_role("button", name="Close survey.csv").click()
        found += barriers(page, "start, with a project")
        page.get_by_role("button", name="Go on with brought.csv").click()
        page.get_by_text("Last action: opened brought.csv").wait_for()
    assert found == []
    assert (server.folder / "brought.csv").read_bytes() == brought.read_bytes()
    assert (server.folder / "brought.csv.sfumato" / "journal.jsonl").exists()
    assert not (server.folder / "large.csv").exists()
