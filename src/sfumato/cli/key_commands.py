"""The commands about keys: `risk` and `protect`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.options import (
    AsJson,
    Cluster,
    FileOrFolder,
    Memory,
    Overwrite,
    Page,
    Plan,
    Report,
    SpillFolder,
    Threads,
    takes_read_options,
    takes_write_options,
)

if TYPE_CHECKING:
    from sfumato.files import ReadOptions, WriteOptions

SmallestGroup = Annotated[int, typer.Option("--k", "-k", min=2, help="How many records should share the keys of each.")]
Limit = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        "-l",
        help="What the file must keep to, once for each: 'k=3' (a gap fits every value), 'strict_k=3' (a gap is a "
        "value of its own), 'global_risk<=1' (percent); exit code 3 if it does not. In protect the first two raise k.",
    ),
]

Combinations = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="KEYS", help="How many of the keys may be known together; all at once otherwise. mu-Argus: 3."
    ),
]


PopulationSize = Annotated[
    float | None,
    typer.Option(
        metavar="PERSONS",
        help="How many persons the sample was drawn from: weights that were normalised are scaled to that sum, for the "
        "risk.",
    ),
]


@takes_read_options
def risk(
    file: FileOrFolder,
    options: "ReadOptions",
    k: SmallestGroup = 3,
    combinations: Combinations = None,
    population_size: PopulationSize = None,
    limit: Limit = None,
    measures: Annotated[
        Path | None,
        typer.Option(
            "--measures",
            "-m",
            help="File (YAML) with measures of one file to take as well, such as suda, l_diversity or delta_presence.",
        ),
    ] = None,
    page: Page = None,
    threads: Threads = None,
    memory: Memory = None,
    spill: SpillFolder = None,
    cluster: Cluster = None,
    plan: Plan = False,
    as_json: AsJson = False,
) -> None:
    """Show who stands out by the keys of a file, which categories drive that, and whether it is within limits."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import risk as job
    from sfumato.jobs.folders.resources import Resources
    from sfumato.jobs.folders.risk_folder import plan_risk

    resources = Resources(memory, spill, cluster)
    if plan:
        show(plan_risk(file, options=options, resources=resources, threads=threads), as_json=as_json)
        return
    with progress() as on_progress:
        result = job.risk(
            file,
            options=options,
            k=k,
            population_size=population_size,
            combinations=combinations or (),
            limits=limit or (),
            measures=measures,
            page=page,
            threads=threads,
            resources=resources,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)


@takes_write_options
@takes_read_options
def protect(
    file: FileOrFolder,
    output: Annotated[Path, typer.Option("--output", "-o", help="The protected file; its suffix sets the format.")],
    options: "ReadOptions",
    write_options: "WriteOptions",
    overwrite: Overwrite = False,
    k: SmallestGroup = 3,
    max_suppressed: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            help="Percent of the key values, over all keys, that may be suppressed: a limit, which broader keys keep "
            "to, or no file is written. [default: 5 are aimed at, and a note says where it takes more]",
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Make each record equal to k - 1 others, gaps included: a gap is a value too."),
    ] = False,
    whole_records: Annotated[
        bool,
        typer.Option(
            "--whole-records",
            help="Make each record equal to k - 1 others in every column, gaps included: proven against whoever knows "
            "anything, at the price of much detail.",
        ),
    ] = False,
    combinations: Combinations = None,
    sensitive: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Column that --l-diversity and --t-closeness are about, once for each; all confidential nominal and "
            "ordinal ones otherwise.",
        ),
    ] = None,
    l_diversity: Annotated[
        int | None,
        typer.Option(
            min=2, metavar="L", help="How many different sensitive values a group must have; implies --strict."
        ),
    ] = None,
    t_closeness: Annotated[
        float | None,
        typer.Option(
            max=1, metavar="T", help="How far a group's sensitive values may be from the file's; implies --strict."
        ),
    ] = None,
    hierarchy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=FILE",
            help="File with the tree of a key's categories, a row for each: the category, its group, ..., the top.",
        ),
    ] = None,
    importance: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=NUMBER", help="Importance of a key (default 1): the higher, the less it is changed."),
    ] = None,
    number_recipe: Annotated[
        Path | None,
        typer.Option(
            metavar="RECIPE",
            help="Recipe file whose steps mask confidential numbers; microaggregation of all of them otherwise.",
        ),
    ] = None,
    keeps_numbers: Annotated[
        bool, typer.Option("--keeps-numbers", help="Release confidential numbers as they are.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Column that may leave as it is although it differs for most records, once for each; other such "
            "numbers are masked, and texts and dates dropped.",
        ),
    ] = None,
    other_label: Annotated[
        str, typer.Option(metavar="TEXT", help="Name of rare categories that are put into one.")
    ] = "other",
    class_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHICH=PATTERN",
            help="Pattern for the names of classes, as 'lowest=<{high}', 'between={low}-{last}', 'highest={low}+' or "
            "'joined={low}-{high}', once for each.",
        ),
    ] = None,
    population_size: PopulationSize = None,
    limit: Limit = None,
    page: Page = None,
    report: Report = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of all draws; drawn when not given.")] = None,
    memory: Memory = None,
    as_json: AsJson = False,
) -> None:
    """Protect a file so that nobody stands out by its keys; writes the recipe and a manifest beside it."""
    from sfumato.cli.console import progress, show
    from sfumato.cli.settings import read_number_steps, read_numbers, read_pairs
    from sfumato.jobs import protect as job
    from sfumato.jobs.folders.resources import Resources

    trees = read_pairs("--hierarchy", "region=regions.csv", hierarchy or ())
    with progress() as on_progress:
        result = job.protect(
            file,
            output,
            options=options,
            write_options=write_options,
            overwrite=overwrite,
            k=k,
            max_suppressed=max_suppressed,
            strict=strict,
            whole_records=whole_records,
            combinations=combinations or (),
            sensitive=sensitive or (),
            l=l_diversity,
            t=t_closeness,
            hierarchies={name: Path(path) for name, path in trees.items()},
            importance=read_numbers("--importance", "region=3", importance or ()),
            number_steps=read_number_steps(number_recipe, keeps_numbers),
            keep=keep or (),
            other_label=other_label,
            class_names=read_pairs("--class-name", "between={low}-{last}", class_name or ()) or None,
            population_size=population_size,
            limits=limit or (),
            seed=seed,
            page=page,
            report=report,
            resources=Resources(memory),
            on_progress=on_progress,
        )
    show(result, as_json=as_json)
