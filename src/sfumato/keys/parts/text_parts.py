"""Parts of codes and texts that many share although most are different: the court in a file reference."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.data.column_recoding import text_of
from sfumato.numerics.arrays import CodeColumn

MIN_VALUES = 20  # of a column: with fewer each is looked at by itself
MAX_DIFFERENT = 200  # parts, of which each could tell something that can be counted
MAX_PREFIX, MAX_SUFFIX, MAX_PARTS = 4, 2, 4
BORDERS = re.compile(r"[\W_]+|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")


def text_parts(data: Microdata, name: str) -> Iterator[tuple[str, CodeColumn]]:
    """Yield the parts of a column of many codes or texts, in words, and as codes of the records, missing as -1.

    Looked at are the first and last characters, and what stands between separators, or between letters and digits.
    Numbers need no such look: their order tells what their first digits do.
    """
    if data.schema[name].kind is not Kind.NOMINAL:
        return
    codes, categories = data.codes(name)
    if len(categories) <= MIN_VALUES:
        return
    texts, seen = [text_of(category) for category in categories], set()
    for words, parts in _cut(texts):
        different, numbers = np.unique(parts, return_inverse=True)
        partition = np.unique(numbers, return_index=True)[1][numbers].tobytes()
        if 1 < different.size <= min(MAX_DIFFERENT, len(texts) / 2) and partition not in seen:
            seen.add(partition)
            yield f"{words} of {name}", np.where(codes < 0, -1, numbers[codes])


def _cut(texts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield ways to cut texts, and the parts that they give.

    Examples
    --------
    >>> dict(_cut(["05/2/017"]))["part 1"], dict(_cut(["MU12"]))["part 2"]
    (['05'], ['12'])
    """
    for length in range(1, MAX_PREFIX + 1):
        yield _characters("first", length), [text[:length] for text in texts]
    for length in range(1, MAX_SUFFIX + 1):
        yield _characters("last", length), [text[-length:] for text in texts]
    split = [[part for part in BORDERS.split(text) if part] for text in texts]
    for place in range(MAX_PARTS):
        yield f"part {place + 1}", [parts[place] if place < len(parts) else "" for parts in split]


def _characters(which: str, length: int) -> str:
    return f"the {which} character" if length == 1 else f"the {which} {length} characters"
