"""The whole walk on a made survey: describe, compare, mask with the best."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.contracts import MaskingMethod
from sfumato.data import numeric
from sfumato.datasets import demo as demo_survey
from sfumato.display import Table, join_parts
from sfumato.errors import FileError
from sfumato.files import write
from sfumato.jobs._study_folder import write_study
from sfumato.jobs.describe import DescribeResult, describe_data
from sfumato.jobs.mask import mask
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.masking import AdditiveNoise, BottomCoding, CorrelatedNoise, Mdav, RankSwapping, TopCoding
from sfumato.recipe import Recipe
from sfumato.study import Candidate, Study, compare

CANDIDATES: list[MaskingMethod | Recipe] = [
    *(AdditiveNoise(columns=numeric, scale=scale) for scale in (0.05, 0.2, 0.5)),
    *(CorrelatedNoise(columns=numeric, variance_ratio=ratio) for ratio in (0.05, 0.2, 0.5)),
    *(RankSwapping(columns=numeric, window=window) for window in (2, 5, 10, 20)),
    *(Mdav(columns=numeric, k=size) for size in (3, 10, 30)),
    TopCoding(columns=numeric, percent=5),
    BottomCoding(columns=numeric, percent=5),
]
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
        verdict = f"Best by the simplified score: {self.best.label}. Written to {self.folder}/:"
        written = "\n".join([verdict, *(f"  {name:<26} {what}" for name, what in FILES.values())])
        return *self.description.parts(), str(self.study), written


def demo(
    output: str | Path,
    *,
    records: int = 10_000,
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
    study = compare(
        survey,
        CANDIDATES,
        seed=seed,
        progress=False,
        on_progress=lambda done, total: on_progress(Stage("comparing methods", done, total)),
    )
    write_study(study, folder)
    # 3. The best by the simplified score; the seed is drawn, so that nobody can guess it.
    best = study.best(by="score")
    best.recipe.save(folder / "recipe.yaml")
    masked = mask(folder / "survey.csv", folder / "recipe.yaml", folder / "masked.csv", on_progress=on_progress)
    return DemoResult(
        description=describe_data(survey, "survey.csv"),
        study=study,
        best=best,
        folder=folder,
        notices=masked.notices,
    )
