"""Persons of a panel that nothing numbers: records agree in what stays the same of a person, and differ in the wave."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.data import CATEGORICAL, Kind, Microdata, Role, column_names, role
from sfumato.data.distinct_values import NESTED
from sfumato.data.recognition.period_names import is_period
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.households import MIN_TOGETHER
from sfumato.numerics.arrays import CodeColumn
from sfumato.numerics.ranking import dense_numbers

MAX_PERIODS = 60  # waves, visits, quarters: more values do not tell when somebody came again
MAX_COLUMNS = 16  # that are tried for what stays the same of a person
MIN_DEVIATIONS = 6.0  # standard deviations below what chance would have of equal records within one period
MAX_OF_CHANCE = 0.5  # of the pairs of equal records that chance would put into one period: more may be by design
MAX_VALUES = 0.5  # of the records: a column with more different values stays the same of nobody
STEPS = (1.0, 2.0)  # years between waves that are numbered 1, 2, 3
UNTRIED = {Role.WEIGHT, Role.CONFIDENTIAL}


class Panel(NamedTuple):
    """Records that seem to be of persons who come again.

    Parameters
    ----------
    columns
        What stays the same of a person: the household, the sex, the age less the years that went by.
    period
        The column in which records of one person differ.
    number
        The person of each record, if no more persons are taken apart than one period shows.
    """

    columns: tuple[str, ...]
    period: str
    number: CodeColumn


def find_panel(data: Microdata) -> Panel | None:
    """Return the persons that come again in other periods, where far fewer records are equal in one than by chance.

    Different persons who agree in some columns fall into one wave as often as into two; where regions or strata go with
    waves, more often into one. Records of one person never do. So in a panel those that agree are seldom of one wave,
    and that by design of no other survey but one with one or two persons of each kind in each wave.
    """
    for period in data.schema.names:
        for label, waves, years in _periods(data, period):
            found = _columns_that_stay(data, period, waves, years)
            if found is not None:
                columns, cells = found
                return Panel(columns, label, _numbers(cells, waves))
    return None


def _periods(data: Microdata, name: str) -> Iterator[tuple[str, CodeColumn, CodeColumn | None]]:
    """Yield the periods that a column tells, with the year or the wave of each record where that is a number."""
    variable = data.schema[name]
    if variable.role in UNTRIED or isinstance(data.table[name].dtype, NESTED):
        return
    if variable.kind is Kind.DATE:
        if column_names.is_personal(name) or data.summary.date_problem(name):
            return
        days = data.values(name)
        known = np.isfinite(days)
        months = np.full(data.n, -1, dtype=np.int64)
        months[known] = days[known].astype(np.int64).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
        for size in (12, 3, 1):
            waves = _coded(np.where(known, months // size, -(2**40)), known)
            if 1 < int(waves.max(initial=-1)) + 1 <= MAX_PERIODS:
                yield name, waves, np.where(known, months // 12, 0)
        return
    if not is_period(name):
        return
    waves = data.numbers(name)
    if 1 < int(waves.max(initial=-1)) + 1 <= MAX_PERIODS:
        yield name, waves, _whole_numbers(data, name)


def _whole_numbers(data: Microdata, name: str) -> CodeColumn | None:
    """Return the numbers of waves or years, or of ages; None where they are words."""
    dtype = data.table[name].dtype
    if not dtype.is_numeric():
        return None
    values = data.table[name].to_numpy().astype(np.float64)
    whole = np.where(np.isfinite(values), values, 0.0)
    return np.floor(whole).astype(np.int64) if np.abs(whole).max(initial=0.0) < 1e6 else None


def _columns_that_stay(
    data: Microdata, period: str, waves: CodeColumn, years: CodeColumn | None
) -> tuple[tuple[str, ...], CodeColumn] | None:
    """Return the columns by which records of one person agree, and a number for what each record has in them."""
    candidates = _most_telling(data, list(_candidates(data, period, waves, years)), waves)
    cells = np.zeros(data.n, dtype=np.int64)
    chosen: list[str] = []
    strength = 0.0
    while candidates:
        tried = [(_strength(joined := _join(cells, codes), waves)[0], name, joined) for name, codes in candidates]
        best, name, joined = max(tried, key=lambda one: one[0])
        if best <= strength:
            break
        strength, cells = best, joined
        chosen.append(name)
        candidates = [one for one in candidates if one[0] != name]
        if strength < MIN_DEVIATIONS / 3 and len(chosen) > 1:
            return None  # hardly anything yet: nothing comes again
    if not chosen or strength < MIN_DEVIATIONS:
        return None
    _, share_of_chance, together = _strength(cells, waves)
    is_panel = share_of_chance <= MAX_OF_CHANCE and together >= MIN_TOGETHER
    return (tuple(chosen), cells) if is_panel else None


def _most_telling(
    data: Microdata, candidates: list[tuple[str, CodeColumn]], waves: CodeColumn
) -> list[tuple[str, CodeColumn]]:
    """Return the columns that are tried: of many those known of persons, and then those that tell most alone."""
    if len(candidates) <= MAX_COLUMNS:
        return candidates
    return sorted(
        candidates,
        key=lambda one: (not (_is_home(data, one[0]) or _is_known(data, one[0])), -_strength(one[1], waves)[0]),
    )[:MAX_COLUMNS]


def _candidates(
    data: Microdata, period: str, waves: CodeColumn, years: CodeColumn | None
) -> Iterator[tuple[str, CodeColumn]]:
    """Yield what may stay the same of a person: the household, sex and birth, keys, ages, then other categories."""
    names = [name for name in data.schema.names if name != period and _may_stay(data, name)]
    for name in sorted(names, key=lambda name: not (_is_home(data, name) or _is_known(data, name))):
        codes = data.numbers(name)
        if not 1 < int(codes.max(initial=-1)) + 1 <= max(MAX_VALUES * data.n, 2):
            continue
        yield name, codes
        if column_names.is_age(name) and years is not None and (ages := _whole_numbers(data, name)) is not None:
            for step in STEPS if int(years.max()) < 1000 else STEPS[:1]:
                known = (codes >= 0) & (waves >= 0)
                yield name, _coded(ages - (step * years).astype(np.int64), known)


def _may_stay(data: Microdata, name: str) -> bool:
    variable = data.schema[name]
    if variable.role in UNTRIED or isinstance(data.table[name].dtype, NESTED):
        return False
    return variable.kind in CATEGORICAL or variable.kind is Kind.DATE or _is_home(data, name) or _is_known(data, name)


def _is_home(data: Microdata, name: str) -> bool:
    return name in data.select(role("household")) or column_names.is_household(name)


def _is_known(data: Microdata, name: str) -> bool:
    is_key = data.schema[name].role in {Role.KEY, Role.STRATUM} or column_names.is_usual_key(name)
    return is_key or column_names.is_personal(name)


def _coded(values: CodeColumn, known: np.ndarray) -> CodeColumn:
    codes = np.full(values.size, -1, dtype=np.int64)
    codes[known] = dense_numbers(values[known] - values[known].min(initial=0)) if known.any() else 0
    return codes


def _join(cells: CodeColumn, codes: CodeColumn) -> CodeColumn:
    """Return a number for what records have in one more column, -1 where they lack something."""
    joined = classes_of(np.array([cells, codes])).numbers
    return np.where((cells < 0) | (codes < 0), -1, joined)


def _strength(cells: CodeColumn, waves: CodeColumn) -> tuple[float, float, float]:
    """Return by how many deviations fewer equal records are of one period than by chance, what share, and of whom.

    Chance takes the periods of the records that agree with others, each as often as it has such: where groups differ in
    their periods more are in one, never fewer.
    """
    known = (cells >= 0) & (waves >= 0)
    if not known.any():
        return 0.0, 1.0, 0.0
    groups, waves = dense_numbers(cells[known]), waves[known]
    sizes = np.bincount(groups).astype(np.float64)
    weights = np.bincount(waves, weights=sizes[groups] - 1)
    pairs, triples = float((sizes * (sizes - 1) / 2).sum()), float((sizes * (sizes - 1) * (sizes - 2) / 6).sum())
    if not pairs:
        return 0.0, 1.0, 0.0
    chances = weights / weights.sum()
    second, third = float((chances**2).sum()), float((chances**3).sum())
    held = np.bincount(classes_of(np.array([groups, waves])).numbers).astype(np.float64)
    within = float((held * (held - 1) / 2).sum())
    variance = pairs * second * (1 - second) + 6 * triples * max(third - second**2, 0.0)
    if variance <= 0:
        return 0.0, 1.0, 0.0
    together = float(sizes[sizes > 1].sum()) / cells.size
    return (pairs * second - within) / float(np.sqrt(variance)), within / (pairs * second), together


def _numbers(cells: CodeColumn, waves: CodeColumn) -> CodeColumn:
    """Return a number for the person of each record: those of one period are different ones."""
    known = (cells >= 0) & (waves >= 0)
    both = classes_of(np.array([cells, waves])).numbers
    order = np.argsort(both, kind="stable")
    starts = np.flatnonzero(np.diff(both[order], prepend=-1))
    place = np.empty(cells.size, dtype=np.int64)
    place[order] = np.arange(cells.size) - np.repeat(starts, np.diff(np.append(starts, cells.size)))
    alone = int(cells.max(initial=0)) + 1 + np.arange(cells.size)
    return dense_numbers(classes_of(np.array([np.where(known, cells, alone), np.where(known, place, 0)])).numbers)
