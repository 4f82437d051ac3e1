"""What an assessment of two files says beside its figures."""

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.jobs.assess import assess
from sfumato.jobs.improve import improve
from sfumato.jobs.mask import mask
from tests.protection.surveys import survey

NOISE = sf.CorrelatedNoise(columns=["tax"], variance_ratio=0.2)
DROP = sf.DropIdentifiers(columns=["name", "home"])
MATCHING = sf.MomentMatching(columns=["tax"])


def knows_only_noise(folder: Path, masked: str, recipe: str | None = None) -> bool:
    measures = folder / "measures.yaml"
    measures.write_text("measures: [{likelihood_linkage: {columns: [tax]}}]\n")
    given = None if recipe is None else folder / recipe
    found = assess(folder / "people.csv", folder / masked, measures=measures, recipe=given, outliers=False).assessment
    return "learnt" not in found.measurements[0].remark


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sf.write(survey(60), tmp_path / "people.csv")
    return tmp_path


def test_the_intruder_knows_what_improved_a_file_by_its_recipe_or_its_manifest(folder: Path) -> None:
    plain = sf.Recipe(steps=[DROP, NOISE])
    mask(folder / "people.csv", plain, folder / "plain.csv")
    mask(folder / "people.csv", plain.replace(improve=MATCHING), folder / "improved.csv")
    improve(
        folder / "people.csv", folder / "plain.csv", folder / "later.csv", method="moment_matching", columns=["tax"]
    )
    plain.replace(improve=MATCHING).save(folder / "recipe.yaml")
    assert knows_only_noise(folder, "plain.csv")
    assert not knows_only_noise(folder, "improved.csv")
    assert not knows_only_noise(folder, "later.csv")
    assert not knows_only_noise(folder, "plain.csv", "recipe.yaml")
