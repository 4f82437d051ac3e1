"""Everything that the pages show is true: their examples run, and the site needs nothing from elsewhere."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from sfumato.files import FORMATS
from sfumato.recipe import Recipe
from tests.docs.running import blocks_of, run_page
from tests.docs.site import generated_pages, generated_places
from tests.plugins.isolation import EXAMPLE, example_installed

ROOT = Path(__file__).parents[2]
WRITTEN = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
GENERATED = {f"docs/{uri}": uri for uri in generated_places()}

OWN_METHODS = "docs/own-methods.md"

every_page = pytest.mark.parametrize("name", [*WRITTEN, *GENERATED])


def page(name: str) -> str:
    return WRITTEN[name] if name in WRITTEN else generated_pages()[GENERATED[name]]


def installed_for(name: str, folder: Path) -> AbstractContextManager[None]:
    """Install the example package for the page that shows it."""
    return example_installed(folder / "installed") if name == OWN_METHODS else nullcontext()


def test_every_page_that_is_generated_is_among_those_that_run() -> None:
    assert set(GENERATED.values()) == set(generated_pages())


@every_page
def test_what_a_page_shows_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with installed_for(name, tmp_path):
        run_page(page(name), name, tmp_path)


@every_page
def test_the_recipes_that_a_page_shows_are_valid(name: str, tmp_path: Path) -> None:
    with installed_for(name, tmp_path):
        for block in blocks_of(page(name)):
            if block.language == "yaml" and "\nsteps:" in f"\n{block.text}" and not block.title.startswith("wrong"):
                Recipe.from_yaml(block.text)


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_is_on_the_page_about_files(suffix: str) -> None:
    assert f"`{suffix}`" in page("docs/files.md")


def test_the_example_package_is_shown_whole() -> None:
    shown = {block.title: block.text for block in blocks_of(page(OWN_METHODS)) if block.title}
    for path in (EXAMPLE / "pyproject.toml", *EXAMPLE.rglob("*.py")):
        assert shown[path.relative_to(EXAMPLE).as_posix()] == path.read_text(encoding="utf-8")
