"""Words that are not used for fields of records, and what to write instead."""

import re

PREFERRED_WORDS: dict[str, str] = {
    r"group_size|smallest_group|min_group": "k",
    r"distinct_values|least_values|diversity": "l",
    r"closeness": "t",
    r"least(_\w+)?|\w+_least": "min_*",
    r"most(_\w+)?|\w+_most": "max_*",
    r"(max_|limit_)?seconds_limit|timeout|max_seconds|minutes": "time_limit, in seconds",
    r"(\w+_)?(fraction|proportion|ratio_of_records)": "*_percent, in percent",
    r"by|by_household|households": "household for the column of households, within for strata",
    r"random_state|random_seed": "seed",
    r"iterations|n_\w+|num_\w+|nb_\w+": "max_steps, or the plural of what is counted",
    r"strata|stratify|groupby": "within",
    r"variables_\w+|cols|vars|features": "columns",
}
"""Words that are not used, as patterns, and what to write instead."""


def preferred_word(name: str) -> str:
    """Return what to write in place of a word that is not used; nothing for one that may be.

    Examples
    --------
    >>> preferred_word("group_size"), preferred_word("most_steps"), preferred_word("k")
    ('k', 'max_*', '')
    """
    return next((instead for pattern, instead in PREFERRED_WORDS.items() if re.fullmatch(pattern, name)), "")
