"""Singling out: a description that fits one synthetic record fits just one person of the original."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from pydantic import Field

from sfumato.contracts import JOINT_QUESTIONS, ControlledRisk, Measurement, Trials
from sfumato.data import Kind, Microdata
from sfumato.display import format_percent
from sfumato.kernels.linkage.isolated_records import RecordIndex
from sfumato.numerics.arrays import CodeColumn, Rows
from sfumato.numerics.row_blocks import draw_rows
from sfumato.parameters import Columns
from sfumato.risk.synthetic._coded_files import CONTROL, ORIGINAL, CodedFiles, code_files
from sfumato.risk.synthetic._copies import measure_worst_copy
from sfumato.risk.synthetic._independent_size import independent_size
from sfumato.risk.synthetic._queries import Matches, Queries, multivariate_queries, univariate_queries
from sfumato.risk.synthetic._rates import Attack, finds_leak, verdict

FEW = 10  # descriptions: fewer say nothing beside a kind of which there are more
KINDS = {"SOuni": "one column", "SOmulti": "several columns"}


class SinglingOut(ControlledRisk):
    """Count the descriptions of one synthetic record that fit just one person of the original.

    Univariate descriptions are a value that one synthetic record has, the lowest and the highest number of a column;
    all of them are tried. Multivariate ones take `key_count` columns of a synthetic record, drawn: a number at least so
    high if it is above the median, else at most so high, other values equal; those count that fit no other synthetic
    record. The risk of either is (a - c) / (1 - c), with a the share of the descriptions that fit just one person of
    the original, and c of the control; of the larger file as many persons are drawn as the smaller has, since a
    description fits just one person less often among more. Without a control it is a. The value is the larger of the
    two, `SOuni` and `SOmulti`, but for one of which fewer than 10 descriptions were tried beside more of the other;
    `SOlow`, which scores use, is the lower end of its interval.

    Parameters
    ----------
    columns
        Columns of any kind.
    key_count
        How many columns a multivariate description has.
    attacks
        How many multivariate descriptions are tried at most.
    seed
        Where the draws of descriptions begin.

    Meaning
        0: the descriptions fit persons in the file no better than others. 100: every one singles out a person in the
        file. A leak is called found where chance alone would single out so many more different persons than of as many
        others in fewer than 2 of 1,000 files.
    Intruder
        Sees the synthetic file alone, and claims that there is just one person with some combination of values.
    Missing values
        Missing is a value of its own, and so is each code for it.
    Source
        Giomi, Boenisch, Wehmeyer and Tasnádi (2023), A unified framework for quantifying privacy risk in synthetic
        data, for the singling out of Article 29 Data Protection Working Party (2014), Opinion 05/2014 on anonymisation
        techniques; Cohen and Nissim (2020), Towards formalizing the GDPR's notion of singling out. The interval is that
        of Wilson (1927), as there. Here a rate is of the descriptions that could be made, and for the interval those
        that fit one person, or one household where both files tell it, count for as many as they tell (Korn and
        Graubard 1998).

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"town": ["A", "A", "B", "B"], "pay": [2.1, 3.5, 1.9, 4.0]}))
    >>> found = SinglingOut(columns=("town", "pay"), key_count=2).measure(people, people)
    >>> found.value, found.parts["SOuni"]
    (100.0, 100.0)
    """

    symbol: ClassVar[str] = "SO"
    part_symbols: ClassVar[tuple[str, ...]] = ("SOuni", "SOmulti", "SOlow")
    family: ClassVar[str] = "synthetic"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns
    key_count: Annotated[int, Field(ge=2, le=100)] = 3
    attacks: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of descriptions that single out a person, above that of the control."""
        return measure_worst_copy(original, masked, self._measure_copy)

    def _measure_copy(self, original: Microdata, masked: Microdata, files_tried: int) -> Measurement:
        files = code_files(self, original, masked)
        rng = np.random.default_rng(self.seed)
        queries = {
            "SOuni": univariate_queries(files),
            "SOmulti": multivariate_queries(files, self.attacks, min(self.key_count, len(files.names)), rng),
        }
        tries = {name: self._tries(files, each) for name, each in queries.items()}
        attacks = {name: _by_descriptions(each) for name, each in tries.items()}
        enough = [name for name in attacks if attacks[name].tried >= FEW] or [*attacks]
        worst = max(enough, key=lambda name: (attacks[name].risk, attacks[name].rate, attacks[name].tried > 0))
        chances = [self._chance(files, each) for each in queries.values()] if files.has_control else []
        shows_leak = finds_leak(chances, files_tried) if files.has_control else None
        kind = KINDS[worst]
        tried = f"{attacks[worst].tried:,} descriptions"
        found = f"{format_percent(attacks[worst].rate)} of the {tried} by {kind} single out a person in the file"
        if files.has_control:
            found += (
                f", {format_percent(attacks[worst].control_rate)} one of as many others. Several may fit the same "
                f"person: whether there is a leak is tested by persons, and intervals count them for fewer"
            )
        for name in attacks.keys() - {worst}:
            few = (
                f", too few to judge by (fewer than {FEW})" if attacks[name].tried < FEW <= attacks[worst].tried else ""
            )
            found += f"; by {KINDS[name]} it is {format_percent(attacks[name].rate)} of {attacks[name].tried:,}{few}"
        rates = {part: rate for name, each in attacks.items() for part, rate in each.parts(name).items()}
        asked, others = attacks[worst].tried, attacks[worst].control_tried
        by_persons = _by_persons(tries[worst], files.households)
        interval = by_persons.interval_of_worst(len(attacks)) if asked else None
        joint = by_persons.interval_of_worst(JOINT_QUESTIONS * len(attacks) * files_tried) if asked else None
        return Measurement(
            self.name(),
            self.symbol,
            attacks[worst].risk,
            parts={
                **{name: each.risk for name, each in attacks.items()},
                "SOlow": by_persons.interval_of_worst(len(attacks))[0],
                **rates,
            },
            interval=interval,
            remark=verdict(shows_leak, found),
            shows_leak=shows_leak,
            trials=Trials("descriptions", asked, others, len(chances), joint),
        )

    def _tries(self, files: CodedFiles, queries: Queries) -> tuple["Try", ...]:
        """Return whom the queries single out in the original, and among as many others where there is a control."""
        if not files.has_control:
            return (self._try(files, queries, ORIGINAL, None),)
        size = min(files.sizes[ORIGINAL], files.sizes[CONTROL])
        return tuple(self._try(files, queries, file, size) for file in (ORIGINAL, CONTROL))

    def _try(self, files: CodedFiles, queries: Queries, file: int, size: int | None) -> "Try":
        rows = draw_rows(files.sizes[file], size or files.sizes[file], self.seed)
        return Try(queries.matches(RecordIndex.of(files.codes(file)[rows])), np.arange(files.sizes[file])[rows])

    def _chance(self, files: CodedFiles, queries: Queries) -> float:
        """Return how probably so many more persons of the original than of as many others are singled out.

        Persons are counted, not descriptions, as many of these may fit the same person.
        """
        size = min(files.sizes[ORIGINAL], files.sizes[CONTROL])
        persons = [queries.matches(self._index(files, file, size)).persons for file in (ORIGINAL, CONTROL)]
        return Attack(persons[0], size, persons[1], size).chance

    def _index(self, files: CodedFiles, file: int, size: int | None = None) -> RecordIndex:
        """Return the records of a file to be looked up: all, or at most so many, drawn."""
        rows = draw_rows(files.sizes[file], size or files.sizes[file], self.seed)
        return RecordIndex.of(files.codes(file)[rows])


class Try(NamedTuple):
    """Whom descriptions fit among some records of a file, and where these records stand in it."""

    matches: Matches
    rows: Rows


def _by_descriptions(tries: Sequence[Try]) -> Attack:
    """Return how many descriptions single out a person."""
    return _attack([(float(one.matches.is_single.sum()), one.matches.is_single.size) for one in tries])


def _by_persons(tries: Sequence[Try], households: tuple[CodeColumn, CodeColumn] | None) -> Attack:
    """Return the attack with descriptions that fit one person, or one household, counted for as much as they tell."""
    counts = []
    for one, homes in zip(tries, households or (None, None), strict=False):
        is_single, rows = one.matches.is_single, one.rows[one.matches.rows]
        found = rows if homes is None else homes[rows]
        nobody = found.max(initial=0) + 1 + np.arange(is_single.size)
        size = max(round(independent_size(is_single, np.where(is_single, found, nobody))), 1) if is_single.size else 0
        counts.append((float(is_single.mean()) * size if size else 0.0, size))
    return _attack(counts)


def _attack(counts: Sequence[tuple[float, int]]) -> Attack:
    """Return an attack of which it is known how often it succeeded of how many, and perhaps the same of a control."""
    (right, tried), (control_right, control_tried) = [*counts, (0.0, 0)][:2]
    return Attack(right, tried, control_right, control_tried)
