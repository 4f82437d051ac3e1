"""The SHA-256 of files and texts."""

from pathlib import Path

import pytest

from sfumato.errors import FileError
from sfumato.storage.digests import file_sha256, text_sha256

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, appendix B.1


def test_a_file_and_a_text_of_the_same_bytes_have_the_published_digest(tmp_path: Path) -> None:
    (tmp_path / "abc").write_text("abc")
    assert file_sha256(tmp_path / "abc") == text_sha256("abc") == ABC


def test_a_file_that_is_absent_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nothing cannot be read"):
        file_sha256(tmp_path / "nothing")
