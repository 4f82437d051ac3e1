"""Entries of a grid as they are kept: as YAML where JSON would change them, which makes text of codes as keys."""

import json
from typing import Any

import yaml

TEXT = "yaml"


def kept_entry(entry: Any) -> Any:
    """Return an entry in a form that is the same after JSON.

    Examples
    --------
    >>> kept_entry({"mdav": {"k": 3}})
    {'mdav': {'k': 3}}
    >>> print(kept_entry({"recoding": {"map": {1: "water"}}})["yaml"])
    recoding:
      map:
        1: water
    <BLANKLINE>
    """
    return entry if json.loads(json.dumps(entry)) == entry else {TEXT: yaml.safe_dump(entry, sort_keys=False)}


def plain_entry(entry: Any) -> Any:
    """Return a kept entry as a study takes it.

    Examples
    --------
    >>> plain_entry({"yaml": "recoding: {map: {1: water}}"})
    {'recoding': {'map': {1: 'water'}}}
    """
    return yaml.safe_load(entry[TEXT]) if isinstance(entry, dict) and set(entry) == {TEXT} else entry
