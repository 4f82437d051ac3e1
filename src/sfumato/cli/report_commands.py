"""The command `report`: the release report that a review board decides by, and its check."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sfumato.cli.options import AsJson, SameOrder, takes_read_options

if TYPE_CHECKING:
    from sfumato.files import ReadOptions


@takes_read_options
def report(
    options: "ReadOptions",
    original: Annotated[
        Path | None,
        typer.Argument(metavar="ORIGINAL", help="The original file; behind --check of public tables, SPEC."),
    ] = None,
    released: Annotated[
        Path | None,
        typer.Argument(
            metavar="RELEASED",
            help="The file to be released; records are matched by its manifest, an identifier, or their order.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page (.html); its figures are written beside it as JSON.")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            "--check",
            metavar="JSON",
            help="Compute all figures of a report anew from its files; exit code 1 tells that one differs.",
        ),
    ] = None,
    recipe: Annotated[
        Path | None,
        typer.Option("--recipe", "-r", help="The recipe that made the released file. [default: the manifest's]"),
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option(help="The manifest of the released file. [default: the one beside it]")
    ] = None,
    control: Annotated[
        Path | None,
        typer.Option(help="Records of the same population that the file was not made from, to hold attacks against."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            "-l",
            metavar="FIGURE<=NUMBER",
            help="A limit, as in 'k>=3', 'global_risk<=1' or 'WCL<=10' (percent), once for each; exit code 3 if unmet.",
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", "-k", min=2, help="How many records should share the keys of each. [default: the recipe's, or 3]"
        ),
    ] = None,
    edition: Annotated[
        Literal["internal", "public"],
        typer.Option(help="internal: all, for those who decide; public: nothing that helps an intruder."),
    ] = "internal",
    standards: Annotated[
        list[str] | None,
        typer.Option("--for", metavar="STANDARD", help="Answer wp216, hipaa or iso27559, too; once for each."),
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0, max=100, help="For hipaa: the largest risk that is very small, in percent.")
    ] = 9.0,
    study: Annotated[
        Path | None, typer.Option(help="Folder of a study that compared alternatives, for a map of them.")
    ] = None,
    author: Annotated[str, typer.Option(help="Who makes the report.")] = "",
    title: Annotated[str, typer.Option(help="What the report is called.")] = "",
    same_order: SameOrder = False,
    as_json: AsJson = False,
) -> None:
    """Write the report on a release that a review board decides by, or check one."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs.reports import check_report as check_job
    from sfumato.jobs.reports import report as job

    if check is not None:
        if output is not None:
            raise typer.BadParameter("a check writes nothing; leave out --output")
        with progress() as on_progress:
            found = check_job.check_report(
                check,
                original=original,
                released=released,
                recipe=recipe,
                manifest=manifest,
                control=control,
                study=study,
                schema=options.schema if isinstance(options.schema, Path) else None,
                on_progress=on_progress,
            )
        show(found, as_json=as_json)
        return
    if original is None or released is None or output is None:
        raise typer.BadParameter("give ORIGINAL, RELEASED and --output; or --check with the JSON of a report")
    with progress() as on_progress:
        result = job.report(
            original,
            released,
            output,
            options=options,
            recipe=recipe,
            manifest=manifest,
            control=control,
            limits=limit or (),
            k=k,
            standards=tuple(standards or ()),
            threshold=threshold,
            same_order=same_order,
            edition=edition,
            author=author,
            title=title,
            study=study,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)
