"""`sfumato demo`: the whole walk on a made survey."""

from pathlib import Path

from sfumato.cli.compare import write_study
from sfumato.cli.console import messages, print_json, results, step_progress
from sfumato.cli.describe import described, show
from sfumato.cli.mask import notices
from sfumato.contracts import MaskingMethod
from sfumato.data import numeric
from sfumato.datasets import demo
from sfumato.errors import FileError
from sfumato.files import write
from sfumato.masking import AdditiveNoise, BottomCoding, CorrelatedNoise, Mdav, RankSwapping, TopCoding
from sfumato.recipe import Recipe, mask_file
from sfumato.study import compare

CANDIDATES: list[MaskingMethod | Recipe] = [
    *(AdditiveNoise(columns=numeric, scale=scale) for scale in (0.05, 0.2, 0.5)),
    *(CorrelatedNoise(columns=numeric, variance_ratio=ratio) for ratio in (0.05, 0.2, 0.5)),
    *(RankSwapping(columns=numeric, window=window) for window in (2, 5, 10, 20)),
    *(Mdav(columns=numeric, k=size) for size in (3, 10, 30)),
    TopCoding(columns=numeric, percent=5),
    BottomCoding(columns=numeric, percent=5),
]


def run_demo(output: Path, *, records: int, seed: int, as_json: bool) -> None:
    """Make a survey, describe it, compare methods, mask it with the best one, and say where everything is."""
    told = messages()
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder '{output}' cannot be made: {error.strerror}") from None
    # 1. A survey of invented people.
    survey = demo(records, seed)
    write(survey, output / "survey.csv")
    description = described(survey, "survey.csv")
    if not as_json:
        show(description)
    # 2. Methods and parameters compared.
    told.print("Comparing methods; the first time, some loops are compiled.")
    study = compare(survey, CANDIDATES, seed=seed)
    write_study(study, output)
    if not as_json:
        results().print("\n" + str(study), markup=False, soft_wrap=True)
    # 3. The best by the simplified score; the seed is drawn, so that nobody can guess it.
    best = study.best(by="score")
    best.recipe.save(output / "recipe.yaml")
    with step_progress() as on_progress:
        manifest = mask_file(
            output / "survey.csv", output / "recipe.yaml", output / "masked.csv", on_progress=on_progress
        )
    # 4. Where everything is.
    written = {
        "survey": "survey.csv",
        "study": "study.csv",
        "map": "map.png",
        "recipe": "recipe.yaml",
        "masked": "masked.csv",
        "manifest": "masked.csv.manifest.json",
    }
    if as_json:
        print_json(
            {
                "survey": description,
                "candidates": study.to_frame().to_dicts(),
                "best": best.label,
                "files": {what: str(output / name) for what, name in written.items()},
            }
        )
        return
    results().print(f"\nBest by the simplified score: {best.label}. Written to {output}/:", markup=False)
    for what, name in written.items():
        results().print(f"  {name:<26} {SAID[what]}", markup=False)
    for notice in notices(manifest):
        told.print(notice, markup=False, soft_wrap=True)


SAID = {
    "survey": "the made survey, with its schema beside it",
    "study": "every candidate with risk, loss and score",
    "map": "risk against loss (also map.svg); recipes/ holds the recipes on the front",
    "recipe": "the best recipe",
    "masked": "the masked survey",
    "manifest": "how it was made, with the seed that was drawn: check with sfumato verify",
}
