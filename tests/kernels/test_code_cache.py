"""The cache of machine code: old code is used as long as no source behind it changed, and not a run longer."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from numba.core.environment import Environment

from sfumato.kernels.code_cache import LeanEnvironment

CALLEE = "from sfumato.kernels.compiling import compiled\n\n@compiled\ndef rate(x):\n    return x * {factor}\n"
CALLER = """
from sfumato.kernels.compiling import compiled
from {package} import (
    {imports}
)

@compiled
def double(x):
    return 2 * {call}
"""
RUN = """
from two_files.caller import double
print(double(1.5), sum(double.stats.cache_hits.values()))
"""
ALONE = """
import sys
from two_files.caller import double
from sfumato.kernels.compiling import compiled
found = double(1.5), sum(double.stats.cache_hits.values()), COMPILER in sys.modules

@compiled
def quadruple(x):
    return 2 * double(x)

print(*found, quadruple(1.5), COMPILER in sys.modules)
""".replace("COMPILER", "'numba.np.npyimpl'")
FORKING = """
import json, os, sys
import numba
import sfumato.kernels.compiling
numba.njit(lambda x: 2 * x)(1.5)
for line in sys.stdin:
    folder, program, environment = json.loads(line)
    child = os.fork()
    if not child:
        sys.path.insert(0, folder)
        os.environ.update(environment)
        numba.core.config.reload_config()
        exec(program, {})
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("failed", flush=True)
"""  # to make numba ready takes longer than all the rest, and is the same each time


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    package = tmp_path / "two_files"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "callee.py").write_text(CALLEE.format(factor=3))
    (package / "caller.py").write_text(CALLER.format(package="two_files.callee", imports="rate", call="rate(x)"))
    return tmp_path


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[..., str]]:
    """A function that returns what a program prints in a new process, for which numba alone is made ready.

    The caller prints its result, and how often its machine code came from disk.
    """
    with subprocess.Popen(
        [sys.executable, "-B", "-c", FORKING],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        requests, answers = process.stdin, process.stdout

        def run(folder: Path, program: str = RUN, **environment: str) -> str:
            print(json.dumps([str(folder), program, environment]), file=requests, flush=True)
            return answers.readline().strip()

        yield run
        requests.close()


def test_unchanged_sources_are_not_compiled_again(folder: Path, run: Callable[..., str]) -> None:
    assert [run(folder), run(folder)] == ["9.0 0", "9.0 1"]


def test_a_changed_callee_in_another_file_is_noticed(folder: Path, run: Callable[..., str]) -> None:
    run(folder)
    (folder / "two_files/callee.py").write_text(CALLEE.format(factor=5))
    assert [run(folder), run(folder)] == ["15.0 0", "15.0 1"]
    (folder / "two_files/callee.py").write_text(CALLEE.format(factor=3))
    assert run(folder) == "9.0 0"


def test_a_changed_constant_behind_two_imports_is_noticed(folder: Path, run: Callable[..., str]) -> None:
    constants = folder / "two_files/constants.py"
    constants.write_text("FACTOR = 3.0\n")
    (folder / "two_files/callee.py").write_text(
        "from two_files.constants import FACTOR\n" + CALLEE.format(factor="FACTOR")
    )
    assert [run(folder), run(folder)] == ["9.0 0", "9.0 1"]
    constants.write_text("FACTOR = 7.0\n")
    assert run(folder) == "21.0 0"


def test_a_callee_reached_through_its_module_is_noticed(folder: Path, run: Callable[..., str]) -> None:
    (folder / "two_files/caller.py").write_text(
        CALLER.format(package="two_files", imports="callee", call="callee.rate(x)")
    )
    assert [run(folder), run(folder)] == ["9.0 0", "9.0 1"]
    (folder / "two_files/callee.py").write_text(CALLEE.format(factor=5))
    assert run(folder) == "15.0 0"


def test_code_that_names_a_module_which_is_gone_is_compiled_again(folder: Path, run: Callable[..., str]) -> None:
    types = "from typing import NamedTuple\n\nclass Rate(NamedTuple):\n    value: float\n"
    program = (
        "from two_files.caller import Rate, double\nprint(double(Rate(1.5)), sum(double.stats.cache_hits.values()))"
    )
    found = []
    for module in ("rates", "rates", "moved"):
        (folder / "two_files/rates.py").unlink(missing_ok=True)
        (folder / f"two_files/{module}.py").write_text(types)
        source = f"from two_files.{module} import Rate\n" + CALLEE.format(factor=2).replace("rate", "double")
        (folder / "two_files/caller.py").write_text(source.replace("x * 2", "x.value * 2"))
        found.append(run(folder, program))
    assert found == ["3.0 0", "3.0 1", "3.0 0"]


def test_a_damaged_file_is_compiled_again(folder: Path, run: Callable[..., str]) -> None:
    run(folder)
    for kept in folder.rglob("*.nb?"):
        kept.write_bytes(kept.read_bytes()[:-20])
    assert [run(folder), run(folder)] == ["9.0 0", "9.0 1"]


def test_an_installation_that_cannot_be_written_uses_the_folder_that_numba_is_told(
    folder: Path, run: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = str(tmp_path_factory.mktemp("cache"))
    assert [run(folder, NUMBA_CACHE_DIR=elsewhere) for _ in range(2)] == ["9.0 0", "9.0 1"]
    assert not list(folder.rglob("*.nbc"))


def test_where_nothing_can_be_written_each_process_compiles(folder: Path, run: Callable[..., str]) -> None:
    (folder / "two_files/__pycache__").write_text("a file, so that there can be no folder")
    nowhere = {"HOME": os.devnull, "XDG_CACHE_HOME": os.devnull, "NUMBA_CACHE_DIR": os.devnull}
    assert [run(folder, **nowhere) for _ in range(2)] == ["9.0 0"] * 2


def test_machine_code_runs_without_all_that_numba_compiles_with(folder: Path) -> None:
    def run_alone() -> str:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
        command = [sys.executable, "-B", "-c", ALONE]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    # a loop that is compiled later, and calls the one that was loaded, has all that it needs
    assert [run_alone(), run_alone()] == ["9.0 0 True 18.0 True", "9.0 1 False 18.0 True"]


def test_loops_run_uncompiled_where_numba_is_switched_off(folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-B", "-c", "from two_files.caller import double\nprint(double(1.5))"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert ran.stdout.strip() == "9.0"


def test_what_a_function_of_numba_knows_is_read_without_its_module() -> None:
    environment = Environment({"__name__": "a_module.that_is_gone"})
    environment.env_name, environment.consts[:] = "of a function", [7]
    rebuild, kept = LeanEnvironment(environment).__reduce__()  # as pickle does
    assert "of a function" not in Environment._memo
    found = rebuild(*kept)
    assert (found.env_name, found.consts, found.globals["__name__"]) == ("of a function", [7], "a_module.that_is_gone")
    assert rebuild(*kept) is found  # one for all loops of a process
