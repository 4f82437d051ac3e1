"""The site builds without a warning, is complete, and fetches nothing from elsewhere."""

import logging
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from mkdocs.commands.build import build

from sfumato.cli.commands import app
from sfumato.contracts import Layout
from sfumato.improve import IMPROVERS
from sfumato.loss import LOSSES
from sfumato.masking import METHODS
from sfumato.risk import RISKS
from sfumato.tables import PROTECTIONS, RULES
from tests.docs.site import hook_module, site_config

OUTSIDE = re.compile(r"^\s*(https?:)?//", re.IGNORECASE)
OUTSIDE_IN_STYLES = re.compile(r"(@import|url\()\s*[\"']?\s*(https?:)?//", re.IGNORECASE)
FETCHING = {"src", "srcset", "data", "poster", "action"}  # attributes that make a browser load something, or send it


class Sources(HTMLParser):
    """Collects what a browser would fetch to show a page; plain links, which a reader may follow, are not fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fetching = FETCHING | ({"href"} if tag in ("link", "use", "image") else set())
        self.found += [value or "" for name, value in attrs if name in fetching]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site; a warning during the build is an error."""
    folder = tmp_path_factory.mktemp("site")
    warnings: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: warnings.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("mkdocs")
    logger.addHandler(handler)
    try:
        config = site_config(folder)
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
    finally:
        logger.removeHandler(handler)
    assert warnings == []
    return folder


def outside_sources(page: str) -> list[str]:
    sources = Sources()
    sources.feed("".join(f"<{tag}" for tag in page.split("<") if "//" in tag))  # others name nothing outside
    return [source for source in sources.found if OUTSIDE.match(source)]


def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 10
    assert {page.name: outside_sources(page.read_text(encoding="utf-8")) for page in pages} == {
        page.name: [] for page in pages
    }


def test_no_style_fetches_anything_from_elsewhere(site: Path) -> None:
    styles = [*site.rglob("*.css"), *site.rglob("*.html")]
    assert [style.name for style in styles if OUTSIDE_IN_STYLES.search(style.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    "page",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/css">',
        '<img src="http://example/x.png">',
    ],
)
def test_what_is_fetched_from_elsewhere_would_be_seen(page: str) -> None:
    assert len(outside_sources(page)) == 1


def test_a_link_that_a_reader_may_follow_is_fine() -> None:
    assert outside_sources('<a href="https://example.org">a paper</a>') == []


@pytest.mark.parametrize("name", [*METHODS, *RISKS, *LOSSES])
def test_every_method_and_measure_has_a_page_that_is_linked(name: str, site: Path) -> None:
    folder = "methods" if name in METHODS else "measures"
    assert (site / folder / f"{name}.html").exists()
    assert f'href="{name}.html"' in (site / folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", IMPROVERS)
def test_every_improver_has_a_page_that_is_linked(name: str, site: Path) -> None:
    assert (site / "improvers" / f"{name}.html").exists()
    assert f'href="improvers/{name}.html"' in (site / "improving.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*PROTECTIONS, *RULES])
def test_every_protection_and_rule_has_a_page_that_is_linked(name: str, site: Path) -> None:
    folder = "protections" if name in PROTECTIONS else "rules"
    assert (site / folder / f"{name}.html").exists()
    assert f'href="{folder}/{name}.html"' in (site / "tables.html").read_text(encoding="utf-8")


def test_every_command_is_in_the_reference_of_the_command_line(site: Path) -> None:
    page = (site / "command-line.html").read_text(encoding="utf-8")
    functions = [command.callback for command in app.registered_commands if command.callback]
    commands = [function.__name__.replace("_", "-") for function in functions]
    assert len(commands) > 5
    assert [command for command in commands if f'id="sfumato-{command}"' not in page] == []


def test_records_are_shown_with_their_fields(site: Path) -> None:
    page = re.sub(r"<[^>]+>", "", (site / "api.html").read_text(encoding="utf-8"))
    assert "Schema(*, variables: tuple[Variable, ...])" in page
    assert "**values" not in page


def test_the_code_that_makes_the_pages_is_not_part_of_the_site(site: Path) -> None:
    assert list(site.rglob("*.py")) == []


def test_every_layout_has_words(site: Path) -> None:
    assert set(hook_module("method_pages").LAYOUTS) == set(Layout)
