"""What messages call the values of a document."""

PLAIN = str | int | float | bool | None
MAX_SHOWN = 60
KINDS = {dict: "a mapping", list: "a list", str: "text", bool: "a truth value", int: "a number", float: "a number"}


def format_value(value: object) -> str:
    """Return a parameter's value as a message may show it: short plain values only, never a column of data.

    Examples
    --------
    >>> format_value(101), format_value(["a", "b"]), format_value({"income": [1, 2]})
    ('101', "['a', 'b']", 'a dict')
    """
    is_plain = isinstance(value, PLAIN) or (
        isinstance(value, list | tuple) and all(isinstance(part, PLAIN) for part in value)
    )
    text = repr(value) if is_plain else ""
    return text if is_plain and len(text) <= MAX_SHOWN else f"a {type(value).__name__}"


def kind_of(value: object) -> str:
    """Return the kind of a value that should have been something else.

    Examples
    --------
    >>> kind_of({"mdav": 3}), kind_of([])
    ('a mapping', 'nothing')
    """
    if value in ([], {}, "", None):
        return "nothing"
    return KINDS.get(type(value), f"a {type(value).__name__}")
