"""`sfumato protect`: a protected file, its recipe, its manifest, and a page on the risk before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sfumato.cli.console import messages, print_json, results, working
from sfumato.cli.mask import notices, said
from sfumato.cli.risk import check_keys, check_page, stop_unless_met
from sfumato.data import Hierarchy, Microdata, role
from sfumato.data.hierarchy_files import read_levels
from sfumato.errors import ParameterError
from sfumato.protection import protect
from sfumato.recipe import ReadOptions, mask_file
from sfumato.recipe.release import check_output, schema_for
from sfumato.storage.atomic import write_text


@dataclass(frozen=True)
class Asked:
    """What the options of the command say."""

    schema: Path | None
    keys: tuple[str, ...]
    confidential: tuple[str, ...]
    weight: str | None
    household: str | None
    least: int
    max_suppressed: float
    hierarchies: Mapping[str, str]
    importance: Mapping[str, str]
    numbers: str
    limits: tuple[str, ...]
    seed: int | None


def run_protect(
    file: Path, output: Path, asked: Asked, options: ReadOptions, *, page: Path | None, as_json: bool
) -> None:
    """Protect a file and say what was done; where a limit is not met nothing is written, and the exit code is 3."""
    check_output(output, file, [] if asked.schema is None else [asked.schema])
    check_page(page, file, asked.schema, output, recipe_path(output))
    read = options.read(file, schema_for(file, asked.schema))
    check_keys(file, read, asked.keys)
    data = with_roles(read, asked)
    with working("protecting"):
        found = protect(
            data,
            asked.least,
            hierarchies={name: read_hierarchy(data, name, path) for name, path in asked.hierarchies.items()},
            importance={name: as_number(name, text) for name, text in asked.importance.items()},
            max_suppressed=asked.max_suppressed,
            numbers=asked.numbers,
            limits=asked.limits,
            seed=asked.seed,
        )
    if as_json:
        print_json(found.to_dict())
    else:
        results().print(str(found), markup=False, soft_wrap=True)
    if not found.after.meets_limits:
        messages().print("No file was written: take a larger --k, broader hierarchies or fewer keys.", markup=False)
    stop_unless_met(found.after)
    recipe = found.recipe.replace(seed=asked.seed)
    manifest = mask_file(file, recipe, output, schema=data.schema, seed=found.recipe.seed, **options.model_dump())
    write_text(recipe_path(output), recipe.to_yaml())
    if page is not None:
        write_text(page, found.to_html(f"Protection of {file.name}"))
    told = [said(manifest, output), f"{recipe_path(output)}: the steps, to be run again or changed"]
    if page is not None:
        told.append(f"{page}: a page on the risk before and after")
    for notice in (*told, *notices(manifest)):
        messages().print(notice, markup=False, soft_wrap=True)


def named(given: Sequence[str], option: str, example: str) -> dict[str, str]:
    """Return what is written as `NAME=VALUE`, by name.

    Examples
    --------
    >>> named(["region=3"], "--importance", "region=3")
    {'region': '3'}
    """
    wrong = [text for text in given if not all(text.partition("=")[::2])]
    if wrong:
        raise ParameterError([f"{option} must be written as {example}; got '{wrong[0]}'"])
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in given)}


def read_hierarchy(data: Microdata, name: str, path: str) -> Hierarchy:
    """Return the hierarchy of a key from its file."""
    return read_levels(Path(path).expanduser(), data.codes(name)[1] if name in data.schema else ())


def as_number(name: str, text: str) -> float:
    """Return what a key is worth."""
    try:
        return float(text)
    except ValueError:
        raise ParameterError([f"--importance must give {name} a number, as in {name}=3; got '{text}'"]) from None


def with_roles(data: Microdata, asked: Asked) -> Microdata:
    """Return the data with the roles that the options give; a role that one gives, no other column keeps."""
    given = {
        "key": asked.keys,
        "confidential": asked.confidential,
        "weight": (asked.weight,) if asked.weight else (),
        "household": (asked.household,) if asked.household else (),
    }
    schema = data.schema
    for name, columns in given.items():
        if columns:
            others = [other for other in schema.select(role(name)) if other not in columns]
            schema = schema.with_roles(other=others).with_roles(**{name: columns})
    return data.with_schema(schema)


def recipe_path(output: Path) -> Path:
    """Return where the recipe of a protected file is written."""
    return output.with_name(f"{output.name}.recipe.yaml")
