"""Measures of one file beside its report: those of the measures themselves, and no single record."""

from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.files import ReadOptions, read_with
from sfumato.jobs.risk import risk
from sfumato.risk import DeltaPresence, DistanceLinkage, LDiversity, Suda
from tests.protection.surveys import survey

KEYS = ("sex", "job", "town", "age")


def test_the_figures_are_those_of_the_measures() -> None:
    data, measures = survey(), [Suda(columns=KEYS, max_size=2), DeltaPresence(columns=KEYS, max_presence=5)]
    report = sf.risk_report(data, columns=KEYS, measures=measures)
    assert [one["value"] for one in report.to_dict()["measures"]] == [measure.of(data).value for measure in measures]
    assert report.to_dict()["measures"][0]["parts"] == dict(measures[0].of(data).parts)
    for shown in (str(report), report.to_html()):
        assert "MSUN, records that few keys single out" in shown


def test_scores_run_through_the_categories_that_python_finds_but_rare_ones_are_left_out() -> None:
    frame = pl.DataFrame({"job": ["cook"] * 5 + ["smith"] * 4 + ["astronaut"], "sex": ["f"] + ["m"] * 8 + ["f"]})
    data, measure = Microdata(frame), Suda(columns=("job", "sex"))
    report = sf.risk_report(data, columns=("job", "sex"), measures=[measure])
    expected = {(row.key, row.category): row.share_of_scores for row in sf.suda_by_category(data, measure)}
    assert ("job", "astronaut") in expected
    (found,) = report.to_dict()["measures"]
    shown = {(row["key"], row["category"]): row["share_of_scores"] for row in found["categories"]}
    assert shown == {pair: share for pair, share in expected.items() if pair[1] == "cook"}
    for text in (str(report), report.to_html(), str(report.to_dict())):
        assert "astronaut" not in text


def test_a_measure_that_compares_two_files_is_refused() -> None:
    with pytest.raises(
        ParameterError, match=r"DistanceLinkage compares a masked file with its original, .* use assess"
    ):
        sf.risk_report(survey(), columns=KEYS, measures=[DistanceLinkage(columns=("age",))])  # type: ignore[list-item]


def test_the_command_takes_a_file_of_measures(tmp_path: Path) -> None:
    file, measures = tmp_path / "survey.csv", tmp_path / "measures.yaml"
    sf.write(survey(), file)
    options = ReadOptions(nominal=("sex", "job", "town"), key=("sex", "town"), confidential=("job",))
    measures.write_text("measures: [suda, l_diversity: {l: 3}]\n")
    found = risk(file, options=options, measures=measures).report
    data = read_with(file, options)
    assert [one.found for one in found.further] == [Suda().of(data), LDiversity(l=3).of(data)]
    measures.write_text("{measures: [suda], scores: [overall_score]}\n")
    with pytest.raises(ParameterError, match="scores weigh risk and loss of a masked file"):
        risk(file, options=options, measures=measures)


def test_a_folder_is_refused_before_it_is_read(tmp_path: Path) -> None:
    measures, parts = tmp_path / "measures.yaml", tmp_path / "parts"
    measures.write_text("measures: [suda]\n")
    parts.mkdir()
    with pytest.raises(ParameterError, match=r"risk\.measures is for a file that fits into memory"):
        risk(parts, measures=measures)
