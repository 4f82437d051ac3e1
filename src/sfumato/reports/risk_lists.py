"""The categories and combinations of keys whose records are at most risk, as far as they describe kinds of persons."""

from dataclasses import replace

import numpy as np

from sfumato.contracts import Measurement
from sfumato.data import Microdata
from sfumato.numerics.arrays import CodeColumn
from sfumato.risk import IndividualRisk, risk_by_category, riskiest_combinations
from sfumato.risk._explanations.rare_combinations import CombinationRisk
from sfumato.risk._explanations.risk_breakdown import CategoryRisk
from sfumato.risk._explanations.risk_table import RiskTable

Lists = tuple[RiskTable[CategoryRisk], RiskTable[CombinationRisk]]


def risk_lists(data: Microdata, individual: IndividualRisk, risk: Measurement, min_records: int) -> Lists:
    """Return the categories, and combinations of up to three, that enough records have, the riskiest first."""
    table = risk_by_category(data, individual, found=risk)
    rows = [row for row in table if row.records >= min_records]
    categories = replace(table, rows=tuple(sorted(rows, key=lambda row: -row.mean_risk)))
    size = min(3, len(data.select(individual.columns)))
    return categories, riskiest_combinations(data, individual, size=size, min_records=min_records, found=risk)


def lists_of_persons(data: Microdata, names: tuple[str, ...], min_persons: int, persons: CodeColumn | None) -> Lists:
    """Return the same of one record of each person: several stays of one patient are no kind of person."""
    rows = np.arange(data.n) if persons is None else np.unique(persons, return_index=True)[1]
    counted, individual = data.take_rows(rows), IndividualRisk(columns=names)
    categories, combinations = risk_lists(counted, individual, individual.of(counted), min_persons)
    said = "One record of each person is counted."
    return replace(categories, remark=said), replace(combinations, remark=said)
