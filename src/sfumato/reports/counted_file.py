"""What a report on risk is made from: the records of a file, counted by its keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Measurement
from sfumato.data import CATEGORICAL, Microdata, Role, Schema
from sfumato.keys.counted_records import CountedRecords, count_records
from sfumato.keys.exact_weights import split_weights
from sfumato.keys.findings.counted_persons import PERSONS_COUNTED, count_persons
from sfumato.keys.findings.exposure import telling_exposure
from sfumato.keys.findings.found_households import household_remarks
from sfumato.keys.weight_notices import own_weight_notices
from sfumato.keys.weights import dominant_weight_remark, sampling_weights, weight_remark
from sfumato.numerics.arrays import CodeColumn
from sfumato.risk import HouseholdRisk
from sfumato.risk.keys.household_risk import household_numbers

WHO = "risk_report"
"""Whose weights and keys they are, in messages."""

GAPS_REMARK = (
    "some keys have gaps: a gap fits every value in all figures but those on a gap being a value of its own (strict); "
    "somebody who knows a person's keys may look for the record with the gap; the strict figures count who is then "
    "found"
)


@dataclass(frozen=True, eq=False)
class CountedFile:
    """A file as a report on its risk needs it.

    Parameters
    ----------
    keys
        The records by their keys.
    sensitive
        The records by their keys and one confidential column, for each of these.
    schema
        What all columns are and are for.
    household
        The risk by households; None where no column tells them.
    remarks
        What other columns, households and weights tell, in sentences.
    unit
        What figures count: records, or persons where some have several.
    homes
        The sizes of the households and how many there are of each.
    """

    keys: CountedRecords
    sensitive: Mapping[str, CountedRecords]
    schema: Schema
    household: Measurement | None = None
    remarks: tuple[str, ...] = ()
    unit: str = "records"
    homes: tuple[tuple[int, int], ...] = ()


def count_file(
    data: Microdata,
    names: tuple[str, ...],
    k: int,
    weight: str | None,
    household: str | None,
    teller: Microdata,
) -> CountedFile:
    """Count a file in memory by its keys.

    Parameters
    ----------
    data, names
        The file and its keys.
    k
        How many records should share the keys of each.
    weight, household
        The columns of the weights and the households; those of these roles when not given.
    teller
        What tells whose each record is: where some persons have several, figures count persons.
    """
    persons = count_persons(data, names, teller, weight)
    counted = data if persons is None else persons.data
    weights, remark = sampling_weights(WHO, counted, weight), weight_remark(WHO, data, weight)
    parts = None if weights is None else split_weights(weights)
    together, homes = None, tuple[tuple[int, int], ...]()
    if household or has_role(data.schema, Role.HOUSEHOLD):
        together = HouseholdRisk(columns=names, weight=weight, household=household).of(counted)
        homes = _sizes_of_homes(household_numbers(WHO, counted, household))
    remarks = (
        *(() if persons is None else (PERSONS_COUNTED,)),
        *filter(None, [dominant_weight_remark(weights)]),
        *telling_exposure(data, names, k).remarks,
        *household_remarks(data, names),
        *(notice.removesuffix(".") for notice in own_weight_notices(data)),
    )
    return CountedFile(
        count_records(counted, names, weights=parts, weight_remark=remark),
        {name: count_records(data, names, (name,)) for name in sensitive_names(data.schema, names)},
        data.schema,
        together,
        remarks,
        "records" if persons is None else "persons",
        homes,
    )


def _sizes_of_homes(numbers: CodeColumn) -> tuple[tuple[int, int], ...]:
    """Return the sizes of households, those of each record by number, and how many there are of each."""
    sizes, counts = np.unique(np.bincount(numbers), return_counts=True)
    return tuple(zip(sizes.tolist(), counts.tolist(), strict=True))


def remarks_on_counts(file: CountedFile, names: tuple[str, ...], found: Sequence[Measurement]) -> tuple[str, ...]:
    """Return what other columns and households tell, what the measures remark, each thing once, and how gaps count."""
    remarks = list(file.remarks)
    estimated = "estimated by"  # which begins what the model of the population remarks
    parts = [part for one in found for part in one.remark.split("; ") if part]
    remarks += [
        f"how many are unique in the population is {part}" if part.startswith(estimated) else part for part in parts
    ]
    if any(not file.keys.observed(name).all() for name in names):
        remarks.append(GAPS_REMARK)
    return tuple(dict.fromkeys(remarks))


def sensitive_names(schema: Schema, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the confidential columns of categories that are no keys."""
    return tuple(
        one.name
        for one in schema.variables
        if one.role is Role.CONFIDENTIAL and one.kind in CATEGORICAL and one.name not in keys
    )


def has_role(schema: Schema, wanted: Role) -> bool:
    """Tell whether some column has a role."""
    return any(variable.role is wanted for variable in schema.variables)


def count_observed(counted: CountedRecords, name: str) -> int:
    """Return how many different values of a key occur."""
    codes = counted.codes(name)[0]
    return int(np.unique(codes[codes >= 0]).size)
