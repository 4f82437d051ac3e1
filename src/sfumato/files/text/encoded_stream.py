"""A stream that takes text in UTF-8 and writes it in another encoding."""

import codecs
from io import RawIOBase
from typing import IO, Any


class EncodedStream(RawIOBase):
    """Write what comes as UTF-8 in another encoding; a character that this does not have is noticed, not written.

    Parameters
    ----------
    target
        Where to write.
    encoding
        The encoding there.
    """

    def __init__(self, target: IO[bytes], encoding: str) -> None:
        self._target = target
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._encoder = codecs.getincrementalencoder(encoding)()
        self.lacks_characters = False

    def writable(self) -> bool:
        """Return that it can be written to."""
        return True

    def write(self, content: Any) -> int:
        """Write a piece of text in UTF-8, which may end within a character."""
        piece = bytes(content)
        try:
            self._target.write(self._encoder.encode(self._decoder.decode(piece)))
        except UnicodeEncodeError:
            self.lacks_characters = True
        return len(piece)


def can_encode(text: str, encoding: str) -> bool:
    """Tell whether an encoding has all characters of a text.

    Examples
    --------
    >>> can_encode("Köln", "cp1252"), can_encode("Łódź", "cp1252")
    (True, False)
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
