"""The documentation site as its settings describe it."""

import sys
from pathlib import Path

from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

ROOT = Path(__file__).parents[2]


def site_config(folder: Path) -> MkDocsConfig:
    """Return the settings of the site, to be built into a folder."""
    return load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True)


def generated_pages() -> dict[str, str]:
    """Return the pages that the hook writes, by their place in the site."""
    load_config(str(ROOT / "mkdocs.yml"))
    pages: dict[str, str] = sys.modules["docs/hooks.py"].generated_pages()
    return pages
