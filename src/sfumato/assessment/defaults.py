"""Which measures to take when the user names none."""

from typing import TYPE_CHECKING

from sfumato import loss, risk
from sfumato.assessment.synthetic_files import attacks_without_pairs, near_copies
from sfumato.contracts import Measure
from sfumato.data import Kind, Microdata, Role, Schema, categorical, numeric
from sfumato.data.kinds import CONTENT_ROLES, DESIGN_ROLES
from sfumato.errors import DataError
from sfumato.risk import BestSubsetLinkage, DistanceLinkage

if TYPE_CHECKING:
    from sfumato.risk import WorstCaseLinkage


def default_measures(schema: Schema, dates: tuple[str, ...] = ()) -> tuple[Measure, ...]:
    """Return the usual measures for the columns of a file.

    Numeric columns are continuous ones that are keys, confidential or of no special role; categorical ones nominal or
    ordinal ones of these roles. Distance linkage learns the numeric keys first and then the other numeric columns, in
    the order of the file: an intruder may know a confidential value too, so that the figure does not fall silent where
    the only numeric key is one that many share; it is a mean over how many of them are known, and best subset linkage
    counts those that find most. The `dates` named here, which are dates in both files, are measured by
    how far they have moved, and linked by, in days.

    Examples
    --------
    >>> schema = Schema.from_yaml("variables: {age: {kind: continuous, role: key}, income: {kind: continuous}}")
    >>> for measure in default_measures(schema):
    ...     print(measure.symbol, *measure.columns)
    IL age income
    IL1s age income
    DLD age income
    BSLD age income
    ID age income
    SDID age income
    """
    columns, categories = schema.select(numeric), schema.select(categorical)
    if not (columns or categories or _dates(schema)):
        raise DataError(
            "the file has no numeric or categorical column to assess; give a column the kind and a role to be "
            "assessed in the schema, or name the measures"
        )
    measures: list[Measure] = []
    if columns:
        measures += [
            loss.InformationLoss(columns=columns),
            loss.StandardisedInformationLoss(columns=(*columns, *dates)),
            *_linkages(schema, (*columns, *dates)),
            risk.IntervalDisclosure(columns=columns),
            risk.DeviationIntervalDisclosure(columns=columns),
        ]
    elif dates:
        measures += [loss.StandardisedInformationLoss(columns=dates), *_linkages(schema, dates)]
    if categories:
        measures += [loss.CategoricalDistance(columns=categories), loss.ContingencyTableLoss(columns=categories)]
    return tuple(measures)


def _linkages(schema: Schema, columns: tuple[str, ...]) -> tuple[Measure, ...]:
    """Return what intruders link who know more and more of the columns, and who know those that tell most."""
    known = keys_first(schema, columns)
    return DistanceLinkage(columns=known), BestSubsetLinkage(columns=known)


def suppression(original: Microdata, masked: Microdata) -> tuple[Measure, ...]:
    """Return the measure of suppressed values where there are some, over all columns that have values in both files.

    Numbers that became classes have gaps like others, although no other loss can compare them.
    """
    columns = tuple(name for name in _assessed(original.schema) if _has_both(original, masked, name))
    if not columns:
        return ()
    measure = loss.Suppressions(columns=columns)
    return (measure,) if measure.measure(original, masked).value else ()


def compares_values(measure: Measure) -> bool:
    """Tell whether a measure looks at values, and not only at how many are missing."""
    return not isinstance(measure, loss.Suppressions)


def shared_records(schema: Schema, dates: tuple[str, ...]) -> tuple[Measure, ...]:
    """Return the measure of copies, in whatever order; `dates` are those that are dates in both files."""
    columns = (*schema.select(numeric), *schema.select(categorical), *dates)
    return (risk.SharedRecords(columns=columns),) if columns else ()


def measures_without_pairs(
    schema: Schema,
    original: Microdata,
    masked: Microdata,
    claims: tuple[Measure, ...],
    control: Microdata | None,
    key_columns: tuple[str, ...],
) -> tuple[Measure, ...]:
    """Return the usual measures for files of which nothing tells which record is which.

    `claims` are what the masking aims at; where there are none, k-anonymity is measured by the key columns, if any.
    """
    columns, categories = schema.select(numeric), schema.select(categorical)
    keys = tuple(name for name in key_columns if _has_values(masked, name))
    in_order = tuple(name for name in (*columns, *categories) if _has_one_order(original, masked, name))
    measures: list[Measure] = [*shared_records(schema, dates_of_both(schema, masked))]
    measures += [*near_copies(schema, original, masked, control)]
    measures += claims or ([risk.KAnonymity(columns=keys)] if keys else [])
    measures += [*attacks_without_pairs(schema, original, masked, control)]
    measures += [loss.MarginalDistance(columns=in_order)] if in_order else []
    measures += [loss.PairwiseDistance(columns=in_order)] if len(in_order) > 1 else []
    measures += [loss.ProbabilisticInformationLoss(columns=columns)] if columns else []
    measures += [loss.ContingencyTableLoss(columns=categories)] if categories else []
    return tuple(measures)


def _has_values(data: Microdata, name: str) -> bool:
    return name in data.schema and data.summary.observed(name) > 0


def _has_one_order(original: Microdata, masked: Microdata, name: str) -> bool:
    """Tell whether a column is of one kind in both files and, if its categories are ordered, has no new ones."""
    kind = original.schema[name].kind
    if kind is not masked.schema[name].kind:
        return False
    return kind is not Kind.ORDINAL or set(masked.codes(name)[1]) <= set(original.codes(name)[1])


def worst_case(schema: Schema) -> "WorstCaseLinkage":
    """Return the measure of an intruder who tries many attacks on all columns, weights and strata of the sample too."""
    return risk.WorstCaseLinkage(columns=keys_first(schema, _linked(schema)))


def linkable(original: Microdata, masked: Microdata) -> Schema:
    """Return the original's schema with the columns that have values in both files, of whatever kind these are there.

    An intruder who knows an age learns from its class too, although no other measure can compare the two.
    """
    columns = set(_linked(original.schema))
    kept = (name for name in original.schema.names if name not in columns or _has_both(original, masked, name))
    return original.schema.subset(tuple(kept))


def _has_both(original: Microdata, masked: Microdata, name: str) -> bool:
    return _has_values(original, name) and _has_values(masked, name)


def dates_of_both(schema: Schema, masked: Microdata) -> tuple[str, ...]:
    """Return the columns of a schema that are dates, and still are in the masked file."""
    return tuple(name for name in _dates(schema) if masked.schema[name].kind is Kind.DATE)


def keys_first(schema: Schema, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns with those that are keys in front."""
    return tuple(sorted(columns, key=lambda name: schema[name].role is not Role.KEY))


def comparable(original: Microdata, masked: Microdata) -> tuple[Schema, tuple[str, ...]]:
    """Return the original's schema without the columns that the masked file has lost, and the names of those.

    A numeric column must still have numbers in the masked file, a categorical one still be categorical. Dates may have
    become periods or ages.
    """
    columns = set(_assessed(original.schema))
    kept = {name for name in columns if _is_comparable(original, masked, name)}
    lost = tuple(name for name in original.schema.names if name in columns - kept)
    return original.schema.subset(tuple(name for name in original.schema.names if name not in lost)), lost


def _is_comparable(original: Microdata, masked: Microdata, name: str) -> bool:
    if not _has_both(original, masked, name):
        return False
    kind, masked_kind = original.schema[name].kind, masked.schema[name].kind
    if kind is Kind.DATE:
        return True
    return (kind is Kind.CONTINUOUS) == (masked_kind is Kind.CONTINUOUS) and masked_kind is not Kind.DATE


def _assessed(schema: Schema) -> tuple[str, ...]:
    return (*schema.select(numeric), *schema.select(categorical), *_dates(schema))


def _linked(schema: Schema) -> tuple[str, ...]:
    return (*_assessed(schema), *(each.name for each in schema.variables if each.role in DESIGN_ROLES))


def _dates(schema: Schema) -> tuple[str, ...]:
    return tuple(each.name for each in schema.variables if each.kind is Kind.DATE and each.role in CONTENT_ROLES)
