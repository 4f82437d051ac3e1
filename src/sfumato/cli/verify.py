"""`sfumato verify`: whether the masked file is what its recipe gives."""

from dataclasses import asdict
from pathlib import Path

import typer

from sfumato.cli.console import print_json, results
from sfumato.recipe import verify


def run_verify(manifest: Path, *, source: Path | None, threads: int | None, as_json: bool) -> None:
    """Verify, show each check, and exit with 1 if one failed."""
    verification = verify(manifest, source=source, threads=threads)
    if as_json:
        print_json({"passed": verification.passed, "checks": [asdict(check) for check in verification.checks]})
    else:
        results().print(str(verification), markup=False, soft_wrap=True)
    if not verification.passed:
        raise typer.Exit(1)
