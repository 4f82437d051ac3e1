"""The figures of a report on risk: what each counts, and how a gap counts in it."""

from typing import NamedTuple

from sfumato.contracts import Measurement
from sfumato.data import Microdata, Role, categorical, role
from sfumato.keys.classes import MissingKeys
from sfumato.risk import HouseholdRisk, IndividualRisk, KAnonymity, LDiversity, Suda, Uniqueness

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
    data: Microdata, anonymity: KAnonymity, individual: IndividualRisk, weight: str | None, household: str | None
) -> tuple[tuple[RiskFigure, ...], list[Measurement]]:
    """Return the figures of a file, and the measurements that they are from."""
    by_reading, risk = anonymity.by_reading(data), individual.of(data)
    columns = anonymity.columns
    figures = [
        *_anonymity_figures(by_reading, anonymity.k, _known(anonymity)),
        RiskFigure("global_risk", risk.value, "%", "is the probability that a record is recognised, on average"),
        RiskFigure("expected_reidentifications", risk.parts["IRE"], "records", "are recognised if all are looked for"),
        RiskFigure("largest_risk", risk.parts["IRM"], "%", "is the probability for the record at most risk"),
    ]
    found = [by_reading[MissingKeys.WILDCARD], risk]
    roles = {variable.role for variable in data.schema.variables}
    if household or Role.HOUSEHOLD in roles:
        together = HouseholdRisk(columns=columns, weight=weight, household=household).of(data)
        meaning = "is the probability that somebody of the household is recognised, on average"
        figures.append(RiskFigure("household_risk", together.value, "%", meaning))
        found.append(together)
    if weight or Role.WEIGHT in roles:
        alone = Uniqueness(columns=columns, weight=weight).of(data)
        meaning = "of the population have keys of their own (estimated)"
        figures.append(RiskFigure("population_uniques", alone.parts["PUN"], "persons", meaning))
        found.append(alone)
    sensitive = tuple(name for name in data.select(role("confidential")) if name in data.select(categorical))
    if sensitive:
        for missing, reading in READINGS.items():
            diversity = LDiversity(columns=columns, sensitive=sensitive, missing=missing).of(data)
            meaning = f"share their keys only with records of the same {' or '.join(sensitive)}, {GAPS[missing]}"
            figures.append(RiskFigure(f"{reading}single_valued", violating_records(diversity), "records", meaning))
            found.append(diversity)
    special = Suda(columns=columns, max_size=LARGEST_UNIQUE, weight=weight).of(data)
    meaning = f"stand out by {LARGEST_UNIQUE} keys or fewer"
    figures.append(RiskFigure("special_uniques", special.parts["MSUN"], "records", meaning))
    return tuple(figures), [*found, special]


def _anonymity_figures(by_reading: dict[MissingKeys, Measurement], k: int, keys: str) -> list[RiskFigure]:
    """Return the smallest group, who is in smaller ones than asked for, and who is alone, by each reading of gaps."""
    figures = []
    for missing, found in by_reading.items():
        reading, gap = READINGS[missing], GAPS[missing]
        figures += [
            RiskFigure(f"{reading}k", found.parts["KAS"], "", f"is the size of the smallest group, {gap}"),
            RiskFigure(
                f"{reading}violations",
                violating_records(found),
                "records",
                f"share {keys} with fewer than {k - 1} others, {gap}",
            ),
            RiskFigure(f"{reading}uniques", found.parts["KA2"], "records", f"are the only ones with {keys}, {gap}"),
        ]
    return sorted(figures, key=lambda figure: FIGURES.index(figure.name))


def _known(anonymity: KAnonymity) -> str:
    return "keys that are known together" if anonymity.combinations else "their keys"


def violating_records(found: Measurement) -> float:
    """Return how many records violate."""
    return float(0 if found.per_record is None else (found.per_record > 0).sum())
