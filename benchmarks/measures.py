"""Measuring a large masked file."""

from functools import cache

import numpy as np

from benchmarks.case import Case, cpu_seconds, records
from benchmarks.masking import MILLION, gauss
from sfumato.contracts import Knowledge, Measure
from sfumato.data import Microdata, numeric
from sfumato.loss import (
    InformationLoss,
    MomentAndFactorLoss,
    ProbabilisticInformationLoss,
    StandardisedInformationLoss,
    SymmetricInformationLoss,
)
from sfumato.masking import AdditiveNoise
from sfumato.risk import AttributeInference, IntervalDisclosure


@cache
def noisy(n: int, d: int) -> Microdata:
    """Return the normal records with noise on every value, seed 0."""
    return AdditiveNoise(columns=numeric).mask(gauss(n, d), np.random.default_rng(0))


def measuring(measure: Measure, n: int = MILLION, d: int = 10) -> float:
    """Return the CPU time of a measure of the noisy records, the summaries of both files included."""
    original, masked = gauss(n, d), noisy(n, d)
    return cpu_seconds(
        lambda: measure.measure(Microdata(original.frame, original.schema), Microdata(masked.frame, masked.schema))
    )


def inferring(n: int) -> float:
    """Return the CPU time of guessing seven columns from three, by somebody who has the recipe of the noise."""
    names = gauss(n, 10).schema.names
    measure = AttributeInference(columns=names[:3], sensitive=names[3:])
    return measuring(measure.informed_by(Knowledge(steps=(AdditiveNoise(columns=numeric),))), n)


CASES = [
    Case("attribute inference, 10^4 x 10", lambda: inferring(records(10_000)), target=10.0),
    Case(
        "standardised information loss, 10^6 x 10",
        lambda: measuring(StandardisedInformationLoss(columns=numeric)),
        target=0.5,
        peer=("sdcMicro", 0.25),
        note="Missing values and the figure of each record take part of it.",
    ),
    Case("information loss, 10^6 x 10", lambda: measuring(InformationLoss(columns=numeric)), target=2.0),
    Case("interval disclosure, 10^6 x 10", lambda: measuring(IntervalDisclosure(columns=numeric)), target=3.0),
    Case("moment and factor loss, 10^6 x 10", lambda: measuring(MomentAndFactorLoss(columns=numeric)), target=3.0),
    Case(
        "probabilistic information loss, 10^6 x 10",
        lambda: measuring(ProbabilisticInformationLoss(columns=numeric)),
        target=8.0,
    ),
    Case(
        "symmetric information loss, 10^6 x 10",
        lambda: measuring(SymmetricInformationLoss(columns=numeric)),
        target=2.0,
    ),
]
