"""Column names: unique in every file, and of the form that SPSS and Stata ask for."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from sfumato.errors import FileError

NUMBER = re.compile(r"[\s\d.,+-]*")
SPSS_NAME = re.compile(r"[^\W\d_][\w.$#@]*(?<!\.)")
SPSS_RESERVED = frozenset({"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"})
SPSS_MAX_LENGTH = 64  # bytes
STATA_NAME = re.compile(r"[^\W\d]\w*")
STATA_RESERVED = re.compile(
    r"_all|_b|byte|_coef|_cons|double|float|if|in|int|long|_n|_N|_pi|_pred|_rc|_skip|str\d+|strL|using|with"
)
STATA_MAX_LENGTH = 32  # characters


def check_unique(path: Path, names: Sequence[str]) -> None:
    """Refuse a file in which two columns have one name."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if not repeated:
        return
    if any(NUMBER.fullmatch(name) for name in names):  # these may be a record's values, which no message shows
        raise FileError(f"{path}: column names must be unique; does the first line hold a record instead of names?")
    raise FileError(f"{path}: column names must be unique; repeated: {', '.join(map(repr, repeated))}")


def check_spss_names(names: Sequence[str]) -> None:
    """Refuse names that an SPSS file cannot hold."""
    _check_form(
        names, _is_spss_name, "SPSS", f"a letter first, then letters, digits, _ . $ # @; {SPSS_MAX_LENGTH} bytes"
    )
    folded = Counter(name.casefold() for name in names)
    alike = [name for name in names if folded[name.casefold()] > 1]
    if alike:
        raise FileError(f"SPSS treats these column names as equal: {', '.join(map(repr, alike))}; rename them")


def check_stata_names(names: Sequence[str]) -> None:
    """Refuse names that a Stata file cannot hold."""
    _check_form(
        names, _is_stata_name, "Stata", f"a letter or _ first, then letters, digits, _; {STATA_MAX_LENGTH} characters"
    )


def _is_spss_name(name: str) -> bool:
    is_short = len(name.encode()) <= SPSS_MAX_LENGTH
    return bool(SPSS_NAME.fullmatch(name)) and is_short and name.lower() not in SPSS_RESERVED


def _is_stata_name(name: str) -> bool:
    is_short = len(name) <= STATA_MAX_LENGTH
    return bool(STATA_NAME.fullmatch(name)) and is_short and not STATA_RESERVED.fullmatch(name)


def _check_form(names: Sequence[str], is_good: Callable[[str], bool], program: str, form: str) -> None:
    bad = [name for name in names if not is_good(name)]
    if bad:
        raise FileError(
            f"{program} cannot hold these column names: {', '.join(map(repr, bad))}; "
            f"rename them ({form} at most, no reserved word)"
        )
