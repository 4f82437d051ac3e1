import json
from pathlib import Path

import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import FileError
from sfumato.loss import InformationLoss
from sfumato.masking import Mdav, RankSwapping
from sfumato.risk import DistanceLinkage, IntervalDisclosure
from sfumato.scores import WeightedScore
from sfumato.study import Study, compare
from sfumato.study.result_store import count_results
from tests.study.examples import COLUMNS, mdav, people, swapping

MEASURES = [kind(columns=COLUMNS) for kind in (InformationLoss, DistanceLinkage, IntervalDisclosure)]
CANDIDATES = [swapping(5), swapping(20), mdav(3)]


def studied(folder: Path, **changes: object) -> Study:
    asked = {"candidates": CANDIDATES, "replications": 2, "seed": 7, "measures": MEASURES, "keep": folder, "workers": 1}
    return compare(changes.pop("data", people()), **{**asked, **changes})  # type: ignore[arg-type]


def test_a_study_that_is_run_again_runs_nothing(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    first = studied(tmp_path)
    again = studied(tmp_path, on_progress=lambda *done: told.append(done))
    assert again == first == compare(people(), CANDIDATES, replications=2, seed=7, measures=MEASURES, workers=1)
    assert (first.reused, again.reused, told) == (0, 6, [])
    assert count_results(tmp_path) == 6


def test_an_extended_study_runs_only_what_is_new(tmp_path: Path) -> None:
    studied(tmp_path)
    told: list[tuple[int, int]] = []
    more = [mdav(10), *reversed(CANDIDATES)]
    extended = studied(tmp_path, candidates=more, replications=3, on_progress=lambda *done: told.append(done))
    assert extended.reused == 6
    assert told == [(done, 12) for done in range(7, 13)]
    assert extended == compare(people(), more, replications=3, seed=7, measures=MEASURES, workers=1)


def test_other_scores_and_labels_need_no_new_run(tmp_path: Path) -> None:
    studied(tmp_path)
    own = WeightedScore(name="own", symbol="own", weights={"IL": 1.0, "DLD": 2.0})
    found = studied(tmp_path, candidates={"a": CANDIDATES[0]}, scores=[own])
    (first, _) = found.results
    assert found.reused == 2
    assert first.values["own"] == first.values["IL"] + 2 * first.values["DLD"]


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 8},
        {"data": people(121)},
        {"data": Microdata(people().frame.with_columns(pl.col("tax") + 1))},
        {"measures": MEASURES[:2]},
        {"measures": [*MEASURES[:2], IntervalDisclosure(columns=("tax",))]},
        {"measures": None},
        {"outliers": True},
        {"candidates": [RankSwapping(columns=COLUMNS, window=6)]},
    ],
)
def test_runs_of_other_data_seeds_measures_or_recipes_are_not_taken(changes: dict[str, object], tmp_path: Path) -> None:
    studied(tmp_path)
    other = studied(tmp_path, **changes)
    assert other.reused == 0
    assert count_results(tmp_path) == 6 + len(other.results)
    assert studied(tmp_path).reused == 6


def test_a_study_without_a_seed_continues_with_the_one_that_was_drawn(tmp_path: Path) -> None:
    first = studied(tmp_path, seed=None)
    again = studied(tmp_path, seed=None)
    assert (again.seed, again.reused) == (first.seed, 6)
    assert studied(tmp_path / "elsewhere", seed=None).seed != first.seed


def test_a_run_that_failed_is_tried_again(tmp_path: Path) -> None:
    failing = [*CANDIDATES, Mdav(columns=COLUMNS, k=5000)]
    assert studied(tmp_path, candidates=failing).reused == 0
    again = studied(tmp_path, candidates=failing)
    assert again.reused == 6
    assert "k" in (again.candidates[-1].error or "")


@pytest.mark.parametrize(
    "spoilt", ["", "{", "[]", "{}", '{"format": 99, "values": {}, "titles": {}}', '{"format": 2, "values": 3}']
)
def test_a_spoilt_file_is_run_anew(spoilt: str, tmp_path: Path) -> None:
    whole = studied(tmp_path)
    for path in list((tmp_path / "runs").glob("*.json"))[:2]:
        path.write_text(spoilt)
    again = studied(tmp_path)
    assert (again, again.reused) == (whole, 4)
    assert studied(tmp_path).reused == 6


def test_kept_files_hold_figures_and_no_record(tmp_path: Path) -> None:
    data = people()
    studied(tmp_path, data=data)
    texts = [path.read_text() for path in (tmp_path / "runs").glob("*.json")]
    assert all(set(json.loads(text)) == {"format", "candidate", "replication", "values", "titles"} for text in texts)
    assert all(len(text) < 1500 for text in texts)
    assert not any(f"{value:.3f}" in text for text in texts for value in data.values("income"))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"cannot be made: .*; choose another"):
        studied(tmp_path / "file")
