"""How the house is built: rooms, files and names that a newcomer finds without a guide."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sfumato.plugins import ALL_TABLES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/sfumato"
TESTS = ROOT / "tests"
ROOMS = sorted(path.parent for path in SOURCE.rglob("__init__.py"))
SOURCES = sorted(SOURCE.rglob("*.py"))
FILES = sorted(
    path
    for folder in ("src", "tests", "benchmarks", "docs", "examples")
    for path in ROOT.joinpath(folder).rglob("*.py")
)
OUTSIDE_THE_ROOMS = {"cli/surveys", "docs", "reference"}  # whole walks, the site, and published figures

MAX_FILES = 25
MAX_LINES = 300
NOT_GUESSABLE = {
    *("utils", "misc", "helpers", "common", "aux"),
    *("hiding", "changing", "unsafe", "showing", "comma_separated", "handing_over", "waiting", "parting", "stating"),
    *("parcels", "enough", "enough_values", "keeping", "tries", "found"),
}
NO_VERBS = re.compile(r"_*(told|said|meant|shown|showing)(_\w+)?")
ALIAS = re.compile(r"^\w+\s*(:\s*TypeAlias\s*)?=\s*(\w+\.)?(NDArray|ndarray)\b", re.MULTILINE)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("room", ROOMS, ids=name)
def test_a_room_is_small_and_says_what_it_is_for(room: Path) -> None:
    assert len(list(room.glob("*.py"))) <= MAX_FILES, f"{name(room)} needs rooms of its own"
    assert ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))


def test_every_folder_with_sources_is_a_room() -> None:
    assert {path.parent for path in SOURCES} == set(ROOMS)


def test_no_file_is_longer_than_one_sitting() -> None:
    lengths = {name(path): path.read_text(encoding="utf-8").count("\n") for path in FILES}
    assert {path: length for path, length in lengths.items() if length > MAX_LINES} == {}


def test_every_folder_of_tests_is_that_of_a_room() -> None:
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    strange = [folder.as_posix() for folder in folders if not (SOURCE / folder).is_dir()]
    assert sorted(strange) == sorted(OUTSIDE_THE_ROOMS)


@pytest.mark.parametrize("table", ALL_TABLES)
def test_the_folder_is_the_family_and_every_class_has_a_file_of_tests(table: str) -> None:
    for key, record in ALL_TABLES[table].items():
        _, room, *family, module = record.__module__.split(".")
        assert (room, module) == (table, key)
        assert family in ([record.family], []), f"{record.__name__}.family is '{record.family}', its folder {family}"
        assert TESTS.joinpath(room, *family, f"test_{key}.py").exists(), f"there is no test_{key}.py"


@pytest.mark.parametrize("table", [table for table in ALL_TABLES if table != "improve"])
def test_what_is_in_a_family_and_no_method_or_measure_is_marked(table: str) -> None:
    modules = {f"{path.parent.name}/{path.stem}" for path in (SOURCE / table).glob("[a-z]*/[a-z]*.py")}
    unlisted = modules - {f"{record.family}/{key}" for key, record in ALL_TABLES[table].items()}
    assert not unlisted, f"list in {table}/__init__.py, or begin the name of a helper with _: {', '.join(unlisted)}"


def test_modules_have_names_to_search_for() -> None:
    assert [name(path) for path in (*SOURCES, *ROOMS) if path.stem.strip("_") in NOT_GUESSABLE] == []


def test_limits_are_called_max_and_min() -> None:
    words = re.compile(r"\b_?(?:MOST|LEAST|FEWEST)_[A-Z_]+\b")
    assert {word for path in SOURCES for word in words.findall(path.read_text(encoding="utf-8"))} == set()


def test_functions_are_verbs_or_things() -> None:
    assert [f"{name(path)}: {one}" for path in SOURCES for one in functions(path) if NO_VERBS.fullmatch(one)] == []


def test_arrays_have_names_in_one_place() -> None:
    home = SOURCE / "numerics/arrays.py"
    assert [name(path) for path in SOURCES if path != home and ALIAS.search(path.read_text(encoding="utf-8"))] == []
    assert ALIAS.search(home.read_text(encoding="utf-8"))


def test_a_typing_slip_loads_nothing() -> None:
    code = "import sys, sfumato; getattr(sfumato, 'Mdavv', None); print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_numbers_are_written_without_powers_of_ten() -> None:
    home = {SOURCE / "display/numbers.py", SOURCE / "documents/record.py", SOURCE / "display/html.py"}
    powers = re.compile(r":(\.\d+)?[ge]\}")
    others = [path for path in SOURCES if path not in home and SOURCE / "papers" not in path.parents]
    assert [name(path) for path in others if powers.search(path.read_text(encoding="utf-8"))] == []


def test_one_category_is_not_called_categories() -> None:
    counted = re.compile(r"\} (categories|different values|candidates|households)\b")
    plural = {name(path): counted.findall(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {path: len(found) for path, found in plural.items() if found} == {}, "use format_count of sfumato.display"


def test_only_the_command_line_writes_options_with_dashes() -> None:
    option = re.compile(r"(?<![\w|-])--[a-z]")
    below = [path for path in SOURCES if SOURCE / "cli" not in path.parents]
    assert [name(path) for path in below if option.search(path.read_text(encoding="utf-8"))] == []
