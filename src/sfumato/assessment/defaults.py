"""Which measures to take when the user names none."""

from sfumato.contracts import Measure
from sfumato.data import Kind, Role, Schema, numeric
from sfumato.errors import DataError
from sfumato.loss import InformationLoss, StandardisedInformationLoss
from sfumato.risk import DeviationIntervalDisclosure, DistanceLinkage, IntervalDisclosure


def default_measures(schema: Schema) -> tuple[Measure, ...]:
    """Return the usual measures for the numeric columns of a file.

    Loss and interval disclosure look at all numeric columns: continuous ones that are keys, confidential or of no
    special role. Distance linkage knows the continuous keys, in the order of the file, or all numeric columns where no
    continuous column has the role `key`.

    Examples
    --------
    >>> schema = Schema.from_yaml("variables: {age: {kind: continuous, role: key}, income: {kind: continuous}}")
    >>> for measure in default_measures(schema):
    ...     print(measure.symbol, *measure.columns)
    IL age income
    IL1s age income
    DLD age
    ID age income
    SDID age income
    """
    columns = schema.select(numeric)
    if not columns:
        raise DataError(
            "the file has no numeric column to assess; set the kind of a column to continuous in the schema, "
            "or name the measures"
        )
    keys = tuple(name for name in columns if schema[name].role is Role.KEY and schema[name].kind is Kind.CONTINUOUS)
    return (
        InformationLoss(columns=columns),
        StandardisedInformationLoss(columns=columns),
        DistanceLinkage(columns=keys or columns),
        IntervalDisclosure(columns=columns),
        DeviationIntervalDisclosure(columns=columns),
    )
