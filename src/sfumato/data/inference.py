"""Guess kinds and roles from a dataframe: sensible first answers that the user can correct, with what is in doubt.

Kinds
    Dates are dates, also in text whose every cell is one in the same format, and in whole numbers such as 19900201.
    Other text, truth values and unordered categories are nominal; ordered categories ordinal. Whole numbers are
    codes, so nominal, where their name says so (region, OCCUCODE, zip), or where they have few distinct values (at most
    20, each held by two records on average), unless they are weights. So are numbers with a point in a column that is
    named like a classification (nace: 62.01) and that repeat. All other numbers are continuous.
Roles
    A column named like a household number is the household, one named like a weight (and positive) the weight, unless
    its values may be what persons weigh and its name says nothing of a sample. Text
    that is different in nearly every record, that is named like a person's name or address or like a remark, or that
    holds e-mail addresses or telephone numbers, and whole numbers that are named like an id, count the records, or are
    all different with equally many digits, are identifiers. So are those named like the number of a file that hardly
    repeat, and those that never do although chance would repeat some, or that rise from record to record.
    Everything else has the role `other`: what an intruder may know is the user's decision.
Doubts
    Where a guess may well be wrong, a sentence says what it rests on and how to say otherwise.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw

from sfumato.data import column_names
from sfumato.data.dates import holds_date_objects
from sfumato.data.distinct_values import NESTED, factorise
from sfumato.data.kinds import Kind, Role
from sfumato.data.recognition import register_numbers
from sfumato.data.recognition.contacts import holds_contacts, holds_sentences, holds_serial_numbers
from sfumato.data.recognition.dates import Recognition, recognise_dates, text_doubt
from sfumato.data.recognition.measured_weights import may_be_measured
from sfumato.data.recognition.numbers import number_doubt
from sfumato.data.schema import Variable
from sfumato.display import format_count
from sfumato.errors import KindError

MIN_TO_TELL_TEXT = 20  # below this many records, text that never repeats may be anything
MIN_SHARE_OF_NAMES = 0.1  # of the records: people share names, but not as many share one as share a region
MIN_NAMES = 10  # whatever the share, as thousands have one name in a large file; "phone" may be answered yes or no
MAX_CODES, MIN_REPEATS = 20, 5  # different codes, and records for each, on average, of numbers that may be codes
MIN_CODE_DIGITS = 3
YEARS = (1850, 2100)


@dataclass(frozen=True)
class Guess:
    """A guessed variable, and in words what is in doubt about its kind, or else its role; no words where little is."""

    variable: Variable
    doubt: str = ""
    is_about_role: bool = False


def infer_variables(frame: Any) -> tuple[Variable, ...]:
    """Return a variable for each column of the frame."""
    return tuple(guess.variable for guess in guess_variables(frame))


def guess_variables(frame: Any) -> tuple[Guess, ...]:
    """Return a guess for each column of the frame.

    Examples
    --------
    >>> import polars
    >>> (rooms,) = guess_variables(polars.DataFrame({"rooms": [1, 2, 3, 4] * 5}))
    >>> print(rooms.variable.kind, rooms.doubt, sep=": ")
    nominal: guessed nominal, because its whole numbers have only 4 different values; if its numbers count or \
measure something, make it continuous; if they are ordered, ordinal
    """
    from sfumato.data.eager_tables import as_table

    table = as_table(frame)
    has_height = any(map(column_names.is_body_measure, table.columns))
    return tuple(_guess(_Column(table.get_column(name), has_height)) for name in table.columns)


@dataclass(frozen=True, eq=False)
class _Column:
    """A column, whether the file has the height of persons too, and what is asked of it more than once."""

    series: nw.Series[Any]
    is_beside_height: bool

    @cached_property
    def values(self) -> nw.Series[Any]:
        """The values that are there; a float that is not finite counts as none."""
        observed = self.series.drop_nulls()
        if not self.series.dtype.is_float():
            return observed
        observed = observed.cast(nw.Float64)  # not all backends can work with half precision
        return observed.filter(observed.is_finite())

    @cached_property
    def distinct(self) -> int:
        """How many different values there are; 0 for lists and other values that cannot be compared."""
        if self.series.dtype != nw.Object and not isinstance(self.series.dtype, NESTED):
            return self.values.n_unique()
        try:
            return len(factorise(self.values)[1])
        except KindError:
            return 0

    @cached_property
    def dates(self) -> Recognition:
        """What speaks for dates in text or numbers."""
        return recognise_dates(self.series)

    @cached_property
    def is_called_weight(self) -> bool:
        """Whether the numbers are positive and named like weights."""
        is_named = column_names.is_weight(self.series.name) and self.series.dtype.is_numeric()
        return is_named and bool(len(self.values)) and bool((self.values > 0).all())

    @cached_property
    def may_be_measured(self) -> bool:
        """Whether what is called a weight may be what persons weigh."""
        if not (self.is_called_weight and column_names.is_plain_weight(self.series.name)):
            return False
        return may_be_measured(self.values.cast(nw.Float64).to_numpy(), is_beside_height=self.is_beside_height)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers."""
        if self.series.dtype.is_integer():
            return True
        values = self.values.cast(nw.Float64)  # decimals and short floats cannot be rounded everywhere
        return bool(len(values)) and bool((values.round(0) == values).all())


def _guess(column: _Column) -> Guess:
    kind = _kind(column)
    role = _role(column, kind)
    variable = Variable(name=column.series.name, kind=Kind.CONTINUOUS if role is Role.WEIGHT else kind, role=role)
    if variable.kind is Kind.DATE and len(column.dates.formats) == 1 and not column.dates.others:
        variable = variable.replace(date_format=column.dates.formats[0])
    of_form = _date_doubt(column) or (number_doubt(column.series) if kind is Kind.NOMINAL else "")
    of_role = "" if of_form else _role_doubt(column, role)
    return Guess(variable, of_form or of_role or _kind_doubt(column, kind, role), bool(of_role))


def _kind(column: _Column) -> Kind:
    dtype = column.series.dtype
    if dtype.is_temporal() or holds_date_objects(column.series) or _is_written_date(column):
        return Kind.DATE
    if isinstance(dtype, nw.Enum):
        return Kind.ORDINAL
    if not dtype.is_numeric():
        return Kind.NOMINAL
    if not column.is_whole:
        return Kind.NOMINAL if _is_classified(column) else Kind.CONTINUOUS
    return Kind.NOMINAL if _is_named_code(column) or _has_few_values(column) else Kind.CONTINUOUS


def _role(column: _Column, kind: Kind) -> Role:
    name, dtype = column.series.name, column.series.dtype
    if column_names.is_household(name):
        return Role.HOUSEHOLD
    if column.is_called_weight and not column.may_be_measured:
        return Role.WEIGHT
    if kind is Kind.NOMINAL and not dtype.is_numeric() and dtype != nw.Boolean:
        return Role.IDENTIFIER if _is_naming_text(column) else Role.OTHER
    may_be_id = dtype.is_numeric() and kind is Kind.CONTINUOUS and column.is_whole
    return Role.IDENTIFIER if may_be_id and _is_naming_number(column) else Role.OTHER


def _is_written_date(column: _Column) -> bool:
    """Tell whether text or numbers are dates; numbers that tell the records apart count these and are none."""
    return bool(column.dates.formats) and not _is_running_number(column)


def _is_running_number(column: _Column) -> bool:
    return column.series.dtype.is_numeric() and (
        column_names.is_identifier(column.series.name) or _counts_the_records(column)
    )


def _date_doubt(column: _Column) -> str:
    if doubt := text_doubt(column.dates):
        return doubt
    if column.dates.formats and column.series.dtype.is_numeric() and _is_written_date(column):
        return "guessed date, because its numbers all read as yyyymmdd; if they are codes, make it nominal"
    return ""


def _role_doubt(column: _Column, role: Role) -> str:
    name = column.series.name
    if column.may_be_measured:
        other = "if it is a sampling weight, give it the role weight"
        return f"guessed {role}, because its values may be what persons weigh; {other}"
    if role is Role.WEIGHT and column_names.is_plain_weight(name):
        return "guessed weight, because of its name; if it is a body weight or the like, give it the role other"
    if role is Role.IDENTIFIER and not column_names.is_identifier(name):
        why = "because it names people, is different in nearly every record, or holds remarks in somebody's own words"
        return f"guessed identifier, {why}; if it is content, give it the role confidential or other"
    return ""


def _kind_doubt(column: _Column, kind: Kind, role: Role) -> str:
    if kind is Kind.NOMINAL and column.series.dtype.is_numeric() and not column.is_whole and len(column.values):
        return "guessed nominal, because its name says that; if its numbers measure something, make it continuous"
    if not (role is Role.OTHER and column.series.dtype.is_numeric() and column.is_whole and len(column.values)):
        return ""
    if kind is Kind.NOMINAL and column.distinct > 2:
        few = f"its whole numbers have only {format_count(column.distinct, 'different value')}"
        why = "its name says that" if _is_named_code(column) else few
        other = "if its numbers count or measure something, make it continuous; if they are ordered, ordinal"
        return f"guessed nominal, because {why}; {other}"
    if kind is Kind.CONTINUOUS and _is_nearly_unique(column) and not _is_named_amount(column):
        return register_numbers.REGISTER_DOUBT
    if kind is Kind.CONTINUOUS and _number_groups(column):
        return register_numbers.HOUSEHOLD_DOUBT
    if kind is Kind.CONTINUOUS and _may_be_code(column):
        why = f"its whole numbers have {format_count(column.distinct, 'different value')}"
        return f"guessed continuous, because {why}; if they are codes, make it nominal"
    return ""


def _is_named_code(column: _Column) -> bool:
    """Tell whether the numbers are named like codes, and do not tell the records apart."""
    return column_names.is_code(column.series.name) and not _is_nearly_unique(column)


def _is_classified(column: _Column) -> bool:
    """Tell whether numbers with one or two decimals are named like a classification, and repeat as codes do."""
    if not column_names.is_classification(column.series.name) or MIN_REPEATS * column.distinct > len(column.values):
        return False
    hundredfold = column.values.cast(nw.Float64) * 100
    return bool(((hundredfold.round(0) - hundredfold).abs() < 1e-6).all())


def _is_named_amount(column: _Column) -> bool:
    return column_names.is_amount(column.series.name)


def _is_nearly_unique(column: _Column) -> bool:
    return len(column.values) >= MIN_TO_TELL_TEXT and column.distinct >= 0.9 * len(column.values)


def _may_be_code(column: _Column) -> bool:
    """Tell whether numbers that are not named like a quantity repeat as often as codes, or are all as long."""
    if column_names.is_number(column.series.name) or MIN_REPEATS * column.distinct > len(column.values):
        return False
    low, high = float(column.values.min()), float(column.values.max())
    has_length_of_codes = low >= 10 ** (MIN_CODE_DIGITS - 1) and len(str(int(low))) == len(str(int(high)))
    is_year = YEARS[0] <= low <= high <= YEARS[1]
    return not is_year and (has_length_of_codes or column.distinct <= high - low + 1 <= 1000)


def _number_groups(column: _Column) -> bool:
    """Tell whether each of many whole numbers, not named as amounts, is held by records that stand together."""
    if _is_named_amount(column):
        return False
    values = column.values.to_numpy()
    runs = 1 + int((values[1:] != values[:-1]).sum())
    return MIN_TO_TELL_TEXT <= column.distinct == runs <= 0.9 * len(values)


def _has_few_values(column: _Column) -> bool:
    return column.distinct <= MAX_CODES and 2 * column.distinct <= len(column.values)


def _is_naming_text(column: _Column) -> bool:
    values, name = column.values, column.series.name
    if _is_nearly_unique(column) or (column_names.is_free_text(name) and holds_sentences(values)):
        return True
    if column_names.is_person(name) and column.distinct >= (2 if column_names.is_persons_name(name) else MIN_NAMES):
        return True
    is_named = column_names.is_person(name) or column_names.is_identifier(name) or column_names.is_person_number(name)
    has_numbers = holds_serial_numbers(values) and not column_names.is_code(name)
    many = column.distinct >= max(2, MIN_SHARE_OF_NAMES * len(values))
    return many and (is_named or has_numbers or holds_contacts(values))


def _is_naming_number(column: _Column) -> bool:
    name = column.series.name
    return (
        column_names.is_identifier(name)
        or column_names.is_person(name, as_number=True)
        or _counts_the_records(column)
        or ((column_names.is_code(name) or column_names.is_register_number(name)) and _is_nearly_unique(column))
        or _is_numbering(column)
    )


def _is_numbering(column: _Column) -> bool:
    """Tell whether whole numbers that are all different, and not named as amounts, look as those of a register do."""
    if len(column.values) < MIN_TO_TELL_TEXT or column.distinct < len(column.values) or _is_named_amount(column):
        return False
    numbers = column.values.cast(nw.Float64).to_numpy()
    return register_numbers.are_long_and_as_long(numbers) or register_numbers.are_numbering(numbers)


def _counts_the_records(column: _Column) -> bool:
    values = column.values
    if len(values) < len(column.series) or len(values) < 2 or column.distinct < len(values):
        return False
    return int(values.max()) - int(values.min()) + 1 == len(values)
