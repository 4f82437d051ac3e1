"""`sfumato compare`: many candidates on one file."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

import typer

from sfumato.cli.console import NOT_MET, messages, print_json, results
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.files import read
from sfumato.storage.atomic import write_text
from sfumato.study import Candidate, Study, StudyPlan, compare
from sfumato.study.axes import of_outliers, usual_loss, usual_risk
from sfumato.study.keeping import count_kept
from sfumato.study.limits import told

INTERRUPTED = 130  # exit code
LONGEST_NAME = 80
MAP_FORMATS = ("svg", "png", "pdf")


def run_compare(study_file: Path, output: Path | None, *, workers: int | None, as_json: bool) -> None:
    """Run a study file and show its table; keep its runs and write everything into a folder if asked."""
    plan = StudyPlan.load(study_file)
    data = read(plan.data, plan.schema)
    kept = 0 if output is None else count_kept(output)
    study = compare(
        data,
        plan.candidates,
        replications=plan.replications,
        seed=plan.seed,
        measures=plan.measures,
        scores=plan.scores,
        outliers=plan.outliers,
        keep=output,
        workers=workers,
    )
    console = messages()
    if kept:
        console.print(reuse(study, kept), markup=False, soft_wrap=True)
    if all(result.error is not None for result in study.results):
        raise DataError(f"no candidate could be run; the first one: {study.results[0].error}")
    if output is not None:
        console.print(write_study(study, output, limits=plan.limits), markup=False, soft_wrap=True)
    if as_json:
        print_json(study.to_dict())
    else:
        results().print(str(study), markup=False, soft_wrap=True)
    if study.unfinished:
        console.print(how_to_continue(study, output), markup=False, soft_wrap=True)
        raise typer.Exit(INTERRUPTED)
    if plan.limits:
        _tell_best(study, plan.limits)


def reuse(study: Study, kept: int) -> str:
    """Say how many runs of the folder were of use."""
    if study.reused:
        return f"{study.reused} of {len(study.results) + study.unfinished} runs were kept from an earlier time"
    return (
        f"none of the {kept} runs that the folder keeps could be used: they are of other data, candidates or measures"
    )


def how_to_continue(study: Study, output: Path | None) -> str:
    """Say what is done, and how to have the rest done."""
    done = f"interrupted: {len(study.results)} of {len(study.results) + study.unfinished} runs are done"
    if output is None:
        return f"{done} and none is kept; give a folder with --output to be able to continue"
    return f"{done} and kept in {output}; the same command continues from there"


def write_study(study: Study, folder: Path, *, limits: Mapping[str, float] | None = None) -> str:
    """Write the tables, the maps and a recipe for each candidate on the front; return a sentence about it."""
    try:
        (folder / "recipes").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be written: {error.strerror}; choose another") from None
    _remove_recipes(folder)
    members: tuple[Candidate, ...] = ()
    said = f"table, map and the recipes of the front are in {folder}"
    try:
        risk, loss = study.axes()
    except ParameterError as error:
        said = f"the table is in {folder}; there is no map: {error}"
    else:
        members = study.front_members(risk=risk, loss=loss)
        _write_maps(study, folder, risk, loss, limits or {})
    recipes = dict(zip(recipe_names(members), members, strict=True))
    for name, candidate in recipes.items():
        candidate.recipe.save(folder / "recipes" / name)
    write_text(folder / "study.csv", study.to_frame().write_csv())
    write_text(folder / "runs.csv", study.runs_frame().write_csv())
    content = study.to_dict() | {"recipes": {name: candidate.label for name, candidate in recipes.items()}}
    write_text(folder / "study.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return said


def recipe_names(candidates: Sequence[Candidate]) -> list[str]:
    """Return a file name for the recipe of each candidate: its label in characters that any file system takes."""
    names: list[str] = []
    for candidate in candidates:
        plain = re.sub(r"[^\w.+-]+", "_", candidate.label).strip("._")[:LONGEST_NAME] or "candidate"
        taken = {name.casefold() for name in names}
        numbers = (f"{plain}.yaml" if number == 1 else f"{plain}_{number}.yaml" for number in count(1))
        names.append(next(name for name in numbers if name.casefold() not in taken))
    return names


def _write_maps(study: Study, folder: Path, risk: str, loss: str, limits: Mapping[str, float]) -> None:
    """Write the map of all records, and that of the outliers where the study tells them apart."""
    axes = {"map": (risk, loss)}
    outlying = of_outliers(risk, study.symbols), of_outliers(loss, study.symbols)
    if outlying[0] is not None:
        axes["map_outliers"] = outlying[0], outlying[1] or loss
    for name, (up, across) in axes.items():
        shown = {symbol: limit for symbol, limit in limits.items() if symbol in (up, across)}
        figure = study.ru_map(risk=up, loss=across, limits=shown)
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


def _tell_best(study: Study, limits: Mapping[str, float]) -> None:
    """Name the best candidate that keeps to the limits; without one the exit code says so."""
    usual = ("score", usual_loss(study.symbols), usual_risk(study.symbols))
    by = next((symbol for symbol in usual if symbol in study.symbols), study.symbols[0])
    try:
        best = study.best(by=by, limits=limits)
    except ParameterError as error:
        if not set(limits) <= set(study.symbols):
            raise
        messages().print(str(error), markup=False, soft_wrap=True)
        raise typer.Exit(NOT_MET) from None
    messages().print(f"best by {by} within {told(limits)}: {best.label}", markup=False, soft_wrap=True)
