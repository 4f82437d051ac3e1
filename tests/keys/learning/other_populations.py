"""Made files by which no threshold of the learning intruder was chosen, with a planted relation and without one."""

import numpy as np
import polars as pl

import sfumato as sf

TYPES = np.array(["arable", "dairy", "fruit", "mixed", "pigs", "wine"])
RATES = np.array([1.0, 1.3, 2.1, 1.1, 1.6, 2.9])  # of a premium for each hectare, by type


def farms(seed: int, *, is_planted: bool, n: int = 900) -> sf.Microdata:
    """Return a farm census; where planted, a premium follows from type and area, elsewhere it goes with the area."""
    rng = np.random.default_rng(seed)
    kind, area = rng.integers(0, 6, n), np.ceil(rng.lognormal(2.5, 0.6, n))
    by_farm = rng.lognormal(0.4, 0.5, n)
    frame = pl.DataFrame(
        {
            "region": _drawn(rng, 12, n),
            "type": TYPES[kind],
            "hectares": area,
            "holder_age": rng.choice(["under 40", "40-54", "55-64", "65 or more"], n, p=[0.1, 0.4, 0.3, 0.2]),
            "premium": (area * (RATES[kind] if is_planted else by_farm) * 100).round(-1),
            "cattle": rng.poisson(np.where(kind == 1, 40, 3)),
            "workers": 1 + rng.poisson(area / 15),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["hectares", "premium", "cattle", "workers"])
    keys, others = ["region", "type", "hectares", "holder_age"], ["premium", "cattle", "workers"]
    return sf.Microdata(frame, schema.with_roles(key=keys, other=others))


def exams(seed: int, *, is_planted: bool, n: int = 800) -> sf.Microdata:
    """Return an exam file; where planted, the room follows from school and month of birth, elsewhere from neither."""
    rng = np.random.default_rng(seed)
    school, month = rng.integers(0, 15, n), rng.integers(1, 13, n)
    room = (5 * school + 7 * month) % 24 if is_planted else rng.integers(0, 24, n)
    talent = rng.normal(0, 1, n) + school / 10
    frame = pl.DataFrame(
        {
            "school": [f"S{one:02}" for one in school],
            "month_of_birth": [f"M{one:02}" for one in month],
            "sex": rng.choice([*"fm"], n),
            "language": rng.choice(["de", "fr", "it"], n, p=[0.7, 0.2, 0.1]),
            "room": [f"R{one:02}" for one in room],
            "maths": (60 + 12 * talent + rng.normal(0, 8, n)).round(),
            "reading": (62 + 10 * talent + rng.normal(0, 9, n)).round(),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["maths", "reading"])
    keys, others = ["school", "month_of_birth", "sex", "language"], ["room", "maths", "reading"]
    return sf.Microdata(frame, schema.with_roles(key=keys, other=others))


def visits(seed: int, *, is_planted: bool, patients: int = 500) -> sf.Microdata:
    """Return visits to a clinic, some three of a patient; where planted, the programme follows from age and sex."""
    rng = np.random.default_rng(seed)
    age, sex = rng.integers(18, 90, patients), rng.choice([*"fm"], patients)
    district = _drawn(rng, 9, patients)
    followed = age // 6 + 15 * (sex == "f")
    programme = followed if is_planted else rng.integers(0, 30, patients)
    of = np.repeat(np.arange(patients), 1 + rng.poisson(1.5, patients))
    frame = pl.DataFrame(
        {
            "patient_number": [f"P{one:05}" for one in 7 * of + 11],
            "age": age[of],
            "sex": sex[of],
            "district": [district[one] for one in of],
            "programme": [f"C{one:02}" for one in programme[of]],
            "pressure": (110 + age[of] / 3 + rng.normal(0, 12, of.size)).round(),
            "minutes": rng.integers(5, 60, of.size),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "pressure", "minutes"])
    roles = schema.with_roles(identifier=["patient_number"], key=["age", "sex", "district"])
    return sf.Microdata(frame, roles.with_roles(other=["programme", "pressure", "minutes"]))


def _drawn(rng: np.random.Generator, count: int, n: int) -> list[str]:
    """Return categories of which the first are the most frequent."""
    shares = 1 / np.arange(1, count + 1)
    return [f"{one:02}" for one in rng.choice(count, n, p=shares / shares.sum())]
