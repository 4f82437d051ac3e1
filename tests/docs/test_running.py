"""The mechanism that runs the pages must itself be able to fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.running import PLAIN, blocks_of, run_command, run_page


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(folder: Path, *blocks: str) -> None:
    run_page("\n\nSome words.\n\n".join(blocks), "page.md", folder)


def test_blocks_are_found_in_order_with_their_lines() -> None:
    first, second = blocks_of('a\n```yaml title="x.yaml"\nb: 1\n```\nc\n\n    ```python\n    d\n    ```\n')
    assert first == ("yaml", "x.yaml", "b: 1\n", 2)
    assert second == ("python", "", "d\n", 7)


def test_a_shown_output_that_is_right_passes(folder: Path) -> None:
    run(folder, "```python\n>>> 1 + 1\n2\n```")


def test_a_shown_output_that_is_wrong_fails(folder: Path) -> None:
    with pytest.raises(AssertionError, match=r"Expected:\n *3"):
        run(folder, "```pycon\n>>> 1 + 1\n3\n```")


def test_names_are_known_in_later_blocks(folder: Path) -> None:
    run(folder, "```python\na = 2\n```", "```pycon\n>>> b = a + 1\n```", "```python\nassert b == 3\n```")


def test_code_without_prompts_that_fails_fails(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        run(folder, "```python\n1 / 0\n```")


def test_a_shown_error_that_is_right_passes(folder: Path) -> None:
    run(folder, "```python\n>>> 1 / 0\nTraceback (most recent call last):\nZeroDivisionError: division by zero\n```")


def test_a_titled_block_is_a_file(folder: Path) -> None:
    run(folder, '```yaml title="x.yaml"\nb: 1\n```')
    assert (folder / "x.yaml").read_text() == "b: 1\n"


def test_other_languages_are_not_run(folder: Path) -> None:
    run(folder, "```sh\nfalse\n```", "```text\n>>> 1\n2\n```")


def test_a_console_block_runs_sfumato_only(folder: Path) -> None:
    with pytest.raises(AssertionError, match="only sfumato is run"):
        run(folder, "```console\n$ rm x\n```")


def test_a_command_does_here_what_the_installed_program_does(folder: Path) -> None:
    arguments = ["describe", "absent.csv"]
    program = [str(Path(sys.executable).with_name("sfumato")), *arguments]
    ran = subprocess.run(program, env={**os.environ, **PLAIN}, capture_output=True, encoding="utf-8", check=False)
    assert run_command(arguments) == (ran.returncode, ran.stdout, ran.stderr)


def test_a_command_that_ends_well_and_prints_what_is_shown_passes(folder: Path) -> None:
    run(folder, "```console\n$ sfumato --help\n...Usage...sfumato...\n```")


def test_a_command_that_prints_something_else_fails(folder: Path) -> None:
    with pytest.raises(AssertionError, match="but prints"):
        run(folder, "```console\n$ sfumato --help\nNothing of the kind.\n```")


def test_a_command_that_ends_badly_fails(folder: Path) -> None:
    with pytest.raises(AssertionError, match="ended with 2"):
        run(folder, "```console\n$ sfumato no-such-command\n```")
