"""A file that the browser brings is written whole or not at all, and takes no other file's place."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sfumato.app.uploads import save_upload
from sfumato.errors import FileError


async def sent(*chunks: bytes, breaks: bool = False) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
    if breaks:
        raise ConnectionError


def test_a_file_is_written_as_it_was_sent_for_its_owner_only(tmp_path: Path) -> None:
    written = asyncio.run(save_upload(sent(b"age\n", b"31\n"), tmp_path, "people.csv"))
    assert written == tmp_path / "people.csv"
    assert written.read_bytes() == b"age\n31\n"
    assert written.stat().st_mode & 0o777 == 0o600


def test_a_name_with_folders_stays_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "chosen"
    folder.mkdir()
    for name in ("../people.csv", "/tmp/people.csv", "..\\people.csv"):  # noqa: S108
        written = asyncio.run(save_upload(sent(b"age\n31\n"), folder, name))
        assert written == folder / "people.csv"
        written.unlink()


@pytest.mark.parametrize("name", ["", ".csv", "people.exe", "..", "people\n.csv"])
def test_a_name_that_no_file_to_be_read_has_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError):
        asyncio.run(save_upload(sent(b"x"), tmp_path, name))
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("mine")
    with pytest.raises(FileError, match="exists already"):
        asyncio.run(save_upload(sent(b"yours"), tmp_path, "people.csv"))
    assert (tmp_path / "people.csv").read_text() == "mine"


def test_a_connection_that_breaks_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises((ConnectionError, FileError)):
        asyncio.run(save_upload(sent(b"half", breaks=True), tmp_path, "people.csv"))
    assert not list(tmp_path.iterdir())
