import errno
import os
import stat
from pathlib import Path

import numpy as np
import pytest

from sfumato.errors import FileError
from sfumato.storage.atomic import replace_file, write_text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with replace_file(target) as temporary:
        temporary.write_text("new", encoding="utf-8")
        assert not target.exists()
        assert temporary.parent == tmp_path
    assert target.read_text(encoding="utf-8") == "new"
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), OSError(errno.EIO, "broken")])
def test_a_failure_leaves_the_older_file_and_nothing_else(tmp_path: Path, error: BaseException) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")

    def half_written() -> None:
        with replace_file(target) as temporary:
            temporary.write_text("half", encoding="utf-8")
            raise error

    with pytest.raises((ValueError, KeyboardInterrupt, FileError)):
        half_written()
    assert target.read_text(encoding="utf-8") == "old"
    assert names(tmp_path) == ["out.txt"]


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(FileError, match=r"out\.txt cannot be written: the disk is full; nothing was changed"),
        replace_file(tmp_path / "out.txt"),
        Path("/dev/full").open("wb", buffering=0) as stream,
    ):
        stream.write(b"x")
    assert names(tmp_path) == []


def test_a_full_disk_that_a_library_tells_in_its_own_words_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="the disk is full"), replace_file(tmp_path / "out.txt"):
        raise RuntimeError("underlying IO error: No space left on device (os error 28)")


def test_a_full_disk_that_numpy_tells_without_a_number_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(FileError, match="the disk is full"),
        replace_file(tmp_path / "out.npy"),
        Path("/dev/full").open("wb", buffering=0) as stream,
    ):
        np.arange(100_000.0).tofile(stream)


def test_another_error_of_the_disk_is_told_by_its_name(tmp_path: Path) -> None:
    with (
        pytest.raises(FileError, match=r"out\.txt cannot be written: Input/output error"),
        replace_file(tmp_path / "out.txt"),
    ):
        raise OSError(errno.EIO, "broken")


def test_a_folder_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no folder .*nowhere; make it first"):
        write_text(tmp_path / "nowhere" / "out.txt", "")


def test_a_folder_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a folder; name a file in it"):
        write_text(tmp_path, "")


def test_a_device_is_not_replaced_by_a_file() -> None:
    with pytest.raises(FileError, match="/dev/null is not a file that can be replaced"):
        write_text(Path("/dev/null"), "")


def test_a_folder_where_nothing_may_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileError, match=r"out\.txt cannot be written: permission denied"):
        write_text(tmp_path / "out.txt", "")


def test_a_file_is_only_replaced_if_it_may_be(tmp_path: Path) -> None:
    write_text(tmp_path / "out.txt", "old")
    with (
        pytest.raises(FileError, match="exists already; choose another name"),
        replace_file(tmp_path / "out.txt", overwrite=False),
    ):
        pass
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "old"


def test_permissions_are_handed_on(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    write_text(target, "old")
    target.chmod(0o600)
    write_text(target, "new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual.txt").touch()
    write_text(tmp_path / "out.txt", "new")
    assert (tmp_path / "out.txt").stat().st_mode == (tmp_path / "usual.txt").stat().st_mode


def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path: Path) -> None:
    write_text(tmp_path / "target.txt", "old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "target.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "target.txt").read_text(encoding="utf-8") == "new"


def test_a_name_of_the_greatest_length_can_be_written(tmp_path: Path) -> None:
    longest = "x" * os.pathconf(tmp_path, "PC_NAME_MAX")
    write_text(tmp_path / longest, "new")
    assert names(tmp_path) == [longest]
