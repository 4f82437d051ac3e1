"""Refuse to release a column that names people."""

from sfumato.contracts import MaskingMethod
from sfumato.data import Schema, role
from sfumato.errors import DataError
from sfumato.masking import DropIdentifiers, Pseudonymise

IDENTIFIER = role("identifier")


def exposed_identifiers(schema: Schema, steps: tuple[MaskingMethod, ...]) -> tuple[str, ...]:
    """Return the identifiers of a file that no step drops or replaces by pseudonyms."""
    hidden = columns_of(schema, steps, DropIdentifiers) | columns_of(schema, steps, Pseudonymise)
    return tuple(name for name in schema.select(IDENTIFIER) if name not in hidden)


def refuse_identifiers(names: tuple[str, ...]) -> None:
    """Refuse the release if there are identifiers in it."""
    if names:
        listed, names_people = ", ".join(names), "names people" if len(names) == 1 else "name people"
        raise DataError(
            f"{listed} would be released and {names_people} (role identifier): add the step drop_identifiers to the "
            f"recipe, or pseudonymise; a column that names nobody needs another role in the schema; to release it "
            f"nevertheless, write keep_identifiers: true in the recipe"
        )


def may_drop_columns(steps: tuple[MaskingMethod, ...]) -> bool:
    """Tell whether some step may drop columns that it does not name, so that only its result tells what is left."""
    return any(not step.keeps_shape and not isinstance(step, DropIdentifiers) for step in steps)


def columns_of(schema: Schema, steps: tuple[MaskingMethod, ...], method: type[MaskingMethod]) -> set[str]:
    """Return the columns of the file that the steps of one method change."""
    return {
        name
        for step in steps
        if isinstance(step, method)
        for name in (step.columns if isinstance(step.columns, tuple) else schema.select(step.columns))
    }
