"""The individual risk of records among persons, where some have several, and of whom nobody shares the keys."""

import numpy as np

from sfumato.data import Microdata
from sfumato.keys.findings.counted_persons import count_persons
from sfumato.keys.individual_risks import individual_risks
from sfumato.keys.weights import sampling_weights
from sfumato.numerics.arrays import FloatColumn
from sfumato.risk import IndividualRisk


def risk_alone(data: Microdata, weight: str | None = None) -> float:
    """Return the individual risk in percent of whom nobody else in the file has the keys of, at most."""
    weights = sampling_weights("risk_report", data, weight)
    smallest = 1.0 if weights is None else float(weights.min(initial=np.inf))
    return 100 * float(individual_risks(np.ones(1), np.array([smallest]))[0])


def risk_per_record(data: Microdata, names: tuple[str, ...], teller: Microdata) -> FloatColumn | None:
    """Return the individual risk of each record in percent, among persons where some have several records."""
    counted, individual = count_persons(data, names, teller), IndividualRisk(columns=names)
    if counted is None:
        return individual.of(data).per_record
    found = individual.of(counted.data).per_record
    return None if found is None else found[counted.places]
