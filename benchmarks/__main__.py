"""Run the benchmarks and print each figure as a ratio to its target: `python -m benchmarks [--full] [WORD ...]`.

With SFUMATO_BENCH_QUICK set they only have to run, on small files.
"""

import json
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import (
    commands,
    counting,
    engines,
    files,
    folders,
    improve,
    intruder_cells,
    key_protection,
    key_risk,
    killed_runs,
    large_folders,
    likelihood_linkage,
    linkage,
    masking,
    mdav,
    measures,
    microaggregation,
    outputs,
    papers,
    periods,
    probabilistic_linkage,
    release_report,
    search,
    start,
    study,
    synthesis,
    synthetic_risk,
    tables,
    workbench,
)
from benchmarks.case import QUICK, Case, Figure, yardstick

CASES = [
    *start.CASES,
    *commands.CASES,
    *masking.CASES,
    *mdav.CASES,
    *microaggregation.CASES,
    *counting.CASES,
    *measures.CASES,
    *linkage.CASES,
    *probabilistic_linkage.CASES,
    *likelihood_linkage.CASES,
    *intruder_cells.CASES,
    *key_risk.CASES,
    *synthetic_risk.CASES,
    *synthesis.CASES,
    *key_protection.CASES,
    *improve.CASES,
    *release_report.CASES,
    *search.CASES,
    *study.CASES,
    *papers.CASES,
    *tables.CASES,
    *periods.CASES,
    *workbench.CASES,
    *outputs.CASES,
    *files.CASES,
    *folders.CASES,
    *engines.CASES,
    *large_folders.CASES,
    *killed_runs.CASES,
]


def main(words: list[str]) -> None:
    """Run the cases whose name holds one of the words, all but the long ones without words, all with --full."""
    if QUICK:
        run_once([case for case in CASES if case.is_quick])
        return
    every, words = "--full" in words, [word for word in words if word != "--full"]
    named = [case for case in CASES if not words or any(word in case.name for word in words)]
    chosen = [case for case in named if every or words or not case.is_long]
    sorting = yardstick()
    figures = []
    console = Console(width=130)
    for case in chosen:
        console.print(f"{case.name} ...", style="dim")
        figures.append(Figure(case, case.measure()))
    console.print(as_table(figures))
    for figure in figures:
        if figure.of_target > 1:
            console.print(f"{figure.case.name}: misses its target by {figure.of_target - 1:.0%}. {figure.case.note}")
    console.print(f"Sorting 10^6 numbers took {sorting:.3f} CPU s on this machine just now.")
    write_json(figures, sorting, Path("build/bench.json"))


def run_once(cases: list[Case]) -> None:
    """Run each case on small files, and say which one fails; what they measure then means nothing."""
    start = time.perf_counter()
    for case in cases:
        try:
            case.measure()
        except Exception as error:
            error.add_note(f"in the benchmark '{case.name}'")
            raise
    print(f"{len(cases)} benchmarks ran on small files in {time.perf_counter() - start:.0f} s")


def as_table(figures: list[Figure]) -> Table:
    made = Table(title="Benchmarks", title_justify="left", caption="ratios below 1 are better", caption_justify="left")
    for column in ("what", "figure", "target", "figure / target", "peer", "figure / peer"):
        made.add_column(column, justify="left" if column in ("what", "peer") else "right")
    for figure in figures:
        made.add_row(
            figure.case.name,
            f"{figure.value:.3f} {figure.case.unit}",
            f"{figure.case.target:g}",
            f"{figure.of_target:.2f}",
            _peer(figure.case),
            "" if figure.case.peer is None else f"{figure.value / figure.case.peer[1]:.3f}",
        )
    return made


def write_json(figures: list[Figure], sorting: float, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("sfumato", "numpy", "numba", "polars")},
        "sorting_a_million_cpu_s": sorting,
        "figures": [
            {
                "name": figure.case.name,
                "value": figure.value,
                "unit": figure.case.unit,
                "target": figure.case.target,
                "ratio_to_target": figure.of_target,
                "peer": figure.case.peer and {"name": figure.case.peer[0], "value": figure.case.peer[1]},
            }
            for figure in figures
        ],
    }
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _peer(case: Case) -> str:
    return "" if case.peer is None else f"{case.peer[0]}: {case.peer[1]:g}"


if __name__ == "__main__":
    main(sys.argv[1:])
