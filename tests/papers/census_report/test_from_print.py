import pytest

from sfumato.papers import Figure, FigureKind, Files, Verdict
from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.census_report.from_print import figures_from_print


def found() -> dict[str, Figure]:
    figures = list(figures_from_print(Files(), seed=0))
    return {figure.figure.removeprefix("Census report, from print, "): figure for figure in figures}


def test_67_of_78_scores_of_the_census_file_follow_from_the_printed_losses_and_rates() -> None:
    scores = [figure for name, figure in found().items() if name.startswith("Table 3")]
    assert len(scores) == 78
    assert sum(figure.kind is FigureKind.PRINT and figure.agrees for figure in scores) == 67


def test_a_misprinted_score_stands_beside_the_right_one() -> None:
    assert found()["Table 3, rnkswp05: Sscore d"].ours == pytest.approx(45.66, abs=0.0051)
    assert found()["Table 3, rnkswp15: Sscore l"].ours == 20.67
    assert found()["Table 1, add01: s1"].note == "a misprint: the printed parts give 0.049"


def test_the_scores_of_four_rows_come_out_with_one_other_rate_each() -> None:
    rates = {"Table 3, scalmixadd01": 0.772, "Table 3, scalmixadd05": 0.163, "Table 3, scalmixadd10": 0.067}
    rates |= {"Table 7, mixadd01": 0.0096}
    tables = {"3": printed.TABLE_1, "7": printed.TABLE_5}
    for place, rate in rates.items():
        figures = [figure for name, figure in found().items() if name.startswith(place) and "the rate" in figure.note]
        losses = printed.cells(tables[place[6]], printed.TABLE_1_COLUMNS)[place.split()[-1]]
        assert len(figures) == 3
        for figure in figures:
            loss = {"A": "s0", "D": "s1", "S": "s2"}[figure.figure.split(": ")[1][0]]
            assert abs(50 * (float(losses[loss]) + rate) - float(figure.printed)) <= 0.055  # three digits each


def test_the_root_of_the_ratio_of_variances_gives_the_loss_and_the_ratio_itself_does_not() -> None:
    figure = found()["Table 8, mixadd05: IL1s"]
    assert figure.agrees
    assert float(figure.ours) == pytest.approx(1.099 / 2)
    assert abs(1.099 / 4 - float(figure.printed)) > figure.tolerance


def test_the_variance_of_a_confidential_file_grows_by_the_ratio_and_not_by_twice_the_ratio() -> None:
    figure = found()["Table 4, mixadd10: IL4"]
    assert (figure.ours, figure.verdict) == (0.1, Verdict.CONSISTENT)
    assert abs(2 * 0.1 - float(figure.printed)) > figure.tolerance
