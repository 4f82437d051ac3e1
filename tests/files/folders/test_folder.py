import pickle
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema, Variable, summary
from sfumato.files.folders import Folder
from sfumato.files.folders.stacked_files import StackedFiles
from tests.files.folders.parts import folder_of
from tests.masking.survey import SCHEMA, survey

N = 300
FRAME = survey(N)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 40)
    return folder_of(FRAME, SCHEMA, tmp_path / "parts", [17, 18, 200])


@pytest.mark.parametrize(("start", "stop"), [(0, N), (0, 1), (16, 19), (17, 200), (100, 101), (299, 400)])
def test_any_range_of_rows_is_read_across_parts(folder: Folder, start: int, stop: int) -> None:
    found = folder.read(start, stop)
    assert found.frame.equals(FRAME[start:stop])
    assert found.row_ids.tolist() == list(range(start, min(stop, N)))


def test_columns_come_in_the_order_in_which_they_are_asked_for(folder: Folder) -> None:
    assert folder.read(5, 30, ("tax", "region")).frame.equals(FRAME[5:30].select("tax", "region"))


def test_figures_are_those_of_memory_to_the_last_bit(folder: Folder) -> None:
    memory = Microdata(FRAME, SCHEMA).summary
    assert folder.summary.covariance(("income", "tax")).tolist() == memory.covariance(("income", "tax")).tolist()
    assert folder.summary.deviation("income") == memory.deviation("income")
    assert folder.summary.quantile("tax", 0.3) == memory.quantile("tax", 0.3)
    assert folder.summary.counts("health") == memory.counts("health")
    assert folder.summary.mean("health") == memory.mean("health")
    assert folder.summary.suspected_codes("income") == memory.suspected_codes("income")


def test_a_column_that_is_laid_over_takes_the_place_of_its_own(folder: Folder, tmp_path: Path) -> None:
    masked = FRAME.select(pl.col("tax") * 2)
    masked[:90].write_ipc(tmp_path / "a.arrow")
    masked[90:].write_ipc(tmp_path / "b.arrow")
    layer = StackedFiles((tmp_path / "a.arrow", tmp_path / "b.arrow"), (90, N - 90))
    tax = Variable(name="tax", kind="continuous", label="doubled")
    overlaid = folder.overlaid(layer, (tax,))
    assert overlaid.read(80, 210).frame.equals(FRAME.with_columns(masked["tax"])[80:210])
    assert overlaid.schema["tax"].label == "doubled"
    assert overlaid.summary.mean("tax") != folder.summary.mean("tax")
    assert overlaid.without_columns(("note",)).read(0, 3).frame.columns == [n for n in FRAME.columns if n != "note"]


def test_figures_that_are_known_travel_with_the_folder(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    mean = folder.summary.mean("income")
    elsewhere = pickle.loads(pickle.dumps(folder))  # noqa: S301 - what was just made
    monkeypatch.setattr(Folder, "pieces", None)
    assert elsewhere.summary.mean("income") == mean


def test_blanks_are_missing_as_in_memory(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1.0, np.nan], "job": ["", "nurse"]})
    schema = Schema(variables=(Variable(name="x", kind="continuous"), Variable(name="job", kind="nominal")))
    found = folder_of(frame, schema, tmp_path / "parts", [1]).read(0, 2).frame
    assert found.to_dict(as_series=False) == {"x": [1.0, None], "job": [None, "nurse"]}
