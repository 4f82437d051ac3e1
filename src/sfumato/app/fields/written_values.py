"""What people write into a field of a form: lists and names without brackets, text as it is, all else as in YAML."""

from typing import Any

import yaml

from sfumato.errors import ParameterError

LIST, MAPPING, TEXT = "list of ", "mapping of ", "text"
NESTED = ("list of", "mapping")
BRACKETS = {LIST: ("[", "]"), MAPPING: ("{", "}")}
EXAMPLES = {LIST: "18, 45, 65", MAPPING: "north: 1, south: 2", "": "YAML, such as [1, 2] or {a: 1}"}


def hint(allowed: str) -> str:
    """Return how the values of a parameter are written, of which is known what it may be.

    Examples
    --------
    >>> hint("list of numbers"), hint("mapping of number above 0")
    ('numbers, with commas between them', 'number above 0 by name, as in a: 1, b: 2')
    >>> hint("list of list of texts")
    'list of list of texts, as in YAML'
    """
    if allowed == TEXT:
        return allowed
    if not (form := _form(allowed)):
        return f"{allowed}, as in YAML" if any(one in allowed for one in NESTED) else allowed
    what = allowed.removeprefix(form)
    return f"{what}, with commas between them" if form == LIST else f"{what} by name, as in a: 1, b: 2"


def write_value(allowed: str, value: Any) -> str:
    """Return a value as it stands in a field.

    Examples
    --------
    >>> write_value("list of numbers", [18, 65]), write_value("mapping of number", {"age": 2})
    ('18, 65', 'age: 2')
    """
    if value in (None, "", [], {}):
        return ""
    if allowed == TEXT:
        return str(value)
    text = yaml.safe_dump(value, default_flow_style=True, width=float("inf"), sort_keys=False)
    text = text.removesuffix("...\n").strip()
    return text[1:-1] if _form(allowed) else text


def read_value(name: str, allowed: str, text: str) -> Any:
    """Return the value that was written into the field of a parameter, or None where nothing was.

    Examples
    --------
    >>> read_value("breaks", "list of numbers", "18, 65"), read_value("breaks", "list of numbers", "[18, 65]")
    ([18, 65], [18, 65])
    >>> read_value("importance", "mapping of number above 0", "region: 3, sex: 2")
    {'region': 3, 'sex': 2}
    """
    text = text.strip()
    if not text or allowed == TEXT:
        return text or None
    form = _form(allowed)
    if form and text[0] != BRACKETS[form][0]:
        opening, closing = BRACKETS[form]
        text = f"{opening}{text}{closing}"
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise ParameterError([f"{name}: must be written as in {EXAMPLES[form]}"]) from None


def _form(allowed: str) -> str:
    """Return whether a parameter takes a plain list or a plain mapping, which need no brackets; else nothing."""
    for form in BRACKETS:
        if allowed.startswith(form) and not any(one in allowed.removeprefix(form) for one in NESTED):
            return form
    return ""
