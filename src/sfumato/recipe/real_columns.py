"""Refuse to release columns that stayed real beside synthetic ones, unless the recipe names them."""

from typing import TYPE_CHECKING, cast

from sfumato.contracts import MaskingMethod
from sfumato.data import Schema, role
from sfumato.data.releases import LABEL, RELEASE
from sfumato.errors import DataError

if TYPE_CHECKING:
    from sfumato.masking import SequentialSynthesis

KNOWN = ("drop_identifiers", "sampling", "sequential_synthesis")


def real_columns(schema: Schema, steps: tuple[MaskingMethod, ...]) -> tuple[str, ...]:
    """Return the columns of a file that no step draws, changes, drops or names as given; none without synthetic ones.

    The columns that a synthesis reads by name, `given` and `within`, are meant to stay.
    """
    syntheses = [cast("SequentialSynthesis", step) for step in steps if step.is_a("sequential_synthesis")]
    if not syntheses:
        return ()
    changed = [step.columns for step in steps if not step.is_a("sampling")]  # which only scales weights
    meant = [*changed, *(step.given for step in syntheses), *(step.within for step in syntheses)]
    named = {name for each in meant for name in (each if isinstance(each, tuple) else schema.select(each))}
    added = {RELEASE} if any(step.releases > 1 for step in syntheses) else set()
    added |= {LABEL} if any(step.label is not None for step in syntheses) else set()
    return tuple(name for name in schema.names if name not in named | added)


def drawn_columns(schema: Schema, steps: tuple[MaskingMethod, ...]) -> tuple[str, ...]:
    """Return the columns that a step draws anew: where a value equals the one before, that is chance."""
    syntheses = [step for step in steps if step.is_a("sequential_synthesis", "household_synthesis")]
    chosen = [step.columns if isinstance(step.columns, tuple) else schema.select(step.columns) for step in syntheses]
    return tuple(name for names in chosen for name in names)


def draws_all_columns(released: Schema, steps: tuple[MaskingMethod, ...]) -> bool:
    """Tell whether every column of a released file was drawn; numbers of households, copies and labels aside."""
    others = {RELEASE, LABEL, *released.select(role("household"))}
    drawn = drawn_columns(released, steps)
    return bool(drawn) and {*released.names} - others <= {*drawn}


def may_drop_others(steps: tuple[MaskingMethod, ...]) -> bool:
    """Tell whether some step may drop columns that it does not name, so that only its result tells what is left."""
    return any(not step.keeps_shape and not step.is_a(*KNOWN) for step in steps)


def refuse_real_columns(names: tuple[str, ...]) -> None:
    """Refuse the release if columns stayed real beside synthetic ones."""
    if names:
        raise DataError(
            f"{', '.join(names)} would stay real beside synthetic columns, and so tell whose records these are: add "
            f"each column to those of sequential_synthesis, to given if others are drawn from it, or to a step that "
            f"masks or drops it (drop_identifiers drops any column); to release real columns nevertheless, write "
            f"keep_real_columns: true in the recipe"
        )
