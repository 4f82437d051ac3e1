"""Codes that look like "no answer" and that nobody has declared: a refused age of 99 must not pass for an age."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data.column_names import is_count_of_persons, is_difference
from sfumato.data.kinds import Kind, Role
from sfumato.data.recognition.differences import lies_around_zero
from sfumato.data.recognition.missing_code_places import (
    HIGH_CODES,
    LOW_CODES,
    LOWEST_DIGIT,
    MIN_AMOUNTS,
    MIN_HOLDERS,
    Scale,
    below_zero,
    beyond_gap,
    ends_a_count,
    holds_usual_codes,
    piled_at_end,
    shared_by_many,
)
from sfumato.data.recognition.no_answer_words import is_no_answer, says_no_answer
from sfumato.numerics.arrays import FloatColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sfumato.data.schema import Category, Variable
    from sfumato.data.summary import Summary

MIN_TO_NAME = 3  # an unlabelled code that fewer records hold could be the value of one of them
MAX_TEXTS = 10_000  # more different texts than this are no set of categories
WITHOUT_CODES = {Role.IDENTIFIER, Role.HOUSEHOLD, Role.WEIGHT}


class Summarised(Protocol):
    """A file with a summary, in memory or larger."""

    @property
    def summary(self) -> "Summary":
        """What is known of the whole file."""


@dataclass(frozen=True)
class SuspectedCode:
    """A code that looks like "no answer".

    Parameters
    ----------
    code, records
        The code, and how many records hold it.
    reason
        Why it looks so.
    is_labelled
        Whether the schema names it, so that it may be shown however few records hold it.
    is_doubtful
        Whether only how many records hold it speaks for a code: ages that stop at 99 look so too.
    """

    code: "Category"
    records: int
    reason: str
    is_labelled: bool = False
    is_doubtful: bool = False

    @property
    def can_be_named(self) -> bool:
        """Whether the code can be shown without showing a record's value."""
        return self.is_labelled or self.records >= MIN_TO_NAME

    @property
    def may_be_a_value(self) -> bool:
        """Whether only its place above the others speaks for a code, so that it matters who holds it."""
        return not self.is_labelled and not isinstance(self.code, str) and self.code > 0

    def to_dict(self) -> dict[str, Any]:
        """Return what can be shown, as a plain dict; no code where it would show the value of one or two records."""
        return {"code": self.code if self.can_be_named else None, "records": self.records, "reason": self.reason}


@dataclass(frozen=True, eq=False)
class CodeEvidence:
    """What a column holds that may be codes.

    Parameters
    ----------
    by_label
        The codes whose label, or whose own text, says "no answer".
    scale
        The other numbers, where some are usual codes; None where none is.
    """

    by_label: tuple[SuspectedCode, ...] = ()
    scale: Scale | None = None


def code_evidence(
    pieces: "Callable[[], Iterable[nw.Series[Any]]]", variable: "Variable", ascending: FloatColumn | None = None
) -> CodeEvidence:
    """Return what a column, given in pieces, holds that may be codes; its numbers need no sorting where they are."""
    if variable.role in WITHOUT_CODES or variable.kind is Kind.DATE:
        return CodeEvidence()
    dtype = next(iter(pieces())).dtype
    if dtype.is_numeric():
        by_label = _by_label(pieces, dtype, variable)
        if ascending is not None:
            scale = Scale.of_ascending(_without_missing(ascending, variable, by_label))
            return CodeEvidence(by_label, scale if holds_usual_codes(scale.values) else None)
        if any(holds_usual_codes(_answers(piece, variable, by_label)) for piece in pieces()):
            return CodeEvidence(by_label, Scale.of_pieces(_answers(piece, variable, by_label) for piece in pieces()))
        return CodeEvidence(by_label)  # most columns need no more than this look
    is_text = dtype in (nw.String, nw.Categorical) or isinstance(dtype, nw.Enum)
    return CodeEvidence(_by_label(pieces, dtype, variable) if is_text else ())


def find_suspected_codes(
    evidence: CodeEvidence, variable: "Variable", codes_elsewhere: "Callable[[], frozenset[float]]" = frozenset
) -> tuple[SuspectedCode, ...]:
    """Return the codes of a column that look like "no answer" and are not declared missing or valid.

    Labels decide first: a code whose label says "no answer" is suspected, one with another label is not. Of numbers
    without a label, such as -9, 99 or 998, those are suspected that lie outside the scale: below zero where no other
    value is, or held by several records beyond a gap; and those that far more records hold than the values around them,
    or than a thinning end of the scale leads to expect. For a code of another column of the file, at the end of the
    scale or shared, a narrower gap and fewer records will do. Text is suspected where it says "no answer" itself.
    """
    if evidence.scale is None:
        return evidence.by_label
    return (*evidence.by_label, *_by_place(evidence.scale, variable, codes_elsewhere()))


def without_codes_of_few(
    suspects: tuple[SuspectedCode, ...],
    pieces: "Iterable[nw.DataFrame[Any]]",
    name: str,
    households: tuple[str, ...],
) -> tuple[SuspectedCode, ...]:
    """Leave out the high numbers that only members of one or two households hold: nine children, not "no answer".

    Examples
    --------
    >>> import polars
    >>> people = nw.from_native(polars.DataFrame({"children": [9, 9, 9, 99, 99, 99], "home": [1, 1, 1, 2, 3, 4]}))
    >>> found = tuple(SuspectedCode(code, 3, "far above every other value") for code in (9, 99))
    >>> [suspect.code for suspect in without_codes_of_few(found, [people], "children", ("home",))]
    [99]
    """
    holders = {suspect: set[tuple[Any, ...]]() for suspect in suspects if suspect.may_be_a_value}
    for piece in pieces if holders else ():
        numbers = piece.get_column(name).cast(nw.Float64)
        for suspect, found in holders.items():
            is_held = np.asarray(numbers.to_numpy() == suspect.code)
            found.update(piece.select(*households).filter(is_held.tolist()).unique().rows())
    return tuple(one for one in suspects if one not in holders or len(holders[one]) >= MIN_HOLDERS)


def suspicion_problems(data: "Summarised", names: "Iterable[str]") -> list[str]:
    """Return for each column with suspected codes, or open dates, what to write into its schema.

    No value of a few records is shown.

    Examples
    --------
    >>> import polars
    >>> from sfumato.data import Microdata
    >>> people = Microdata(polars.DataFrame({"income": [1200.5, 950.0, -9.0, -9.0, -9.0, 780.0]}))
    >>> print(*suspicion_problems(people, ["income"]))
    column 'income' holds -9 (3 records, below zero where no other value is): if that means "no answer", write \
missing_codes: [-9] for it in the schema; if it is a value, valid_codes: [-9]
    """
    chosen = list(names)
    dates = [problem for name in chosen if (problem := data.summary.date_problem(name))]
    return dates + [_problem(name, found) for name in chosen if (found := data.summary.suspected_codes(name))]


def _problem(name: str, found: tuple[SuspectedCode, ...]) -> str:
    named = [suspect for suspect in found if suspect.can_be_named]
    held = [f"{suspect.code} ({_count(suspect.records)}, {suspect.reason})" for suspect in named]
    few = len(found) - len(named)
    if few:
        held.append(f"{few} {'code' if few == 1 else 'codes'} of one or two records, not shown here")
    codes = f"[{', '.join(str(suspect.code) for suspect in named) or '...'}]"
    one = len(found) == 1
    return (
        f"column '{name}' holds {', '.join(held)}: if {'that means' if one else 'these mean'} \"no answer\", write "
        f"missing_codes: {codes} for it in the schema; if {'it is a value' if one else 'these are values'}, "
        f"valid_codes: {codes}"
    )


def _count(records: int) -> str:
    return f"{records:,} {'record' if records == 1 else 'records'}"


def _by_label(
    pieces: "Callable[[], Iterable[nw.Series[Any]]]", dtype: nw.dtypes.DType, variable: "Variable"
) -> tuple[SuspectedCode, ...]:
    """Return the codes whose label, or whose own text, says "no answer", of those that some record holds."""
    labels = {
        code: label
        for code, label in variable.value_labels.items()
        if isinstance(code, str) != dtype.is_numeric() and not isinstance(code, bool)
    }
    suspected: list[Category] = [
        code
        for code, label in labels.items()
        if says_no_answer(label, tuple(other for each, other in labels.items() if each != code))
    ]
    if not dtype.is_numeric():
        suspected += [text for text in _texts(pieces()) if text not in labels and is_no_answer(text)]
    suspected = [code for code in suspected if not _is_declared(code, variable)]
    found = [_labelled_suspect(pieces(), variable, code) for code in suspected]
    return tuple(suspect for suspect in found if suspect.records)


def _texts(pieces: "Iterable[nw.Series[Any]]") -> "Iterable[str]":
    """Return the different texts of a column; none where they are too many to be categories."""
    found: dict[str, None] = {}
    for piece in pieces:
        texts = piece.drop_nulls().unique()
        if len(texts) <= MAX_TEXTS:
            found.update(dict.fromkeys(map(str, texts.to_list())))
        if max(len(texts), len(found)) > MAX_TEXTS:
            return ()
    return found


def _labelled_suspect(pieces: "Iterable[nw.Series[Any]]", variable: "Variable", code: "Category") -> SuspectedCode:
    plain = (piece if piece.dtype.is_numeric() else piece.cast(nw.String) for piece in pieces)
    records = sum(int((piece == code).sum() or 0) for piece in plain)
    if code not in variable.value_labels:
        return SuspectedCode(code, records, "text that says so")
    return SuspectedCode(code, records, f"labelled '{variable.value_labels[code]}'", is_labelled=True)


def _is_declared(code: "Category", variable: "Variable") -> bool:
    return code in variable.missing_codes or code in variable.valid_codes or variable.is_in_missing_range(code)


def _by_place(scale: Scale, variable: "Variable", codes_elsewhere: frozenset[float]) -> tuple[SuspectedCode, ...]:
    """Return the numbers without a label that are conspicuous and lie outside the scale of the others."""
    known = frozenset(_codes((*variable.value_labels, *variable.valid_codes)))
    high, low = HIGH_CODES - known, LOW_CODES - known
    elsewhere = codes_elsewhere - known
    has_order = variable.kind is not Kind.NOMINAL
    shared = shared_by_many(scale, high | low, elsewhere) if has_order else []
    piled = piled_at_end(scale, high) if has_order else []
    below = (
        []
        if is_difference(variable.name) or lies_around_zero(scale.keep(scale.values > LOWEST_DIGIT - 1))
        else below_zero(scale, low)
    )
    above = beyond_gap(scale.without(below), high, elsewhere, has_order=has_order)
    if is_count_of_persons(variable.name) and ends_a_count(scale, above):
        above = []
    mirrored = scale.without([*below, *above]).mirrored()
    far_below = beyond_gap(mirrored, frozenset(-code for code in low), frozenset(), has_order=True)
    reasons = {
        **dict.fromkeys(piled, "held by more records than the values below it thin out to"),
        **dict.fromkeys(shared, "held by far more records than any value around it"),
        **dict.fromkeys(below, "below zero where no other value is"),
        **dict.fromkeys(above, "far above every other value"),
        **dict.fromkeys([-value for value in far_below], "far below every other value"),
    }
    placed = {*below, *(code for code in above if not _is_usual(scale, code)), *(-value for value in far_below)}
    return tuple(
        SuspectedCode(_whole(value), scale.count(value), reasons[value], is_doubtful=value not in placed)
        for value in sorted(reasons)
    )


def _is_usual(scale: Scale, code: float) -> bool:
    """Tell whether a value is the most frequent of few, as an upper limit is that many records have in common."""
    return scale.values.size <= MIN_AMOUNTS and scale.count(code) == int(scale.counts.max())


def _answers(series: nw.Series[Any], variable: "Variable", by_label: tuple[SuspectedCode, ...]) -> FloatColumn:
    """Return the numbers of a column without those that are declared missing, or suspected by their labels."""
    values = np.asarray(series.drop_nulls().cast(nw.Float64).to_numpy(), dtype=np.float64)
    return _without_missing(values, variable, by_label)


def _without_missing(values: FloatColumn, variable: "Variable", by_label: tuple[SuspectedCode, ...]) -> FloatColumn:
    missing = _codes((*variable.missing_codes, *(suspect.code for suspect in by_label)))
    kept = np.isfinite(values)
    for low, high in (*((code, code) for code in missing), *variable.missing_ranges):
        kept &= (values < low) | (values > high)
    return values if kept.all() else values[kept]


def _codes(codes: "tuple[Category, ...]") -> list[float]:
    return [float(code) for code in codes if not isinstance(code, str)]


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value
