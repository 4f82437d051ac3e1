"""Put a report together: make the edition, explain the words that it uses, and say how it came to be."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.reports.release.chapters.provenance import ALWAYS_EXPLAINED, RELEASED, Provenance, glossary_section
from sfumato.reports.release.draft import Draft
from sfumato.reports.release.public_edition import make_edition
from sfumato.reports.release.question import Edition
from sfumato.reports.release.release_report import ReleaseReport
from sfumato.reports.release.words.glossary import WORDS_OF_REMARKS


def assemble_report(
    drafts: Sequence[Draft],
    edition: Edition,
    known: Provenance,
    title: str,
    *,
    records: int,
    k: int,
    meets_limits: bool | None,
    shows_leak: bool | None = None,
    request: dict[str, Any] | None = None,
    explained: Sequence[str] = ALWAYS_EXPLAINED,
    methods: Mapping[str, str],
) -> ReleaseReport:
    """Return the report that some sections make.

    Parameters
    ----------
    drafts
        The sections, in a board's order, with all their parts and figures.
    edition, records, k
        As in `make_edition`.
    known, title
        How the report came to be, and what it is called.
    meets_limits, shows_leak, request
        As in `ReleaseReport`.
    explained
        Words of the glossary beside those of the figures.
    methods
        What the methods and rules that the report names do, by what it calls them.
    """
    shown = make_edition(drafts, edition, records=records, k=k)
    figures = tuple(figure for one in shown for figure in one.figures)
    used = [word for word in WORDS_OF_REMARKS if any(word in figure.remark for figure in figures)]
    glossary = glossary_section([*(figure.term for figure in figures), *explained, *used], methods)
    return ReleaseReport(
        title=title,
        edition=edition,
        date=known.date,
        author=known.author,
        versions=known.versions,
        sections=(*(one.section for one in shown), glossary.section),
        figures=figures,
        meets_limits=meets_limits,
        shows_leak=shows_leak,
        files=tuple(one for one in known.files if edition is Edition.INTERNAL or one.role.startswith(RELEASED)),
        request=request or {},
    )
