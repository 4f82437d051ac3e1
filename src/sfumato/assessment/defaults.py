"""Which measures to take when the user names none."""

from sfumato.contracts import Measure
from sfumato.data import Role, Schema, numeric
from sfumato.errors import DataError
from sfumato.loss import InformationLoss, StandardisedInformationLoss
from sfumato.risk import DeviationIntervalDisclosure, DistanceLinkage, IntervalDisclosure


def default_measures(schema: Schema) -> tuple[Measure, ...]:
    """Return the usual measures for the numeric columns of a file.

    All of them look at all numeric columns: continuous ones that are keys, confidential or of no special role. Distance
    linkage learns the keys first and then the others, in the order of the file: an intruder may know a confidential
    value too, so that the figure does not fall silent where the only numeric key is one that many share.

    Examples
    --------
    >>> schema = Schema.from_yaml("variables: {age: {kind: continuous, role: key}, income: {kind: continuous}}")
    >>> for measure in default_measures(schema):
    ...     print(measure.symbol, *measure.columns)
    IL age income
    IL1s age income
    DLD age income
    ID age income
    SDID age income
    """
    columns = schema.select(numeric)
    if not columns:
        raise DataError(
            "the file has no numeric column to assess; set the kind of a column to continuous in the schema, "
            "or name the measures"
        )
    keys_first = tuple(sorted(columns, key=lambda name: schema[name].role is not Role.KEY))
    return (
        InformationLoss(columns=columns),
        StandardisedInformationLoss(columns=columns),
        DistanceLinkage(columns=keys_first),
        IntervalDisclosure(columns=columns),
        DeviationIntervalDisclosure(columns=columns),
    )
