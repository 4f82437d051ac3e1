"""What one table of a publication shows: its dimensions, its variable and the records that it is of."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from sfumato.data import Category
from sfumato.documents import Record


def _as_names(given: Any) -> Any:
    return (given,) if isinstance(given, str) else given


def _as_selection(given: Any) -> Any:
    if not isinstance(given, Mapping):
        return given
    return {name: tuple(codes) if isinstance(codes, list | tuple) else (codes,) for name, codes in given.items()}


class TableDefinition(Record):
    """One table of a publication.

    Parameters
    ----------
    dimensions
        Its dimensions: `by` for short.
    value
        The variable that is added up; records are counted when it is not given.
    where
        The records that it is of: for each variable the codes that they have; groups of a hierarchy stand for all that
        is under them. All records when not given.
    title
        What readers are told that it shows.

    Examples
    --------
    >>> TableDefinition(by=["sector", "size"], value="turnover", where={"region": "North"}).where
    {'region': ('North',)}
    """

    dimensions: Annotated[tuple[str, ...], BeforeValidator(_as_names)] = Field(alias="by")
    value: str | None = None
    where: Annotated[dict[str, tuple[Category, ...]], BeforeValidator(_as_selection)] = Field(default_factory=dict)
    title: str = ""
