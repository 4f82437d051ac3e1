"""An intruder who learns from half of the records what goes with what, and looks for the persons of the others."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato.data import METRIC, Kind, Microdata, Role
from sfumato.data.distinct_values import NESTED
from sfumato.keys.fitting_persons import FittingPersons, is_recoded
from sfumato.keys.hinting_columns import released_keys
from sfumato.keys.learning.binned_features import Feature, person_features, record_features
from sfumato.keys.learning.fitting_pairs import MAX_FITTING, FittingPairs, fitting_pairs
from sfumato.keys.learning.learnt_tables import choose_tables, learn_tables
from sfumato.keys.persons import numbers_of_persons
from sfumato.keys.ruled_out import ReleasedKey
from sfumato.keys.telling_columns import released_households
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows
from sfumato.numerics.binomial import binomial_tail
from sfumato.numerics.hashing import rows_by_content

MAX_LEARNT, MAX_TRIED = 5_000, 2_000  # records in both halves, and those whose persons are looked for
MIN_RECORDS = 100  # of fewer nothing is learnt
SURE = 0.95  # that the person is among those who are left
RIGHT = 0.8  # of such claims, at least: with fewer nobody could rely on them
LEVEL = 0.001  # of the test that so many claims are right by no chance
MIN_FOUND = 5  # persons, beyond those whom chance finds
SHARE = 0.05  # of the records that were tried: where more are found, and chance does not, k is not shown to hold
MIN_BY_RULE, BY_RULE = 10, 0.97  # claims, and how many of them are right where a column follows from keys by a rule
MAX_NAMED = 3  # columns that tell most
UNREAD = {Role.IDENTIFIER, Role.HOUSEHOLD}  # columns: their values are nothing to learn from
LEARNT = "A LEARNING INTRUDER FINDS PERSONS"


class LearntIntruder(NamedTuple):
    """What somebody finds who learnt from other records which columns go with which keys.

    Parameters
    ----------
    tried
        How many records were looked at.
    claims, right
        For how many fewer than k persons seemed to be left, and in how many of these the right one was among them.
    fewest
        How many persons were left of the right claim that left fewest, k if there is none.
    by_chance
        How many of the claims would be right by chance.
    columns
        The columns that told it, with the keys, those that told most first.
    """

    tried: int
    claims: int
    right: int
    fewest: int
    by_chance: float
    columns: tuple[tuple[str, str], ...]

    @property
    def is_found(self) -> bool:
        """Whether so many claims are right that somebody could rely on them, and by no chance.

        By chance a claim on some of those who fit is right as often as it names one of them. The number of right
        claims is then a sum of trials of unequal chances, whose tail is below that of equal ones of the same mean
        (Hoeffding 1956).
        """
        if self.right - self.by_chance < MIN_FOUND or self.right < RIGHT * self.claims:
            return False
        return binomial_tail(self.right, self.claims, self.by_chance / self.claims) <= LEVEL

    @property
    def breaks_k(self) -> bool:
        """Whether k is not shown to hold: many are found, or nearly all claims are right, as where there is a rule.

        What merely goes with a key finds some persons in nearly every file.
        """
        is_rule = self.claims >= MIN_BY_RULE and self.right >= BY_RULE * self.claims
        return self.is_found and (is_rule or self.right - self.by_chance >= SHARE * self.tried)


def learnt_intruder(original: Microdata, masked: Microdata, names: tuple[str, ...], k: int) -> LearntIntruder | None:
    """Return whom somebody finds who learns which pairs of record and person belong together.

    Each half of the records is searched with what the other half taught. No household is in both, and of a person who
    has several records one is looked at. None where there is nothing to learn: few records, or no key that was masked;
    and where a key was swapped, as nobody knows then what a person shows.

    Parameters
    ----------
    original, masked
        The file as it was and as it is released, in the same order.
    names, k
        The keys that are shown, and how many persons should fit each record.
    """
    names = tuple(name for name in masked.schema.names if name in names)  # the same in whatever order they are given
    keys = released_keys(masked, names, original, np.arange(masked.n))
    is_masked = any(key.is_changed for key in keys) and all(map(is_recoded, keys))
    if masked.n < MIN_RECORDS or not is_masked:
        return None
    order = _order_of_learning(original, masked, names)
    people = [_in_order(one, order) for one in person_features(original, names, keys)]
    keys = [ReleasedKey(key.before[order], key.after[order], key.is_ordered) for key in keys]
    persons, homes = _taken(numbers_of_persons(original), order), released_households(original)
    drawn = np.arange(order.size)  # in that order from here on
    if persons is not None:  # one record of each: the others would tell only what their own person has
        drawn = np.sort(np.unique(persons, return_index=True)[1])
    drawn = drawn[:MAX_LEARNT]
    shown = [_in_order(one, order) for one in record_features(masked, names, order[drawn])]
    if not people or not shown:
        return None
    halves = split_in_halves(drawn, None if homes is None else homes.number[order])
    classes = FittingPersons.of(keys, ()).classes
    pairs = [fitting_pairs(classes, half[: MAX_TRIED // 2], k, persons) for half in halves]
    found, told = [], dict[tuple[str, str], float]()
    for taught, (half, known) in zip(reversed(pairs), zip(halves, pairs, strict=True), strict=True):
        if not known.records.size or not taught.records.size:
            continue
        chosen, power = choose_tables(learn_tables(people, shown, half), known)
        if chosen:
            scores = [power * table.scores(taught, is_own=False) for table in chosen]
            found.append(_claims(taught, np.sum(scores, axis=0), k))
            for table in chosen:
                about = (table.record.name, table.person.name)
                told[about] = told.get(about, 0.0) + table.gain
    columns = tuple(sorted(told, key=lambda about: -told[about]))
    return _judge(found, sum(one.starts.size for one in pairs), columns, k)


def _order_of_learning(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Rows:
    """Return the rows in the order in which they are drawn, by what records hold: any order gives the same halves.

    Masked columns come last, as they may be written with fewer decimals than they have here.
    """
    before = [_content(original, one.name) for one in original.schema.variables if _is_content(original, one.name)]
    gaps = [masked.observed(name) for name in names]
    rows = rows_by_content(*(_content(masked, one) for one in masked.schema.names if _is_content(masked, one)))
    content = [*before, *gaps]
    return rows[rows_by_content(*(column[rows] for column in content))]


def _in_order(feature: Feature, order: Rows) -> Feature:
    return feature._replace(bins=feature.bins[order])


def _taken(numbers: CodeColumn | None, order: Rows) -> CodeColumn | None:
    return None if numbers is None else numbers[order]


def _is_content(data: Microdata, name: str) -> bool:
    """Tell whether a column holds what is compared: no identifier, whose values may be long to put in order."""
    is_open = data.schema[name].kind is Kind.DATE and data.summary.date_problem(name)
    return data.schema[name].role not in UNREAD and not isinstance(data.table[name].dtype, NESTED) and not is_open


def _content(data: Microdata, name: str) -> CodeColumn | FloatColumn:
    return data.values(name) if data.schema[name].kind in METRIC else data.codes(name)[0]


def split_in_halves(rows: Rows, homes: CodeColumn | None = None) -> tuple[Rows, Rows]:
    """Return rows in two halves, those of a household in one: what its members have in common is no rule.

    Examples
    --------
    >>> split_in_halves(np.arange(6), np.array([7, 7, 8, 9, 8, 7]))
    (array([0, 1, 3, 5]), array([2, 4]))
    """
    if homes is None:
        return rows[::2], rows[1::2]
    _, first, place = np.unique(homes[rows], return_index=True, return_inverse=True)
    is_second = (np.argsort(np.argsort(first)) % 2 == 1)[place]
    return rows[~is_second], rows[is_second]


class _Claims(NamedTuple):
    """For the claims on few persons: how many are left, how many fitted, and whether the right one is among them."""

    left: CodeColumn
    fitting: CodeColumn
    is_right: Booleans


def _claims(pairs: FittingPairs, scores: FloatColumn, k: int) -> _Claims:
    """Return the records of which fewer than k persons are left with near certainty."""
    number = np.repeat(np.arange(pairs.starts.size), pairs.fitting)
    order = np.lexsort((-scores, number))
    chance = np.exp(scores - np.maximum.reduceat(scores, pairs.starts)[number])
    chance /= np.add.reduceat(chance, pairs.starts)[number]
    ordered = chance[order]
    summed = np.cumsum(ordered)
    before = summed - ordered - np.repeat((summed - ordered)[pairs.starts], pairs.fitting)
    is_left = before < SURE
    left = np.add.reduceat(is_left.astype(np.int64), pairs.starts)
    is_right = np.logical_or.reduceat(is_left & pairs.is_true[order], pairs.starts)
    claimed = left < k
    return _Claims(left[claimed], pairs.fitting[claimed], is_right[claimed])


def _judge(found: Sequence[_Claims], tried: int, columns: tuple[tuple[str, str], ...], k: int) -> LearntIntruder:
    """Return what claims come to."""
    left = np.concatenate([np.empty(0, dtype=np.int64), *(one.left for one in found)])
    fitting = np.concatenate([np.empty(0, dtype=np.int64), *(one.fitting for one in found)])
    is_right = np.concatenate([np.empty(0, dtype=np.bool_), *(one.is_right for one in found)])
    fewest, by_chance = int(left[is_right].min(initial=k)), float((left / fitting).sum())
    return LearntIntruder(tried, left.size, int(np.count_nonzero(is_right)), fewest, by_chance, columns)


def learnt_remark(found: LearntIntruder, k: int) -> str:
    """Return whom somebody finds who learns, by which columns, and what to do."""
    named = "; ".join(f"{column} (of {key})" for column, key in found.columns[:MAX_NAMED])
    return (
        f"{LEARNT}: somebody who learns from other records which columns go with which keys, by themselves or two "
        f"together, was nearly sure in {found.claims:,} of {found.tried:,} records that were tried (none that more "
        f"than {MAX_FITTING} persons fit) that fewer than {k} persons are left, and right in {found.right:,} of these "
        f"({found.by_chance:,.0f} by chance), whatever k is told elsewhere. Most is told by {named}. Give such a "
        f"column the role key, drop it or make it coarser, or protect with a larger k"
    )
