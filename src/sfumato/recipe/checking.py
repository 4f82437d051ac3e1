"""Hold a recipe against the data before its first step runs."""

from collections.abc import Iterator

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, Schema, Selection, Selector
from sfumato.data.schema import unknown_column
from sfumato.errors import DataError, ParameterError, RecipeError


def prepared(data: Microdata, schema: Schema | None, steps: tuple[MaskingMethod, ...]) -> Microdata:
    """Return the data with what the schema says of some of their columns, after checking all steps against them.

    Columns that are absent or of the wrong kind are refused all together.
    """
    given = schema.variables if schema is not None else ()
    known = [variable for variable in given if variable.name in data.schema]
    problems = [f"schema: {_absent(variable.name, data)}" for variable in given if variable not in known]
    described = data.with_schema(data.schema.with_variables(*known)) if known else data
    for number, step in enumerate(steps):
        problems.extend(
            f"{step_name(number, step)}: {problem}" for problem in dict.fromkeys(_problems(step, described))
        )
    if problems:
        raise RecipeError(problems)
    return described


def step_name(number: int, step: MaskingMethod) -> str:
    """Return what messages call a step, as in `step 2 (mdav)`; `number` counts from 0."""
    return f"step {number + 1} ({step.name()})"


def _problems(method: MaskingMethod, data: Microdata) -> Iterator[str]:
    absent = [name for name in (*_named(method.columns), *_named(method.strata)) if name not in data.schema]
    if absent:
        yield from (_absent(name, data) for name in absent)
        return
    alone = [_alone(method, name) for name in data.select(method.columns)]
    for part in (*(part for part in alone if part is not None), method):
        try:
            part.bound_to(data)
        except (DataError, ParameterError) as error:
            yield str(error)


def _absent(name: str, data: Microdata) -> str:
    return str(unknown_column(name, data.schema.names))


def _named(selection: Selection) -> tuple[str, ...]:
    return () if isinstance(selection, Selector) else selection


def _alone(method: MaskingMethod, name: str) -> MaskingMethod | None:
    """Return the method for one column, so that each column's problem is found; none when it needs several."""
    try:
        return method.replace(columns=(name,))
    except ParameterError:
        return None
