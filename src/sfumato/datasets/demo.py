"""The demo survey: people in households, with all that makes protecting a survey awkward."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import Microdata
from sfumato.datasets.demo_schema import DEMO_SCHEMA
from sfumato.datasets.households import REGIONS, Households, make_households
from sfumato.datasets.money import make_money
from sfumato.datasets.nonresponse import unanswered_education, with_nonresponse
from sfumato.datasets.people import MARITAL_STATUSES, SEXES, People, make_people
from sfumato.datasets.work import EDUCATIONS, EMPLOYMENTS, OCCUPATIONS, Work, make_work
from sfumato.errors import ParameterError
from sfumato.numerics.arrays import CodeColumn, FloatColumn

if TYPE_CHECKING:
    import polars as pl


def demo(n: int = 10_000, seed: int = 0) -> Microdata:
    """Return a household survey that Sfumato makes itself.

    All people and amounts are invented. The file has what real ones have: households of 1 to 8, regions of very
    different size, decimal weights, skewed incomes with zeros, losses and a long tail, columns that add up, answers
    that are missing and not at random.

    Parameters
    ----------
    n
        How many persons; exactly so many rows come back.
    seed
        The same seed gives the same file.

    Examples
    --------
    >>> import sfumato.data as sf
    >>> survey = demo(500)
    >>> survey
    Microdata(500 records, 19 columns, polars)
    >>> survey.select(sf.role("key"))
    ('region', 'age', 'sex', 'marital_status', 'education', 'occupation')
    """
    if n < 1:
        raise ParameterError([f"demo.n must be in [1, inf); got {n}"])
    rng = np.random.default_rng(seed)
    # 1. Who lives together, and where.
    households = make_households(n, rng)
    # 2. The people: ages, sexes, marriages.
    people = make_people(households, rng)
    # 3. What they learned and what they do.
    work = make_work(people, rng)
    # 4. What they earn, pay, spend and save.
    money = make_money(households, people, work, rng)
    # 5. What they do not tell.
    told_money = with_nonresponse(people, money, rng)
    told_education = np.where(unanswered_education(people, rng), -1, work.education)
    # 6. The file.
    return Microdata(_frame(households, people, work, told_education, told_money), DEMO_SCHEMA)


def _frame(
    households: Households, people: People, work: Work, education: CodeColumn, money: Mapping[str, FloatColumn]
) -> "pl.DataFrame":
    import polars as pl

    return pl.DataFrame(
        {
            "household_id": people.home + 1,
            "person_id": 10 * (people.home + 1) + people.position + 1,
            "region": _text(households.region[people.home], REGIONS),
            "age": people.age,
            "sex": _text(np.where(people.is_female, 0, 1), SEXES),
            "marital_status": _text(people.marital, MARITAL_STATUSES),
            "education": _text(education, EDUCATIONS),
            "employment_status": _text(work.employment, EMPLOYMENTS),
            "occupation": _text(work.occupation, OCCUPATIONS),
            **{name: pl.Series(amounts, nan_to_null=True) for name, amounts in money.items()},
            "sampling_weight": households.weight[people.home],
        }
    )


def _text(codes: CodeColumn, categories: Sequence[str]) -> "pl.Series":
    """Return the category of each code as text, missing for -1."""
    import polars as pl

    return pl.Series([*categories, None], dtype=pl.String).gather(np.where(codes < 0, len(categories), codes))
