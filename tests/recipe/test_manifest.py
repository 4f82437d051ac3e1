"""A manifest is kept and found again."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.data import Schema
from sfumato.documents import dump
from sfumato.errors import FileError, ParameterError
from sfumato.files import ReadOptions
from sfumato.recipe import FileFacts, Manifest, Recipe, RecipeFacts
from sfumato.recipe.manifest import relative_path, split_lines
from sfumato.storage.digests import file_sha256
from tests.recipe.examples import RECIPE
from tests.recipe.strategies import recipes, schemas

FACTS = FileFacts(file="people.csv", sha256="0" * 64, rows=3, columns=2)


def manifest(recipe: Recipe = RECIPE, **changes: object) -> Manifest:
    values = {
        "sfumato": "0.1.0",
        "versions": {"python": "3.11.0"},
        "started": datetime(2025, 1, 31, 12, 0, tzinfo=UTC),
        "seconds": 1.5,
        "input": FACTS,
        "recipe": RecipeFacts.of(recipe, None),
        "seed": 2**127 + 1,
        "release_key": 2**126 + 1,
        "output": FACTS,
        "all_records": True,
    }
    return Manifest(**{**values, **changes})


def test_neither_the_seed_nor_the_key_to_the_order_is_in_the_repr() -> None:
    assert not [secret for secret in (2**127 + 1, 2**126 + 1) if str(secret) in repr(manifest())]


def test_only_its_owner_can_read_a_manifest_even_where_an_older_one_was_open_to_all(tmp_path: Path) -> None:
    path = tmp_path / "out.manifest.json"
    path.write_text("{}", encoding="utf-8")
    path.chmod(0o644)
    manifest().save(path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_saved_manifest_is_loaded_as_it_was(tmp_path: Path) -> None:
    written = manifest(read_options=ReadOptions(separator=";"), input_schema=("variables: {}",))
    written.save(tmp_path / "masked.csv.manifest.json")
    assert Manifest.load(tmp_path / "masked.csv.manifest.json") == written


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(recipe=recipes, schema=schemas)
def test_any_recipe_and_schema_come_back_from_the_json_text(recipe: Recipe, schema: Schema) -> None:
    written = manifest(recipe, input_schema=split_lines(dump(schema)))
    read = Manifest(**json.loads(json.dumps(written.model_dump(mode="json"))))
    assert read.repeatable() == recipe.replace(seed=2**127 + 1)
    assert read.schema_given() == schema


def test_the_digest_of_a_recipe_is_that_of_its_file(tmp_path: Path) -> None:
    RECIPE.save(tmp_path / "recipe.yaml")
    digest = hashlib.sha256((tmp_path / "recipe.yaml").read_bytes()).hexdigest()
    assert manifest().recipe.sha256 == digest


def test_the_digest_does_not_depend_on_how_a_recipe_is_written() -> None:
    plain = Recipe.from_yaml("steps:\n  - mdav: {columns: [income]}\nseed: 7")
    wordy = Recipe.from_yaml("# masked\nseed: 7\nsteps:\n  - mdav:\n      k: 3\n      columns:\n        - income\n")
    assert RecipeFacts.of(plain, None) == RecipeFacts.of(wordy, None)


def test_the_start_is_written_in_utc(tmp_path: Path) -> None:
    manifest().save(tmp_path / "manifest.json")
    assert json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))["started"] == "2025-01-31T12:00:00Z"


@settings(max_examples=20, deadline=None)
@given(content=st.binary(max_size=2_000))
def test_the_digest_of_a_file_is_that_of_its_bytes(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("digest") / "file"
    path.write_bytes(content)
    assert file_sha256(path) == hashlib.sha256(content).hexdigest()


def test_a_file_is_named_by_its_way_from_the_folder(tmp_path: Path) -> None:
    assert relative_path(tmp_path / "a" / "c.csv", tmp_path / "a" / "b") == "../c.csv"
    assert relative_path(tmp_path / "a" / "c.csv", tmp_path) == "a/c.csv"


def test_an_absent_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the manifest .*absent\.json cannot be read: No such file or directory"):
        Manifest.load(tmp_path / "absent.json")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"seed: 7", "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[1]", "it must hold a JSON object"),
        (b"{}", "Manifest.sfumato is required; "),
        (b'{"sed": 1}', "Manifest has no parameter 'sed'; did you mean 'seed'?"),
    ],
)
def test_what_is_not_a_manifest_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(FileError) as refused:
        Manifest.load(tmp_path / "manifest.json")
    assert "manifest.json is not a manifest" in str(refused.value)
    assert reason in str(refused.value)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"Manifest\.seed must be in \[0, inf\); got -1"):
        manifest(seed=-1)
