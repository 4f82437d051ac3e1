"""The folder of a study: tables, maps, and a recipe for each candidate on the front."""

import json
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import numpy as np

from sfumato.data import Schema
from sfumato.errors import FileError, ParameterError
from sfumato.parameters.limits import Limit
from sfumato.reports.release.question import Alternative, TradeOff
from sfumato.risk import WorstCaseLinkage
from sfumato.storage.atomic import write_text
from sfumato.study import Candidate, Study
from sfumato.study.axes import default_loss, default_risk, of_outliers
from sfumato.study.front import is_on_front

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
        risk, loss = study.axes(limits=limits)
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


def read_trade_off(folder: Path) -> TradeOff:
    """Return the alternatives of a study in a folder that `write_study` wrote, by its usual risk and loss."""
    path = folder / "study.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = [row for row in content["candidates"] if not row.get("error")]
        symbols = [name for name, value in rows[0].items() if isinstance(value, int | float)]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise FileError(f"{path} cannot be read as a study; name the folder that compare or search wrote") from None
    worst = WorstCaseLinkage.symbol
    risk, loss = worst if worst in symbols else default_risk(symbols), default_loss(symbols)
    if risk is None or loss is None:
        raise FileError(f"{path} has no risk and loss to draw a map by; compare with a measure of each")
    known = [row for row in rows if all(isinstance(row.get(symbol), int | float) for symbol in (risk, loss))]
    front = is_on_front(np.array([row[risk] for row in known]), np.array([row[loss] for row in known]))
    titles = content.get("titles", {})
    return TradeOff(
        risk,
        loss,
        titles.get(risk, risk),
        titles.get(loss, loss),
        tuple(
            Alternative(str(row["candidate"]), float(row[risk]), float(row[loss]), bool(member))
            for row, member in zip(known, front, strict=True)
        ),
    )


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
    outlying = of_outliers(study.axes()[0], study.symbols), of_outliers(loss, study.symbols)
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
