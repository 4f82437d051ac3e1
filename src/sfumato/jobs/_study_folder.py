"""The folder of a study: tables, maps, and a recipe for each candidate on the front."""

import json
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from sfumato.data import Schema
from sfumato.errors import FileError, ParameterError
from sfumato.parameters.limits import Limit
from sfumato.storage.atomic import write_text
from sfumato.study import Candidate, Study
from sfumato.study.axes import of_outliers

MAX_NAME_LENGTH = 80
MAP_FORMATS = ("svg", "png", "pdf")


def write_study(study: Study, folder: Path, schema: Schema, *, limits: Sequence[Limit] = ()) -> str:
    """Write the tables, the maps and a recipe for each candidate on the front; return a sentence about it.

    The recipes drop the identifiers of the file, which the schema tells, so that they can be used for a release.
    """
    try:
        (folder / "recipes").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be written: {error.strerror}; choose another") from None
    _remove_recipes(folder)
    members: tuple[Candidate, ...] = ()
    notice = f"table, map and the recipes of the front are in {folder}"
    try:
        risk, loss = study.axes()
    except ParameterError as error:
        notice = f"the table is in {folder}; there is no map: {error}"
    else:
        members = study.front_members(risk=risk, loss=loss)
        _write_maps(study, folder, risk, loss, limits)
    recipes = dict(zip(recipe_names(members), members, strict=True))
    for name, candidate in recipes.items():
        candidate.recipe.without_identifiers(schema).save(folder / "recipes" / name)
    write_text(folder / "study.csv", study.to_frame().write_csv())
    write_text(folder / "runs.csv", study.runs_frame().write_csv())
    content = study.to_dict() | {"recipes": {name: candidate.label for name, candidate in recipes.items()}}
    write_text(folder / "study.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return notice


def recipe_names(candidates: Sequence[Candidate]) -> list[str]:
    """Return a file name for the recipe of each candidate: its label in characters that any file system takes."""
    names: list[str] = []
    for candidate in candidates:
        plain = re.sub(r"[^\w.+-]+", "_", candidate.label).strip("._")[:MAX_NAME_LENGTH] or "candidate"
        taken = {name.casefold() for name in names}
        numbers = (f"{plain}.yaml" if number == 1 else f"{plain}_{number}.yaml" for number in count(1))
        names.append(next(name for name in numbers if name.casefold() not in taken))
    return names


def _write_maps(study: Study, folder: Path, risk: str, loss: str, limits: Sequence[Limit]) -> None:
    """Write the map of all records, and that of the outliers where the study tells them apart."""
    axes = {"map": (risk, loss)}
    outlying = of_outliers(risk, study.symbols), of_outliers(loss, study.symbols)
    if outlying[0] is not None:
        axes["map_outliers"] = outlying[0], outlying[1] or loss
    for name, (up, across) in axes.items():
        of_axes = [limit for limit in limits if limit.figure in (up, across)]
        figure = study.ru_map(risk=up, loss=across, limits=of_axes)
        for suffix in MAP_FORMATS:
            figure.save(folder / f"{name}.{suffix}")


def _remove_recipes(folder: Path) -> None:
    """Remove the recipes that an earlier study in the same folder wrote, as its table lists them, and no other file."""
    try:
        written = json.loads((folder / "study.json").read_text(encoding="utf-8"))["recipes"]
        names = [Path(str(name)).name for name in written]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    for name in names:
        (folder / "recipes" / name).unlink(missing_ok=True)
