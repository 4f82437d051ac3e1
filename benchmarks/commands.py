"""CPU time of whole commands on the demo survey, as a user waits for them: loops are compiled, files in the cache."""

import atexit
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.case import Case, records
from benchmarks.start import ENVIRONMENT, run_once, started
from sfumato.datasets import demo
from sfumato.files import write

SFUMATO = [sys.executable, "-c", "from sfumato.cli import main; main()"]
RECIPE = (
    "seed: 1\nsteps:\n"
    "  - drop_identifiers: {columns: [person_id, household_id]}\n"
    "  - rank_swapping: {columns: [wage_income, total_income, tax, expenditure, savings], window: 10}\n"
)
MDAV = (
    "seed: 1\nsteps:\n"
    "  - drop_identifiers: {columns: [person_id, household_id]}\n"
    "  - mdav: {columns: [wage_income, total_income, tax, expenditure, savings], k: 5}\n"
)
MEASURED = (
    "import resource, subprocess, sys\n"
    "subprocess.run(sys.argv[1:], check=True, capture_output=True)\n"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
)
NOTE = "Starting Python with all that a command needs takes about one second of it."
PIECES = "What it takes by purpose stands in docs/decisions/0042."


@cache
def survey(n: int) -> Path:
    """Return the path of a demo survey of n records as CSV, its schema beside it, for as long as this process runs."""
    folder = TemporaryDirectory(prefix="sfumato-bench-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "survey.csv"
    write(demo(n), path)
    return path


def reading(command: str, n: int) -> list[str]:
    """Return a command that only reads the survey."""
    return [*SFUMATO, command, str(survey(n))]


def protecting(n: int) -> list[str]:
    """Return the command that protects the survey."""
    output = survey(n).with_name("protected.csv")
    return [*SFUMATO, "protect", str(survey(n)), "-o", str(output), "--overwrite", "--seed", "1"]


def masking(n: int, recipe: str, output: str) -> list[str]:
    """Return the command that masks the survey by a recipe."""
    file = survey(n).with_name(f"{output}.yaml")
    file.write_text(recipe, encoding="utf-8")
    masked = survey(n).with_name(f"{output}.csv")
    return [*SFUMATO, "mask", str(survey(n)), "-r", str(file), "-o", str(masked), "--overwrite"]


def swapped(n: int) -> Path:
    """Return the path of the survey after rank swapping."""
    masked = survey(n).with_name("swapped.csv")
    if not masked.exists():
        run_once(masking(n, RECIPE, "swapped"))
    return masked


def assessing(n: int) -> list[str]:
    """Return the command that assesses the survey after rank swapping."""
    return [*SFUMATO, "assess", str(survey(n)), str(swapped(n))]


def improving(n: int) -> list[str]:
    """Return the command that improves the survey after rank swapping."""
    output = survey(n).with_name("improved.csv")
    return [*SFUMATO, "improve", str(survey(n)), str(swapped(n)), "-o", str(output), "--overwrite"]


def warm(command: list[str]) -> float:
    """Return the CPU time of a command on a machine that has compiled its loops."""
    return started(command, repeats=1)


def first(command: list[str]) -> float:
    """Return how much more CPU time a command takes on a machine that has compiled nothing yet."""
    with TemporaryDirectory(prefix="sfumato-bench-") as folder:
        return run_once(command, NUMBA_CACHE_DIR=folder) - warm(command)


def peak_memory(command: list[str]) -> float:
    """Return the peak of the memory of a command, in GB.

    A small process starts it: what starts another one counts as that one's memory until it begins.
    """
    ran = subprocess.run([sys.executable, "-c", MEASURED, *command], capture_output=True, check=True, env=ENVIRONMENT)
    return int(ran.stdout) * (1 if sys.platform == "darwin" else 1024) / 1e9  # some systems count kilobytes


def first_case(verb: str, command: Callable[[int], list[str]]) -> Case:
    """Return the case of a first call."""
    return Case(
        f"sfumato {verb}, 10^4 x 19, first call on a machine, above a later one",
        lambda: first(command(TEN_THOUSAND)),
        target=10.0,
        is_long=True,
        is_quick=False,
    )


TEN_THOUSAND, HUNDRED_THOUSAND, MILLION = records(10_000), records(100_000), records(1_000_000)
CASES = [
    Case("sfumato describe, 10^6 x 19", lambda: warm(reading("describe", MILLION)), target=3.0, note=NOTE),
    Case("sfumato risk, 10^6 x 19", lambda: warm(reading("risk", MILLION)), target=6.0, note=NOTE, is_quick=False),
    Case("sfumato protect, 10^4 x 19", lambda: warm(protecting(TEN_THOUSAND)), target=3.6, note=PIECES),
    Case("sfumato protect, 10^5 x 19", lambda: warm(protecting(HUNDRED_THOUSAND)), target=3.0, note=PIECES),
    Case(
        "sfumato protect, 10^6 x 19",
        lambda: warm(protecting(MILLION)),
        target=30.0,
        note=PIECES,
        is_long=True,
        is_quick=False,
    ),
    Case(
        "sfumato protect, 10^5 x 19: peak memory",
        lambda: peak_memory(protecting(HUNDRED_THOUSAND)),
        target=0.8,
        unit="GB",
        is_quick=False,
    ),
    Case(
        "sfumato protect, 10^6 x 19: peak memory",
        lambda: peak_memory(protecting(MILLION)),
        target=3.75,
        unit="GB",
        is_long=True,
        is_quick=False,
    ),
    Case("sfumato assess, 10^4 x 19", lambda: warm(assessing(TEN_THOUSAND)), target=4.0, note=PIECES),
    Case(
        "sfumato assess, 10^5 x 19",
        lambda: warm(assessing(HUNDRED_THOUSAND)),
        target=10.0,
        note=NOTE,
        is_long=True,
        is_quick=False,
    ),
    Case(
        "sfumato assess, 10^6 x 19",
        lambda: warm(assessing(MILLION)),
        target=60.0,
        note=NOTE,
        is_long=True,
        is_quick=False,
    ),
    first_case("describe", lambda n: reading("describe", n)),
    first_case("risk", lambda n: reading("risk", n)),
    first_case("mask with MDAV", lambda n: masking(n, MDAV, "microaggregated")),
    first_case("protect", protecting),
    first_case("assess", assessing),
    first_case("improve", improving),
]
