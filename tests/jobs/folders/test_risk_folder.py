"""The risk of a folder is that of the same records in memory; what is told of a sample says so, with its error."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema, summary
from sfumato.errors import DataError, FileError
from sfumato.execution import blocks
from sfumato.files import ReadOptions
from sfumato.jobs.folders import resources, risk_folder
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.folders.risk_folder import plan_risk
from sfumato.jobs.risk import risk
from sfumato.keys.counted_records import count_records
from sfumato.keys.exact_weights import split_weights
from sfumato.risk import HouseholdRisk
from tests.files.folders.parts import write_parts

N = 1500
SCHEMA = Schema.from_yaml(
    """
    variables:
    - {name: home, kind: nominal, role: household}
    - {name: town, kind: nominal, role: key, missing_codes: [x, z]}
    - {name: age, kind: continuous, role: key, missing_codes: [-9, -8]}
    - {name: job, kind: nominal, role: key}
    - {name: ill, kind: nominal, role: confidential}
    - {name: drug, kind: nominal, role: confidential, missing_codes: ["?"]}
    - {name: persons, kind: continuous, role: weight}
    """
)


def people() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    towns = rng.choice(["A", "B", "C", "z", "x", ""], N, p=[0.4, 0.3, 0.25, 0.02, 0.02, 0.01])
    return pl.DataFrame(
        {
            "home": np.arange(N) // 3,
            "town": towns,
            "age": np.where(rng.random(N) < 0.03, rng.choice([-9, -8], N), rng.integers(20, 70, N)),
            "job": pl.Series([None if x > 8 else f"job {x}" for x in rng.integers(0, 10, N).tolist()]),
            "ill": rng.choice(["no", "yes"], N, p=[0.9, 0.1]),
            "drug": rng.choice(["none", "a", "?"], N),
            "persons": rng.lognormal(1, 1, N),
        }
    )


@pytest.fixture(autouse=True)
def ranges_of_a_thousand_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 250)
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 250)
    monkeypatch.setattr(resources, "BLOCKS_PER_RANGE", 2)


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    write_parts(people(), tmp_path / "people", [11, 900])
    return tmp_path / "people"


OPTIONS = ReadOptions(schema=SCHEMA)


def test_the_report_is_that_of_memory_to_the_last_bit(parts: Path, tmp_path: Path) -> None:
    people().write_parquet(tmp_path / "people.parquet")
    asked = {"options": OPTIONS, "k": 4, "limits": ["k=2", "household_risk<=100"], "population_size": 20_000.0}
    wanted = risk(tmp_path / "people.parquet", **asked)  # type: ignore[arg-type]
    found = risk(parts, **asked, threads=1, resources=Resources(memory="2GB"))  # type: ignore[arg-type]
    figures, expected = found.report.to_dict()["figures"], wanted.report.to_dict()["figures"]
    # added up by rows there, and by kinds of records here
    assert figures.pop("household_risk") == pytest.approx(expected.pop("household_risk"))
    assert figures == expected
    for part in ("records", "keys", "variables", "categories", "combinations", "remarks"):
        assert found.report.to_dict()[part] == wanted.report.to_dict()[part]
    assert found.notices == wanted.notices


def test_kinds_of_records_and_sums_of_weights_do_not_depend_on_the_order_of_rows() -> None:
    counted = []
    for frame in (people(), people().sample(fraction=1, shuffle=True, seed=2)):
        data = Microdata(frame, SCHEMA)
        parts = split_weights(np.maximum(data.values("persons"), 1.0))
        counted.append(count_records(data, ("town", "age", "job"), ("drug",), weights=parts))
    one, other = counted
    assert one.copies.tolist() == other.copies.tolist()
    assert one.weights is not None
    assert other.weights is not None
    assert one.weights.tolist() == other.weights.tolist()
    assert one.frame.select("town", "age", "job").equals(other.frame.select("town", "age", "job"))


def test_households_of_many_records_are_sampled_as_wholes_with_their_error(
    parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = HouseholdRisk().of(Microdata(people().with_columns(pl.col("town").replace("", None)), SCHEMA)).value
    monkeypatch.setattr(risk_folder, "SAMPLED", 600)
    found = risk(parts, options=OPTIONS, threads=1).report
    (figure,) = (figure for figure in found.figures if figure.name == "household_risk")
    error = float(figure.meaning.split("standard error ")[1].split(" ")[0])
    assert 0 < abs(figure.value - exact) < 3 * error < 10
    (told,) = (remark for remark in found.remarks if "random sample of" in remark)
    assert "the risk by households is of it" in told
    drawn = int(told.split("random sample of ")[1].split(" ")[0].replace(",", ""))
    assert drawn % 3 == 0  # whole households
    assert 400 < drawn < 800


def test_keys_that_make_too_many_kinds_are_refused_with_advice(parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.execution.folders.counted_kinds.BYTES_PER_KEY", 10**8)
    with pytest.raises(DataError, match=r"different combinations of town, age, job.*recode the keys"):
        risk(parts, options=OPTIONS, threads=1, resources=Resources(memory="1GB"))


def test_the_plan_tells_what_is_read_before_it_is(parts: Path) -> None:
    plan = plan_risk(parts, options=OPTIONS, resources=Resources(memory="1GB"), threads=1)
    assert [step.passes for step in plan.steps] == [1, 1]
    assert "1,500 records by 1 process" in str(plan)


def test_a_full_disk_where_counts_are_kept_is_told_and_nothing_is_left(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_the_disk(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(risk_folder, "count_folder", fill_the_disk)
    spill = tmp_path / "spill"
    spill.mkdir()
    with pytest.raises(FileError, match=r"the disk is full, at .*spill; nothing was left behind"):
        risk(parts, options=OPTIONS, threads=1, resources=Resources(memory="2GB", spill=spill))
    assert not list(spill.iterdir())
