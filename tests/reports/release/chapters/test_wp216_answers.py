"""The questions of WP216 name the worst figure that the page has on each."""

import itertools

import pytest

from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.wp216_answers import QUESTIONS
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.sections import FigureTable, Prose
from tests.reports.release.surveys import made

HIGHEST, FARTHEST = "The highest figure of this page on it: ", "The one farthest above its baseline: "


def answers(report: ReleaseReport) -> dict[str, tuple[FigureTable, str]]:
    """Return the table of each question and the words after it."""
    parts = next(one for one in report.sections if one.key == "standards").parts
    questions = {one.text for one in QUESTIONS}
    found = {}
    for part, after in itertools.pairwise(parts):
        if isinstance(part, FigureTable) and part.title in questions:
            assert isinstance(after, Prose)
            found[part.title] = part, after.text
    return found


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_the_highest_figure_and_the_one_farthest_above_its_baseline_are_named(edition: str) -> None:
    found, inside = answers(made(edition)), {one.path: one for one in made().figures}
    assert len(found) == len(QUESTIONS)
    for table, words in found.values():
        shares, beyond = {}, {}
        for path in (row.paths[0] for row in table.rows):
            if not path.endswith(("/k/after", "/WCB")):
                figure = inside[path]
                shares[path] = (figure.value or 0) * (1 if figure.unit == "%" else 100 / 240)
                if f"{path}/baseline" in inside:
                    beyond[path] = shares[path] - (inside[f"{path}/baseline"].value or 0)
        highest = max(shares, key=lambda path: shares[path])
        told = [(HIGHEST, highest)]
        if beyond and (farthest := max(beyond, key=lambda path: beyond[path])) != highest:
            told.append((FARTHEST, farthest))
        for begins, path in told:
            named = words.partition(begins)[2]
            assert named.startswith(in_sentence(inside[path].label))
            assert (inside[path].text in named) == (edition == "internal")


def test_every_figure_on_linkage_and_what_keys_tell_answers_a_question() -> None:
    shown = {row.paths[0] for table, _ in answers(made()).values() for row in table.rows}
    known = {one.path for one in made().figures}
    for path in ("risk/measures/BSLD", "risk/measures/WCL", "risk/measures/ID", "risk/measures/learnt_numbers"):
        assert path in known
        assert path in shown


def test_the_number_that_keys_tell_most_of_is_named_with_inference() -> None:
    (words,) = [words for title, (_, words) in answers(made()).items() if title.startswith("Inference")]
    assert "the keys add most for" in words
