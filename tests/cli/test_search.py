"""What `sfumato search` writes, says and keeps."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from sfumato.recipe import Recipe
from tests.cli.commands import Ran

SPACE = """\
candidates:
  - rank_swapping: {columns: [income, tax], window: "between(1, 60)"}
  - mdav: {columns: [income, tax], k: "between(3, 40)"}
"""
USUAL = ("--minimise", "IL", "--seed", "3", "--trials", "10", "--workers", "1")


@pytest.fixture
def search(sfumato: Callable[..., Ran], folder: Path) -> Callable[..., Ran]:
    (folder / "space.yaml").write_text(SPACE)

    def run(*arguments: str | Path) -> Ran:
        ran = sfumato("search", folder / "people.csv", "--space", folder / "space.yaml", *USUAL, *arguments)
        return Ran(ran.code, ran.out, " ".join(ran.err.split()))

    return run


def test_writes_tables_pictures_and_a_recipe_that_masks(
    search: Callable[..., Ran], sfumato: Callable[..., Ran], folder: Path
) -> None:
    ran = search("--limit", "dld<=20", "-o", folder / "out")
    assert ran.code == 0, ran.err
    out = folder / "out"
    pictures = {f"{name}.{suffix}" for name in ("map", "history") for suffix in ("svg", "png", "pdf")}
    tables = {"study.csv", "runs.csv", "study.json", "trials.csv", "best.yaml"}
    assert {path.name for path in out.iterdir()} == pictures | tables | {"recipes", "runs", "trials.log"}
    assert pl.read_csv(out / "trials.csv").height == 10
    assert "best by IL within DLD <= 20: " in ran.out
    assert Recipe.load(out / "best.yaml").seed is None
    masked = sfumato("mask", folder / "people.csv", "-r", out / "best.yaml", "-o", folder / "masked.csv")
    assert masked.code == 0


@pytest.mark.usefixtures("one_format")
def test_the_same_command_computes_nothing_twice_and_more_trials_go_on(
    search: Callable[..., Ran], folder: Path
) -> None:
    first = search("--limit", "DLD<=20", "-o", folder / "out")
    again = search("--limit", "DLD<=20", "-o", folder / "out")
    count = pl.read_csv(folder / "out" / "runs.csv").height
    assert f"{count} of {count} runs were kept from an earlier time" in again.err
    assert again.out == first.out
    more = search("--limit", "DLD<=20", "-o", folder / "out", "--trials", "12")
    assert f"{count} of " in more.err
    other = search("--limit", "DLD<=21", "-o", folder / "out")
    assert other.code == 1
    assert "keeps a search with other limits; choose another folder" in other.err


@pytest.mark.usefixtures("one_format")
def test_a_weight_that_no_figure_looks_at_is_named(search: Callable[..., Ran]) -> None:
    told = "age: no figure of this search looks at the weight"
    few = ("--limit", "DLD<=100", "--trials", "2")
    plain, weighted = search(*few), search(*few, "--weight", "age")
    assert (plain.code, weighted.code) == (0, 0)
    assert told not in plain.err
    assert told in weighted.err


@pytest.mark.usefixtures("one_format")
def test_limits_that_nobody_keeps_have_an_exit_code_and_name_the_nearest(
    search: Callable[..., Ran], folder: Path
) -> None:
    ran = search("--limit", "DLD<=0", "--limit", "IL<=0", "-o", folder / "out")
    assert ran.code == 3
    assert "no candidate keeps to DLD <= 0, IL <= 0; the nearest is '" in ran.err
    assert "too much" in ran.err
    assert (folder / "out" / "history.svg").exists()
    assert not (folder / "out" / "best.yaml").exists()


def test_without_a_folder_the_best_recipe_is_shown_and_the_drawn_seed_told(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    (folder / "space.yaml").write_text(SPACE)
    ran = sfumato(
        *("search", folder / "people.csv", "--space", folder / "space.yaml", "--workers", "1", "--trials", "2"),
        *("--minimise", "score"),
    )
    assert ran.code == 0, ran.err
    Recipe.from_yaml(ran.out[ran.out.index("steps:") :])
    assert "the seed was drawn: seed " in " ".join(ran.err.split())


@pytest.mark.usefixtures("one_format")
def test_a_search_that_goes_on_without_a_seed_takes_and_tells_that_of_its_folder(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    (folder / "space.yaml").write_text(SPACE)
    command = ("search", folder / "people.csv", "--space", folder / "space.yaml", "--workers", "1", "--trials", "2")
    sfumato(*command, "--minimise", "score", "--seed", "5", "-o", folder / "kept")
    again = sfumato(*command, "--minimise", "score", "-o", folder / "kept")
    assert "the seed was that of the folder: seed 5 gives" in " ".join(again.err.split())


def test_json_holds_the_recipe_and_every_trial(search: Callable[..., Ran]) -> None:
    ran = search("--limit", "DLD<=20", "--json")
    plain = json.loads(ran.out)
    assert len(plain["trials"]) == 10
    assert Recipe.from_yaml(plain["recipe"]).seed is None


def test_a_limit_is_all_that_is_needed(sfumato: Callable[..., Ran], folder: Path) -> None:
    ran = sfumato("search", folder / "people.csv", "--limit", "DLD<=90", "--trials", "2", "--workers", "1")
    assert ran.code == 0, ran.err
    assert "best by meanL within DLD <= 90: " in ran.out


@pytest.mark.usefixtures("one_format")
def test_ctrl_c_keeps_what_is_done(search: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.study import workers

    run, done = workers.run_one, []

    def stop(*given: object) -> object:
        done.append(given)
        if len(done) == 6:
            raise KeyboardInterrupt
        return run(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "run_one", stop)
    ran = search("--limit", "DLD<=20", "-o", folder / "out")
    assert ran.code == 130
    assert f"interrupted: 5 of 10 trials are done and kept in {folder / 'out'}" in ran.err
    monkeypatch.undo()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--limit", "DLD"), "--limit: a limit is a figure and a number, as in 'DLD<=5' or 'k>=3'; got 'DLD'"),
        (("--limit", "DLD<=x"), "--limit: a limit is a figure and a number"),
        (
            ("--limit", "worst_case_linkge<=5"),
            "there is no figure 'worst_case_linkge'; did you mean 'worst_case_linkage'?",
        ),
        (("--minimise", "XX", "--limit", "DLD<=5"), "--minimise: there is no figure 'XX'"),
        ((), "--limit must limit some figure while only IL is minimised"),
        (("--limit", "DLD<=5", "--time-limit", "0"), "--time-limit must be in (0, inf) seconds"),
        (("--limit", "DLD<=5", "--space", "none.yaml"), "the space none.yaml cannot be read"),
    ],
)
def test_what_cannot_be_asked_is_told(search: Callable[..., Ran], arguments: tuple[str, ...], words: str) -> None:
    ran = search(*arguments)
    assert ran.code == 1
    assert words in ran.err


def test_a_folder_that_is_a_file_is_told(search: Callable[..., Ran], folder: Path) -> None:
    ran = search("--limit", "DLD<=5", "-o", folder / "people.csv")
    assert ran.code == 1
    assert "people.csv cannot be used" in ran.err
