"""Records that are known by a name, and those that are about chosen columns."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from pydantic import ConfigDict

from sfumato.data import Kind
from sfumato.documents.record import Record
from sfumato.parameters import Columns


class Named(Record):
    """A record that is known by the snake-case form of its class name, as recipes write it."""

    model_config = ConfigDict(ignored_types=(property,))

    def is_a(self, *names: str) -> bool:
        """Tell whether the record is of a class of one of these names; none is loaded for the question."""
        return any(each.name() in names for each in type(self).__mro__ if issubclass(each, Named))

    @classmethod
    def name(cls) -> str:
        """Return the name used in recipes, file names and listings."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", cls.__name__).lower()


class ColumnRecord(Named):
    """A named record about chosen columns.

    `family` is the folder that it lives in, `kinds` are the kinds of column that it takes, and `alternatives` names
    what to use for those that it does not.
    """

    family: ClassVar[str]
    kinds: ClassVar[frozenset[Kind]]
    alternatives: ClassVar[Mapping[Kind, str]] = MappingProxyType({})

    columns: Columns
