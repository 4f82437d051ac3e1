import pytest

from sfumato.study.progress import progress_of


def test_says_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_of(2, show=None, on_progress=None) as one_done:
        one_done()
    assert capsys.readouterr() == ("", "")


def test_shows_a_bar_on_standard_error_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_of(2, show=True, on_progress=None) as one_done:
        one_done()
        one_done()
    out, err = capsys.readouterr()
    assert out == ""
    assert "2/2" in err


def test_is_silent_where_there_is_no_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    told: list[tuple[int, int]] = []
    with progress_of(1, show=None, on_progress=lambda *done: told.append(done)) as one_done:
        one_done()
    assert told == [(1, 1)]


def test_a_continued_study_begins_with_what_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[int, int]] = []
    with progress_of(4, done=2, show=True, on_progress=lambda *done: told.append(done)) as one_done:
        one_done()
    assert told == [(3, 4)]
    assert "3/4" in capsys.readouterr().err
