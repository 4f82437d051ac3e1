"""What the tests of examples register is forgotten after each of them."""

from collections.abc import Iterator

import pytest
from tests.plugins.isolation import fresh_tables


@pytest.fixture(autouse=True)
def _fresh_tables() -> Iterator[None]:
    with fresh_tables():
        yield
