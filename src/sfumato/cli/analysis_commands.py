"""The command about what analysts conclude from synthetic copies: `compare-fits`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.options import AsJson, OriginalFile, takes_read_options

if TYPE_CHECKING:
    from sfumato.files import ReadOptions


@takes_read_options
def compare_fits(
    original: OriginalFile,
    copies: Annotated[list[Path], typer.Argument(metavar="COPY...", help="Its synthetic copies, one or more.")],
    formula: Annotated[
        str, typer.Option("--formula", "-f", help="What is explained by what, as in 'income ~ age + sex'.")
    ],
    options: "ReadOptions",
    model: Annotated[str, typer.Option("--model", "-m", help="The regression: linear, logistic or poisson.")] = (
        "linear"
    ),
    rule: Annotated[
        str | None,
        typer.Option(
            help="How copies are pooled: large_sample, or large_sample_drawn if each copy drew its parameters anew; "
            "full or partial by the variance between copies, partial where some columns are the original's. "
            "[default: large_sample_drawn if a manifest says bootstrap, else large_sample]"
        ),
    ] = None,
    confidence: Annotated[float, typer.Option(help="The confidence of the intervals, in percent.")] = 95.0,
    plot: Annotated[Path | None, typer.Option(help="Plot both intervals of each coefficient (.svg, .png, .pdf).")] = (
        None
    ),
    as_json: AsJson = False,
) -> None:
    """Fit a regression to a file and to its synthetic copies, and compare the coefficients."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import compare_fits as job

    with progress() as on_progress:
        result = job.compare_fits(
            original,
            copies,
            formula,
            options=options,
            model=model,
            rule=rule,
            confidence=confidence,
            plot=plot,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)
