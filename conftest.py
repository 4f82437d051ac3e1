"""Settings for every test, doctests in the sources included."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from sfumato.datasets import reference
from sfumato.errors import FileError

settings.register_profile("sfumato", deadline=None, print_blob=True)  # first calls compile, so time limits mean nothing
settings.load_profile("sfumato")

beside = Path(__file__).parents[1] / "shared" / "data"  # where the reference files lie beside a checkout
if beside.is_dir():
    os.environ.setdefault("SFUMATO_DATA", str(beside))


def pytest_configure() -> None:
    """Keep the garbage collector from searching what is loaded and collected, some million objects that all stay."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the tests that need the reference files where these are not, and say why."""
    try:
        reference("census")
    except FileError as error:
        for item in items:
            if item.get_closest_marker("reference"):
                item.add_marker(pytest.mark.skip(reason=str(error)))


def pytest_collection_finish() -> None:
    """Let the garbage collector look from here on at what the tests make, and no more often than it pays."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    gc.enable()
