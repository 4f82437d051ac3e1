"""What the measures of confidential columns share, and what another package finds in the same file."""

from math import floor

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.keys.classes import MissingKeys
from sfumato.risk import BetaLikeness, EntropyLDiversity, KAnonymity, LDiversity, RecursiveLDiversity, TCloseness
from sfumato.risk.attributes._value_counts import value_counts
from tests.masking.lattice_files import census_like

MEASURES = (LDiversity, EntropyLDiversity, RecursiveLDiversity, TCloseness, BetaLikeness)

# keys: k, l, entropy l (whole), t, beta; by pycanon 1.3.6
PYCANON = {
    ("sex", "workclass"): (9, 3, 2, 0.4439888888888888, 3.0749796251018746),
    ("education",): (49, 8, 6, 0.141987074829932, 0.5738943392266932),
    ("sex", "race"): (91, 9, 5, 0.19508571428571425, 0.7748066200286926),
    ("sex", "marital"): (7, 4, 3, 0.5000523809523809, 5.112469437652812),
    ("sex", "education", "race"): (1, 1, 1, 0.9591, 23.449877750611247),
}


@pytest.mark.reference
@pytest.mark.parametrize("keys", PYCANON, ids="+".join)
def test_another_package_finds_the_same(keys: tuple[str, ...]) -> None:
    data, _ = census_like()
    found = {
        symbol: measure.of(data).parts[symbol]
        for symbol, measure in {
            "KAS": KAnonymity(columns=keys),
            "LDS": LDiversity(columns=keys, sensitive=("disease",)),
            "ELDS": EntropyLDiversity(columns=keys, sensitive=("disease",)),
            "TCL": TCloseness(columns=keys, sensitive=("disease",)),
            "BLG": BetaLikeness(columns=keys, sensitive=("disease",)),
        }.items()
    }
    found["ELDS"] = floor(found["ELDS"])
    assert list(found.values()) == pytest.approx(PYCANON[keys])


@pytest.mark.parametrize("measure", MEASURES)
def test_a_class_that_shows_no_value_is_no_violation(measure: type[LDiversity]) -> None:
    data = Microdata(pl.DataFrame({"town": ["A", "A", "B", "B"], "ill": [None, None, "p", "q"]}))
    found = measure(columns=("town",), sensitive=("ill",)).of(data)
    assert found.per_record is not None
    assert found.per_record[:2].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("measure", MEASURES)
def test_a_file_of_unique_records_tells_every_value_and_says_why(measure: type[LDiversity]) -> None:
    data = Microdata(pl.DataFrame({"number": [f"{n}" for n in range(9)], "ill": ["p", "q", "r"] * 3}))
    found = measure(columns=("number",), sensitive=("ill",)).of(data)
    assert found.value == 100
    assert found.remark.startswith("'number' makes most records unique by itself: recode it")


def test_counts_are_of_what_occurs_and_shares_of_what_is_known() -> None:
    counts = value_counts(
        np.array([[0, 0, 1, 1]]), np.array([2, 2, 0, -1]), 3, MissingKeys.CATEGORY, np.ones(4, dtype=np.int64)
    )
    assert counts.classes.tolist() == [0, 1]
    assert counts.values.tolist() == [2, 0]
    assert counts.counts.tolist() == [2.0, 1.0]
    assert counts.shares.tolist() == [1.0, 1.0]
    assert counts.file_shares == pytest.approx([1 / 3, 0, 2 / 3])
