"""Parameters in messages by the names that they have on the command line."""

import re

from sfumato.cli.options import READ_OPTIONS, WRITE_OPTIONS

OF_PROTECT = (
    *(
        "k",
        "max_suppressed",
        "strict",
        "whole_records",
        "combinations",
        "sensitive",
        "importance",
        "other_label",
        "seed",
    ),
    *("l", "t", "hierarchies", "class_names", "limits", "number_steps", "keep"),
)
PARAMETERS = {
    "read": tuple(READ_OPTIONS),
    "write": tuple(WRITE_OPTIONS),
    "protect": OF_PROTECT,
    "risk_report": ("k", "weight", "household", "population_size", "combinations", "limits"),
    "search": ("minimise", "limits", "time_limit"),
}
"""The parameters that messages name after their verb, as in `protect.max_suppressed`."""
RENAMED = {
    "l": "l_diversity",
    "t": "t_closeness",
    "hierarchies": "hierarchy",
    "class_names": "class_name",
    "limits": "limit",
    "number_steps": "number_recipe",
}
"""The options that have another name than the parameter in Python."""
MEASURES = ("IndividualRisk", "HouseholdRisk", "Uniqueness", "Suda", "KAnonymity", "LDiversity")
"""The measures of a report on risk, which nobody names on the command line."""
COLUMNS = {"weight": "weight", "household": "household", "columns": "key", "sensitive": "confidential"}
"""Their parameters, and the options that name such columns."""
OF_MEASURES = re.compile(rf"\b(?:{'|'.join(MEASURES)})\.({'|'.join(COLUMNS)}): ")
OTHER_NAMES = {
    r"\bClassNames\.(\w+)": r"--class-name \1",
    r"\bClassNames has no parameter\b": "--class-name lowest, between, highest or joined is expected; there is no",
    r"^limits: ": "--limit: ",
    r"^Generalisation\.hierarchy\b": "--hierarchy",
}
"""Other words of Python that messages may have, as patterns."""
NAMED = re.compile(
    "|".join(rf"\b(?P<{verb}>{verb})\.(?:{'|'.join(names)})\b" for verb, names in PARAMETERS.items())
    + r"|\bthe\s+option\s+[a-z_]+"
)


def name_options(message: str) -> str:
    """Return a message with parameters named as options.

    Examples
    --------
    >>> name_options("protect.max_suppressed must be a percentage from 0 to 100; got 101")
    '--max-suppressed must be a percentage from 0 to 100; got 101'
    >>> name_options("IndividualRisk.weight: the columns a, b have the role weight")
    '--weight: the columns a, b have the role weight'
    >>> name_options("write.decimal is for .csv, .txt; or say so with the option same_order")
    '--output-decimal is for .csv, .txt; or say so with the option --same-order'
    """
    of_columns = OF_MEASURES.sub(lambda found: f"--{COLUMNS[found[1]]}: ", message)
    for pattern, option in OTHER_NAMES.items():
        of_columns = re.sub(pattern, option, of_columns)
    return NAMED.sub(_as_option, of_columns)


def _as_option(found: re.Match[str]) -> str:
    words, name = re.fullmatch(r"(.*?)([a-z_]+)", found[0], re.DOTALL).groups()  # type: ignore[union-attr]
    option = f"--{RENAMED.get(name, name).replace('_', '-')}"
    if found["write"]:
        return option.replace("--", "--output-", 1)
    return option if found.lastgroup else f"{words}{option}"
