"""Which measures to take when the user names none."""

from collections.abc import Sequence

from sfumato.assessment.pairing import Pairing
from sfumato.contracts import MaskingMethod, Measure
from sfumato.data import Kind, Microdata, Role, Schema, categorical, numeric, role
from sfumato.data.kinds import CONTENT_ROLES, DESIGN_ROLES
from sfumato.display import format_percent
from sfumato.errors import DataError
from sfumato.keys.telling_columns import telling_remark
from sfumato.loss import (
    CategoricalDistance,
    ContingencyTableLoss,
    InformationLoss,
    MarginalDistance,
    ProbabilisticInformationLoss,
    StandardisedInformationLoss,
    Suppressions,
)
from sfumato.masking import FullDomainRecoding, LocalRecoding, LocalSuppression, StrictLocalSuppression
from sfumato.risk import (
    DeviationIntervalDisclosure,
    DistanceLinkage,
    IntervalDisclosure,
    KAnonymity,
    SharedRecords,
    WorstCaseLinkage,
)


def default_measures(schema: Schema, dates: tuple[str, ...] = ()) -> tuple[Measure, ...]:
    """Return the usual measures for the columns of a file.

    Numeric columns are continuous ones that are keys, confidential or of no special role; categorical ones nominal or
    ordinal ones of these roles. Distance linkage learns the numeric keys first and then the other numeric columns, in
    the order of the file: an intruder may know a confidential value too, so that the figure does not fall silent where
    the only numeric key is one that many share. The `dates` named here, which are dates in both files, are measured by
    how far they have moved, and linked by, in days.

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
    columns, categories = schema.select(numeric), schema.select(categorical)
    if not (columns or categories or _dates(schema)):
        raise DataError(
            "the file has no numeric or categorical column to assess; give a column the kind and a role to be "
            "assessed in the schema, or name the measures"
        )
    measures: list[Measure] = []
    if columns:
        measures += [
            InformationLoss(columns=columns),
            StandardisedInformationLoss(columns=(*columns, *dates)),
            DistanceLinkage(columns=keys_first(schema, (*columns, *dates))),
            IntervalDisclosure(columns=columns),
            DeviationIntervalDisclosure(columns=columns),
        ]
    elif dates:
        measures += [StandardisedInformationLoss(columns=dates), DistanceLinkage(columns=keys_first(schema, dates))]
    if categories:
        measures += [CategoricalDistance(columns=categories), ContingencyTableLoss(columns=categories)]
    return tuple(measures)


def suppression(schema: Schema, original: Microdata, masked: Microdata) -> tuple[Measure, ...]:
    """Return the measure of suppressed values where there are some."""
    measure = Suppressions(columns=_assessed(schema))
    return (measure,) if measure.measure(original, masked).value else ()


def shared_records(schema: Schema, dates: tuple[str, ...]) -> tuple[Measure, ...]:
    """Return the measure of copies, in whatever order; `dates` are those that are dates in both files."""
    columns = (*schema.select(numeric), *schema.select(categorical), *dates)
    return (SharedRecords(columns=columns),) if columns else ()


def measures_without_pairs(
    schema: Schema, original: Microdata, masked: Microdata, claims: tuple[Measure, ...]
) -> tuple[Measure, ...]:
    """Return the usual measures, `claims` among them, for files of which nothing tells which record is which."""
    columns, categories = schema.select(numeric), schema.select(categorical)
    keys = tuple(name for name in original.select(role("key")) if _has_values(masked, name))
    in_order = tuple(name for name in (*columns, *categories) if _has_one_order(original, masked, name))
    measures: list[Measure] = [*shared_records(schema, dates_of_both(schema, masked))]
    measures += claims or ([KAnonymity(columns=keys)] if keys else [])
    measures += [MarginalDistance(columns=in_order)] if in_order else []
    measures += [ProbabilisticInformationLoss(columns=columns)] if columns else []
    measures += [ContingencyTableLoss(columns=categories)] if categories else []
    return tuple(measures)


def _has_values(data: Microdata, name: str) -> bool:
    return name in data.schema and data.summary.observed(name) > 0


def _has_one_order(original: Microdata, masked: Microdata, name: str) -> bool:
    """Tell whether a column is of one kind in both files and, if its categories are ordered, has no new ones."""
    kind = original.schema[name].kind
    if kind is not masked.schema[name].kind:
        return False
    return kind is not Kind.ORDINAL or set(masked.codes(name)[1]) <= set(original.codes(name)[1])


def claimed_anonymity(masked: Microdata, methods: Sequence[MaskingMethod]) -> tuple[KAnonymity, ...]:
    """Return the measure of the k-anonymity that the last method to promise one claims; none where none does."""
    for method in reversed(methods):
        if isinstance(method, LocalSuppression | StrictLocalSuppression | FullDomainRecoding | LocalRecoding):
            names = tuple(name for name in masked.schema.names if name in _columns_of(method, masked))
            shown = tuple(name for name in names if masked.summary.observed(name))
            combinations = method.combinations if isinstance(method, LocalSuppression) and shown == names else ()
            return (KAnonymity(columns=shown, k=method.k, combinations=combinations),) if shown else ()
    return ()


def claim_remark(claims: Sequence[KAnonymity], masked: Microdata, taken: Sequence[Measure]) -> tuple[str, ...]:
    """Return who the intruder is to whom k was promised, and who those of the other measures that are taken are."""
    if not claims:
        return ()
    has_worst = any(isinstance(measure, WorstCaseLinkage) for measure in taken)
    worst = "; in the worst case (WCL) they also know how the file was masked" if has_worst else ""
    return (
        f"Several intruders are measured here. k-anonymity (KA), which the masking aims at, is about somebody who "
        f"knows {_known_keys(claims[0], masked)} The other risks are about somebody who has the exact original "
        f"values of all compared columns{worst}. They can be high in a file in which nobody stands out by the keys.",
    )


def readable_remark(measures: Sequence[Measure], original: Microdata, pairing: Pairing) -> tuple[str, ...]:
    """Return which keys of a k that is measured other columns tell; the original counts where records are matched."""
    masked, found = pairing.masked, []
    for measure in measures:
        if isinstance(measure, KAnonymity):
            names = masked.select(measure.columns)
            found.append(telling_remark(masked, names, measure.k, original if pairing.is_known else None))
    return tuple(f"{remark}." for remark in dict.fromkeys(found) if remark)


def _known_keys(claim: KAnonymity, masked: Microdata) -> str:
    """Return what somebody knows to whom k was promised, and what a promise about some keys says nothing about."""
    keys = ", ".join(claim.columns) if isinstance(claim.columns, tuple) else str(claim.columns)
    if not claim.combinations:
        return f"{keys} of a person."
    all_keys = claim.replace(combinations=()).measure(masked, masked).value
    return (
        f"no more of {keys} of a person than the combinations that were asked for; of all these keys together "
        f"{format_percent(all_keys)} of the records share them with fewer than {claim.k - 1} others."
    )


def _columns_of(method: MaskingMethod, masked: Microdata) -> tuple[str, ...]:
    return method.columns if isinstance(method.columns, tuple) else masked.select(method.columns)


def worst_case(schema: Schema) -> WorstCaseLinkage:
    """Return the measure of an intruder who tries many attacks on all columns, weights and strata of the sample too."""
    return WorstCaseLinkage(columns=keys_first(schema, _linked(schema)))


def linkable(original: Microdata, masked: Microdata) -> Schema:
    """Return the original's schema with the columns that have values in both files, of whatever kind these are there.

    An intruder who knows an age learns from its class too, although no other measure can compare the two.
    """
    columns = set(_linked(original.schema))
    kept = (name for name in original.schema.names if name not in columns or _has_both(original, masked, name))
    return original.schema.subset(tuple(kept))


def recoding_remark(lost: tuple[str, ...], taken: Sequence[Measure]) -> tuple[str, ...]:
    """Return a sentence about the columns that only the worst case looks at; nothing where there are none."""
    linked = {name for measure in taken if isinstance(measure, WorstCaseLinkage) for name in measure.columns}
    names = ", ".join(name for name in lost if name in linked)
    return (f"{names}: of another kind than in the original, so only the worst case compares them.",) if names else ()


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
