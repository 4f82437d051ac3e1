"""Shared records: records that the masked file holds unchanged."""

from typing import ClassVar, Self

import numpy as np
from pydantic import PrivateAttr

from sfumato.comparison.side_by_side import check_same_kind, common_codes
from sfumato.contracts import Knowledge, Measurement, RiskMeasure, check_records
from sfumato.data import METRIC, Kind, Microdata
from sfumato.display import format_percent
from sfumato.intruder.coded_columns import gap_codes
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Hashes
from sfumato.numerics.hashing import is_among, mix_bits, unique_hashes
from sfumato.numerics.row_blocks import draw_rows
from sfumato.parameters import Columns

MOST = 50.0  # percent from which on a remark says that the file is nearly a copy
MAX_NAMED = 20  # columns
FEW = 10  # unique records below which their share tells little


class SharedRecords(RiskMeasure):
    """Count the masked records that are whole copies of an original record which nobody else equals.

    The value is the percent of masked records that equal, in all `columns`, an original record that is unique in them.
    Parts in percent: `SRone` the same in all columns, or in all but the one that is best left out (the remark names
    it), and
    `SRall` the original records that stand in the masked file whole, unique or not, each masked record counted once.
    Order and identifiers do not matter: a copy in another order is found to be a copy. Where a control is known that
    has the columns, the part `control` is the percent of masked records that equal a unique record of it, and the part
    `original` the same of the original, each of as many records, drawn.

    Parameters
    ----------
    columns
        The columns that are compared.

    Meaning
        0: no masked record is a copy of a unique original record. 100: all are. Little noise on every value makes the
        figure 0, so that a low one promises nothing. Where few columns are compared, records equal those of persons who
        are not in the file as well: what is above the share of the control was copied.
    Intruder
        Knows all `columns` of a person exactly, and looks for a record that is equal. Who finds one knows that it is
        the person's, and learns the other columns.
    Missing values
        Missing is a value of its own, and so is each code for it: two records that lack the same value are equal in it.
    Source
        The share of records that synthetic data replicate: Raab, Nowok and Dibben (2024), Practical privacy metrics for
        synthetic data (`repU`: replicated uniques).

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"age": [31, 45, 45, 62], "town": ["A", "B", "B", "C"]})
    >>> copied = SharedRecords(columns=("age", "town")).measure(Microdata(people), Microdata(people.reverse()))
    >>> copied.value, dict(copied.parts)
    (50.0, {'SRone': 50.0, 'SRall': 100.0})
    """

    symbol: ClassVar[str] = "SR"
    part_symbols: ClassVar[tuple[str, ...]] = ("SRone", "SRall")
    family: ClassVar[str] = "linkage"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns
    _control: Microdata | None = PrivateAttr(default=None)

    def informed_by(self, knowledge: Knowledge) -> Self:
        """Return the measure with the control, where one is known."""
        informed = self.replace()
        informed._control = knowledge.control
        return informed

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of masked records that are copies of unique ones, in all columns and in all but one."""
        names = self.common_columns(original, masked)
        check_records(type(self).__name__, original, masked)
        hashed = [cell_hashes(original, masked, name, place) for place, name in enumerate(names)]
        before, after = (np.add.reduce([column[file] for column in hashed]) for file in (0, 1))
        uniques = unique_hashes(before)
        copies = np.where(is_among(after, uniques), 100.0, 0.0)
        value, left_out, most = float(copies.mean()), "", 0.0
        for name, column in zip(names, hashed, strict=True) if len(names) > 1 else ():
            others = np.sort(after - column[1])  # sorted, they are found faster
            share = 100 * float(is_among(others, unique_hashes(before - column[0])).mean())
            left_out, most = (name, share) if share > most else (left_out, most)
        without = value
        if left_out:
            before_one, after_one = hashed[names.index(left_out)]
            is_one = is_among(after - after_one, unique_hashes(before - before_one))
            without = 100 * float(((copies > 0) | is_one).mean())
        found = int(is_among(uniques, np.sort(after)).sum())
        beside, held_against = self._beside_control(names, original, masked)
        return Measurement(
            self.name(),
            self.symbol,
            value,
            parts={"SRone": without, "SRall": 100 * shared_share(before, after), **beside},
            per_record=copies,
            remark=f"{_remark(names, uniques.size, found, value, without, left_out)}{held_against}",
        )

    def _beside_control(
        self, names: tuple[str, ...], original: Microdata, masked: Microdata
    ) -> tuple[dict[str, float], str]:
        """Return the copies of as many records of the original and of the control as parts, and in words."""
        control = self._control
        if control is None or any(
            name not in control.schema or control.schema[name].kind is not original.schema[name].kind for name in names
        ):
            return {}, ""
        size = min(original.n, control.n)
        shares = {
            called: _copied_share(names, file.take_rows(draw_rows(file.n, size, 0)), masked)
            for called, file in (("original", original), ("control", control))
        }
        return shares, (
            f". Of the file, {format_percent(shares['original'])} are copies of one of {size:,} original records, and "
            f"{format_percent(shares['control'])} of one of as many of the control, who are not in the file"
        )


def _copied_share(names: tuple[str, ...], file: Microdata, masked: Microdata) -> float:
    """Return the percent of masked records that equal a record which is unique in another file."""
    hashed = [cell_hashes(file, masked, name, place) for place, name in enumerate(names)]
    theirs, masks = (np.add.reduce([column[side] for column in hashed]) for side in (0, 1))
    return 100 * float(is_among(masks, unique_hashes(theirs)).mean())


def shared_share(original: Hashes, masked: Hashes) -> float:
    """Return the share of the original records that have a masked record of their own that is equal.

    Examples
    --------
    >>> shared_share(np.array([7, 8, 8, 9], dtype=np.uint64), np.array([8, 7, 5], dtype=np.uint64))
    0.5
    """
    kinds, counts = np.unique(original, return_counts=True)
    masked_kinds, masked_counts = np.unique(masked, return_counts=True)
    _, here, there = np.intersect1d(kinds, masked_kinds, assume_unique=True, return_indices=True)
    return float(np.minimum(counts[here], masked_counts[there]).sum()) / original.size


def cell_hashes(original: Microdata, masked: Microdata, name: str, place: int) -> tuple[Hashes, Hashes]:
    """Return a column of both files as hashes that can be added up over columns; equal cells have equal ones."""
    before, after = _value_hashes(original, masked, name, place)
    shown = [np.maximum(codes - 1, 0) for codes in gap_codes([original, masked], name)]  # codes, not empty cells
    marks = [np.where(codes > 0, _hash_codes(codes, place), np.uint64(0)) for codes in shown]
    return before + marks[0], after + marks[1]


def _value_hashes(original: Microdata, masked: Microdata, name: str, place: int) -> tuple[Hashes, Hashes]:
    if METRIC & {original.schema[name].kind, masked.schema[name].kind}:
        check_same_kind("SharedRecords.columns", original, masked, name)
        return _hash_values(original.values(name), place), _hash_values(masked.values(name), place)
    before, after, _ = common_codes(original, masked, name)
    return _hash_codes(before, place), _hash_codes(after, place)


def _hash_values(values: FloatColumn, place: int) -> Hashes:
    """Hash numbers by their bits, after making the two zeros and all missing values alike."""
    return mix_bits(np.where(np.isnan(values), np.nan, values + 0.0).view(np.uint64), place)


def _hash_codes(codes: CodeColumn, place: int) -> Hashes:
    return mix_bits(codes.astype(np.uint64), place)


def _remark(names: tuple[str, ...], uniques: int, found: int, copies: float, without: float, left_out: str) -> str:
    """Return the columns that are compared, and a warning where most records, or most unique ones, are as they were."""
    others = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    compared = f"compared in {', '.join(names[:MAX_NAMED])}{others}"
    if copies >= MOST or (uniques >= FEW and 100 * found >= MOST * uniques):
        return (
            f"MUCH OF THE ORIGINAL IS IN THE FILE AS IT WAS: {found:,} of {uniques:,} records that nobody else equals, "
            f"{compared}"
        )
    if without >= MOST:
        return f"MOST MASKED RECORDS ARE COPIES OF ORIGINAL ONES IN ALL COLUMNS BUT {left_out}, {compared}"
    return compared
