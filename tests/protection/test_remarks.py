"""What must be known before a release is said with counts, and nothing is said where nobody is concerned."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import MEMBERS_TELL
from sfumato.data import Microdata, Schema


def people() -> Microdata:
    rng = np.random.default_rng(2)
    tax = rng.lognormal(6, 1, 90).round()
    tax[:2] = -9
    frame = pl.DataFrame(
        {
            "sex": [*"fm" * 45],
            "tax": tax,
            "weight": rng.permutation(90) + 10.5,
            "score": rng.normal(size=90),
            "hobby": ["chess"] * 89 + ["falconry"],
        }
    )
    schema = Schema.infer(frame).with_kinds(continuous=["tax", "weight", "score"])
    schema = schema.with_roles(key=["sex"], confidential=["tax"], weight=["weight"], identifier=[])
    return Microdata(frame, schema.with_variables(schema["tax"].replace(missing_codes=(-9,))))


def test_what_singles_records_out_stands_at_the_top_of_the_text_and_on_the_page() -> None:
    found = sf.protect(people(), k=3, seed=1)
    top = " ".join(str(found).partition("What was done")[0].split())
    page = " ".join(found.to_html().partition("What was done")[0].split())
    for told in (
        "weight: 90 of 90 records have a weight that no other has",
        "different for most records, or for most that have any, so masked like confidential numbers: score",
        "category that no other record has: hobby (1 record)",
        "tax: a code that stands for missing is left in fewer than 3 records",
    ):
        assert told in top
        assert told[1:] in page  # a sentence on the page begins with a capital


def test_codes_that_several_records_have_are_not_named() -> None:
    data = people()
    more = data.frame.with_columns(tax=pl.when(pl.int_range(90) < 5).then(-9.0).otherwise("tax"))
    remarks = sf.protect(data.with_frame(more), k=3, seed=1).remarks
    assert not any("stands for missing" in remark for remark in remarks)


def test_assess_says_as_protect_does_that_members_may_tell_what_one_of_them_lost() -> None:
    rng = np.random.default_rng(3)
    home = np.repeat(np.arange(60), 3)
    jobs = np.where(np.arange(home.size) % 90 == 5, "bishop", rng.choice(["nurse", "clerk"], home.size))
    frame = pl.DataFrame({"home": home, "region": rng.choice([*"AB"], 60)[home], "job": jobs})
    data = Microdata(frame, Schema.infer(frame).with_roles(household=["home"], key=["region", "job"]))
    found = sf.protect(data, k=3, seed=1)
    assert found.suppressed > 0
    assert MEMBERS_TELL in found.remarks
    assert f"{MEMBERS_TELL}." in sf.assess(data, found.data, methods=found.recipe.steps, worst_case=False).remarks
    calm = sf.protect(data.with_frame(frame.with_columns(job=pl.lit("nurse"))), k=3, seed=1)
    assert MEMBERS_TELL not in calm.remarks


@pytest.mark.parametrize("with_recipe", [True, False])
def test_assess_tells_every_note_on_the_file_that_protect_tells(with_recipe: bool) -> None:
    data = sf.datasets.demo(500)
    found = sf.protect(data, k=3, seed=1)
    about_the_request = ("of the key values", "so that it was suppressed person by person")
    notes = {f"{one}." for one in found.remarks if not any(words in one for words in about_the_request)}
    assert len(notes) > 3
    steps = found.recipe.steps if with_recipe else ()
    assessed = sf.assess(data, found.data, methods=steps, worst_case=False)
    assert notes <= {*assessed.remarks}
    assert {*found.alarms} == {*assessed.alarms}


def test_what_does_not_hold_is_a_list_of_its_own_with_what_would_hold() -> None:
    found = sf.protect(sf.datasets.demo(120), k=3, seed=1)
    assert found.alarms
    lines, page = str(found).splitlines(), found.to_html()
    for alarm in found.alarms:
        assert f"<li>{alarm}</li>" in page
        assert any(line.startswith(f"- {alarm[:40]}") for line in lines)
    assert "the option whole_records" in page
    whole = sf.protect(sf.datasets.demo(120), k=3, whole_records=True, seed=1)
    assert "the option whole_records" not in whole.to_html()
