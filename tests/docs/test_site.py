"""What makes the site: pages of all that has a name, and a check of what was built that ends a strict build."""

import re
import tomllib
from pathlib import Path

import pytest
from mkdocs.config import load_config

from sfumato.cli.commands import app
from sfumato.contracts import Layout
from tests.docs.site import ROOT, generated_pages, hook_module

GOOD = '<html><article><a href="https://example.org">a paper</a> <a href="made.html">made</a></article></html>'
WRONG = {
    '<script src="https://cdn.example/x.js"></script>': "index.html fetches https://cdn.example/x.js from elsewhere",
    '<link rel="stylesheet" href="//fonts.example/css">': "index.html fetches //fonts.example/css from elsewhere",
    '<img src="http://example/x.png">': "index.html fetches http://example/x.png from elsewhere",
    "<style>a {background: url(//example/x.png)}</style>": "a style in index.html fetches something from elsewhere",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a site that nothing is wrong with."""
    for name in ("index", "made", "api"):
        (tmp_path / f"{name}.html").write_text(GOOD)
    return tmp_path


def faults(site: Path) -> list[str]:
    return list(hook_module("site_check").faults_of(site, ["made.md"]))


def test_a_link_that_a_reader_may_follow_is_fine(site: Path) -> None:
    assert faults(site) == []


@pytest.mark.parametrize(("text", "fault"), WRONG.items())
def test_what_is_fetched_from_elsewhere_is_seen(text: str, fault: str, site: Path) -> None:
    (site / "index.html").write_text(GOOD + text)
    assert faults(site) == [fault]


def test_pages_that_are_missing_or_that_nothing_links_are_seen(site: Path) -> None:
    for name in ("index", "api"):
        (site / f"{name}.html").write_text('<nav><a href="made.html"></a></nav><article></article>')
    assert faults(site) == ["no page links made.html"]
    (site / "made.html").unlink()
    assert faults(site) == ["made.html was not built"]


def test_code_among_the_pages_and_records_without_their_fields_are_seen(site: Path) -> None:
    (site / "hooks.py").touch()
    (site / "api.html").write_text("<article>Schema(<b>**values</b>)</article>")
    assert faults(site) == [
        "hooks.py is part of the site; it only makes the pages",
        "api.html shows records without their fields",
    ]


def test_every_command_is_in_the_reference_of_the_command_line() -> None:
    page = generated_pages()["command-line.md"]
    functions = [command.callback for command in app.registered_commands if command.callback]
    commands = [function.__name__.replace("_", "-") for function in functions]
    assert len(commands) > 5
    assert [command for command in commands if not re.search(rf"^#+ .*\bsfumato {command}\b", page, re.MULTILINE)] == []


def test_every_layout_has_words() -> None:
    assert set(hook_module("method_pages").LAYOUTS) == set(Layout)


def test_the_search_box_has_what_it_needs_in_a_folder_without_fetching_it_from_elsewhere() -> None:
    config = load_config(str(ROOT / "mkdocs.yml"))
    assert "material/offline" in config.plugins
    assert config.plugins.run_event("config", config).extra["polyfills"] == ["iframe-worker.js"]
    assert (ROOT / "docs" / "iframe-worker.js").exists()


def test_what_pages_install_lies_in_the_folder_until_there_is_a_release_on_an_index() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    true = {".", "./examples/sfumato-example", *(f"'.[{extra}]'" for extra in extras)}
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    named = {
        found for path in pages for found in re.findall(r"pip install ([^\s`]+)", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 3
    assert named <= true
