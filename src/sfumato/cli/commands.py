"""The commands, one function each; what lies behind a command is loaded when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from sfumato import __version__
from sfumato.cli.key_commands import add_key_commands
from sfumato.cli.options import AsJson, Decimal, Encoding, InputFile, SchemaFile, Separator, Sheet, Threads
from sfumato.cli.table_commands import table_app

app = typer.Typer(
    name="sfumato",
    help="Statistical disclosure control: mask microdata, measure what was lost and what an intruder still learns.",
    epilog="Add --debug to any command to see the traceback of an error.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(table_app)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Take the options that come before a command."""


@app.command()
def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for what the demo writes.")] = Path("out/demo"),
    records: Annotated[int, typer.Option(min=500, help="Number of persons in the made survey.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the made survey and of the study.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Make a survey, compare methods on it, mask it with the best, and draw the risk-utility map."""
    from sfumato.cli.demo import run_demo

    run_demo(output, records=records, seed=seed, as_json=as_json)


@app.command()
def describe(
    file: InputFile,
    schema: SchemaFile = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    write_schema: Annotated[
        Path | None, typer.Option(help="Write the schema, guesses included, to this YAML file, to correct it there.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a file holds: kinds, roles, missing values, means and quartiles, categories; no single record."""
    from sfumato.cli.describe import run_describe
    from sfumato.files import read

    data = read(file, schema, separator=separator, decimal=decimal, encoding=encoding, sheet=sheet)
    run_describe(data, file.name, write_schema=write_schema, as_json=as_json)


@app.command()
def mask(
    file: InputFile,
    recipe: Annotated[Path, typer.Option("--recipe", "-r", help="Recipe file (YAML).")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The masked file; its suffix tells the format.")],
    schema: SchemaFile = None,
    threads: Threads = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    as_json: AsJson = False,
) -> None:
    """Mask a file by a recipe, and write a manifest beside it."""
    from sfumato.cli.mask import run_mask
    from sfumato.recipe import ReadOptions

    options = ReadOptions(separator=separator, decimal=decimal, encoding=encoding, sheet=sheet)
    run_mask(file, recipe, output, schema=schema, threads=threads, options=options, as_json=as_json)


@app.command()
def assess(
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The original file.")],
    masked: Annotated[
        Path,
        typer.Argument(
            metavar="MASKED",
            help="Its masked form; records are matched by an identifier that both have, else by their order.",
        ),
    ],
    schema: SchemaFile = None,
    recipe: Annotated[
        Path | None, typer.Option("--recipe", "-r", help="The recipe that masked the file: the intruder knows it too.")
    ] = None,
    measures: Annotated[
        Path | None, typer.Option("--measures", "-m", help="File (YAML) with the measures and scores to take.")
    ] = None,
    outliers: Annotated[bool, typer.Option(help="Show the figures of the 5 % most unusual records beside.")] = True,
    as_json: AsJson = False,
) -> None:
    """Measure what was lost and what an intruder could still learn."""
    from sfumato.cli.assess import run_assess

    run_assess(original, masked, schema=schema, recipe=recipe, measures=measures, outliers=outliers, as_json=as_json)


@app.command()
def improve(
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The original file.")],
    masked: Annotated[
        Path,
        typer.Argument(
            metavar="MASKED",
            help="Its masked form; records are matched by an identifier that both have, else by their order.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The improved file; its suffix tells the format.")],
    schema: SchemaFile = None,
    method: Annotated[
        str, typer.Option("--method", "-m", help="An improver's name; auto chooses one by the number of records.")
    ] = "auto",
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column", "-c", metavar="NAME", help="A column to improve, once for each; all numeric ones otherwise."
        ),
    ] = None,
    target: Annotated[float | None, typer.Option(help="The E to come below.")] = None,
    target_percent: Annotated[
        float | None,
        typer.Option("--target-percent", "-p", help="The IL1 to come near to, in percent of the present one."),
    ] = None,
    record_percent: Annotated[
        float | None, typer.Option("--record-percent", "-q", help="How many percent of the records may change.")
    ] = None,
    max_steps: Annotated[int | None, typer.Option(help="How many steps to take at most.")] = None,
    keep_groups: Annotated[
        bool, typer.Option("--keep-groups", help="Let records that share a value keep sharing one.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Another parameter, as in scale=0.5, once for each."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the changes; drawn when not given.")] = None,
    trace: Annotated[
        Path | None, typer.Option(help="Draw how E and IL1 went (.svg, .png, .pdf), or write it (.csv).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a masked file more like its original in moments or by a score, and write a manifest beside the result."""
    from sfumato.cli.improve import run_improve
    from sfumato.cli.improver_choice import Asked

    asked = Asked(
        method=method,
        columns=tuple(column or ()),
        target=target,
        target_percent=target_percent,
        record_percent=record_percent,
        max_steps=max_steps,
        keep_groups=keep_groups,
        settings=tuple(settings or ()),
    )
    run_improve(original, masked, output, asked, schema=schema, seed=seed, trace=trace, as_json=as_json)


@app.command()
def compare(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="Study file (YAML): data, candidates, replications.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the table, the map and the front's recipes.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes to use, all cores if not given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare methods and parameters on one file: a table, the front, the risk-utility map."""
    from sfumato.cli.compare import run_compare

    run_compare(study, output, workers=workers, as_json=as_json)


@app.command()
def search(
    file: InputFile,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            "-l",
            help="The largest figure that is allowed, as 'DLD<=5' or 'worst_case_linkage<=10'; may be repeated.",
        ),
    ] = None,
    minimise: Annotated[
        list[str] | None,
        typer.Option(
            help="The figure to bring down, or two for a front. Without it IL, where there are categorical columns the "
            "table loss CTL, or the mean of both."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for the tables, pictures and recipes; the search goes on there."),
    ] = None,
    schema: SchemaFile = None,
    space: Annotated[
        Path | None, typer.Option(help="Space file (YAML): the candidates, with grids and intervals; usual otherwise.")
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="How many candidates to try.")] = 100,
    replications: Annotated[int, typer.Option(min=1, help="How often each candidate is run.")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, help="Where all draws begin; drawn if not given.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds after which to stop, more than 0.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes to use, all cores if not given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Search for the recipe with the lowest loss among those that keep to limits on risk."""
    from sfumato.cli.search import run_search

    run_search(
        file,
        output,
        schema=schema,
        space=space,
        limits=limit or (),
        minimise=minimise or (),
        trials=trials,
        seed=seed,
        replications=replications,
        time_limit=time_limit,
        workers=workers,
        as_json=as_json,
    )


@app.command()
def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A method, measure or improver to show in full.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List every method, measure and improver, or show one in full."""
    from sfumato.cli.methods import run_methods

    run_methods(name, as_json=as_json)


@app.command()
def papers(
    data: Annotated[
        Path | None, typer.Option(help="Folder of the reference files census.csv and eia.csv.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything that is drawn.")] = 0,
    only: Annotated[str, typer.Option(help="Only the papers, or parts of papers, with this word in their name.")] = "",
    as_json: AsJson = False,
) -> None:
    """Compute the figures of the classic papers, and compare them with the printed ones."""
    from sfumato.cli.papers import run_papers

    run_papers(data, seed=seed, only=only, as_json=as_json)


@app.command()
def verify(
    manifest: Annotated[Path, typer.Argument(metavar="MANIFEST", help="The manifest beside a masked file.")],
    source: Annotated[Path | None, typer.Option("--input", help="The original file, if it was moved.")] = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Run a recipe again and tell whether the masked file is what it gives."""
    from sfumato.cli.verify import run_verify

    run_verify(manifest, source=source, threads=threads, as_json=as_json)


add_key_commands(app)
