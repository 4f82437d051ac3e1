"""HIPAA's questions are answered from a person and from a record, with the figures of the verdict."""

import re

import numpy as np
import pytest

import sfumato as sf
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.judging.judged_by_keys import HOUSEHOLD, WITH_SIZE
from sfumato.reports.release.chapters.plain_verdict import WHO_FINDS
from sfumato.reports.release.sections import Prose, WordTable
from tests.keys.findings.test_person_side import firms
from tests.reports.release.surveys import RECIPE, released, survey


def answer(report: ReleaseReport) -> str:
    parts = next(one for one in report.sections if one.key == "standards").parts
    return " ".join(one.text for one in parts if isinstance(one, Prose))


@pytest.mark.parametrize("threshold", [9.0, 20.0])
def test_the_risk_is_counted_from_the_person_and_from_the_record(threshold: float) -> None:
    known = sf.Recipe(steps=RECIPE.steps[:1], seed=1).run(survey())  # the classes, with no key taken out
    shown, people = (data.frame.select("sex", "town").rows() for data in (released(), known))
    pairs = np.array(
        [[all(a in (None, b) for a, b in zip(look, one, strict=True)) for one in people] for look in shown]
    )
    of_person, of_record = 100 / pairs.sum(axis=0), 100 / pairs.sum(axis=1)
    report = sf.report(survey(), released(), recipe=RECIPE, standards=["hipaa"], threshold=threshold, k=2)
    wanted = {
        "largest": max(of_person.max(), of_record.max()),
        "mean": of_person.mean(),
        "mean_record": of_record.mean(),
        "above": 100 * (of_person > threshold).mean(),
        "above_record": 100 * (of_record > threshold).mean(),
    }
    for name, value in wanted.items():
        assert report[f"standards/hipaa/{name}/after"].value == pytest.approx(value)
    told = answer(report)
    assert f"{of_person.max():.2f}".rstrip("0").rstrip(".") + " %" in told
    assert f"{of_record.max():.2f}".rstrip("0").rstrip(".") + " %" in told
    largest = re.findall(r"largest risk (?:by the keys )?is ([\d.]+) %", told)
    assert [float(one) for one in largest] == [pytest.approx(wanted["largest"], abs=0.005)]


def test_everybody_reads_no_risk_that_is_one_over_a_count_below_k() -> None:
    data = firms()
    found = sf.protect(data, k=3, seed=1)
    report = sf.report(data, found.data, recipe=found.recipe, standards=["hipaa"], k=9, edition="public")
    assert report["standards/hipaa/largest/after"].text == "more than 11.11 %"
    assert report["standards/hipaa/largest/after"].value is None
    assert "the largest risk by the keys is more than 11.11 %" in answer(report)


def test_households_and_their_sizes_have_the_same_figures_as_in_the_verdict() -> None:
    data = sf.datasets.demo(300)
    keys = ("sex", "region", "marital_status", "education")
    steps = [sf.DropIdentifiers(columns=("person_id",)), sf.LocalSuppression(columns=keys, k=3)]
    recipe = sf.Recipe(steps=steps, seed=1)
    for edition in ("internal", "public"):
        report = sf.report(data, recipe.run(data), recipe=recipe, standards=["hipaa"], edition=edition)
        (table,) = [one for one in report.sections[0].parts if isinstance(one, WordTable) and one.title == WHO_FINDS]
        finds = {who: found for who, _, found in table.rows}
        assert f"a whole household {finds[HOUSEHOLD]}" in answer(report)
        assert finds[WITH_SIZE] in answer(report)
        assert "knowing what was taken out of whom, too" in finds[HOUSEHOLD]
