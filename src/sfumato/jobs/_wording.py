"""Sentences that several jobs share."""

from collections.abc import Iterable
from pathlib import Path


def as_sentences(remarks: Iterable[str]) -> list[str]:
    """Return remarks as sentences, with a capital and a full stop.

    Examples
    --------
    >>> as_sentences(["two records were left out"])
    ['Two records were left out.']
    """
    return [f"{remark[:1].upper()}{remark[1:]}." for remark in remarks]


def how_to_continue(done: int, total: int, what: str, folder: Path | None) -> str:
    """Say how much of an interrupted job is done, and how to have the rest done.

    Examples
    --------
    >>> how_to_continue(5, 10, "runs", None)
    'interrupted: 5 of 10 runs are done and none is kept; give an output folder to be able to continue'
    """
    state = f"interrupted: {done} of {total} {what} are done"
    if folder is None:
        return f"{state} and none is kept; give an output folder to be able to continue"
    return f"{state} and kept in {folder}; the same command continues from there"
