"""The whole walk on a made survey: describe, compare, mask with the best that a strong intruder cannot undo."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.assessment import default_measures
from sfumato.assessment.defaults import worst_case
from sfumato.contracts.figure_ends import lower_end
from sfumato.data import Kind
from sfumato.datasets import demo as demo_survey
from sfumato.datasets.demo_schema import DEMO_SCHEMA
from sfumato.display import Table, join_parts
from sfumato.errors import FileError
from sfumato.files import write
from sfumato.files.sidecar import sidecar_of
from sfumato.jobs._study_folder import write_study
from sfumato.jobs.describe import DescribeResult, describe_data
from sfumato.jobs.mask import mask
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.masking import (
    CorrelatedNoise,
    DropIdentifiers,
    InvariantPram,
    Mdav,
    RecordMicroaggregation,
)
from sfumato.recipe import Recipe, manifest_path
from sfumato.study import Candidate, Study, compare

DROPPED = ("person_id", "household_id")  # the members of a household together are easily recognised
EVERYTHING = tuple(name for name in DEMO_SCHEMA.names if name not in DROPPED)
NUMBERS = tuple(name for name in EVERYTHING if DEMO_SCHEMA[name].kind is Kind.CONTINUOUS)
CATEGORIES = tuple(name for name in EVERYTHING if name not in NUMBERS)
DROP = DropIdentifiers(columns=DROPPED)
PRAM = InvariantPram(columns=CATEGORIES, stay=80)
CANDIDATES: list[Recipe] = [
    *(
        Recipe(steps=[RecordMicroaggregation(columns=EVERYTHING, household=("household_id",), k=k), DROP])
        for k in (3, 5, 10, 20)
    ),
    *(Recipe(steps=[DROP, Mdav(columns=NUMBERS, k=k), PRAM]) for k in (10, 30)),
    Recipe(steps=[DROP, CorrelatedNoise(columns=NUMBERS, variance_ratio=0.2), PRAM]),
]
MAX_WORST_CASE = 10  # percent of the records that anybody may link
LIMIT = f"WCL<={MAX_WORST_CASE}"
FILES = {
    "survey": ("survey.csv", "the made survey, with its schema beside it"),
    "study": ("study.csv", "every candidate with risk, loss and score"),
    "map": ("map.png", "risk against loss (also map.svg); recipes/ holds the recipes on the front"),
    "recipe": ("recipe.yaml", "the best recipe"),
    "masked": ("masked.csv", "the masked survey"),
    "manifest": (
        "masked.csv.manifest.json",
        "how it was made, with the seed that was drawn: check with sfumato verify",
    ),
}
"""What the demo writes: the name of each file, and what it is."""


@dataclass(frozen=True, kw_only=True)
class DemoResult(JobResult):
    """The description of the made survey, the study, the best candidate, and the folder that holds everything."""

    description: DescribeResult
    study: Study
    best: Candidate
    folder: Path

    def to_dict(self) -> dict[str, Any]:
        """Return the survey's description, the candidates, the best one and the files."""
        return {
            "survey": self.description.to_dict(),
            "candidates": self.study.to_frame().to_dicts(),
            "best": self.best.label,
            "files": {what: str(self.folder / name) for what, (name, _) in FILES.items()},
        }

    def __str__(self) -> str:
        return join_parts(self.parts())

    def parts(self) -> tuple[Table | str, ...]:
        """Return the description of the survey, the study, and what was written."""
        linked, most = (self.best.mean(symbol) or 0.0 for symbol in ("WCL", "WCB"))
        verdict = (
            f"Best by the simplified score among those with a worst case of at most {MAX_WORST_CASE} %: "
            f"{self.best.label}.\n"
            f"An intruder who knows the recipe, and of every person all that is released, still "
            f"links {lower_end(linked, most)}{linked:.1f} % of the records; that nobody links more than "
            f"{most:.1f} % is proven.\nWritten to {self.folder}/:"
        )
        written = "\n".join([verdict, *(f"  {name:<26} {what}" for name, what in FILES.values())])
        return *self.description.parts(), str(self.study), written


def demo(
    output: str | Path,
    *,
    records: int = 2_000,
    seed: int = 0,
    on_progress: OnProgress = ignore_progress,
) -> DemoResult:
    """Make a survey, describe it, compare methods, and mask it with the best one.

    Parameters
    ----------
    output
        The folder for what the demo writes.
    records, seed
        The number of persons in the survey, and the seed of the survey and the study.
    on_progress
        Called with each stage.
    """
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder '{folder}' cannot be made: {error.strerror}") from None
    # 1. A survey of invented people.
    survey = demo_survey(records, seed)
    write(survey, folder / "survey.csv")
    # 2. Methods and parameters compared.
    on_progress(Stage("comparing methods; the first time, some loops are compiled"))
    released = survey.schema.subset(EVERYTHING)
    study = compare(
        survey,
        CANDIDATES,
        seed=seed,
        measures=(*default_measures(released), worst_case(released)),
        progress=False,
        on_progress=lambda done, total: on_progress(Stage("comparing methods", done, total)),
    )
    write_study(study, folder, survey.schema)
    # 3. The best that a strong intruder cannot undo; the seed is drawn, so that nobody can guess it.
    best = study.best(by="score", limits=[LIMIT])
    best.recipe.save(folder / "recipe.yaml")
    for left in (sidecar_of(folder / "masked.csv"), manifest_path(folder / "masked.csv")):  # of an earlier demo
        left.unlink(missing_ok=True)
    masked = mask(
        folder / "survey.csv", folder / "recipe.yaml", folder / "masked.csv", overwrite=True, on_progress=on_progress
    )
    return DemoResult(
        description=describe_data(survey, "survey.csv"),
        study=study,
        best=best,
        folder=folder,
        notices=masked.notices,
    )
