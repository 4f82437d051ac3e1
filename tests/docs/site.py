"""The documentation site as its settings describe it."""

import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from mkdocs.config import load_config

ROOT = Path(__file__).parents[2]


def hook_module(name: str) -> ModuleType:
    """Return one of the modules that make the pages, loaded as the build loads them."""
    load_config(str(ROOT / "mkdocs.yml"))
    return sys.modules[name]


def generated_places() -> list[str]:
    """Return the places in the site of the pages that the hook writes, without writing them, which takes seconds."""
    hooks = hook_module("docs/hooks.py")
    records = [record for table in hooks.TABLES.values() for record in table.values()]
    return [*map(hooks.page_uri, records), *hooks.INCLUDED, hooks.VOCABULARY, hooks.COMMAND_LINE]


@cache
def generated_pages() -> dict[str, str]:
    """Return the pages that the hook writes, by their place in the site."""
    pages: dict[str, str] = hook_module("docs/hooks.py").generated_pages()
    return pages
