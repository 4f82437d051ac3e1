"""Run the two studies of the page about maps, draw them, and write its tables; `make maps` runs it."""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.display import Table, text_column
from sfumato.files import write
from sfumato.papers.files import Files
from sfumato.study.front import is_on_front

DOCS = Path(__file__).parent
PAGE, STUDIES = DOCS / "maps.md", DOCS / "maps"
WORK = DOCS.parent / "build" / "maps"  # keeps the runs, so that what is not new is not run again
BEGIN, END = "<!-- {}: made by `make maps` -->\n", "<!-- end of {} -->\n"
TITLES = {"census": "Census", "eia": "EIA"}
MAPS = {"map.svg": "", "map_outliers.svg": "-outliers"}
FRONTS = {
    "All records, IL and DR": ("IL", "DR"),
    "All records, IL1s and DR": ("IL1s", "DR"),
    "Outliers, IL1s and DR": ("IL1s_outliers", "DR_outliers"),
}
DECIMALS = re.compile(r"(?<=\.\d\d)\d+")
Row = Mapping[str, Any]

JPEG, SWAPPING, NOISE = "lossy compression", "rank swapping", "additive noise"
RESAMPLING, MDAV = "resampling", "mdav"
FAMILIES = (JPEG, SWAPPING, NOISE, RESAMPLING, MDAV)
HIGHER, LOWER, SAME, UNSTATED = "higher", "lower", "the same", ""
SIMILAR = 0.05  # of a figure: what differs by less is the same
COMPARED = ("IL1s", "DLD", "ID")
PRINTED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    JPEG: {"IL1s": (HIGHER, HIGHER), "DLD": (HIGHER, HIGHER), "ID": (HIGHER, HIGHER)},
    SWAPPING: {"IL1s": (HIGHER, HIGHER), "DLD": (LOWER, LOWER), "ID": (HIGHER, HIGHER)},
    NOISE: {"IL1s": (SAME, SAME), "DLD": (HIGHER, HIGHER), "ID": (HIGHER, HIGHER)},
    RESAMPLING: {"IL1s": (HIGHER, HIGHER), "DLD": (HIGHER, HIGHER), "ID": (UNSTATED, HIGHER)},
    MDAV: {"IL1s": (HIGHER, HIGHER), "DLD": (LOWER, HIGHER), "ID": (LOWER, HIGHER)},
}
"""What the paper says of the outliers' figures against those of all records, on Census and on EIA."""


def main(arguments: Sequence[str]) -> None:
    """Run both studies by the command line, and put maps and tables where the page shows them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of census.csv and eia.csv; SFUMATO_DATA when not given")
    files = Files(parser.parse_args(arguments).data)
    studies = {name: run_study(name, files) for name in TITLES}
    page = PAGE.read_text(encoding="utf-8")
    page = between(page, "fronts", "\n".join(front_table(name, rows) for name, rows in studies.items()))
    for name, rows in studies.items():
        page = between(page, f"members on {TITLES[name]}", members_table(rows))
    outliers = "\n".join(outliers_table(name, rows) for name, rows in studies.items())
    outliers = f"{outliers}\n{agreement(outliers)}\n"
    PAGE.write_text(between(page, "outliers", outliers), encoding="utf-8")


def run_study(name: str, files: Files) -> list[Row]:
    """Run a study of the page as anybody would, copy its maps, and return a row per candidate."""
    folder = WORK / name
    folder.mkdir(parents=True, exist_ok=True)
    write(getattr(files, name), folder / f"{name}.csv")
    shutil.copy(STUDIES / f"{name}.yaml", folder)
    program = Path(sys.executable).with_name("sfumato")
    command = [str(part) for part in (program, "compare", folder / f"{name}.yaml", "--output", folder / "out")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    for made, ending in MAPS.items():
        drawing = (folder / "out" / made).read_text(encoding="utf-8")
        (STUDIES / f"{name}{ending}.svg").write_text(smaller(drawing), encoding="utf-8")
    content = json.loads((folder / "out" / "study.json").read_text(encoding="utf-8"))
    return list(content["candidates"])


def smaller(drawing: str) -> str:
    """Return an SVG drawing with two decimals in its paths, which is less than what a screen shows."""
    lines = drawing.splitlines(keepends=True)
    return "".join(DECIMALS.sub("", line) if re.match(r'[MLQCz ]|.*<path d="', line) else line for line in lines)


def between(page: str, name: str, text: str) -> str:
    """Return the page with a text between the two marks of a name, and all else as it is."""
    begin, end = BEGIN.format(name), END.format(name)
    before, mark, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (mark and closed):
        sys.exit(f"the page needs the line '{begin.strip()}' and, below it, '{end.strip()}'")
    return f"{before}{begin}\n{text}\n{end}{after}"


def front_of(rows: Sequence[Row], loss: str, risk: str) -> list[Row]:
    """Return the candidates that none beats in both figures, the one with the lowest loss first."""
    members = is_on_front(np.array([row[risk] for row in rows]), np.array([row[loss] for row in rows]))
    return sorted((row for row, member in zip(rows, members, strict=True) if member), key=lambda row: float(row[loss]))


def front_table(name: str, rows: Sequence[Row]) -> str:
    """Return how many candidates of each family are on each front, and between which parameters."""
    fronts = [front_of(rows, *axes) for axes in FRONTS.values()]
    lines = []
    for family in FAMILIES:
        tried = sum(row["family"] == family for row in rows)
        cells = [_run([row for row in rows if row["family"] == family and row in front], tried) for front in fronts]
        lines.append((family, *cells))
    return markdown_table((TITLES[name], *FRONTS), lines)


def members_table(rows: Sequence[Row]) -> str:
    """Return the first, middle and last member of each family on the front of all records, and on the outliers'."""
    tables = []
    for loss, risk in (FRONTS["All records, IL and DR"], FRONTS["Outliers, IL1s and DR"]):
        front = front_of(rows, loss, risk)
        chosen: list[Row] = []
        for family in FAMILIES:
            alike = [row for row in front if row["family"] == family]
            chosen += [row for place, row in enumerate(alike) if place in (0, len(alike) // 2, len(alike) - 1)]
        ordered = sorted(chosen, key=lambda row: float(row[loss]))
        lines = [(row["candidate"], _figure(row, loss), _figure(row, risk)) for row in ordered]
        tables.append(markdown_table(("On the front", loss, risk), lines))
    return "\n".join(tables)


def outliers_table(name: str, rows: Sequence[Row]) -> str:
    """Return each family's figures over all records and over the outliers, and where the paper says otherwise."""
    lines = []
    for family in FAMILIES:
        alike = [row for row in rows if row["family"] == family]
        cells = [
            _compare_means(alike, symbol, PRINTED[family][symbol][list(TITLES).index(name)]) for symbol in COMPARED
        ]
        lines.append((family, *cells))
    return markdown_table((TITLES[name], *COMPARED), lines)


def markdown_table(head: Sequence[str], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table of text as Markdown, with a line end."""
    return f"{Table(tuple(map(text_column, head)), tuple(rows)).to_markdown()}\n"


def agreement(tables: str) -> str:
    """Return a sentence about how many directions of the tables are as the paper says."""
    statements = [printed for figures in PRINTED.values() for pair in figures.values() for printed in pair if printed]
    held = len(statements) - tables.count("(paper: ")
    return (
        f"Of {len(statements)} such directions that the paper names, {held} come out as it says; by their sign alone, "
        "some of them being smaller than what other draws would change."
    )


def _compare_means(alike: Sequence[Row], symbol: str, printed: str) -> str:
    """Return the mean of a figure over the parameters of a family, of all records and of the outliers."""
    every, outliers = (float(np.mean([row[name] for row in alike])) for name in (symbol, f"{symbol}_outliers"))
    is_as_printed = {
        HIGHER: outliers > every,
        LOWER: outliers < every,
        SAME: abs(every - outliers) < SIMILAR * every,
        UNSTATED: True,
    }
    return f"{every:.1f}, {outliers:.1f}" + ("" if is_as_printed[printed] else f" (paper: {printed})")


def _run(members: Sequence[Row], tried: int) -> str:
    if not members:
        return "none"
    first, last = (row["candidate"].removeprefix(row["family"]).strip() for row in (members[0], members[-1]))
    return f"{len(members)} of {tried}: {first}" + (f" to {last}" if len(members) > 1 else "")


def _figure(row: Row, symbol: str) -> str:
    mean, low, high = (row[name] for name in (symbol, f"{symbol}_low", f"{symbol}_high"))
    has_interval = low is not None and high - low > 1e-9
    return f"{mean:.1f} ({low:.1f} to {high:.1f})" if has_interval else f"{mean:.1f}"


if __name__ == "__main__":
    main(sys.argv[1:])
