"""`sfumato protect`: a protected file, its recipe, its manifest, and a page on the risk before and after."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.cli.mask import notices, said
from sfumato.cli.risk import stop_unless_met, with_roles
from sfumato.cli.showing import as_sentences, messages, print_json, results, working
from sfumato.files import written_text
from sfumato.protection import Protected, protect
from sfumato.recipe import ReadOptions, mask_file
from sfumato.recipe.release import check_output, schema_for


@dataclass(frozen=True)
class Asked:
    """What the options of the command say."""

    schema: Path | None
    keys: tuple[str, ...]
    weight: str | None
    household: str | None
    least: int
    most_suppressed: float
    numbers: str
    limits: tuple[str, ...]
    seed: int | None


def run_protect(
    file: Path, output: Path, asked: Asked, options: ReadOptions, *, page: Path | None, as_json: bool
) -> None:
    """Protect a file and say what was done; where a limit is not met nothing is written, and the exit code is 3."""
    check_output(output, file, [] if asked.schema is None else [asked.schema])
    data = with_roles(options.read(file, schema_for(file, asked.schema)), asked.keys, asked.weight, asked.household)
    with working("protecting"):
        found = protect(
            data,
            asked.least,
            most_suppressed=asked.most_suppressed,
            numbers=asked.numbers,
            limits=asked.limits,
            seed=asked.seed,
        )
    if as_json:
        print_json(as_plain(found))
    else:
        results().print(str(found), markup=False, soft_wrap=True)
    stop_unless_met(found.after)
    manifest = mask_file(file, found.recipe, output, schema=data.schema, **options.model_dump())
    written_text(recipe_path(output), found.recipe.replace(seed=asked.seed).to_yaml())
    if page is not None:
        written_text(page, found.to_html(f"Protection of {file.name}"))
    told = [said(manifest, output), f"{recipe_path(output)}: the steps, to be run again or changed"]
    if page is not None:
        told.append(f"{page}: a page on the risk before and after")
    for notice in (*told, *notices(manifest), *as_sentences(found.remarks)):
        messages().print(notice, markup=False, soft_wrap=True)


def recipe_path(output: Path) -> Path:
    """Return where the recipe of a protected file is written."""
    return output.with_name(f"{output.name}.recipe.yaml")


def as_plain(found: Protected) -> dict[str, Any]:
    """Return what was done as plain dicts and lists."""
    return {
        "recipe": found.recipe.to_yaml(),
        "before": found.before.to_dict(),
        "after": found.after.to_dict(),
        "assessment": found.assessment.to_dict(),
        "remarks": list(found.remarks),
    }
