"""Describe methods and measures from their own docstrings and ranges, for the command line and the documentation."""

from sfumato.description.describing import Description, describe
from sfumato.description.docstring import Docstring, parse_docstring
from sfumato.description.parameters import Parameter
from sfumato.description.snippet import recipe_snippet, sample_values

__all__ = [
    "Description",
    "Docstring",
    "Parameter",
    "describe",
    "parse_docstring",
    "recipe_snippet",
    "sample_values",
]
