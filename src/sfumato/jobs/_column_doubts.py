"""What is in doubt of columns that nobody has described: kind, role, codes, decimal marks; and who answers."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.data.dates import possible_formats
from sfumato.data.inference import Guess, guess_variables
from sfumato.data.missing_code_suspicion import SuspectedCode
from sfumato.display import format_count
from sfumato.errors import ParameterError
from sfumato.files import ReadOptions, WriteOptions, read_with_dialect, with_schema
from sfumato.files.folders import is_folder_name, read_first_rows

MISSING, VALUES = "missing", "values"
UNKNOWN = "unknown"
ROWS_TO_GUESS = 200_000  # of a folder, the first of each part
MAX_UNORDERED = 2  # labels of two codes have no order to be told
LABELLED = "taken as nominal, because its codes have labels; if they are ordered, make it ordinal"
FEW_VALUES = re.compile(r"[0-9]+ different values")
DECIMAL_DOUBTS = (
    "each of its numbers has three digits behind the point, read as decimals; if the point stands between thousands, "
    "give the option decimal with ','",
    "its commas were taken to stand between thousands; if they stand before decimals, give the option decimal with ','",
)


def read_with_doubts(file: Path, options: ReadOptions) -> tuple[Microdata, dict[str, Guess]]:
    """Read a file; return it with what is in doubt of the columns that neither the schema nor the options describe."""
    known, dialect = with_schema(options, file), WriteOptions()
    if is_folder_name(file):
        data = read_first_rows(file, known, ROWS_TO_GUESS)
    else:
        data, dialect = read_with_dialect(file, known)
    given = known.schema.names if isinstance(known.schema, Schema) else ()
    undescribed = tuple(name for name in data.schema.names if name not in (*given, *options.named_columns))
    doubts = _find_doubts(data, undescribed) | _number_doubts(data, dialect)
    return data, {name: doubts[name] for name in undescribed if name in doubts}


def doubts_together(doubts: Mapping[str, str]) -> list[str]:
    """Return what is in doubt of columns, once for all of which the same is, whatever their few values.

    Examples
    --------
    >>> doubts_together({"roof": "guessed, with 5 different values", "walls": "guessed, with 3 different values"})
    ['roof, walls: each guessed, with a few different values']
    """
    alike: dict[str, list[str]] = {}
    for name, doubt in doubts.items():
        alike.setdefault(FEW_VALUES.sub("a few different values", doubt), []).append(name)
    return [
        f"{names[0]}: {doubts[names[0]]}" if len(names) == 1 else f"{', '.join(names)}: each {doubt}"
        for doubt, names in alike.items()
    ]


def _find_doubts(data: Microdata, names: tuple[str, ...]) -> dict[str, Guess]:
    if not names:
        return {}
    guesses = guess_variables(data.table.select(*names).to_native())
    doubts = {guess.variable.name: guess for guess in guesses if guess.doubt}
    found = {}
    for variable in data.schema.subset(names).variables:
        guess = doubts.get(variable.name)
        if variable.kind is Kind.NOMINAL and len(variable.value_labels) > MAX_UNORDERED:
            found[variable.name] = Guess(variable, LABELLED)
        elif guess and (guess.variable.kind, guess.variable.role) == (variable.kind, variable.role):
            found[variable.name] = guess
    return found


def _number_doubts(data: Microdata, dialect: WriteOptions) -> dict[str, Guess]:
    """Return what is in doubt about numbers such as 1.234, which may be a little above 1 or above 1000."""
    presumed = {name: layout for name, layout in (dialect.numbers or {}).items() if layout.is_presumed}
    return {
        name: Guess(data.schema[name], DECIMAL_DOUBTS[layout.thousands is not None])
        for name, layout in presumed.items()
    }


@dataclass(frozen=True)
class Question:
    """A question about a column: the text, the answers it takes, and the one that is proposed."""

    column: str
    text: str
    choices: tuple[str, ...]
    proposed: str


Ask = Callable[[Question], str]


def take_proposal(question: Question) -> str:
    """Answer a question with what is proposed."""
    return question.proposed


def decide_format(data: Microdata, variable: Variable, ask: Ask) -> tuple[Variable, str]:
    """Return the variable with the format of its dates, of several that fit; open if nobody knows."""
    formats = possible_formats(data.table[variable.name], variable)
    if not formats:
        return (
            variable,
            "some cells are no dates: correct them, or list those that stand for no answer in missing_codes",
        )
    text = f"{variable.name}: dates that can be read as {' or '.join(formats)}. Which?"
    answer = answer_to(ask, Question(variable.name, text, (*formats, UNKNOWN), UNKNOWN))
    if answer == UNKNOWN:
        return variable, f"dates that can be read in several ways: write date_format: {', or '.join(formats)}"
    return variable.replace(date_format=answer), f"dates that can be read in several ways: taken as {answer}"


def decide_code(variable: Variable, suspect: SuspectedCode, ask: Ask, born: str) -> tuple[Variable, str]:
    """Return the variable with what a code means, if that is known, and a remark; `born` tells the same in a key."""
    held = f"{suspect.code} in {format_count(suspect.records, 'record')}, {suspect.reason}"
    held = f"{held}; but {born} says the same of these records" if born else held
    text = f'{variable.name}: {held}. Is that "no answer", or values?'
    proposed = MISSING
    if born or (suspect.is_doubtful and variable.role is Role.KEY):
        proposed = VALUES  # whom a value of a key singles out is protected, and a gap would fit everybody
    elif suspect.is_doubtful:
        proposed = UNKNOWN
    answer = answer_to(ask, Question(variable.name, text, (MISSING, VALUES, UNKNOWN), proposed))
    if answer == UNKNOWN:
        either = f'missing_codes: [{suspect.code}] if it means "no answer", valid_codes: [{suspect.code}] if not'
        return variable, f"{held}: left open: write {either}"
    if answer == VALUES:
        return variable.replace(valid_codes=(*variable.valid_codes, suspect.code)), f"{held}: taken as values"
    return variable.replace(missing_codes=(*variable.missing_codes, suspect.code)), f'{held}: taken as "no answer"'


def answer_to(ask: Ask, question: Question) -> str:
    """Return the answer to a question, which must be one of its choices."""
    given = ask(question)
    if given not in question.choices:
        raise ParameterError([f"{question.column}: must be one of {', '.join(question.choices)}; got '{given}'"])
    return given
