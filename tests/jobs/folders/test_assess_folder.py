"""Folders are assessed as the same records in memory are; what is of a sample says so, with its error."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess as assess_in_memory
from sfumato.assessment.plan import AssessmentPlan
from sfumato.data import Microdata, Schema, summary
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.execution import blocks
from sfumato.files import ReadOptions
from sfumato.jobs.assess import assess
from sfumato.jobs.folders import assess_folder, resources
from sfumato.jobs.folders.plan_assess import plan_assess
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.mask import mask
from sfumato.masking import AdditiveNoise, Pram, RankSwapping
from sfumato.numerics.hashing import mix_bits
from sfumato.recipe import Manifest, Recipe, manifest_path
from tests.files.folders.parts import write_parts

N = 3000
SCHEMA = Schema.from_yaml(
    """
    variables:
    - {name: town, kind: nominal, role: key}
    - {name: age, kind: continuous, role: key}
    - {name: income, kind: continuous, role: confidential, missing_codes: [-9]}
    - {name: health, kind: ordinal, categories: [bad, fair, good]}
    """
)
RECIPE = Recipe(
    steps=(
        AdditiveNoise(columns=("income",)),
        Pram(columns=("town", "health"), stay=80),
        RankSwapping(columns=("age",)),
    ),
    seed=7,
)
EXACT = ("IL", "IL1", "IL2", "IL3", "IL4", "IL5", "IL1s", "SDID", "CD")


def people() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    income = np.where(rng.random(N) < 0.05, -9, rng.lognormal(8, 1, N).round(2))
    return pl.DataFrame(
        {
            "town": rng.choice(["A", "B", "C", ""], N),
            "age": rng.integers(0, 90, N),
            "income": income,
            "health": rng.choice(["bad", "fair", "good"], N),
        }
    )


@pytest.fixture(scope="module", autouse=True)
def ranges_of_a_thousand_rows() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "ROWS_PER_BLOCK", 1000)
        patch.setattr(summary, "ROWS_PER_PIECE", 500)
        patch.setattr(resources, "BLOCKS_PER_RANGE", 2)
        yield


@pytest.fixture(scope="module")
def folders(ranges_of_a_thousand_rows: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("assessed")
    write_parts(people(), folder / "people", [11, 1700])
    (folder / "people.schema.yaml").write_text(SCHEMA.to_yaml(), encoding="utf-8")
    mask(folder / "people", RECIPE, folder / "masked", threads=1)
    return folder / "people", folder / "masked"


def in_memory(masked: Path) -> tuple[Microdata, Microdata]:
    """Return both files as memory has them, the masked one in the order of the release."""
    manifest = Manifest.load(manifest_path(masked))
    original = Microdata(people().with_columns(pl.col("town").replace("", None)), SCHEMA)
    return original, manifest.repeatable().release(manifest.repeatable().run(original), manifest.release_key)


def test_figures_are_those_of_memory_to_the_last_bit(folders: tuple[Path, Path]) -> None:
    found = assess(*folders, threads=1).assessment
    wanted = assess_in_memory(*in_memory(folders[1]), worst_case=False, methods=RECIPE.parts)
    assert [measure.name() for measure in found.measures] == [measure.name() for measure in wanted.measures]
    for symbol in EXACT:
        assert found.values[symbol] == wanted.values[symbol]
    assert found.values == pytest.approx(wanted.values)  # the sample is the file, and its order another
    assert found.remarks[0] == "Records were matched by the key in masked.manifest.json."
    assert not any("sample" in remark for remark in found.remarks)


def test_links_of_a_sample_are_those_that_memory_finds_for_its_records(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    original, masked = in_memory(folders[1])
    exact = assess_in_memory(original, masked, worst_case=False, methods=RECIPE.parts)
    (of_all,) = (one for one in exact.measurements if one.name == "distance_linkage")
    monkeypatch.setattr(assess_folder, "SAMPLED", 800)
    found = assess(*folders, threads=1).assessment
    by_name = {one.name: one for one in found.measurements}
    linked = by_name["distance_linkage"]
    drawn = mix_bits(masked.row_ids.astype(np.uint64), 0).astype(np.float64) < 800 / N * 2**64
    links = np.zeros(0) if of_all.per_record is None else of_all.per_record[drawn]
    assert linked.value == pytest.approx(links.mean())
    error = np.append(links, 100).std(ddof=1) / np.sqrt(links.size) * np.sqrt(1 - links.size / N)
    assert linked.standard_error == pytest.approx(error)
    assert linked.remark == f"of a random sample of {links.size} records of 3,000, linked to all"
    assert by_name["interval_disclosure"].standard_error is not None
    assert "taken as the file" in by_name["interval_disclosure"].remark
    assert by_name["contingency_table_loss"].standard_error is None
    assert "no estimate of all records" in by_name["contingency_table_loss"].remark
    assert "shared_records" not in by_name
    assert any(remark.endswith("are equal: best subset linkage, shared records.") for remark in found.remarks)
    for symbol in EXACT:
        assert found.values[symbol] == exact.values[symbol]
    assert found.original_records == N
    assert any("are of all records" in remark for remark in found.remarks)


COUNTS = """
measures:
- k_anonymity: {columns: [town, age]}
- uniqueness: {columns: [town, age], population_size: 9000}
- individual_risk: {columns: [town, age]}
- prosecutor_risk: {columns: [town, age]}
- suda: {columns: [town, age]}
- l_diversity: {columns: [town, age], sensitive: [health]}
- entropy_l_diversity: {columns: [town, age], sensitive: [health]}
- recursive_l_diversity: {columns: [town, age], sensitive: [health]}
- t_closeness: {columns: [town, age], sensitive: [health]}
- beta_likeness: {columns: [town, age], sensitive: [health]}
"""


def test_how_many_records_share_keys_is_counted_of_all_and_not_of_the_sample(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "measures.yaml").write_text(COUNTS, encoding="utf-8")
    plan = AssessmentPlan.load(tmp_path / "measures.yaml")
    wanted = assess_in_memory(*in_memory(folders[1]), plan.measures)
    monkeypatch.setattr(assess_folder, "SAMPLED", 300)
    found = assess(*folders, measures=tmp_path / "measures.yaml", threads=1).assessment
    for one, other in zip(found.measurements, wanted.measurements, strict=True):
        assert one.value == pytest.approx(other.value, rel=1e-12)
        assert dict(one.parts) == pytest.approx(dict(other.parts), rel=1e-12)
        assert one.standard_error is None
        assert "sample" not in one.remark.replace("if it is a sample", "")


@pytest.mark.parametrize("measure", ["shared_records", "household_risk", "log_linear_risk", "replicated_uniques"])
def test_what_a_sample_does_not_tell_of_all_records_is_refused(
    measure: str, folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assess_folder, "SAMPLED", 300)
    (tmp_path / "measures.yaml").write_text(f"measures: [{measure}: {{columns: [town]}}]", encoding="utf-8")
    with pytest.raises(DataError, match=f"{measure}: a random sample of a folder does not tell"):
        assess(*folders, measures=tmp_path / "measures.yaml", threads=1)


def test_without_a_manifest_the_order_must_be_stated(folders: tuple[Path, Path], tmp_path: Path) -> None:
    original, kept = folders[0], manifest_path(folders[1])
    masked = Path(copytree(folders[1], tmp_path / "masked"))
    with pytest.raises(DataError, match="nothing tells which record"):
        assess(original, masked, options=ReadOptions(schema=SCHEMA), threads=1)
    (tmp_path / "measures.yaml").write_text("measures: [standardised_information_loss: {columns: [age]}]")
    by_order = assess(
        original,
        original / "*.parquet",
        options=ReadOptions(schema=SCHEMA),
        measures=tmp_path / "measures.yaml",
        same_order=True,
        threads=1,
    )
    assert by_order.assessment.values["IL1s"] == 0
    people().write_parquet(masked / "part-00000.parquet")
    with pytest.raises(FileError, match=r"cannot be used: part-00000\.parquet of the output"):
        assess(original, masked, options=ReadOptions(schema=SCHEMA), manifest=kept, threads=1)


def test_what_is_for_memory_is_refused_and_the_plan_tells_the_rest(folders: tuple[Path, Path]) -> None:
    with pytest.raises(ParameterError, match="control"):
        assess(*folders, control=folders[0])
    plan = plan_assess(*folders, resources=Resources(memory="1GB"), threads=1)
    assert [step.passes for step in plan.steps] == [2, 1, 1, 1]
