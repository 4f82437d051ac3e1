"""Same recipe, same seed, same data: the same output, whatever is moved or renamed in between."""

import json
from pathlib import Path

from tests.reference.outputs import digests

KEPT: dict[str, str] = json.loads(Path(__file__).with_name("outputs.json").read_text(encoding="utf-8"))


def test_every_output_is_what_it_was() -> None:
    found = digests()
    assert {name: found.get(name) for name in KEPT} == KEPT
