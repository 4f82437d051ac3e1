"""The questions of the law and of standards, answered with the figures of the report."""

from collections.abc import Collection, Iterator, Sequence

from sfumato.reports.release.chapters.law.hipaa_answers import hipaa_answers
from sfumato.reports.release.chapters.law.iso_answers import iso_tables
from sfumato.reports.release.chapters.law.wp216_answers import wp216_answers
from sfumato.reports.release.chapters.measure_figures import baseline_of, figure_of_measure
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import ReportFigure
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.question import Standard
from sfumato.reports.release.sections import Audience, Part, Prose, Subheading

NO_ADVICE = (
    "The figures below are evidence for those who answer these questions. They are not legal advice, and no "
    "figure makes data anonymous by itself."
)


def standards_section(measured: MeasuredRelease, figures: Sequence[ReportFigure]) -> Draft | None:
    """Return the section; None where no standard is asked for."""
    asked = measured.question.standards
    if not asked:
        return None
    made: list[ReportFigure] = []
    parts: list[Part] = [Prose(NO_ADVICE, audience=Audience.ALL)]
    if Standard.WP216 in asked:
        made += _attack_figures(measured, {figure.path for figure in figures})
        known = {figure.path: figure for figure in (*figures, *made)}
        parts += wp216_answers(measured, known, {figure.path for figure in made})
    if Standard.HIPAA in asked:
        more, found = hipaa_answers(measured)
        made += found
        parts += more
    if Standard.ISO27559 in asked:
        parts += [
            Subheading("ISO/IEC 27559:2022, de-identification framework", Audience.ALL),
            *iso_tables(measured),
        ]
    return draft("standards", "Questions of the law and of standards", parts, made)


def _attack_figures(measured: MeasuredRelease, known: Collection[str]) -> Iterator[ReportFigure]:
    """Yield the attacks that WP216 asks for, where the assessment did not make them."""
    for measure, found in measured.attacks:
        path = f"risk/measures/{found.symbol}"
        if path not in known:
            columns = measure.columns if isinstance(measure.columns, tuple) else ()
            has_control = measured.question.control is not None
            figure = figure_of_measure(path, measure, found, columns, has_control=has_control)
            yield figure
            if (baseline := baseline_of(measured, measure, found, figure)) is not None:
                yield baseline
