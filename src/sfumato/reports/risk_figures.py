"""The figures of a report on risk: what each counts, and how a gap counts in it."""

from typing import NamedTuple

import numpy as np

from sfumato.contracts import Measurement
from sfumato.display import format_compact
from sfumato.keys.classes import MissingKeys
from sfumato.keys.counted_records import kinds_by_keys
from sfumato.numerics.arrays import CodeColumn
from sfumato.reports.counted_file import CountedFile
from sfumato.risk import KAnonymity, LDiversity, Suda, Uniqueness

LARGEST_UNIQUE = 3  # keys of a minimal sample unique that a page looks for
READINGS = {MissingKeys.WILDCARD: "", MissingKeys.CATEGORY: "strict_"}
"""What the name of a figure begins with, by what a gap counts as."""

GAPS = {MissingKeys.WILDCARD: "a gap fitting every value", MissingKeys.CATEGORY: "a gap being a value of its own"}
"""What a gap counts as, in words."""

FIGURES = (
    *(f"{reading}{name}" for name in ("k", "violations", "uniques") for reading in READINGS.values()),
    "global_risk",
    "expected_reidentifications",
    "largest_risk",
    "household_risk",
    "population_uniques",
    *(f"{reading}single_valued" for reading in READINGS.values()),
    "special_uniques",
)
"""The figures of a report that may have a limit."""


class RiskFigure(NamedTuple):
    """One figure of a report."""

    name: str
    value: float
    unit: str
    """What it counts, % for a share, or nothing."""
    meaning: str


def risk_figures(
    file: CountedFile, anonymity: KAnonymity, risk: Measurement
) -> tuple[tuple[RiskFigure, ...], list[Measurement]]:
    """Return the figures of a file, `risk` being its individual risk, and the measurements that they are from."""
    data, columns = file.keys, anonymity.columns
    by_reading = anonymity.by_reading(data)
    figures = [
        *_anonymity_figures(by_reading, anonymity.k, _known(anonymity), file),
        RiskFigure("global_risk", risk.value, "%", "is the probability that a record is recognised, on average"),
        RiskFigure("expected_reidentifications", risk.parts["IRE"], file.unit, "are recognised if all are looked for"),
        RiskFigure("largest_risk", risk.parts["IRM"], "%", "is the probability for the record at most risk"),
    ]
    found = [by_reading[MissingKeys.WILDCARD], risk]
    if file.household is not None:
        meaning = "is the probability that somebody of the household is recognised, on average"
        if file.household.standard_error is not None:
            meaning += f" (of a sample; standard error {format_compact(file.household.standard_error, 2)} %)"
        figures.append(RiskFigure("household_risk", file.household.value, "%", meaning))
        found.append(file.household)
    if data.weights is not None:
        alone = Uniqueness(columns=columns).of(data)
        meaning = "of the population have keys of their own (estimated)"
        figures.append(RiskFigure("population_uniques", alone.parts["PUN"], "persons", meaning))
        found.append(alone)
    for missing, reading in READINGS.items() if file.sensitive else ():
        meaning = f"share their keys only with records of the same {' or '.join(file.sensitive)}, {GAPS[missing]}"
        records = _single_valued(file, data.select(columns), missing)
        figures.append(RiskFigure(f"{reading}single_valued", records, file.unit, meaning))
    special = Suda(columns=columns, max_size=LARGEST_UNIQUE).of(data)
    meaning = f"stand out by {LARGEST_UNIQUE} keys or fewer"
    figures.append(RiskFigure("special_uniques", special.parts["MSUN"], file.unit, meaning))
    return tuple(figures), [*found, special]


def _anonymity_figures(
    by_reading: dict[MissingKeys, Measurement], k: int, keys: str, file: CountedFile
) -> list[RiskFigure]:
    """Return the smallest group, who is in smaller ones than asked for, and who is alone, by each reading of gaps."""
    figures = []
    for missing, found in by_reading.items():
        reading, gap = READINGS[missing], GAPS[missing]
        figures += [
            RiskFigure(f"{reading}k", found.parts["KAS"], "", f"is the size of the smallest group, {gap}"),
            RiskFigure(
                f"{reading}violations",
                _violating_records(found, file.keys.copies),
                file.unit,
                f"share {keys} with fewer than {k - 1} others, {gap}",
            ),
            RiskFigure(f"{reading}uniques", found.parts["KA2"], file.unit, f"are the only ones with {keys}, {gap}"),
        ]
    return sorted(figures, key=lambda figure: FIGURES.index(figure.name))


def _known(anonymity: KAnonymity) -> str:
    return "keys that are known together" if anonymity.combinations else "their keys"


def _single_valued(file: CountedFile, names: tuple[str, ...], missing: MissingKeys) -> float:
    """Return how many records share their keys only with records of the same value of some confidential column."""
    is_single = np.zeros(file.keys.n, dtype=np.bool_)
    for name, counted in file.sensitive.items():
        found = LDiversity(columns=names, sensitive=(name,), missing=missing).of(counted)
        if found.per_record is not None:
            is_single[kinds_by_keys(counted, names)[found.per_record > 0]] = True
    return float(file.keys.copies[is_single].sum())


def _violating_records(found: Measurement, copies: CodeColumn) -> float:
    """Return how many records violate; `copies` is how many each row stands for."""
    return float(0 if found.per_record is None else copies[found.per_record > 0].sum())
