"""Describe methods and measures from their own docstrings and ranges, for the command line and the documentation."""

from sfumato.catalogue.descriptions import Description, describe
from sfumato.catalogue.docstring import Docstring, parse_docstring
from sfumato.catalogue.parameters import Parameter
from sfumato.catalogue.sections import missing_sections
from sfumato.catalogue.snippet import entry_snippet, recipe_snippet, sample_values

__all__ = [
    "Description",
    "Docstring",
    "Parameter",
    "describe",
    "entry_snippet",
    "missing_sections",
    "parse_docstring",
    "recipe_snippet",
    "sample_values",
]
