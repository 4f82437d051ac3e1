"""The files of an attack without pairs: original, synthetic and control, their columns coded alike."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import check_same_kind, columns_to_compare
from sfumato.contracts import ControlledRisk, Trials, check_column
from sfumato.data import Microdata, role
from sfumato.errors import DataError, UnknownColumnError
from sfumato.intruder.coded_columns import coded_columns, gap_codes
from sfumato.keys.households import households_of
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Hashes
from sfumato.numerics.hashing import is_among, mix_bits, unique_hashes
from sfumato.numerics.row_blocks import draw_rows

ORIGINAL, SYNTHETIC, CONTROL = 0, 1, 2
MOST = 50.0  # percent of the control from which on it was cut out of the original
FEW = 10  # records below which nothing is said of that


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column of all files as codes.

    Parameters
    ----------
    name
        Of the column.
    is_number
        Whether distances between its values mean something.
    different
        The different values of all files, rising: a code is a place in it.
    codes
        Of each file; a missing value is below 0, another number for each way in which files show it.
    """

    name: str
    is_number: bool
    different: FloatColumn
    codes: tuple[CodeColumn, ...]

    def coordinates(self, file: int) -> FloatColumn:
        """Return numbers between 0 and 1 by their range, others at least 2 apart where they differ."""
        codes, apart = self.codes[file], 2 * self.codes[file].astype(np.float64)
        if not self.is_number or not self.different.size:
            return apart
        halves = self.different / 2  # so that the range of very large numbers is finite
        spread = halves[-1] - halves[0]
        scaled = (halves - halves[0]) / spread if spread > 0 else np.zeros(halves.size)
        return np.asarray(np.where(codes < 0, apart, scaled[np.maximum(codes, 0)]), dtype=np.float64)

    def ranks(self, file: int) -> FloatColumn:
        """Return numbers by their middle rank among all files, between 0 and 1; others as `coordinates` does."""
        codes, apart = self.codes[file], 2 * self.codes[file].astype(np.float64)
        if not self.is_number or not self.different.size:
            return apart
        held = np.bincount(np.concatenate([each[each >= 0] for each in self.codes]), minlength=self.different.size)
        middle = (np.cumsum(held) - held / 2) / max(int(held.sum()), 1)
        return np.asarray(np.where(codes < 0, apart, middle[np.maximum(codes, 0)]), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class CodedFiles:
    """The columns of original, synthetic and, where there is one, control file.

    Parameters
    ----------
    columns
        The columns, coded alike in all files.
    sizes
        How many records each file has.
    households
        The household of each record of the original and of the control, where both tell it: members of one are alike,
        and came into their file together.
    """

    columns: tuple[CodedColumn, ...]
    sizes: tuple[int, ...]
    households: tuple[CodeColumn, CodeColumn] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def has_control(self) -> bool:
        """Whether there is a control."""
        return len(self.sizes) > CONTROL

    def coordinates(self, file: int) -> FloatMatrix:
        """Return a file (records x columns) in which min(|difference|, 1) is how far two cells are apart."""
        return np.column_stack([column.coordinates(file) for column in self.columns])

    def ranks(self, file: int) -> FloatMatrix:
        """Return a file like `coordinates`, with numbers by their ranks, so that no far value counts for all others."""
        return np.column_stack([column.ranks(file) for column in self.columns])

    def codes(self, file: int) -> CodeMatrix:
        """Return the codes of a file, records x columns."""
        return np.column_stack([column.codes[file] for column in self.columns])

    def hashes(self, file: int) -> Hashes:
        """Return a hash of each record: equal records have equal ones, in whichever file."""
        return hash_records([column.codes[file] for column in self.columns])


def hash_records(columns: Sequence[CodeColumn]) -> Hashes:
    """Return a hash of each record of some columns: equal records have equal ones."""
    hashed = [mix_bits(codes.astype(np.uint64), place) for place, codes in enumerate(columns)]
    return np.asarray(np.add.reduce(hashed), dtype=np.uint64)


def code_files(measure: ControlledRisk, original: Microdata, masked: Microdata) -> CodedFiles:
    """Return the columns of a measure in all its files, after checking that they can be compared."""
    names = columns_to_compare(measure, original, masked)
    control = measure._control
    if control is not None:
        _check_control(measure, original, control, names)
    files = [original, masked] if control is None else [original, masked, control]
    columns, sizes = tuple(_code(files, name) for name in names), tuple(file.n for file in files)
    coded = CodedFiles(columns, sizes, None if control is None else _households(original, control))
    if coded.has_control:
        _refuse_members(type(measure).__name__, coded)
    return coded


def attacked_households(files: CodedFiles, attacks: int, seed: int) -> tuple[CodeColumn, CodeColumn] | None:
    """Return the households of the persons who are attacked, of original and control, where both tell them."""
    if files.households is None:
        return None
    members, others = files.households
    ours, theirs = (draw_rows(files.sizes[file], attacks, seed) for file in (ORIGINAL, CONTROL))
    return members[ours], others[theirs]


def persons_tried(
    files: CodedFiles, attacks: int, comparisons: int, joint_interval: tuple[float, float] | None = None
) -> Trials:
    """Return on how many persons of original and control an attack is tried, at most so many of each."""
    control = min(files.sizes[CONTROL], attacks) if files.has_control else 0
    return Trials("persons", min(files.sizes[ORIGINAL], attacks), control, comparisons, joint_interval)


def _code(files: list[Microdata], name: str) -> CodedColumn:
    values, is_number = coded_columns(files, name)
    different, joined = np.unique(np.concatenate(values) + 0.0, return_inverse=True)
    codes = np.split(joined, np.cumsum([file.n for file in files])[:-1])
    gaps = gap_codes(files, name)
    return CodedColumn(
        name,
        is_number,
        different[~np.isnan(different)],
        tuple(np.where(gap > 0, -gap, code) for code, gap in zip(codes, gaps, strict=True)),
    )


def _households(original: Microdata, control: Microdata) -> tuple[CodeColumn, CodeColumn] | None:
    names = original.select(role("household"))
    if len(names) != 1 or names[0] not in control.schema:
        return None
    return households_of(original, names).number, households_of(control, names).number


def _check_control(measure: ControlledRisk, original: Microdata, control: Microdata, names: tuple[str, ...]) -> None:
    who = f"{type(measure).__name__}.columns"
    for name in names:
        if name not in control.schema:
            raise UnknownColumnError(f"{who}: the control has no column '{name}'; give one with the same columns")
        check_column(type(measure), control, name, file="the control")
        check_same_kind(who, original, control, name)
    if control.n < 2:
        raise DataError(f"{type(measure).__name__} needs at least 2 records in the control; it has {control.n}")


def _refuse_members(who: str, files: CodedFiles) -> None:
    """Refuse a control that was cut out of the original: held against itself every file looks safe."""
    uniques = unique_hashes(files.hashes(ORIGINAL))
    among = int(is_among(files.hashes(CONTROL), uniques).sum())
    if among >= FEW and 100 * among >= MOST * files.sizes[CONTROL]:
        raise DataError(
            f"{who}: most records of the control are in the original too; a control holds persons whom the synthetic "
            f"file was not made from: keep some back before it is made; where that was done, leave them out of the "
            f"original, or give the manifest, which tells who they are"
        )
