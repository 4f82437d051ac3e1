"""The commands about keys: `risk` and `protect`."""

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import AsJson, Decimal, Encoding, InputFile, SchemaFile, Separator, Sheet

Key = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="NAME", help="A key, once for each; the columns of the role key otherwise."),
]
Weight = Annotated[str | None, typer.Option(help="Column of sampling weights; that of the role weight otherwise.")]
Household = Annotated[
    str | None, typer.Option(help="Column that tells households; that of the role household otherwise.")
]
Page = Annotated[Path | None, typer.Option(help="Write an HTML page that stands alone.")]
Least = Annotated[int, typer.Option("--k", min=2, help="How many records should share the keys of each.")]
Limit = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        "-l",
        help="What the file must keep to, as 'k=3' or 'global_risk<=0.01', once for each; exit code 3 if it does not.",
    ),
]


def add_key_commands(app: typer.Typer) -> None:
    """Give an application the commands."""
    app.command()(risk)
    app.command()(protect)


def risk(
    file: InputFile,
    schema: SchemaFile = None,
    key: Key = None,
    weight: Weight = None,
    household: Household = None,
    least: Least = 3,
    limit: Limit = None,
    page: Page = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    as_json: AsJson = False,
) -> None:
    """Show who stands out by the keys of a file, which categories drive that, and whether it is within limits."""
    from sfumato.cli.risk import run_risk
    from sfumato.recipe import ReadOptions

    options = ReadOptions(separator=separator, decimal=decimal, encoding=encoding, sheet=sheet)
    run_risk(
        file,
        schema=schema,
        options=options,
        keys=tuple(key or ()),
        weight=weight,
        household=household,
        least=least,
        limits=limit or (),
        page=page,
        as_json=as_json,
    )


def protect(
    file: InputFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="The protected file; its suffix tells the format.")],
    schema: SchemaFile = None,
    key: Key = None,
    confidential: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A confidential column, once for each; those of that role otherwise."),
    ] = None,
    weight: Weight = None,
    household: Household = None,
    least: Least = 3,
    max_suppressed: Annotated[
        float, typer.Option(min=0, max=100, help="Percent of the key values, over all keys, that may be suppressed.")
    ] = 5.0,
    hierarchy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=FILE",
            help="File with the tree of a key's categories, a row for each: the category, its group, ..., the top.",
        ),
    ] = None,
    importance: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=NUMBER", help="What a key is worth, 1 if not given: it is changed less the more."),
    ] = None,
    numbers: Annotated[
        str, typer.Option(help="What becomes of numbers: microaggregation, rank_swapping or unchanged.")
    ] = "microaggregation",
    limit: Limit = None,
    page: Page = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of all draws; drawn when not given.")] = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    as_json: AsJson = False,
) -> None:
    """Protect a file so that nobody stands out by its keys; writes the recipe and a manifest beside it."""
    from sfumato.cli.protect import Asked, named, run_protect
    from sfumato.recipe import ReadOptions

    options = ReadOptions(separator=separator, decimal=decimal, encoding=encoding, sheet=sheet)
    asked = Asked(
        schema=schema,
        keys=tuple(key or ()),
        confidential=tuple(confidential or ()),
        weight=weight,
        household=household,
        least=least,
        max_suppressed=max_suppressed,
        hierarchies=named(hierarchy or (), "--hierarchy", "region=regions.csv"),
        importance=named(importance or (), "--importance", "region=3"),
        numbers=numbers,
        limits=tuple(limit or ()),
        seed=seed,
    )
    run_protect(file, output, asked, options, page=page, as_json=as_json)
