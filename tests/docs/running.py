"""Run what a page shows, in order and in one folder, as its reader would.

A `python` or `pycon` block runs as Python: with prompts it must print what it shows, without prompts it must not fail.
In a `console` block each line after `$` must be a `sfumato` command that ends with exit code 0 and, where the block
shows its output, prints it. A block with a title is a file of that name, whatever its language. Others are not run.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FENCE = re.compile(r"^( *)```(?P<language>[\w-]*)(?P<rest>[^\n]*)\n(?P<text>.*?)^\1```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="(?P<name>[^"]+)"')
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
ENVIRONMENT = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}


class Block(NamedTuple):
    """A fenced block of a page: its language, title and text, and the number of lines above its text."""

    language: str
    title: str
    text: str
    line: int


def blocks_of(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page in order."""
    for found in FENCE.finditer(page):
        title = TITLE.search(found["rest"])
        indent = len(found[1])
        text = "".join(line[indent:] for line in found["text"].splitlines(keepends=True))
        yield Block(found["language"], title["name"] if title else "", text, page[: found.start("text")].count("\n"))


def run_page(page: str, name: str, folder: Path) -> None:
    """Run the blocks of a page in a folder, which must be the current one; the first that fails raises its error."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks_of(page):
        if block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")
        elif block.language in ("python", "pycon"):
            _run_python(block, name, names)
        elif block.language == "console":
            _run_console(block, name, folder)


def _run_python(block: Block, name: str, names: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        exec(compile("\n" * block.line + block.text, name, "exec"), names)  # noqa: S102
        return
    report: list[str] = []
    test = doctest.DocTestParser().get_doctest(block.text, names, name, name, block.line)
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not report, "".join(report)


def _run_console(block: Block, name: str, folder: Path) -> None:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.replace("\\\n", " ").partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "sfumato", f"{name}: '{program}' in a console block; only sfumato is run, use a ```sh block"
        run = subprocess.run(
            [Path(sys.executable).with_name(program), *arguments],
            cwd=folder, env={**os.environ, **ENVIRONMENT}, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert run.returncode == 0, f"{name}: '{command}' ended with {run.returncode}\n{run.stdout}{run.stderr}"
        if expected.strip():
            fits = doctest.OutputChecker().check_output(expected, run.stdout, OPTIONS)
            assert fits, f"{name}: '{command}' shows\n{expected}\nbut prints\n{run.stdout}"
