"""What happens while the site is built: pages of methods, measures, improvers and commands are written and listed."""

import logging
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))

from command_line import command_line_page
from method_pages import TABLES, index_table, page_uri, record_page, score_table
from site_check import faults_of
from vocabulary_page import vocabulary_page

ROOT = Path(__file__).parents[1]
LOG = logging.getLogger("mkdocs.hooks.sfumato")
COMMAND_LINE = "command-line.md"
VOCABULARY = "vocabulary.md"
INCLUDED = {"contributing.md": ROOT / "CONTRIBUTING.md", "changelog.md": ROOT / "CHANGELOG.md"}


@cache
def generated_pages() -> dict[str, str]:
    """Return the Markdown of all pages that are not written by hand, by the place that they take in the site."""
    records = [record for table in TABLES.values() for record in table.values()]
    pages = {page_uri(record): record_page(record) for record in records}
    pages |= {uri: _relative_links(path.read_text(encoding="utf-8")) for uri, path in INCLUDED.items() if path.exists()}
    pages[VOCABULARY] = vocabulary_page()
    commands = command_line_page()
    return pages | ({COMMAND_LINE: commands} if commands else {})


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the generated pages in the navigation."""
    pages = generated_pages()
    filled = [_fill_entry(entry, pages) for entry in config.nav or []]
    config.nav = [entry for entry in filled if entry is not None]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to the site."""
    for uri, text in generated_pages().items():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put a table of all methods, measures, improvers or scores where a page asks for it."""
    for name in TABLES:
        marker = f"<!-- table: {name} -->"
        if marker in markdown:
            markdown = markdown.replace(marker, index_table(TABLES[name], str(Path(page.file.src_uri).parent)))
    return markdown.replace("<!-- table: scores -->", score_table())


def on_post_build(config: MkDocsConfig) -> None:
    """Warn of what is wrong with the pages, which ends a strict build."""
    linked = [page_uri(record) for table in TABLES.values() for record in table.values()]
    for fault in faults_of(Path(config.site_dir), linked):
        LOG.warning(fault)


def _fill_entry(entry: Any, pages: dict[str, str]) -> Any:
    """Return an entry of the navigation with its generated pages, or none when there is nothing behind it."""
    ((title, target),) = entry.items()
    if title == "Project":
        parts = [_fill_entry(part, pages) for part in target]
        return {title: [part for part in parts if part is not None]}
    if title == "Methods":
        return {title: [*target, *_families(TABLES["methods"])]}
    if title == "Measures":
        risks, losses = (_links(TABLES[name].values()) for name in ("risks", "losses"))
        return {title: [*target, *([{"Risk": risks}] if risks else []), *([{"Loss": losses}] if losses else [])]}
    if title == "Improving":
        return {title: [*target, *_links(TABLES["improvers"].values())]}
    if title == "Tables":
        links = {name.capitalize(): _links(TABLES[name].values()) for name in ("protections", "rules")}
        return {title: [*target, *({name: pages} for name, pages in links.items())]}
    if title == "Decisions":
        decisions = sorted(path.name for path in (ROOT / "docs/decisions").glob("*.md"))
        return {title: [f"decisions/{name}" for name in decisions]} if decisions else None
    if target in (COMMAND_LINE, *INCLUDED) and target not in pages:
        return None
    return entry


def _families(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    families: dict[str, list[Any]] = {}
    for record in table.values():
        families.setdefault(record.family.capitalize(), []).append(record)
    return [{family: _links(records)} for family, records in sorted(families.items())]


def _links(records: Any) -> list[str]:
    return sorted(page_uri(record) for record in records)


def _relative_links(text: str) -> str:
    """Return a page of the project's root with its links to `docs/` as they are from inside it."""
    return text.replace("](docs/", "](")
