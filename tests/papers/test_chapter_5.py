import numpy as np

from sfumato.data import numeric
from sfumato.masking import LossyCompression
from sfumato.masking.synthesis._distribution_fitting import FITTERS, best_fit
from sfumato.papers import FigureKind, Files, Verdict
from sfumato.papers.chapter_5 import (
    EXAMPLE_1,
    TABLE_2_ORIGINAL,
    TABLE_2_PROTECTED,
    TABLE_3,
    chapter_5,
    reproduced_cell_count,
    swapped_alike,
)
from sfumato.papers.files import printed_file


def test_every_figure_comes_out_exactly_but_the_misprint() -> None:
    figures = list(chapter_5(Files(), seed=0))
    exact = [figure for figure in figures if figure.kind is FigureKind.EXACT]
    assert [figure.verdict for figure in exact] == [Verdict.REPRODUCED] * 9
    (misprint,) = (figure for figure in figures if figure.kind is FigureKind.MISPRINT)
    assert (misprint.printed, misprint.ours) == (0.05, 0.0056)


def test_another_quality_does_not_give_the_compressed_file() -> None:
    original, protected = printed_file(TABLE_2_ORIGINAL), printed_file(TABLE_2_PROTECTED)
    names = original.schema.names
    masked = LossyCompression(columns=numeric, quality=75).mask(original, np.random.default_rng(0))
    assert (np.floor(masked.matrix(names)) == protected.matrix(names)).sum() < reproduced_cell_count() == 64


def test_example_1_is_fitted_still_better_by_a_weibull_distribution() -> None:
    fit = best_fit(EXAMPLE_1, tuple(FITTERS))
    assert fit is not None
    assert (fit.distribution, round(fit.distance, 4)) == ("weibull", 0.1086)


def test_each_record_gets_the_value_of_table_3_and_not_another() -> None:
    for before, after in TABLE_3.values():
        assert swapped_alike(before.split(), after.split(), 1) == 10
        assert swapped_alike(before.split(), before.split(), 1) < 10


def test_records_with_equal_values_may_get_each_others() -> None:
    before = list("1223456789")
    assert swapped_alike(before, list("2132547698"), 0) == 10
    assert swapped_alike(before, list("2312547698"), 0) == 10
