"""Keys that an intruder knows: which columns they are, and their codes in both files."""

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import RiskMeasure
from sfumato.data import CATEGORICAL, Microdata, Selection, Selector
from sfumato.display import format_count
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.intruder.coded_columns import gap_codes
from sfumato.keys.classes import MissingKeys
from sfumato.numerics.arrays import CodeColumn, CodeMatrix


def known_keys(
    measure: RiskMeasure, given: Selection, original: Microdata, masked: Microdata, missing: MissingKeys
) -> tuple[CodeMatrix, CodeMatrix]:
    """Return the codes of the keys `given` to a measure in both files (records x keys, missing is -1), coded alike.

    Where a gap is a category, so is each code for missing, as readers see it: 98 is not 99, and neither is an empty
    cell.

    A rule leaves out the columns that the measure is about; to name one of those is refused.
    """
    who = type(measure).__name__
    names = original.select(given)
    about = original.select(measure.columns)
    if isinstance(given, Selector):
        names = tuple(name for name in names if name not in about)
        if not names:
            raise DataError(f"{who}.given: {given} picks no column beside those in columns; name the columns")
    for name in names:
        _check_key(who, name, about, original, masked)
    codes_of = _visible_codes if missing is MissingKeys.CATEGORY else common_codes
    coded = [codes_of(original, masked, name) for name in names]
    before, after = (np.stack([column[side] for column in coded], axis=1) for side in (0, 1))
    return before, after


def check_not_recoded(who: str, name: str, original: Microdata, masked: Microdata) -> None:
    """Refuse masked categories that the original does not have; an intruder would recode what is known."""
    known = set(original.summary.categories(name))
    strange = sum(count > 0 and category not in known for category, count in masked.summary.counts(name).items())
    if strange:
        raise DataError(
            f"{who}: '{name}' has {format_count(strange, 'category')} in the masked file that the original does not "
            f"have; recode the original alike first, as an intruder would"
        )


def _visible_codes(original: Microdata, masked: Microdata, name: str) -> tuple[CodeColumn, CodeColumn]:
    """Return the codes of a column in both files, where each code for missing has one of its own."""
    before, after, categories = common_codes(original, masked, name)
    shown = gap_codes([original, masked], name)
    known = zip((before, after), shown, strict=True)
    first, second = (np.where(gaps > 1, len(categories) + gaps, codes) for codes, gaps in known)
    return first, second


def _check_key(who: str, name: str, about: tuple[str, ...], original: Microdata, masked: Microdata) -> None:
    if name in about:
        raise DataError(f"{who}.given: '{name}' is also in columns; name it in one of the two")
    if name not in masked.schema:
        raise UnknownColumnError(
            f"{who}.given: the masked file has no column '{name}'; name only columns that both files have"
        )
    for data, file in ((original, "original"), (masked, "masked")):
        if data.schema[name].kind not in CATEGORICAL:
            raise KindError(
                f"{who}.given: '{name}' is {data.schema[name].kind} in the {file} file; "
                f"expected nominal or ordinal columns"
            )
    check_not_recoded(f"{who}.given", name, original, masked)
