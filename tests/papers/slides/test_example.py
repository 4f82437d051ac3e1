from sfumato.papers import Files, Verdict
from sfumato.papers.files import printed_file
from sfumato.papers.slides.example import ORIGINAL, PROTECTED, possible_records, slides_example


def test_every_figure_of_the_example_comes_out_exactly() -> None:
    figures = list(slides_example(Files(), seed=0))
    assert [figure.verdict for figure in figures] == [Verdict.REPRODUCED] * 10 + [Verdict.CONSISTENT] * 4


def test_possible_records_are_those_two_ranks_away_at_most() -> None:
    original, protected = printed_file(ORIGINAL), printed_file(PROTECTED)
    for name, possible in possible_records().items():
        own = original.values(name)[1]  # the values are ranks
        assert possible.tolist() == [abs(value - own) <= 2 for value in protected.values(name)]
