"""What synthetic files of the demo survey give away and keep, and how often pooled intervals hold the truth."""

from functools import cache

import numpy as np
import polars as pl
from tests.masking.synthesis.made_households import COLUMNS, households
from tests.regression.simulated_files import RIGHT_MODELS, coverage

from benchmarks.case import QUICK, Case, records
from sfumato.contracts import ControlledRisk, MaskingMethod, Measurement
from sfumato.data import Microdata
from sfumato.datasets import demo
from sfumato.loss import PropensityLoss, TreePropensityLoss
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis
from sfumato.risk import HouseholdMembership, Inference, MembershipInference, SinglingOut

PERSONS = records(19_934)
FILES, DRAWS, SPLITS = (2, 1, 1) if QUICK else (200, 20, 5)
ATTACKS = 200 if QUICK else 10_000
HOUSEHOLD = "household_id"
INCOMES = ("wage_income", "business_income", "capital_income", "transfer_income")
LEFT_OUT = ("person_id", "sampling_weight", "savings")


@cache
def halves(split: int = 0) -> tuple[Microdata, Microdata]:
    """Return the persons of one half of the households, and those of the other."""
    survey = demo(2 * PERSONS, seed=1).without_columns(LEFT_OUT)
    homes = survey.codes(HOUSEHOLD)[0]
    first = np.random.default_rng(split).permutation(homes.max() + 1)[: (homes.max() + 1) // 2]
    is_member = np.isin(homes, first)
    people, others = (survey.take_rows(np.flatnonzero(chosen)) for chosen in (is_member, ~is_member))
    return people, others


@cache
def names() -> tuple[str, ...]:
    """Return the columns that are drawn."""
    return tuple(name for name in halves()[0].schema.names if name != HOUSEHOLD)


@cache
def made(by_household: bool, split: int = 0) -> Microdata:
    """Return a synthetic file of the one half, person by person or household by household."""
    people = halves(split)[0]
    method: MaskingMethod = HouseholdSynthesis(columns=names())
    if not by_household:
        people, method = people.without_columns((HOUSEHOLD,)), SequentialSynthesis(columns=names(), size=people.n)
    return method.mask(people, np.random.default_rng(1 + split))


def attack(measure: ControlledRisk, by_household: bool = False, split: int = 0) -> Measurement:
    """Return what a measure finds in the synthetic file, held against the other half."""
    people, others = halves(split)
    return measure.with_control(others).measure(people, made(by_household, split))


def worst_singling_out() -> float:
    """Return the highest univariate singling-out risk of synthetic files of several halves."""
    measure = SinglingOut(columns=names(), attacks=1)
    return max(attack(measure, split=split).parts["SOuni"] for split in range(SPLITS))


def worst_inference() -> float:
    """Return the highest inference risk of any column of synthetic files of several halves, as usually measured."""
    found = [attack(Inference(columns=names()), split=split).parts for split in range(SPLITS)]
    return max(parts[name] for parts in found for name in names())


@cache
def found_members(of_households: bool, by_household: bool) -> list[Measurement]:
    """Return what is found of members, or of whole households, in synthetic files of several halves."""
    persons = MembershipInference(columns=names())
    measure = HouseholdMembership(columns=names(), household=HOUSEHOLD) if of_households else persons
    return [attack(measure, by_household, split) for split in range(SPLITS)]


def most_found(of_households: bool, by_household: bool) -> float:
    """Return the highest share of them in any file."""
    return max(found.value for found in found_members(of_households, by_household))


def leaks_called() -> float:
    """Return in how many files membership is called a leak: of persons one by one, of households and their members."""
    asked = ((False, False), (False, True), (True, True))
    return float(sum(bool(found.shows_leak) for which in asked for found in found_members(*which)))


def copies_of_control() -> float:
    """Return how many unique records come out whole, for each one that the other halves hold by chance."""
    measure, found = MembershipInference(columns=names()), np.zeros(2)
    for split in range(SPLITS):
        people, others = halves(split)
        found += [measure.measure(people, other).value for other in (made(False, split), others)]
    return float(found[0] / max(found[1], 100 / PERSONS))


def propensity_error() -> float:
    """Return the highest mean squared difference of the propensities by a tree from their mean, of several halves."""
    tree = TreePropensityLoss(columns=names(), permutations=1)
    found = (tree.measure(halves(split)[0], made(False, split)) for split in range(SPLITS))
    return max(float(one.parts["mean squared difference"]) for one in found)


def pairs_error() -> float:
    """Return the same by a logistic regression on columns of few categories and their products, with exact totals."""
    people = halves()[0].without_columns((HOUSEHOLD,))
    total = {"total_income": {"formula": {"expression": " + ".join(INCOMES)}}}
    method = SequentialSynthesis(columns=names(), size=people.n, models=total)
    columns = tuple(name for name in names() if name not in ("region", "occupation"))
    found = PropensityLoss(columns=columns).measure(people, method.mask(people, np.random.default_rng(1)))
    return float(found.parts["mean squared difference"])


def household_mistakes() -> float:
    """Return how many files with copied households are missed, plus how many safe ones beyond 1 are called unsafe."""
    missed = false = 0
    for draw in range(DRAWS):
        people, others, new = (households(300, 3 * draw + part) for part in range(3))
        found = HouseholdMembership(columns=COLUMNS).with_control(others)
        missed += not found.measure(people, _with_copies(people, new)).shows_leak
        false += bool(found.measure(people, new).shows_leak)
    return missed + max(false - 1, 0)


def _with_copies(people: Microdata, new: Microdata) -> Microdata:
    """Return new households of which a fifth are copies, with other numbers."""
    copies = people.frame.filter(pl.col("home") <= 60).with_columns(pl.col("home") + 1000)
    return Microdata(pl.concat([new.frame.filter(pl.col("home") > 60), copies]), people.schema)


CASES = [
    Case(
        "synthetic demo survey, univariate singling out, the highest of 5 splits",
        worst_singling_out,
        target=1.0,
        unit="%",
        is_long=True,
    ),
    Case(
        "synthetic demo survey, multivariate singling out",
        lambda: attack(SinglingOut(columns=names(), attacks=ATTACKS)).parts["SOmulti"],
        target=3.0,
        unit="%",
        is_long=True,
    ),
    Case(
        "synthetic demo survey, inference of any column, the highest of 5 splits",
        worst_inference,
        target=10.0,
        unit="%",
        is_long=True,
    ),
    Case(
        "synthetic demo survey, members found at 1 % false alarms, the most of 5 splits",
        lambda: most_found(of_households=False, by_household=False),
        target=2.0,
        unit="%",
        is_long=True,
    ),
    Case(
        "synthetic demo survey, copies of unique records for each one of the control, 5 splits",
        copies_of_control,
        target=1.2,  # chance: some hundred are compared with some hundred
        unit="copies",
        is_long=True,
    ),
    Case(
        "synthetic demo survey, pMSE by a tree, the highest of 5 splits",
        propensity_error,
        target=0.003,
        unit="pMSE",
        is_long=True,
    ),
    Case(
        "synthetic demo survey, pMSE by all pairs of columns",
        pairs_error,
        target=0.0045,  # another sample has .0029 to .0032; decision 0023 says what nearer files give away
        unit="pMSE",
        is_long=True,
    ),
    Case(
        "synthetic demo households, households found at 1 % false alarms, the most of 5 splits",
        lambda: most_found(of_households=True, by_household=True),
        target=2.0,
        unit="%",
        is_long=True,
    ),
    Case(
        "synthetic demo households, members found at 1 % false alarms, the most of 5 splits",
        lambda: most_found(of_households=False, by_household=True),
        target=2.0,
        unit="%",
        is_long=True,
    ),
    Case(
        "synthetic demo persons and households, files in which membership is called a leak, of 15",
        leaks_called,
        target=0.5,
        unit="files",
        is_long=True,
    ),
    Case(
        "copied households missed in 20 files, safe files beyond 1 of 20 called unsafe",
        household_mistakes,
        target=0.5,
        unit="files",
        is_long=True,
    ),
    Case(
        "pooled estimates by the right model, coverage of 200 files away from 95 %",
        lambda: abs(coverage(500, FILES, RIGHT_MODELS) - 95),
        target=2.0,
        unit="points",
        is_long=True,
    ),
    Case(
        "pooled estimates by trees, as synthesise -m makes copies, coverage of 200 files away from 95 %",
        lambda: abs(coverage(500, FILES, None, bootstrap=True) - 95),
        target=2.0,
        unit="points",
        is_long=True,
    ),
]
