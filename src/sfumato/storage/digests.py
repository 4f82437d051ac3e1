"""The SHA-256 of files and texts."""

import hashlib
from pathlib import Path

from sfumato.errors import FileError


def file_sha256(file: Path) -> str:
    """Return the SHA-256 of a file, read in chunks."""
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}") from None


def text_sha256(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def bytes_sha256(content: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return hashlib.sha256(content).hexdigest()
