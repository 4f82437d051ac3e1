"""The command that makes synthetic records: `synthesise`. What lies behind it is loaded when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.options import (
    AsJson,
    FileOrFolder,
    Memory,
    Overwrite,
    Report,
    takes_read_options,
    takes_write_options,
)

if TYPE_CHECKING:
    from sfumato.files import ReadOptions, WriteOptions


@takes_write_options
@takes_read_options
def synthesise(
    file: FileOrFolder,
    output: Annotated[Path, typer.Option("--output", "-o", help="The synthetic file; its suffix sets the format.")],
    options: "ReadOptions",
    write_options: "WriteOptions",
    overwrite: Overwrite = False,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMNS",
            help="Columns to draw, as 'sex,age,wage', in this order; all but identifiers, as in the file, otherwise.",
        ),
    ] = None,
    releases: Annotated[
        int,
        typer.Option("--releases", "-m", min=1, help="Synthetic files to make, numbered in a new column 'release'."),
    ] = 1,
    records: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Records of each synthetic file, about so many of households; else as in the file. Weights add up "
            "to the same total.",
        ),
    ] = None,
    holdout: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            metavar="PERCENT",
            help="Records, or whole households, to keep back as the control of an assessment; written beside the "
            "output as they are.",
        ),
    ] = None,
    min_leaf: Annotated[int, typer.Option(min=2, help="Fewest original records that a drawn value rests on.")] = 5,
    bootstrap: Annotated[
        bool | None,
        typer.Option(
            "--bootstrap/--no-bootstrap",
            help="Let several files differ as much as the estimates behind them are uncertain; usual with -m above 1.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=MODEL",
            help="Model of a column, once for each: tree (usual), forest, linear, normal, pmm, logistic, resample.",
        ),
    ] = None,
    parametric: Annotated[
        bool,
        typer.Option(
            "--parametric",
            help="Draw columns without a model by regressions: linear on ranks, logistic for categories.",
        ),
    ] = False,
    formula: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=FORMULA", help="Column that is computed, as 'total=wages + pensions', once for each."
        ),
    ] = None,
    predictors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=COLUMNS",
            help="What a column is drawn from, as 'wage=age,sex', once for each; all columns before it otherwise.",
        ),
    ] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="What every record must meet, as \"age >= 16 or status == 'single'\", once for each; of households "
            "also \"count(relation == 'spouse') <= 1\", with min, max and sum too.",
        ),
    ] = None,
    relation: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column that says what a person is to the head of the household."),
    ] = None,
    age: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of ages, or of dates of birth: differences between members of a household are kept.",
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(help="What a new column 'label' says of every record, as 'synthetic data'; no column otherwise."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of all draws; drawn when not given.")] = None,
    page: Annotated[
        Path | None,
        typer.Option(help="Write an HTML page: what the file gives away, and pictures of it beside the original."),
    ] = None,
    report: Report = None,
    within_groups: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=COLUMNS",
            help="Column that the page shows within the groups of others, as 'wage=region,sex', once for each.",
        ),
    ] = None,
    memory: Memory = None,
    as_json: AsJson = False,
) -> None:
    """Make synthetic records of a file, whole households where it tells them, with recipe and manifest beside them."""
    from sfumato.cli.console import progress, show
    from sfumato.cli.settings import read_names, read_pairs
    from sfumato.jobs import synthesise as job
    from sfumato.jobs.folders.resources import Resources

    formulas = read_pairs("--formula", "total=wages + pensions", formula or ())
    models: dict[str, Any] = dict(read_pairs("--model", "income=linear", model or ()))
    models |= {name: {"formula": {"expression": text}} for name, text in formulas.items()}
    drawn_from = read_pairs("--predictors", "wage=age,sex", predictors or ())
    groups = read_pairs("--within-groups", "wage=region,sex", within_groups or ())
    with progress() as on_progress:
        result = job.synthesise(
            file,
            output,
            options=options,
            write_options=write_options,
            overwrite=overwrite,
            columns=read_names(columns or ""),
            releases=releases,
            size=records,
            holdout=holdout,
            min_leaf=min_leaf,
            bootstrap=bootstrap,
            models=models,
            parametric=parametric,
            predictors={name: read_names(names) for name, names in drawn_from.items()},
            conditions=condition or (),
            relation=relation,
            age=age,
            label=label,
            seed=seed,
            page=page,
            report=report,
            within_groups={name: read_names(names) for name, names in groups.items()},
            resources=Resources(memory),
            on_progress=on_progress,
        )
    show(result, as_json=as_json)
