"""An identifier or a stated order that matches strangers: nothing that rests on pairs is measured, no limit met."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.pairing import DOUBTED, pair_records
from sfumato.errors import DataError

COLUMNS = ("region", "sex", "age", "income", "tax")


def people() -> sf.Microdata:
    """Return 400 persons with a running number."""
    rng = np.random.default_rng(20)
    income = rng.lognormal(7, 0.8, 400).round(1)
    frame = pl.DataFrame(
        {
            "id": np.arange(400) + 1,
            "region": rng.choice([*"ABCD"], 400),
            "sex": rng.choice([*"fm"], 400),
            "age": rng.integers(18, 90, 400),
            "income": income,
            "tax": (income * 0.2 + rng.normal(0, 30, 400)).round(1),
        }
    )
    return sf.Microdata(frame, sf.Schema.infer(frame).with_roles(identifier=["id"], other=COLUMNS))


def released(ids: np.ndarray, rows: np.ndarray) -> sf.Microdata:
    """Return some rows with noise, under identifiers of their own, as a file from elsewhere."""
    rng, data = np.random.default_rng(21), people()
    noisy = data.frame.with_columns(
        (pl.col(name) + rng.normal(0, 0.15 * data.frame[name].std(), 400)).round(1) for name in ("income", "tax")
    )
    frame = noisy[rows].with_columns(id=pl.Series(ids))
    return sf.Microdata(frame, data.schema)


SHUFFLED = np.random.default_rng(22).permutation(400)
IN_ORDER = np.arange(400)


def test_a_shuffled_file_with_a_new_running_number_has_no_figure_on_pairs_and_meets_no_limit_on_them() -> None:
    masked = released(IN_ORDER + 1, SHUFFLED)
    found = sf.assess(people(), masked)
    assert found.alarms[0] == DOUBTED
    assert not {"DLD", "WCL", "ID", "IL"} & set(found.values)
    assert {"distance_linkage", "worst_case_linkage"} <= set(found.withheld)
    for limit in ("distance_linkage<=5", "DLD<=5", "WCL<=5"):
        with pytest.raises(DataError, match=r"cannot be checked, and is not met: .*NO MORE ALIKE THAN STRANGERS"):
            sf.report(people(), masked, limits=[limit])
    told = sf.report(people(), masked)
    assert "Records seem to be matched wrongly" in str(told.sections[0].parts)


def test_the_identifier_is_no_evidence_for_the_match_that_it_made() -> None:
    masked = released(SHUFFLED + 1, IN_ORDER)
    found = pair_records(people(), masked)
    agreeing, compared = 0, 0
    before, after = people().frame, masked.frame
    place = {one: row for row, one in enumerate(before["id"].to_list())}
    rows = [place[one] for one in after["id"].to_list()]
    for name in COLUMNS:
        codes = {one: code for code, one in enumerate(sorted({*before[name].to_list()}))}
        first = [before[name].to_list()[row] for row in rows]
        second = after[name].to_list()
        if name in ("region", "sex"):
            first, second = [codes[one] for one in first], [codes[one] for one in second]
        for one in range(0, 399, 2):
            signs = np.sign(first[one + 1] - first[one]) * np.sign(second[one + 1] - second[one])
            compared, agreeing = compared + bool(signs), agreeing + (signs > 0)
    told = f"in {100 * agreeing / compared:.0f} % of {compared} comparisons"
    assert not found.is_known
    assert told in found.sentences[1]
    assert "In the order of their rows they agree in 9" in found.sentences[2]


def test_an_identifier_that_is_right_is_believed_and_a_manifest_needs_no_evidence() -> None:
    right = released(SHUFFLED + 1, SHUFFLED)
    found = pair_records(people(), right)
    assert found.is_known
    assert found.sentences == ("Records were matched by the identifier id.",)
    drawn = sf.Microdata(right.frame, right.schema, people().row_ids)
    assert sf.assess(people(), drawn, same_order=True).alarms[:1] != (DOUBTED,)


def test_files_that_are_both_sorted_are_said_to_be_when_their_order_is_taken() -> None:
    data = people().take_columns(COLUMNS)
    noisy = released(IN_ORDER, IN_ORDER).take_columns(COLUMNS)
    by_own = [sf.Microdata(one.frame.sort("age", "income"), one.schema) for one in (data, noisy)]
    [told] = pair_records(*by_own).sentences
    assert "taken to be in the same order" in told
    assert "Both are sorted by age" in told
    assert "if the masked file was sorted anew" in told
    places = [one.frame.with_row_index().sort("age", "income")["index"].to_list() for one in (data, noisy)]
    assert sum(a != b for a, b in zip(*places, strict=True)) > 0
    assert "sorted" not in pair_records(data, noisy).sentences[0]


def test_an_order_that_is_stated_of_few_records_is_believed_as_right_pairs_of_them_may_agree_by_chance() -> None:
    few, others = people().take_rows(np.arange(90)), released(IN_ORDER + 1, SHUFFLED).take_rows(np.arange(90))
    masked = others.take_columns(COLUMNS)
    found = pair_records(few, masked, same_order=True)
    assert found.is_known
    assert any("do not show that they are matched rightly" in one for one in found.sentences)
