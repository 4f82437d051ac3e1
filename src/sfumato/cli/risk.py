"""`sfumato risk`: who stands out by the keys of a file."""

from collections.abc import Sequence
from pathlib import Path

import typer

from sfumato.cli.console import NOT_MET, messages, print_json, results, working
from sfumato.data import Microdata, role
from sfumato.errors import DataError, FileError
from sfumato.recipe import ReadOptions
from sfumato.recipe.release import schema_for
from sfumato.report import RiskReport, risk_report
from sfumato.storage.atomic import write_text


def run_risk(
    file: Path,
    *,
    schema: Path | None,
    options: ReadOptions,
    keys: tuple[str, ...],
    weight: str | None,
    household: str | None,
    least: int,
    limits: Sequence[str],
    page: Path | None,
    as_json: bool,
) -> None:
    """Show the risk of a file; ends with exit code 3 where a limit is not met."""
    check_page(page, file, schema)
    data = options.read(file, schema_for(file, schema))
    check_keys(file, data, keys)
    with working("looking for those who stand out"):
        report = risk_report(
            data, columns=keys or role("key"), k=least, weight=weight, household=household, limits=limits
        )
    if page is not None:
        write_text(page, report.to_html(f"Risk of {file.name}"))
    if as_json:
        print_json(report.to_dict())
    else:
        results().print(str(report), markup=False, soft_wrap=True)
    if page is not None:
        messages().print(f"{page}: the same as a page", markup=False, soft_wrap=True)
    stop_unless_met(report)


def check_page(page: Path | None, *others: Path | None) -> None:
    """Refuse a page that would take the place of another file of the command, before any work is done."""
    if page is not None and not page.resolve().parent.is_dir():
        raise FileError(f"{page} cannot be written: there is no folder {page.parent}; make it first")
    for other in others:
        if page is not None and other is not None and page.resolve() == other.resolve():
            raise FileError(f"the page {page} would take the place of {other}; choose another name")


def check_keys(file: Path, data: Microdata, keys: tuple[str, ...]) -> None:
    """Refuse a file of which nobody said what the keys are."""
    if not keys and not data.select(role("key")):
        raise DataError(
            f"{file.name}: no column has the role key; name what others may know of a person with --key, once for "
            f"each, or give these columns the role key in a schema file: 'sfumato describe {file.name} --write-schema "
            f"FILE' begins one"
        )


def stop_unless_met(report: RiskReport) -> None:
    """End the command with its exit code where a limit is not met, and say which."""
    unmet = [checked for checked in report.limits if not checked.is_met]
    if not unmet:
        return
    told = ", ".join(f"{checked.limit} (it is {checked.figure:.4g})" for checked in unmet)
    messages().print(f"Not within limits: {told}.", markup=False, soft_wrap=True)
    raise typer.Exit(NOT_MET)
