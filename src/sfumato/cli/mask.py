"""`sfumato mask`: a masked file and its manifest."""

from pathlib import Path

from sfumato.cli.console import as_sentences, messages, print_json, results, step_progress
from sfumato.recipe import ImprovementFacts, Manifest, ReadOptions, Recipe, mask_file


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
    for notice in notices(manifest):
        messages().print(notice, markup=False, soft_wrap=True)


def notices(manifest: Manifest) -> list[str]:
    """Return what the releaser has to know: what was not masked, and what must not be published."""
    told = [manifest.confidential]
    if manifest.unchanged:
        told.insert(0, f"Released as they were: {', '.join(manifest.unchanged)}.")
    if manifest.improvement is not None:
        told[:0] = improvement_notices(manifest.improvement)
    if manifest.repeatable() == Recipe.from_yaml(manifest.recipe.yaml):
        told.append(
            "The recipe itself gives the seed: keep it confidential too, or leave the seed out to have one drawn."
        )
    return told


def improvement_notices(facts: ImprovementFacts) -> list[str]:
    """Return what came of the improving, and its remarks."""
    told = (
        f"Improved by {facts.name}: {facts.records:,} records changed; E from {facts.error_before:.3g} to "
        f"{facts.error_after:.3g}, IL1 from {facts.loss_before:.4g} % to {facts.loss_after:.4g} %."
    )
    return [told, *as_sentences(facts.remarks)]


def said(manifest: Manifest, output: Path) -> str:
    """Return what was written, in two lines."""
    facts = manifest.output
    return (
        f"{output}: {facts.rows:,} records, {facts.columns} columns, in {manifest.seconds:.1f} s\n"
        f"{output}.manifest.json: recipe, seed, versions and checksums"
    )
