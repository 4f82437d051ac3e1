"""Same recipe, same seed, same data: the same output, whatever is moved or renamed in between."""

import json
from pathlib import Path

import pytest

from tests.reference.outputs import digests

KEPT: dict[str, str] = json.loads(Path(__file__).with_name("outputs.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    return digests()


@pytest.mark.parametrize("name", KEPT)
def test_the_output_is_what_it_was(name: str, found: dict[str, str]) -> None:
    assert found[name] == KEPT[name]
