"""What is wrong with a built site: pages that fetch from elsewhere or that nothing links, and code among the pages."""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

OUTSIDE = re.compile(r"^\s*(https?:)?//", re.IGNORECASE)
OUTSIDE_IN_STYLES = re.compile(r"(@import|url\()\s*[\"']?\s*(https?:)?//", re.IGNORECASE)
FETCHING = {"src", "srcset", "data", "poster", "action"}  # attributes that make a browser load something, or send it


def faults_of(site: Path, uris: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong with a site in its folder; `uris` are the Markdown files of the pages that are generated."""
    pages = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    styles = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.css")}
    for name, text in pages.items():
        yield from (f"{name} fetches {source} from elsewhere" for source in outside_sources(text))
    for name, text in {**pages, **styles}.items():
        if OUTSIDE_IN_STYLES.search(text):
            yield f"a style in {name} fetches something from elsewhere"
    for uri in uris:
        place = uri.removesuffix(".md") + ".html"
        if place not in pages:
            yield f"{place} was not built"
        elif not any(_links_to(place, name, text) for name, text in pages.items() if name != place):
            yield f"no page links {place}"
    for path in site.rglob("*.py"):
        yield f"{path.relative_to(site).as_posix()} is part of the site; it only makes the pages"
    if "**values" in re.sub(r"<[^>]+>", "", pages.get("api.html", "**values")):
        yield "api.html shows records without their fields"


def outside_sources(page: str) -> list[str]:
    """Return what a browser would fetch from elsewhere to show a page, in its HTML."""
    sources = _Sources()
    sources.feed("".join(f"<{tag}" for tag in page.split("<") if "//" in tag))  # others name nothing outside
    return [source for source in sources.found if OUTSIDE.match(source)]


class _Sources(HTMLParser):
    """Collects what a browser would fetch to show a page; plain links, which a reader may follow, are not fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fetching = FETCHING | ({"href"} if tag in ("link", "use", "image") else set())
        self.found += [value or "" for name, value in attrs if name in fetching]


def _links_to(place: str, name: str, text: str) -> bool:
    """Whether the text of the page `name` links a place, the navigation of the site aside."""
    folder = Path(name).parent
    target = Path(place)
    link = target.name if folder == target.parent else place if folder == Path() else f"../{place}"
    return f'href="{link}"' in text.partition("<article")[2].partition("</article>")[0]
