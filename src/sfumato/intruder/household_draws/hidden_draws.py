"""Which steps draw once for all members of a household."""

from collections.abc import Mapping, Sequence

from sfumato.contracts import MaskingMethod, columns_present
from sfumato.data import Microdata
from sfumato.intruder.shadow_masking import Runs
from sfumato.keys.households import Households, households_of


def drawn_households(step: MaskingMethod, original: Microdata) -> Households | None:
    """Return the households for each of which a step draws once; nothing where each record is one by itself."""
    names = columns_present(getattr(step, "household", ()), original) if step.draws_households else ()
    households = households_of(original, names) if names else None
    return None if households is None or households.count == original.n else households


def are_released(step: MaskingMethod, original: Microdata, masked: Microdata) -> bool:
    """Tell whether a release says who is in which household."""
    return all(name in masked.schema for name in columns_present(getattr(step, "household", ()), original))


def hidden_household_draws(
    runs: Runs, masked: Microdata, touching: Mapping[str, Sequence[int]], used: Sequence[str]
) -> list[tuple[Households, tuple[str, ...]]]:
    """Return the households for which steps draw once, and the columns of these, where it stays unused.

    It is used where the step states it and is the last on its columns, where all of these are among `used`, and where
    whole households are sampled and the release says who lives together.
    """
    found = []
    for number, step in enumerate(runs.steps):
        households = drawn_households(step, runs.original)
        if households is None:
            continue
        columns = tuple(name for name in columns_present(step.columns, runs.original) if name in touching)
        is_stated = type(step).likelihood is not MaskingMethod.likelihood
        if columns and is_stated and all(touching[name][-1] == number for name in columns):
            continue
        if columns and set(columns) <= set(used):
            continue
        if columns or (not step.keeps_shape and not are_released(step, runs.original, masked)):
            found.append((households, columns))
    return found
