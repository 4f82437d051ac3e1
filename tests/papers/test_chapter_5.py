import numpy as np
import pytest

from sfumato.data import numeric
from sfumato.masking import LossyCompression
from sfumato.masking.synthesis._distribution_fitting import FITTERS, best_fit
from sfumato.papers import FigureKind, Files, Verdict
from sfumato.papers.chapter_5 import (
    EXAMPLE_1,
    TABLE_2_ORIGINAL,
    TABLE_2_PROTECTED,
    chapter_5,
    largest_move,
    reproduced_cell_count,
)
from sfumato.papers.files import printed_file


def test_every_figure_comes_out_exactly_but_the_misprint() -> None:
    figures = list(chapter_5(Files(), seed=0))
    exact = [figure for figure in figures if figure.kind is FigureKind.EXACT]
    assert [figure.verdict for figure in exact] == [Verdict.REPRODUCED] * 10
    (misprint,) = (figure for figure in figures if figure.kind is FigureKind.REPORT)
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


def test_equal_values_may_stand_in_any_of_their_ranks() -> None:
    assert largest_move(["1", "2", "2", "3"], ["2", "2", "1", "3"]) == 1
    assert largest_move(["10", "9", "8"], ["8", "9", "10"]) == 2  # as numbers: 10 is above 9
    assert largest_move(["B", "A", "C"], ["B", "A", "C"]) == 0


def test_a_file_with_other_values_was_not_swapped() -> None:
    with pytest.raises(ValueError, match="the same before and after"):
        largest_move(["1", "2"], ["1", "3"])
