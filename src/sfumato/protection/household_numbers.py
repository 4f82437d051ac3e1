"""Numbers of households that no role tells: they do not leave, and amounts are masked by household."""

from collections.abc import Collection

from sfumato.data import Microdata, Role
from sfumato.keys.persons import person_columns
from sfumato.keys.units.household_numbers import undeclared_households


def identify_households(
    data: Microdata, keep: Collection[str], *, whole_records: bool
) -> tuple[Microdata, tuple[str, ...]]:
    """Return the file with such columns as identifiers, and their names; but for those to `keep`.

    A key stays one, unless whole records are made equal: it is recoded and suppressed like all others. A number of
    persons is told in words of its own.
    """
    if not isinstance(data, Microdata):
        return data, ()
    numbers = [name for name in undeclared_households(data) if name not in keep]
    if not whole_records:
        persons = person_columns(data) if numbers else ()
        numbers = [name for name in numbers if name not in persons and data.schema[name].role is not Role.KEY]
    found = tuple(numbers)
    if not found:
        return data, ()
    variables = (data.schema[name].replace(role=Role.IDENTIFIER) for name in found)
    return data.with_schema(data.schema.with_variables(*variables)), found
