"""What was not measured of the loss: users would otherwise take silence for no loss."""

from collections.abc import Iterator

from sfumato.assessment.remarks import columns_without_loss
from sfumato.data import Microdata, Role, role
from sfumato.reports.release.chapters.intruders import list_names
from sfumato.reports.release.chapters.utility.amounts import amounts_of
from sfumato.reports.release.chapters.utility.compared_statistics import numbers_of_both
from sfumato.reports.release.chapters.utility.uses import recoded_variables
from sfumato.reports.release.measured_release import MeasuredRelease

TITLE = "Not measured of the loss"
OTHER_RULES = "Rules between variables other than sums of numbers, such as that children are not married."
ALWAYS = (
    OTHER_RULES,
    "Analyses of three or more variables, beyond what the section on utility shows.",
)


def _plain_numbers(original: Microdata, released: Microdata) -> tuple[str, ...]:
    """Return the numbers that nothing says of whether they are amounts."""
    numbers = numbers_of_both(original, released)
    others = [name for name in numbers if original.schema[name].role is Role.OTHER and not original.schema[name].unit]
    amounts = amounts_of(original, released, tuple(others))
    return tuple(name for name in others if name not in amounts)


def unmeasured_losses(measured: MeasuredRelease) -> Iterator[str]:
    """Yield which columns and analyses no figure on the loss looks at, as everybody may read it."""
    original, released = measured.original, measured.released
    recoded = tuple(recoded_variables(original, released))
    seen_by_none = columns_without_loss(measured.assessment.measures, original, measured.pairing)
    if recoded:
        yield (
            f"Variables in other classes than before: {list_names(released, recoded)}. Their shares, their tables with "
            f"other variables and the means within their classes are not judged."
        )
    if others := tuple(name for name in seen_by_none if name not in recoded):
        yield f"Columns that no figure on the loss looks at, though they were changed: {list_names(released, others)}."
    if plain := _plain_numbers(original, released):
        yield (
            f"Totals of numbers that are neither confidential nor named like amounts: {list_names(released, plain)}. "
            f"What keys tell of these is not judged either."
        )
    if any(released.observed(name).any() for name in released.select(role("household"))):
        yield (
            "Households: the file tells who lives together, but no analysis of households, such as their size or their "
            "income, was compared."
        )
    if original.select(role("weight")) and released.select(role("weight")):
        yield "Standard errors for the population: none was computed by the sampling design."
    yield from ALWAYS
