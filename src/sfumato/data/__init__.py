"""The user's records: a dataframe, its schema, and what is known of the whole."""

from sfumato.data.hierarchy import Hierarchy
from sfumato.data.kinds import CATEGORICAL, METRIC, Kind, Role
from sfumato.data.microdata import Microdata
from sfumato.data.schema import Category, Schema, Selection, Variable
from sfumato.data.selection import Selector, categorical, linkable, numeric, role
from sfumato.data.summary import Summary

__all__ = [
    "CATEGORICAL",
    "METRIC",
    "Category",
    "Hierarchy",
    "Kind",
    "Microdata",
    "Role",
    "Schema",
    "Selection",
    "Selector",
    "Summary",
    "Variable",
    "categorical",
    "linkable",
    "numeric",
    "role",
]
