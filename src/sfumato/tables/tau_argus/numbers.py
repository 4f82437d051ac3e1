"""Numbers in the files of tau-Argus, which writes decimals as Windows is set to: with a point or a comma."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from sfumato.errors import FileError

THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")


def decimal_sign(words: Iterable[str], separator: str) -> str:
    """Return what stands before the decimals in a file: a comma where some number has one and none has a point.

    Where commas part the fields, and where every comma could part thousands as well, it is a point, so that such
    numbers are refused rather than read as others.

    Parameters
    ----------
    words
        All numbers of the file.
    separator
        What stands between fields; nothing where fields have fixed places.

    Examples
    --------
    >>> decimal_sign(["12,5", "8"], ";"), decimal_sign(["12,5", "8.0"], ";"), decimal_sign(["1,250"], ";")
    (',', '.', '.')
    """
    found = set(words)
    with_comma = [word for word in found if "," in word]
    is_comma = (
        separator != ","
        and any(THOUSANDS.fullmatch(word) is None for word in with_comma)
        and not any("." in word for word in found)
    )
    return "," if is_comma else "."


def parse_numbers(words: Sequence[str], name: str, path: Path | str, *, sign: str = ".") -> list[float]:
    """Return the numbers of a field, or say that it holds others.

    Parameters
    ----------
    words
        The field in every line.
    name, path
        What the field is called, and the file, for messages.
    sign
        What stands before the decimals.
    """
    try:
        return [float(word.replace(",", ".") if sign == "," else word) for word in words]
    except ValueError:
        raise FileError(
            f"{path}: field '{name}' must hold a number in every line; decimals after a point, or after a comma in the "
            "whole file where fields are not parted by commas; no sign between thousands"
        ) from None
