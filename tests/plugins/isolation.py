"""Packages that are installed for one test, and tables that forget them afterwards."""

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import sfumato.plugins  # noqa: F401  # so that all tables are there
from sfumato.contracts.registry import TABLES, installed

EXAMPLE = Path(__file__).parents[2] / "examples/sfumato-example"
STORES = ("_joined", "_origins", "_refused")


@contextmanager
def fresh_tables() -> Iterator[None]:
    """Empty the tables of all that joined them, and put it back at the end."""
    kept = [{name: dict(getattr(table, name)) for name in STORES} for table in TABLES]
    for table in TABLES:
        for name in STORES:
            getattr(table, name).clear()
    installed.cache_clear()
    try:
        yield
    finally:
        for table, stores in zip(TABLES, kept, strict=True):
            for name, store in stores.items():
                getattr(table, name).clear()
                getattr(table, name).update(store)
        installed.cache_clear()


def install(folder: Path, name: str, version: str, entry_points: dict[str, dict[str, str]]) -> None:
    """Write what an installer leaves of a package in a folder: its metadata and its entry points."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in of.items())
        for group, of in entry_points.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    installed.cache_clear()


@contextmanager
def example_installed(folder: Path) -> Iterator[None]:
    """Install the example package, as its own pyproject.toml says, while the block runs."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    install(folder, project["name"], project["version"], project["entry-points"])
    with patch("sys.path", [str(folder), *sys.path]), fresh_tables():
        yield
