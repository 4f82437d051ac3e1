"""Hold a recipe against the data before its first step runs."""

from collections.abc import Iterator

from sfumato.contracts import Improver, MaskingMethod, check_column
from sfumato.data import Microdata, Role, Schema, Selection, Selector
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.data.schema import unknown_column
from sfumato.errors import DataError, DocumentError, ParameterError


def prepare_data(
    data: Microdata, schema: Schema | None, steps: tuple[MaskingMethod, ...], improver: Improver | None = None
) -> Microdata:
    """Return the data with what the schema says of some of their columns, after checking all steps against them.

    Columns that are absent or of the wrong kind are refused all together, and so are keys and columns to be changed
    whose codes look like "no answer" until the schema says what they are. What comes after a step that changes columns
    or their types is left to the run: only then is it known what there will be. An improver needs its columns in the
    data from the start.
    """
    given = schema.variables if schema is not None else ()
    known = [variable for variable in given if variable.name in data.schema]
    problems = [f"schema: {_absent(variable.name, data)}" for variable in given if variable not in known]
    described = data.with_schema(data.schema.with_variables(*known)) if known else data
    for number, step in enumerate(steps):
        problems.extend(
            f"{step_name(number, step)}: {problem}" for problem in dict.fromkeys(_problems(step, described))
        )
        if not (step.keeps_shape and step.keeps_types):
            break
    problems.extend(suspicion_problems(described, _columns_at_stake(described, steps, improver)))
    if improver is not None:
        problems.extend(
            f"{improver_name(improver)}: {problem}" for problem in dict.fromkeys(_problems(improver, described))
        )
    if problems:
        raise DocumentError(problems)
    return described


def step_name(number: int, step: MaskingMethod) -> str:
    """Return what messages call a step, as in `step 2 (mdav)`; `number` counts from 0."""
    return f"step {number + 1} ({step.name()})"


def improver_name(improver: Improver) -> str:
    """Return what messages call the improver of a recipe, as in `improve (moment_matching)`."""
    return f"improve ({improver.name()})"


def _problems(method: MaskingMethod | Improver, data: Microdata) -> Iterator[str]:
    strata = method.strata if isinstance(method, MaskingMethod) else ()
    absent = [name for name in (*_column_names(method.columns), *_column_names(strata)) if name not in data.schema]
    if absent:
        yield from (_absent(name, data) for name in absent)
        return
    names = data.select(method.columns) if data.n else ()  # without records no column has a type
    wrong = [problem for name in names if (problem := _of_column(method, data, name))]
    yield from wrong
    if not wrong:
        try:
            method.bound_to(data) if isinstance(method, MaskingMethod) else method.common_columns(data, data)
        except (DataError, ParameterError) as error:
            yield str(error)


def _columns_at_stake(data: Microdata, steps: tuple[MaskingMethod, ...], improver: Improver | None) -> tuple[str, ...]:
    """Return the keys and the columns that a step or the improver changes, in the order of the file."""
    changing = [step for step in steps if step.needs_values]  # what drops or renames needs to know no code
    parts = (*changing, *([improver] if improver is not None else []))
    chosen = {name for part in parts for name in _described_columns(part.columns, data)}
    return tuple(each.name for each in data.schema.variables if each.role is Role.KEY or each.name in chosen)


def _described_columns(selection: Selection, data: Microdata) -> tuple[str, ...]:
    names = _column_names(selection)
    return tuple(name for name in names if name in data.schema) if names else data.select(selection)


def _of_column(method: MaskingMethod | Improver, data: Microdata, name: str) -> str:
    try:
        needs_values = not isinstance(method, MaskingMethod) or method.needs_values
        check_column(type(method), data, name, needs_values=needs_values)
    except DataError as error:
        return str(error)
    return ""


def _absent(name: str, data: Microdata) -> str:
    return str(unknown_column(name, data.schema.names))


def _column_names(selection: Selection) -> tuple[str, ...]:
    return () if isinstance(selection, Selector) else selection
