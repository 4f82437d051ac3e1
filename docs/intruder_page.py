"""Attack files masked by many methods, and write the tables and the picture of the page about the intruder.

`make intruder` runs it.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.datasets import demo
from sfumato.display import Column, Table, text_column
from sfumato.display.figure import StyledFigure, new_figure
from sfumato.display.figure_style import COLOURS, GREY, LINE_WIDTH, MARK_SIZE, TEXT_SIZE, draw_frame, draw_title
from sfumato.loss import StandardisedInformationLoss
from sfumato.masking import (
    AdditiveNoise,
    CorrelatedNoise,
    Mdav,
    MixtureNoise,
    RankSwapping,
    RankSwappingBuckets,
    RankSwappingDistribution,
    Rounding,
    SequentialSynthesis,
)
from sfumato.papers.files import Files
from sfumato.recipe import Recipe
from sfumato.risk import LikelihoodLinkage, WorstCaseLinkage

PAGE = Path(__file__).parent / "intruder.md"
PICTURE = Path(__file__).parent / "intruder" / "linked.svg"
BEGIN, END = "<!-- {}: made by `make intruder` -->\n", "<!-- end of {} -->\n"
SEED = 7
DEMO_COLUMNS = ("age", "total_income", "expenditure", "savings")
EIA_RECORDS = 2000
DISTANCE = "nearest by standardised values"
LIKELIHOOD, NO_ATTACKS = "likelihood, ", ("some attack", "WCA", "WCB")
HEAD = ("IL1s", "Distance", "Best other attack", "Likelihood", "Certain at 90", "Right at 90")
PARTLY_KNOWN = (("mixture noise", 0.2), ("correlated noise", 0.2), ("rank swapping", 15), ("MDAV", 5))
KNOWN = (1, 2, 3, 5, 7, 10, 13)  # how many of the columns of Census
Columns = tuple[str, ...]


@dataclass(frozen=True)
class Family:
    """A method with the parameters that are tried.

    Parameters
    ----------
    name
        What the tables call it.
    parameters
        What is tried, the weakest masking first.
    steps
        The steps that mask columns, by a parameter.
    """

    name: str
    parameters: tuple[float, ...]
    steps: Callable[[Columns, float], tuple[MaskingMethod, ...]]


@dataclass(frozen=True)
class Attacked:
    """What came of attacking one masked file: figures in percent.

    Parameters
    ----------
    family, parameter
        How it was masked.
    loss
        IL1s, how far values moved.
    distance
        Records linked by the nearest record.
    other
        Records linked by the strongest attack that does not use the likelihood.
    likelihood
        Records linked by the likelihood, in the way that links most.
    certain, right
        Links of a posterior probability of at least 90 %, and how many of these are right, if there are any.
    strongest
        Records linked by the strongest attack of all: the worst case.
    """

    family: str
    parameter: float
    loss: float
    distance: float
    other: float
    likelihood: float
    certain: float
    right: float | None
    strongest: float


def rounded(columns: Columns, base: float) -> tuple[MaskingMethod, ...]:
    """Return the steps that round amounts to the base, and ages to a thousandth of it but at least five years."""
    amounts = tuple(name for name in columns if name != "age")
    ages = tuple(name for name in columns if name == "age")
    return (
        Rounding(columns=amounts, base=base),
        *([Rounding(columns=ages, base=max(base / 1000, 5.0))] if ages else []),
    )


MIXTURE = Family(
    "mixture noise",
    (0.05, 0.2, 0.5, 1.0),
    lambda columns, ratio: (MixtureNoise(columns=columns, variance_ratio=ratio),),
)
FAMILIES = (
    MIXTURE,
    Family(
        "correlated noise",
        (0.05, 0.2, 0.5, 1.0),
        lambda columns, ratio: (CorrelatedNoise(columns=columns, variance_ratio=ratio),),
    ),
    Family(
        "additive noise", (0.1, 0.3, 0.5, 1.0), lambda columns, scale: (AdditiveNoise(columns=columns, scale=scale),)
    ),
    Family(
        "rank swapping",
        (5, 10, 15, 20, 30),
        lambda columns, window: (RankSwapping(columns=columns, window=window),),
    ),
    Family(
        "p-distribution swapping",
        (5, 10, 20, 30),
        lambda columns, window: (RankSwappingDistribution(columns=columns, window=window),),
    ),
    Family(
        "p-buckets swapping",
        (20, 10, 5),
        lambda columns, buckets: (RankSwappingBuckets(columns=columns, buckets=int(buckets)),),
    ),
    Family("MDAV", (3, 5, 10), lambda columns, k: (Mdav(columns=columns, k=int(k)),)),
    Family("rounding", (1000, 10_000), rounded),
    Family(
        "sequential synthesis", (5,), lambda columns, leaf: (SequentialSynthesis(columns=columns, min_leaf=int(leaf)),)
    ),
)


def main(arguments: Sequence[str]) -> None:
    """Attack all files, and write the tables and the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of census.csv and eia.csv; SFUMATO_DATA when not given")
    files = Files(parser.parse_args(arguments).data)
    attacked = {
        "Census": list(attack_all(files.census, files.census.schema.names, FAMILIES)),
        "demo survey": list(attack_all(complete_survey(), DEMO_COLUMNS, FAMILIES)),
        "EIA": list(attack_all(some_eia(files), files.eia.schema.names, eia_families())),
    }
    write_page(attacked, {known: list(attack_knowing(files.census, known)) for known in KNOWN})
    PICTURE.parent.mkdir(exist_ok=True)
    draw_picture({name: attacked[name] for name in ("Census", "demo survey")}).save(PICTURE)


def complete_survey() -> Microdata:
    """Return the records of a made survey of 1000 persons without missing values in four columns, and no households."""
    data = demo(1000).without_columns(("household_id",))
    return data.take_rows(np.flatnonzero(~np.isnan(data.matrix(DEMO_COLUMNS)).any(axis=1)))


def some_eia(files: Files) -> Microdata:
    """Return the first records of EIA."""
    return files.eia.take_rows(np.arange(EIA_RECORDS))


def eia_families() -> tuple[Family, ...]:
    """Return the families and parameters that are tried on EIA."""
    chosen = {"mixture noise": (0.2,), "rank swapping": (15,), "MDAV": (3, 10)}
    return tuple(Family(family.name, chosen[family.name], family.steps) for family in FAMILIES if family.name in chosen)


def attack_all(data: Microdata, columns: Columns, families: Sequence[Family]) -> Iterator[Attacked]:
    """Yield what comes of attacking the file masked in each way."""
    for family in families:
        for parameter in family.parameters:
            yield attack(data, columns, family, parameter)


def attack(data: Microdata, columns: Columns, family: Family, parameter: float) -> Attacked:
    """Return what an intruder who knows the recipe and these columns finds in the masked file."""
    steps = family.steps(columns, parameter)
    masked = Recipe(steps=steps, seed=SEED).run(data)
    knowledge = Knowledge.of(steps, data)
    attacks = WorstCaseLinkage(columns=columns).informed_by(knowledge).measure(data, masked)
    found = LikelihoodLinkage(columns=columns).informed_by(knowledge).measure(data, masked)
    likely = found.parts
    others = [
        part for name, part in attacks.parts.items() if not name.startswith(LIKELIHOOD) and name not in NO_ATTACKS
    ]
    return Attacked(
        family.name,
        parameter,
        StandardisedInformationLoss(columns=columns).measure(data, masked).value,
        attacks.parts[DISTANCE],
        max(others),
        found.value,
        likely["certain at 90"],
        likely.get("right at 90"),
        attacks.value,
    )


def attack_knowing(data: Microdata, known: int) -> Iterator[float]:
    """Yield how many records an intruder links who knows the first columns only, for each recipe of `PARTLY_KNOWN`."""
    every = data.schema.names
    for name, parameter in PARTLY_KNOWN:
        (family,) = (family for family in FAMILIES if family.name == name)
        steps = family.steps(every, parameter)
        linkage = LikelihoodLinkage(columns=every[:known]).informed_by(Knowledge.of(steps, data))
        yield linkage.measure(data, Recipe(steps=steps, seed=SEED).run(data)).value


def write_page(attacked: Mapping[str, Sequence[Attacked]], knowing: Mapping[int, Sequence[float]]) -> None:
    """Write the table of each file to the page, and that of the columns known."""
    page = PAGE.read_text(encoding="utf-8")
    for name, rows in attacked.items():
        page = between(page, f"figures of {name}", attack_table(rows))
    PAGE.write_text(between(page, "columns known", knowing_table(knowing)), encoding="utf-8")


def attack_table(rows: Sequence[Attacked]) -> str:
    """Return the figures of one file as a Markdown table."""
    columns = (text_column("Masked by"), *map(Column, HEAD))
    cells = tuple(
        (
            f"{row.family} {row.parameter:g}",
            *(f"{figure:.1f}" for figure in (row.loss, row.distance, row.other, row.likelihood, row.certain)),
            "" if row.right is None else f"{row.right:.1f}",
        )
        for row in rows
    )
    return f"{Table(columns, cells).to_markdown()}\n"


def knowing_table(knowing: Mapping[int, Sequence[float]]) -> str:
    """Return how many records are linked by how many columns are known, as a Markdown table."""
    columns = (Column("Columns known"), *(Column(f"{name} {parameter:g}") for name, parameter in PARTLY_KNOWN))
    rows = tuple((str(known), *(f"{linked:.1f}" for linked in found)) for known, found in knowing.items())
    return f"{Table(columns, rows).to_markdown()}\n"


def between(page: str, name: str, text: str) -> str:
    """Return the page with a text between the two marks of a name, and all else as it is."""
    begin, end = BEGIN.format(name), END.format(name)
    before, mark, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (mark and closed):
        sys.exit(f"the page needs the line '{begin.strip()}' and, below it, '{end.strip()}'")
    return f"{before}{begin}\n{text}\n{end}{after}"


def draw_picture(attacked: Mapping[str, Sequence[Attacked]]) -> StyledFigure:
    """Return how many records are linked by the loss of each method, by distance and by the strongest attack."""
    figure = new_figure(8.4, 3.3 * len(attacked))
    panels = figure.subplots(len(attacked), 2, sharey=True, squeeze=False)
    for (left, right), (name, rows) in zip(panels, attacked.items(), strict=True):
        draw_panel(left, rows, [row.distance for row in rows], f"{name}: linked by distance")
        draw_panel(right, rows, [row.strongest for row in rows], f"{name}: linked by the strongest attack")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False, fontsize=TEXT_SIZE)
    return figure


def draw_panel(axes: Axes, rows: Sequence[Attacked], linked: Sequence[float], title: str) -> None:
    """Draw a line for each family, from its weakest masking to its strongest."""
    draw_frame(axes, "information loss (IL1s, %)", "records linked" if axes.get_subplotspec().is_first_col() else "")
    draw_title(axes, title, gap=4.0)
    axes.yaxis.set_major_formatter(PercentFormatter(decimals=0, symbol=" %"))
    axes.set_ylim(-3, 103)
    axes.set_xlim(0, 80)
    names = [family.name for family in FAMILIES]
    for name in dict.fromkeys(row.family for row in rows):
        places = [place for place, row in enumerate(rows) if row.family == name]
        number = names.index(name)
        axes.plot(
            [rows[place].loss for place in places],
            [linked[place] for place in places],
            color=COLOURS[number] if number < len(COLOURS) else GREY,
            marker="osD^vPX*h"[number],
            markersize=MARK_SIZE,
            linewidth=LINE_WIDTH,
            label=name,
            clip_on=False,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
