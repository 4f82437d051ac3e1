import stat
from pathlib import Path

import pytest

from sfumato.errors import FileError
from sfumato.storage.private_folders import private_folder


def test_only_the_owner_can_read_it_and_it_is_removed_however_the_block_ends(tmp_path: Path) -> None:
    with private_folder(tmp_path, "run") as folder:
        (folder / "values").write_text("1")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not list(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt), private_folder(tmp_path, "run"):
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


def test_what_a_killed_run_left_is_found(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir(mode=0o700)
    (tmp_path / "run" / "values").write_text("1")
    with private_folder(tmp_path, "run") as folder:
        assert (folder / "values").read_text() == "1"


def test_two_runs_do_not_work_in_one_folder(tmp_path: Path) -> None:
    with (
        private_folder(tmp_path, "run"),
        pytest.raises(FileError, match="another run is at work"),
        private_folder(tmp_path, "run"),
    ):
        pass


def test_a_folder_that_others_can_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(tmp_path / "run")
    for name in ("run", "link"):
        with pytest.raises(FileError, match="others can read it"), private_folder(tmp_path, name):
            pass
    with pytest.raises(FileError, match="cannot be made"), private_folder(tmp_path / "absent", "run"):
        pass
