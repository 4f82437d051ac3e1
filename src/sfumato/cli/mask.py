"""`sfumato mask`: a masked file and its manifest."""

from pathlib import Path

from sfumato.cli.showing import messages, print_json, results, step_progress
from sfumato.recipe import Manifest, ReadOptions, mask_file


def run_mask(
    file: Path,
    recipe: Path,
    output: Path,
    *,
    schema: Path | None,
    threads: int | None,
    options: ReadOptions,
    as_json: bool,
) -> None:
    """Mask the file and say what was written."""
    with step_progress() as told:
        manifest = mask_file(
            file,
            recipe,
            output,
            schema=schema,
            threads=threads,
            on_progress=told,
            separator=options.separator,
            decimal=options.decimal,
            encoding=options.encoding,
            sheet=options.sheet,
        )
    if as_json:
        print_json(manifest.model_dump(mode="json"))
    else:
        results().print(said(manifest, output), markup=False, soft_wrap=True)
    messages().print(manifest.confidential, markup=False, soft_wrap=True)


def said(manifest: Manifest, output: Path) -> str:
    """Return what was written, in two lines."""
    facts = manifest.output
    return (
        f"{output}: {facts.rows:,} records, {facts.columns} columns, in {manifest.seconds:.1f} s\n"
        f"{output}.manifest.json: recipe, seed, versions and checksums"
    )
