"""How a pattern is found: to proven optimality, quickly, or as the size of the problem allows."""

from abc import abstractmethod
from collections.abc import Callable

from pydantic import Field

from sfumato.record import Record
from sfumato.tables.pattern import Pattern
from sfumato.tables.problem import Problem
