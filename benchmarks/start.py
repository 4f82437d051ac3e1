"""How long a process takes to be ready, with files in the cache."""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence

from benchmarks.case import QUICK, Case

# users have modules compiled
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def started(command: Sequence[str], repeats: int = 3) -> float:
    """Return the least CPU time of a process over some starts, after a first one."""
    return min([run_once(command) for _ in range(2 if QUICK else repeats + 1)][1:])


def run_once(command: Sequence[str], **variables: str) -> float:
    """Return the CPU time of a process, with some more variables in its environment."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT | variables)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


PYTHON = [sys.executable, "-c"]
CASES = [
    Case("import sfumato", lambda: started([*PYTHON, "import sfumato"]), target=0.5),
    Case("sfumato --help", lambda: started([*PYTHON, "from sfumato.cli import main; main()", "--help"]), target=0.5),
]
