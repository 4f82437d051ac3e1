"""Run what a page shows, in order and in one folder, as its reader would.

A `python` or `pycon` block runs as Python: with prompts it must print what it shows, without prompts it must not fail.
In a `console` block each line after `$` must be a `sfumato` command that ends with exit code 0 and, where the block
shows its output, prints it; it runs in this process, because to start one for each takes longer than most commands.
A block with a title is a file of that name, whatever its language. Others are not run.
"""

import doctest
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from sfumato.cli import main

FENCE = re.compile(r"^( *)```(?P<language>[\w-]*)(?P<rest>[^\n]*)\n(?P<text>.*?)^\1```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="(?P<name>[^"]+)"')
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PLAIN = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
ONE_PROCESS = {"LOKY_MAX_CPU_COUNT": "1"}  # studies give the same in many, which are slow to start


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
    with patch.dict(os.environ, ONE_PROCESS):
        for block in blocks_of(page):
            if block.title:
                (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
                (folder / block.title).write_text(block.text, encoding="utf-8")
            elif block.language in ("python", "pycon"):
                _run_python(block, name, names)
            elif block.language == "console":
                _run_console(block, name)


def _run_python(block: Block, name: str, names: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        exec(compile("\n" * block.line + block.text, name, "exec"), names)  # noqa: S102
        return
    report: list[str] = []
    test = doctest.DocTestParser().get_doctest(block.text, names, name, name, block.line)
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not report, "".join(report)


def _run_console(block: Block, name: str) -> None:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.replace("\\\n", " ").partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "sfumato", f"{name}: '{program}' in a console block; only sfumato is run, use a ```sh block"
        ran = run_command(arguments)
        assert ran.code == 0, f"{name}: '{command}' ended with {ran.code}\n{ran.out}{ran.err}"
        if expected.strip():
            fits = doctest.OutputChecker().check_output(expected, ran.out, OPTIONS)
            assert fits, f"{name}: '{command}' shows\n{expected}\nbut prints\n{ran.out}"


class Ran(NamedTuple):
    """What came of a command: its exit code, and what it printed for results and for messages."""

    code: int
    out: str
    err: str


def run_command(arguments: list[str]) -> Ran:
    """Run the command line with arguments, in the current folder and in plain text."""
    code, out, err = 0, StringIO(), StringIO()
    with (
        patch.dict(os.environ, PLAIN),
        patch.object(sys, "argv", ["sfumato", *arguments]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())
