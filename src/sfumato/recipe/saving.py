"""Write a text file whole or not at all."""

from pathlib import Path
from tempfile import TemporaryDirectory

from sfumato.errors import FileError


def write_whole(path: str | Path, text: str) -> None:
    """Write a UTF-8 text beside its final name and rename it when it is complete."""
    path = Path(path)
    try:
        with TemporaryDirectory(dir=path.parent, prefix=".sfumato-") as folder:
            staged = Path(folder) / path.name
            staged.write_text(text, encoding="utf-8", newline="\n")
            staged.replace(path)
    except OSError as error:
        raise FileError(f"'{path}' cannot be written: {error.strerror}") from None
