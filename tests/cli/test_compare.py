"""What `sfumato compare` writes, reuses and says."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import polars as pl
import pytest

from sfumato.cli import main
from sfumato.data import Schema
from sfumato.jobs._study_folder import MAP_FORMATS, recipe_names, write_study
from sfumato.recipe import Recipe
from sfumato.study.result_store import count_results
from tests.study.examples import mdav, study, study_of

STUDY = """\
data: people.csv
seed: 3
replications: 2
measures:
  - information_loss: {columns: [income, tax]}
  - distance_linkage: {columns: [income, tax]}
  - interval_disclosure: {columns: [income, tax]}
candidates:
  - rank_swapping: {columns: [income, tax], window: [5, 20]}
  - mdav: {columns: [income, tax], k: 3}
"""
MAX_SECONDS = 120.0

pytestmark = pytest.mark.usefixtures("one_format")


@dataclass
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    income = rng.lognormal(8, 1, 200).round(2)
    frame = pl.DataFrame({"income": income, "tax": (income * 0.2 + rng.normal(0, 50, 200)).round(2)})
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path


@pytest.fixture
def all_formats(one_format: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.jobs._study_folder.MAP_FORMATS", MAP_FORMATS)


@pytest.fixture
def compare(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def run(text: str, *arguments: str | Path) -> Ran:
        (folder / "study.yaml").write_text(text)
        words = ["sfumato", "compare", str(folder / "study.yaml"), "--workers", "1", *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", words)
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, " ".join(captured.err.split()))

    return run


@pytest.mark.usefixtures("all_formats")
def test_writes_tables_maps_and_recipes_that_can_be_run(compare: Callable[..., Ran], folder: Path) -> None:
    ran = compare(STUDY, "-o", folder / "out")
    assert ran.code == 0, ran.err
    out = folder / "out"
    names = {"study.csv", "runs.csv", "study.json", "map.svg", "map.png", "map.pdf", "recipes", "runs"}
    assert {path.name for path in out.iterdir()} == names
    table = pl.read_csv(out / "study.csv")
    assert table["candidate"].to_list() == ["rank swapping 5", "rank swapping 20", "mdav 3"]
    assert {"IL", "IL_sd", "IL_low", "IL_high", "DR", "runs", "error"} <= set(table.columns)
    assert pl.read_csv(out / "runs.csv").height == 6
    plain = json.loads((out / "study.json").read_text())
    assert set(plain["recipes"]) == {path.name for path in (out / "recipes").iterdir()}
    for name in plain["recipes"]:
        recipe = Recipe.load(out / "recipes" / name)
        assert recipe.seed is None  # a release draws its own


def test_the_same_command_reuses_what_is_kept_and_gives_the_same_files(
    compare: Callable[..., Ran], folder: Path
) -> None:
    first = compare(STUDY, "-o", folder / "out")
    files = {path: path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()}
    again = compare(STUDY, "-o", folder / "out")
    assert "6 of 6 runs were kept from an earlier time" in again.err
    assert again.out == first.out
    assert {path: path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()} == files


def test_an_extended_study_runs_what_is_new(compare: Callable[..., Ran], folder: Path) -> None:
    compare(STUDY, "-o", folder / "out")
    extended = compare(STUDY.replace("window: [5, 20]", "window: [2, 5, 20]"), "-o", folder / "out")
    assert "6 of 8 runs were kept from an earlier time" in extended.err


def test_runs_of_other_data_in_the_folder_are_told_and_not_used(compare: Callable[..., Ran], folder: Path) -> None:
    compare(STUDY, "-o", folder / "out")
    pl.read_csv(folder / "people.csv").head(150).write_csv(folder / "people.csv")
    other = compare(STUDY, "-o", folder / "out")
    assert other.code == 0
    assert "none of the 6 runs that the folder keeps could be used: they are of other data" in other.err


def test_recipes_that_left_the_front_are_removed_and_no_other_file(tmp_path: Path) -> None:
    write_study(study_of([(1.0, 9.0), (9.0, 1.0)]), tmp_path, Schema(variables=()))
    (tmp_path / "recipes" / "own.yaml").write_text("steps: []")
    write_study(study_of([(9.0, 9.0), (1.0, 1.0)]), tmp_path, Schema(variables=()))
    assert {path.name for path in (tmp_path / "recipes").iterdir()} == {"c1.yaml", "own.yaml"}


def test_any_label_makes_a_file_name_and_no_two_the_same() -> None:
    labels = ["a/b: 5 %", "a_b_5_", "A_B_5", "…", "..", "x" * 300]
    names = recipe_names(study([mdav(3 + n) for n in range(len(labels))], labels=labels).candidates)
    assert len({name.casefold() for name in names}) == len(labels)
    assert all(name.endswith(".yaml") and "/" not in name and len(name) < 100 and name[0] != "." for name in names)


def test_outliers_have_columns_and_a_map_of_their_own(compare: Callable[..., Ran], folder: Path) -> None:
    ran = compare(f"{STUDY}outliers: true\n", "-o", folder / "out")
    assert ran.code == 0, ran.err
    assert (folder / "out" / "map_outliers.svg").exists()
    assert {"DLD_outliers", "ID_outliers", "DR_outliers"} <= set(pl.read_csv(folder / "out" / "study.csv").columns)


def test_the_best_within_the_limits_is_named(compare: Callable[..., Ran], folder: Path) -> None:
    ran = compare(f"{STUDY}limits: [IL<=1000, DLD<=100]\n", "-o", folder / "out")
    assert ran.code == 0
    assert "best by score within IL <= 1000, DLD <= 100: " in ran.err


def test_limits_that_nobody_keeps_have_an_exit_code_after_everything_is_written(
    compare: Callable[..., Ran], folder: Path
) -> None:
    ran = compare(f"{STUDY}limits: [DR<=0]\n", "-o", folder / "out")
    assert ran.code == 3
    assert "no candidate keeps to DR <= 0; the nearest is '" in ran.err
    assert (folder / "out" / "map.svg").exists()


def test_a_limit_on_a_figure_that_the_study_turns_out_not_to_have_is_refused(compare: Callable[..., Ran]) -> None:
    usual = STUDY.replace(STUDY[STUDY.index("measures:") : STUDY.index("candidates:")], "")
    ran = compare(f"{usual}limits: [PLD<=5]\n")
    assert ran.code == 1
    assert "there is no figure 'PLD'" in ran.err


def test_a_study_without_a_risk_has_a_table_and_no_map(compare: Callable[..., Ran], folder: Path) -> None:
    losses = STUDY.replace("  - distance_linkage: {columns: [income, tax]}\n", "")
    ran = compare(losses.replace("  - interval_disclosure: {columns: [income, tax]}\n", ""), "-o", folder / "out")
    assert ran.code == 0
    assert "there is no map: the study has no measure of risk" in ran.err
    assert not list((folder / "out").glob("map*"))


def test_json_is_the_whole_table(compare: Callable[..., Ran]) -> None:
    plain = json.loads(compare(STUDY, "--json").out)
    assert [candidate["candidate"] for candidate in plain["candidates"]] == [
        *("rank swapping 5", "rank swapping 20", "mdav 3")
    ]
    assert plain["candidates"][0]["IL_low"] < plain["candidates"][0]["IL"] < plain["candidates"][0]["IL_high"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("window: [5, 20]", "window: []", "line 9, candidate 1: RankSwapping.window must have at least one value"),
        ("window: [5, 20]", "window: range(1, 20)", "inside braces a range needs quotes"),
        ("[income, tax], window", "[incme, tax], window", ""),
        ("data: people.csv", "data: absent.csv", "absent.csv"),
        ("interval_disclosure: {columns: [income, tax]}", "interval_disclosure: {columns: [wage]}", "no column 'wage'"),
    ],
)
def test_a_study_that_does_not_fit_is_told(
    old: str, new: str, words: str, compare: Callable[..., Ran], folder: Path
) -> None:
    ran = compare(STUDY.replace(old, new), "-o", folder / "out")
    assert ran.code == (1 if words else 0)
    assert words in ran.err
    assert words or "failed: rank swapping 5: " in ran.out  # the other candidates are there


def test_a_candidate_that_fails_is_in_the_table_with_its_error(compare: Callable[..., Ran], folder: Path) -> None:
    ran = compare(STUDY.replace("k: 3", "k: [3, 500]"), "-o", folder / "out")
    assert ran.code == 0
    assert "failed: mdav 500: step 1 (mdav): Mdav.k must be at most the number of records" in ran.out
    table = pl.read_csv(folder / "out" / "study.csv")
    assert table["runs"].to_list() == [2, 2, 2, 0]
    assert [error is None for error in table["error"]] == [True, True, True, False]
    assert table["IL"].is_null().to_list() == [False, False, False, True]


def test_limits_of_a_study_without_a_loss_are_judged_by_the_risk(compare: Callable[..., Ran]) -> None:
    risks = STUDY.replace("  - information_loss: {columns: [income, tax]}\n", "")
    ran = compare(f"{risks}limits: [DLD<=100]\n")
    assert ran.code == 0
    assert "best by DR within DLD <= 100: " in ran.err


def test_a_limit_on_a_score_that_the_measures_do_not_make_is_refused_before_the_first_run(
    compare: Callable[..., Ran], folder: Path
) -> None:
    measured = STUDY.replace("  - interval_disclosure: {columns: [income, tax]}\n", "")
    ran = compare(f"{measured}limits: [DR<=20]\n", "-o", folder / "out")
    assert ran.code == 1
    assert "there is no figure 'DR'; it is made from DLD and ID: measure ID too" in ran.err
    assert not (folder / "out").exists()


def test_a_study_of_another_data_set_is_told(compare: Callable[..., Ran], folder: Path) -> None:
    (folder / "people.csv").write_text("height,weight\n180.5,80.5\n170.5,70.5\n160.5,60.5\n")
    usual = STUDY.replace(STUDY[STUDY.index("measures:") : STUDY.index("candidates:")], "")
    ran = compare(usual)
    assert ran.code == 1
    assert "no candidate could be run; the first one: step 1 (rank_swapping): there is no column 'income'" in ran.err


def test_an_output_that_is_a_file_is_told(compare: Callable[..., Ran], folder: Path) -> None:
    ran = compare(STUDY, "-o", folder / "people.csv")
    assert ran.code == 1
    assert "cannot be made" in ran.err
    assert (folder / "people.csv").is_file()


def test_ctrl_c_writes_what_is_done_and_says_how_to_continue(compare: Callable[..., Ran], folder: Path) -> None:
    loss_only = re.sub(r"  - (distance_linkage|interval_disclosure).*\n", "", STUDY)  # a map of it would take seconds
    (folder / "study.yaml").write_text(loss_only.replace("replications: 2", "replications: 100"))
    program = "from sfumato.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "compare", "study.yaml", "-o", "out", "--workers", "2"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    begin = monotonic()
    try:
        while count_results(folder / "out") < 8:
            assert process.poll() is None
            assert monotonic() - begin < MAX_SECONDS
            sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the parent and to its processes
        out, err = process.communicate(timeout=MAX_SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130, err
    assert "of 300 runs are done and kept in out; the same command continues from there" in " ".join(err.split())
    assert "interrupted: " in out
    assert "Traceback" not in err
    assert pl.read_csv(folder / "out" / "study.csv").height >= 1
    assert not list(folder.glob("sfumato-study-*"))  # the data do not stay
    continued = compare(loss_only.replace("replications: 2", "replications: 1"), "-o", folder / "out")
    assert continued.code == 0
    assert re.search(r"[123] of 3 runs were kept from an earlier time", " ".join(continued.err.split()))
