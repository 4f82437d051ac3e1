"""`sfumato search`: the best recipe for a file under limits."""

import re
from collections.abc import Sequence
from pathlib import Path

import typer

from sfumato.cli.compare import INTERRUPTED, MAP_FORMATS, write_study
from sfumato.cli.console import NOT_MET, messages, print_json, results
from sfumato.errors import ParameterError
from sfumato.files import read
from sfumato.storage.atomic import write_text
from sfumato.study.search import Search, search
from sfumato.study.search.found import Ended
from sfumato.study.search.rendering import verdict
from sfumato.study.search.storing import JOURNAL

LIMIT = re.compile(r"\s*(?P<figure>[^<>=]+?)\s*<=\s*(?P<limit>[^<>=]+?)\s*")
BEST = "best.yaml"


def run_search(
    file: Path,
    output: Path | None,
    *,
    schema: Path | None,
    space: Path | None,
    limits: Sequence[str],
    minimise: Sequence[str],
    trials: int,
    seed: int | None,
    replications: int,
    time_limit: float | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Search for the best recipe, show it, and write everything into a folder if asked."""
    allowed = read_limits(limits)
    continues = output is not None and (output / JOURNAL).exists()
    found = search(
        read(file, schema),
        space,
        limits=allowed,
        minimise=tuple(minimise) or None,
        trials=trials,
        seed=seed,
        replications=replications,
        keep=output,
        time_limit=time_limit,
        workers=workers,
    )
    said = messages()
    if found.study.reused:
        told = f"{found.study.reused} of {len(found.study.results)} runs were kept from an earlier time"
        said.print(told, markup=False, soft_wrap=True)
    if output is not None:
        said.print(write_search(found, output), markup=False, soft_wrap=True)
    if as_json:
        print_json(found.to_dict())
    else:
        results().print(as_shown(found, output), markup=False, soft_wrap=True)
    if seed is None:
        origin = "that of the folder" if continues else "drawn"
        said.print(
            f"the seed was {origin}: --seed {found.seed} gives the same trials again", markup=False, soft_wrap=True
        )
    if found.ended is Ended.INTERRUPTED:
        said.print(how_to_continue(found, output), markup=False, soft_wrap=True)
        raise typer.Exit(INTERRUPTED)
    if found.best is None:
        said.print(verdict(found), markup=False, soft_wrap=True)
        raise typer.Exit(NOT_MET)


def read_limits(texts: Sequence[str]) -> dict[str, float]:
    """Return the limits that are written as `DLD<=5`; everything wrong is told at once.

    Examples
    --------
    >>> read_limits(["dld<=5", "worst_case_linkage <= 10"])
    {'dld': 5.0, 'worst_case_linkage': 10.0}
    """
    limits: dict[str, float] = {}
    problems = []
    for text in texts:
        found = LIMIT.fullmatch(text)
        try:
            figure, limit = (found["figure"], float(found["limit"])) if found else ("", 0.0)
        except ValueError:
            figure, limit = "", 0.0
        if not figure:
            problems.append(f"--limit must be a figure and a number, as in 'DLD<=5'; got '{text}'")
        elif figure in limits:
            problems.append(f"--limit must limit each figure once; {figure} is there twice")
        limits[figure] = limit
    if problems:
        raise ParameterError(problems)
    return limits


def as_shown(found: Search, output: Path | None) -> str:
    """Return what was found as text; without a folder, the best recipe follows it."""
    if output is not None or found.best is None:
        return str(found)
    return f"{found}\n\n# {found.best.label}\n{found.best.recipe.to_yaml()}"


def how_to_continue(found: Search, output: Path | None) -> str:
    """Say what is done, and how to have the rest done."""
    done = f"interrupted: {len(found.tried)} of {len(found.tried) + found.unfinished} trials are done"
    if output is None:
        return f"{done} and none is kept; give a folder with --output to be able to continue"
    return f"{done} and kept in {output}; the same command continues from there"


def write_search(found: Search, folder: Path) -> str:
    """Write the tables, the map, the history and the recipes; return a sentence about it."""
    said = write_study(found.study, folder, limits=found.question.limits)
    write_text(folder / "trials.csv", found.to_frame().write_csv())
    figure = found.history()
    for suffix in MAP_FORMATS:
        figure.save(folder / f"history.{suffix}")
    if found.best is None:
        (folder / BEST).unlink(missing_ok=True)  # of an earlier time, with fewer limits
        return said
    found.best.recipe.save(folder / BEST)
    return f"{said}; the best recipe is {folder / BEST}"
