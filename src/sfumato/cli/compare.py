"""`sfumato compare`: many candidates on one file."""

from pathlib import Path

from sfumato.cli.showing import messages, print_json, results
from sfumato.errors import DataError, FileError
from sfumato.files import read
from sfumato.study import Study, StudyPlan, compare


def run_compare(study_file: Path, output: Path | None, *, workers: int | None, as_json: bool) -> None:
    """Run a study file and show its table; write everything into a folder if asked."""
    plan = StudyPlan.load(study_file)
    data = read(plan.data, plan.schema)
    study = compare(data, plan.candidates, replications=plan.replications, seed=plan.seed, workers=workers)
    if all(result.error is not None for result in study.results):
        raise DataError(f"no candidate could be run; the first one: {study.results[0].error}")
    if output is not None:
        write_study(study, output)
        messages().print(f"table, map and the recipes of the front are in {output}", markup=False)
    if as_json:
        print_json({"seed": study.seed, "candidates": study.to_frame().to_dicts()})
    else:
        results().print(str(study), markup=False, soft_wrap=True)


def write_study(study: Study, folder: Path) -> None:
    """Write the table, the map and a recipe for each candidate on the front."""
    try:
        recipes = folder / "recipes"
        recipes.mkdir(parents=True, exist_ok=True)
        for old in recipes.glob("*.yaml"):
            old.unlink()  # of an earlier study in the same folder: no longer on the front
        study.to_frame().write_csv(folder / "study.csv")
    except OSError as error:
        raise FileError(f"the folder '{folder}' cannot be written: {error.strerror}") from None
    if any(result.error is None for result in study.results):
        study.ru_map(folder / "map.svg")
        study.ru_map(folder / "map.png")
        for candidate in study.front_members():
            candidate.recipe.save(recipes / f"{candidate.label.replace(' ', '_').replace('/', '-')}.yaml")
