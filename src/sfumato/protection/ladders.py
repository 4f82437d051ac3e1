"""Ladders: for each key ever broader categories, from the values as they are to a few classes."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Category, Hierarchy, Kind, Microdata, Variable
from sfumato.data.column_recoding import free_codes, text_of
from sfumato.data.periods import Period
from sfumato.display import format_compact
from sfumato.kernels.keys.counting import classes_of
from sfumato.masking import DateRounding, Discretisation, Generalisation, Recoding
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.parameters.class_names import ClassNames

WIDTHS = (2, 5, 10, 20, 50, 100)  # of classes of whole numbers
MAX_CLASSES = 150  # numbers that reach over no more, such as ages, have classes of one width; others of one frequency
CLASS_COUNTS = (50, 20, 10, 5, 3)  # of classes with about the same number of records
YEARS = (1, 2, 5, 10, 20, 50, 100)  # in classes of dates
LONG = 50  # years; births of the living reach over a century, so that two such classes would hold nearly all
MIN_LONG_CLASSES = 5
MAX_KEPT_VALUES = 12  # a number of so few different values may keep them all
MIN_CLASSES = 3  # fewer say hardly anything of a number or an order
PLAIN_NUMBERS = 100  # and above: codes without labels that may be numbers in their own right, such as years
OTHER = "other"


class Naming(NamedTuple):
    """What rare categories that are put into one, and classes, are called; classes as usual when None.

    Codes that are joined become text, or stay `labelled_codes` for a file that can hold labels.
    """

    other_label: str = OTHER
    class_names: ClassNames | None = None
    labelled_codes: bool = False


USUAL_NAMES = Naming()


@dataclass(frozen=True, eq=False)
class Rung:
    """One way to release a key.

    Parameters
    ----------
    step
        The method that makes the broader categories; none for the key as it is.
    codes
        The category of each record, -1 where missing.
    loss
        What is lost: 0 when all categories are told apart, 1 when none is.
    """

    step: MaskingMethod | None
    codes: CodeColumn
    loss: float


def ladder(
    data: Microdata, name: str, hierarchy: Hierarchy | None = None, naming: Naming = USUAL_NAMES
) -> tuple[Rung, ...]:
    """Return the ways to release a key, finest first.

    Parameters
    ----------
    data
        The file.
    name
        The key.
    hierarchy
        The tree by which its categories are to be joined. Without it neighbours in an order are joined, and of nominal
        categories the rarest go into one. Numbers are put into ever broader classes, and never released as they are;
        dates into months, quarters, years and classes of years.
    naming
        What broader categories are called.
    """
    codes, categories = data.codes(name)
    is_number = data.schema[name].kind is Kind.CONTINUOUS
    rungs = [] if is_number else [Rung(None, codes, 0.0)]
    for step in _steps(data, name, hierarchy, codes, categories, naming):
        broader = step.mask(data.take_columns((name,)), np.random.default_rng(0)).codes(name)[0]
        if not rungs or np.unique(broader).size < np.unique(rungs[-1].codes).size:
            rungs.append(Rung(step, broader, loss_of(codes, broader)))
    return tuple(rungs)


def loss_of(codes: CodeColumn, broader: CodeColumn) -> float:
    """Return how much of what a key tells is lost: the mean share of its categories that a record may have.

    It is 0 where each record shows its own category, and 1 where all categories are one, or suppressed.

    Examples
    --------
    >>> loss_of(np.array([0, 1, 2, 3]), np.array([0, 0, 1, 2]))
    0.16666666666666666
    """
    known = codes >= 0
    count = np.count_nonzero(np.bincount(codes[known]))
    if count < 2:
        return float(np.mean(broader[known] < 0)) if known.any() else 0.0
    shown = known & (broader >= 0)
    pairs = np.stack([codes[shown], broader[shown]])
    became = pairs[1, classes_of(pairs).first_rows()]  # by each category, or by several of them
    under = np.append(np.bincount(became), count)  # a suppressed value, code -1, may be any category
    share = under[broader[known]] / count
    return float((share.mean() - 1 / count) / (1 - 1 / count))


def _steps(
    data: Microdata,
    name: str,
    hierarchy: Hierarchy | None,
    codes: CodeColumn,
    categories: tuple[Category, ...],
    naming: Naming,
) -> list[MaskingMethod]:
    variable = data.schema[name]
    if hierarchy is not None:
        depths = range(max(hierarchy.depth - 1, 1), 0, -1)
        return [Generalisation(columns=(name,), hierarchy=hierarchy, depth=depth) for depth in depths]
    if variable.kind is Kind.CONTINUOUS:
        return _classes(name, data.values(name), naming.class_names)
    if variable.kind is Kind.DATE:
        return _periods(name, data.values(name))
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    present = [category for category, count in zip(categories, counts, strict=True) if count]
    if variable.kind is Kind.ORDINAL:
        names = naming.class_names or ClassNames()
        joined = [_with_joined_neighbours(variable, groups, names) for groups in _neighbours(present)]
        return [_as_text(step, variable, present, naming) for step in joined]
    order = np.argsort(-counts[counts > 0], kind="stable")
    by_frequency = [present[place] for place in order]
    gathered = [_with_others(variable, present, rare, naming.other_label) for rare in _rarest(by_frequency)]
    return [_as_text(step, variable, present, naming) for step in gathered]


def _classes(name: str, values: FloatColumn, names: ClassNames | None) -> list[MaskingMethod]:
    """Return the steps that put numbers into classes: each value one where there are few, then ever broader ones."""
    known = np.unique(values[~np.isnan(values)])
    steps: list[MaskingMethod] = []
    if known.size <= MAX_KEPT_VALUES:
        starts = known[1:] if known.size > 1 else known  # a class begins at a number, also the only one there is
        below = "below" if names is None else names.of_breaks(known.tolist())[0]  # no record is there
        labels = (*(() if known.size > 1 else (below,)), *(format_compact(value) for value in known))
        steps.append(Discretisation(columns=(name,), breaks=tuple(starts.tolist()), labels=labels))
    evenly = (known == np.round(known)).all() and np.ptp(known) <= MAX_CLASSES
    breaks = class_breaks(known) if evenly else quantile_breaks(values[~np.isnan(values)])
    return [*steps, *(Discretisation(columns=(name,), breaks=starts, class_names=names) for starts in breaks)]


def _periods(name: str, days: FloatColumn) -> list[MaskingMethod]:
    """Return the steps that round dates to ever longer periods, of years as long as these make a few classes."""
    years = np.unique(days[~np.isnan(days)].astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970)
    needed = {count: MIN_LONG_CLASSES if count >= LONG else MIN_CLASSES for count in YEARS}
    classes = [count for count in YEARS if count == 1 or np.unique(years // count).size >= needed[count]]
    return [
        DateRounding(columns=(name,), to=Period.MONTH),
        DateRounding(columns=(name,), to=Period.QUARTER),
        *(DateRounding(columns=(name,), to=Period.YEAR, periods=count) for count in classes),
    ]


def class_breaks(values: FloatColumn) -> list[tuple[float, ...]]:
    """Return where classes of whole numbers begin, for ever wider ones at round numbers.

    Examples
    --------
    >>> class_breaks(np.array([1.0, 9.0]))
    [(2.0, 4.0, 6.0, 8.0)]
    """
    low, high = float(values.min()), float(values.max())
    found = []
    for width in WIDTHS:
        starts = np.arange(np.floor(low / width) + 1, np.floor(high / width) + 1) * width
        if starts.size + 1 >= MIN_CLASSES:
            found.append(tuple(starts.tolist()))
    return found


def quantile_breaks(values: FloatColumn) -> list[tuple[float, ...]]:
    """Return where classes of about as many records each begin, for ever fewer classes; at numbers of two digits.

    Those of whole numbers begin at whole ones.

    Examples
    --------
    >>> quantile_breaks(np.arange(1000.0))[-1]
    (330.0, 670.0)
    >>> quantile_breaks(np.arange(9.0))[-1]
    (3.0, 5.0)
    """
    found, least = [], 0 if (values == np.floor(values)).all() else np.iinfo(np.int64).min
    for count in CLASS_COUNTS:
        at = np.quantile(values, np.arange(1, count) / count)
        places = np.floor(np.log10(np.maximum(np.abs(at), 1e-300))).astype(np.int64) - 1
        places = np.maximum(places, least)
        rounded = np.round(at / 10.0**places) * 10.0**places
        starts = np.unique([round(*one) for one in zip(rounded.tolist(), (-places).tolist(), strict=True)])
        found.append(tuple(starts[(starts > values.min()) & (starts <= values.max())].tolist()))
    return [starts for starts in dict.fromkeys(found) if starts]


def _neighbours(ordered: list[Category]) -> list[list[list[Category]]]:
    """Return the groups of 2, then of 4, 8, ... neighbours in an order."""
    found, size = [], 2
    while -(-len(ordered) // size) >= MIN_CLASSES:
        groups = [ordered[start : start + size] for start in range(0, len(ordered), size)]
        found.append([group for group in groups if len(group) > 1])
        size *= 2
    return found


def _rarest(by_frequency: list[Category]) -> list[list[Category]]:
    """Return ever more of the rarest categories: all but half of them, a quarter, ..., one; at first the two rarest."""
    found, kept = [], len(by_frequency) - 2
    while kept >= 1:
        found.append(by_frequency[kept:])
        kept = kept // 2
    return found


def _with_joined_neighbours(variable: Variable, groups: list[list[Category]], names: ClassNames) -> Recoding:
    """Return the step that makes each group of an order one; a number stands for its group, and a label says so."""
    spans = [_span(variable, group, names) for group in groups]
    is_text = isinstance(groups[0][0], str)
    new: list[Category] = [span if is_text else group[0] for group, span in zip(groups, spans, strict=True)]
    moved = {code: joined for group, joined in zip(groups, new, strict=True) for code in group}
    labels = None if is_text else dict(zip(new, spans, strict=True))
    return Recoding(columns=(variable.name,), map=moved, keeps_others=True, labels=labels)


def _with_others(variable: Variable, present: list[Category], rare: list[Category], label: str) -> Recoding:
    """Return the step that puts rare categories into one: called other, or a number of its own with that label.

    They are listed in the order of the categories: by how rare they are, a published recipe would tell that too.
    """
    rare = [code for code in present if code in rare]
    if any(isinstance(code, str) for code in present):
        name = label
        while name in present and name not in rare:
            name = f"any {name}" if label == OTHER else f"{name} *"  # no words in a language that nobody asked for
        return Recoding(columns=(variable.name,), map=dict.fromkeys(rare, name), keeps_others=True)
    kept = [code for code in present if code not in rare and not isinstance(code, str)]
    highest = int(max(kept))  # the highest of all would tell a rare code
    is_plain = highest >= PLAIN_NUMBERS and not any(code in variable.value_labels for code in kept)
    first = 10 ** len(str(highest)) if is_plain else highest + 1  # 2016 behind years of birth would be read as one
    free = next(free_codes(variable, {*present, *variable.value_labels}, first))
    return Recoding(columns=(variable.name,), map=dict.fromkeys(rare, free), keeps_others=True, labels={free: label})


def _as_text(step: Recoding, variable: Variable, present: list[Category], naming: Naming) -> Recoding:
    """Return the step with text for codes: a 1 that means 1 to 2 must not look like a 1 where no label tells it."""
    if step.labels is None or naming.labelled_codes:
        return step
    new = {code: step.map.get(code, code) for code in present}
    own = variable.value_labels if variable.kind is Kind.ORDINAL else {}  # beside groups that are called by labels
    texts: dict[Category, Category] = {
        code: step.labels.get(new[code], own.get(code, text_of(code))) for code in present
    }
    if len(set(texts.values())) < len(set(new.values())):  # two labels are the same: only codes tell them apart
        return step
    labels: dict[Category, str] = {
        text_of(code): label for code, label in variable.value_labels.items() if texts.get(code) == text_of(code)
    }
    return Recoding(columns=step.columns, map=texts, keeps_others=True, labels=labels or None)


def _span(variable: Variable, group: list[Category], names: ClassNames) -> str:
    first, last = (variable.value_labels.get(code, text_of(code)) for code in (group[0], group[-1]))
    return names.joined.format(low=first, high=last)
