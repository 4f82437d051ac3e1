"""What `sfumato papers` shows, and its exit codes."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sfumato.cli import main
from sfumato.errors import FileError
from sfumato.papers import PAPERS, Figure, FigureKind, Files

FIELDS = ["figure", "kind", "printed", "ours", "tolerance", "verdict", "note", "follows"]
Ran = tuple[int, str, str]


@pytest.fixture
def papers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["sfumato", "papers", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def replaced(monkeypatch: pytest.MonkeyPatch, *figures: Figure) -> None:
    """Let there be one paper, with these figures."""

    def paper(files: Files, seed: int) -> Iterator[Figure]:
        yield from figures

    monkeypatch.setattr("sfumato.jobs.papers.PAPERS", {"some paper": paper})


def test_json_is_a_list_of_figures_with_exactly_the_stated_fields(papers: Callable[..., Ran]) -> None:
    code, out, err = papers("--only", "chapter 5", "--json")
    figures = json.loads(out)
    assert code == 0
    assert [list(figure) for figure in figures] == [FIELDS] * 12
    assert {figure["kind"] for figure in figures} == {"exact", "print", "misprint", "report"}
    assert {figure["verdict"] for figure in figures if figure["kind"] == "exact"} == {"reproduced"}
    assert "chapter 5: 12 figures in" in err


def test_the_table_ends_with_how_many_came_out(papers: Callable[..., Ran]) -> None:
    code, out, _ = papers("--only", "CHAPTER 5")
    assert code == 0
    assert "1105.78" in out
    assert "a misprint" in out
    assert out.splitlines()[-1] == (
        "12 figures, of which 9 are computed again and judged (9 exact): 9 reproduced, 0 within, 0 undecided, "
        "0 deviates; 1 differs, 0 undecided, 1 explained; 1 follows from print."
    )


@pytest.mark.parametrize(
    ("kind", "ours", "code"),
    [
        (FigureKind.EXACT, 1.0, 0),
        (FigureKind.EXACT, 1.1, 0),  # what rounding allows
        (FigureKind.EXACT, 1.3, 1),
        (FigureKind.STATISTICAL, 1.1, 0),
        (FigureKind.STATISTICAL, 1.3, 1),
        (FigureKind.REPORT, 9.0, 0),
    ],
)
def test_the_exit_code_tells_whether_every_figure_came_out_as_asked(
    papers: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, kind: FigureKind, ours: float, code: int
) -> None:
    fine = Figure("some paper: fine", FigureKind.EXACT, "yes", "yes")
    replaced(monkeypatch, fine, Figure("some paper: the figure", kind, 1.0, ours, tolerance=0.2))
    for arguments in ((), ("--json",)):
        assert papers(*arguments)[0] == code
    assert ("(!)" in papers()[1]) == (code == 1)


def test_a_note_that_figures_share_is_printed_once(papers: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [Figure(f"some paper: {number}", FigureKind.EXACT, 1.0, 1.0, note="read so") for number in range(3)]
    replaced(monkeypatch, *figures, Figure("some paper: last", FigureKind.EXACT, 1.0, 1.0, note="read otherwise"))
    _, out, _ = papers()
    assert out.count("read so") == out.count("read otherwise") == 1
    assert out.count("(1)") == 4


def test_missing_reference_files_are_named_with_their_folder(papers: Callable[..., Ran], tmp_path: Path) -> None:
    code, out, err = papers("--data", tmp_path, "--only", "post-masking")
    assert (code, out) == (1, "")
    assert f"sfumato: the reference file census.csv is not in {tmp_path}; name a folder that holds it." in err


def test_a_word_that_nothing_is_called_by_is_refused_with_the_papers(
    papers: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(monkeypatch, Figure("some paper: fine", FigureKind.EXACT, 1.0, 1.0))
    code, out, err = papers("--only", "sonnet")
    assert (code, out) == (1, "")
    assert "only must be a word of one of some paper; got 'sonnet'" in err


def test_every_figure_is_named_after_its_paper() -> None:
    without_files = {"chapter 5", "slides, table", "slides, example", "Census report, from print"}
    for name in without_files & set(PAPERS):
        figures = list(PAPERS[name](Files(), 0))
        assert all(figure.figure.startswith(name) for figure in figures)
        assert len({figure.figure for figure in figures}) == len(figures)


def test_without_the_reference_files_what_needs_none_is_run_and_the_rest_is_named(
    papers: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_files(files: Files, seed: int) -> Iterator[Figure]:
        raise FileError("no folder")

    def without_files(files: Files, seed: int) -> Iterator[Figure]:
        yield Figure("small: a figure", FigureKind.EXACT, 1.0, 1.0)

    monkeypatch.setattr("sfumato.jobs.papers.PAPERS", {"small": without_files, "large": with_files})
    monkeypatch.delenv("SFUMATO_DATA", raising=False)
    code, out, err = papers()
    assert code == 0
    assert "a figure" in out
    assert "NOT RUN, as they need the reference files: large. no folder." in " ".join(err.split())
    monkeypatch.setenv("SFUMATO_DATA", "somewhere")
    assert papers()[0] == 1
