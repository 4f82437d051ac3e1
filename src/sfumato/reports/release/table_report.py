"""The release report on protected tables: the same order and the same parts as that on a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.catalogue.descriptions import title_of
from sfumato.display import format_count
from sfumato.reports.release.chapters.intruders import IN_HAND
from sfumato.reports.release.chapters.provenance import Provenance, glossary_section, provenance_section
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, in_sentence, make_figure
from sfumato.reports.release.public_edition import make_edition
from sfumato.reports.release.question import Edition
from sfumato.reports.release.release_report import ReleaseReport
from sfumato.reports.release.sections import (
    Audience,
    Bullets,
    Emphasis,
    FigureRow,
    FigureTable,
    Part,
    Prose,
    WordTable,
)
from sfumato.tables import ProtectedTables, Protection
from sfumato.tables.audit.findings import Audit
from sfumato.tables.cells.table import Table

SMALLEST_TOLD = 3  # cells: fewer are not told to everybody
CELLS = Words(
    "Cells",
    "The tables have {value}, those that several share counted once.",
    "As many as users need.",
    "Many more than users need: each one helps an intruder.",
    "The number of cells, totals included.",
    "record",
)
UNSAFE = Words(
    "Unsafe cells",
    "{value} would tell too much of a contributor if they were published.",
    "Few.",
    "Many: the table is too fine for its contributors.",
    "The number of cells that a rule calls unsafe, or that were given as such.",
    "small cells",
)
UNPROTECTED = Words(
    "Unsafe cells that are not protected",
    "{value} can be worked out, or nearly, by some intruder from what is published.",
    "None.",
    "Any.",
    "The number of unsafe cells for which linear programmes find that some intruder comes nearer than the protection "
    "level allows.",
    "small cells",
)
SUPPRESSED = Words(
    "Cells not published",
    "{value} are not published.",
    "Few more than the unsafe ones.",
    "Many: the table says little.",
    "The number of cells that are suppressed, unsafe ones and those that protect them.",
    "suppression",
)
SECONDARY = Words(
    "Cells suppressed to protect others",
    "{value} are suppressed only so that unsafe ones cannot be worked out.",
    "Few.",
    "Many: totals and hierarchies force them, or a coarser table would serve better.",
    "The number of suppressed cells that are not unsafe themselves.",
    "suppression",
)
PUBLISHED = Words(
    "Published cells",
    "{value} of the cells are published.",
    "Above 90 %.",
    "Below 70 %: users will find many gaps.",
    "The share of cells whose figure is published, exact or changed.",
    "suppression",
)
CHANGED = Words(
    "Change of published cells",
    "Published figures differ from the true ones by {value} on average.",
    "0 % where cells are suppressed only; a few percent where they are rounded or adjusted.",
    "Tens of percent.",
    "The sum of the absolute differences between published and true figures of published cells, in percent of the "
    "sum of the true ones.",
    "information loss",
)
THE_PUBLIC = (
    "The public",
    "what is published, that figures are not negative, and how tables add up",
    "to work out a cell",
)
A_CONTRIBUTOR = (
    "A contributor",
    "the same, and their own contribution where they are alone in a cell",
    "to work out others",
)
NO_CONTRIBUTOR = (
    "Contributors who know what they gave: the audit had none, as the specification asks for none or nobody is alone "
    "in a cell."
)
NO_AUDIT = "Whether anybody can work out a cell: no rule says which cells are unsafe, so that there was no audit."
NOT_TESTED = (
    "Other releases: whoever has another table of the same contributors, not named as an earlier release, may "
    "learn more.",
    "Contributors who tell each other what they contributed, unless a rule says so.",
    "Figures that somebody knows from annual reports or registers.",
    "What is published of the same records by another office.",
)


@dataclass(frozen=True, eq=False)
class ProtectedRelease:
    """What is reported on.

    Parameters
    ----------
    names, protected
        The tables by name, and what the protection made of them.
    protection
        The protection.
    audit
        What intruders can conclude; None where no rule says what is unsafe.
    facts
        Sentences on what was done and what the audit found, for the house.
    """

    names: tuple[str, ...]
    protected: ProtectedTables
    protection: Protection
    audit: Audit | None
    facts: tuple[str, ...] = ()

    @property
    def is_safe(self) -> bool:
        """Whether the audit found every unsafe cell protected."""
        return self.audit is not None and self.audit.is_safe

    @property
    def has_insiders(self) -> bool:
        """Whether the audit looked at contributors who know cells, beside the outsider."""
        return self.audit is not None and len(self.audit.problem.intruders) > 1


def build_table_report(
    release: ProtectedRelease, edition: Edition, known: Provenance, title: str, request: dict[str, Any] | None = None
) -> ReleaseReport:
    """Return the report on protected tables; see `sfumato.reports.release.build.build_report`."""
    figures = _figures(release)
    drafts: list[Draft] = [
        _verdict(release),
        _contents(release),
        draft(
            "intruders",
            "Who might attack, and what they know",
            [
                Prose(IN_HAND, audience=Audience.ALL),
                WordTable("", ("intruder", "knows", "wants"), _intruders(release), Audience.ALL),
            ],
        ),
        _risk(release, [one for one in figures if one.path.startswith("risk/")]),
        _utility([one for one in figures if one.path.startswith("utility/")]),
        draft("untested", "What was not tested", [Bullets((*_not_audited(release), *NOT_TESTED), Audience.ALL)]),
        provenance_section(known),
    ]
    shown = make_edition(drafts, edition, records=release.protected.problem.size, k=SMALLEST_TOLD)
    told = tuple(figure for one in shown for figure in one.figures)
    glossary = glossary_section([figure.term for figure in told])
    return ReleaseReport(
        title=title,
        edition=edition,
        date=known.date,
        author=known.author,
        versions=known.versions,
        sections=(*(one.section for one in shown), glossary.section),
        figures=told,
        meets_limits=release.audit is None or release.is_safe,
        files=tuple(one for one in known.files if edition is Edition.INTERNAL),
        request=request or {},
    )


def _verdict(release: ProtectedRelease) -> Draft:
    if release.audit is None:
        first = "No rule says which cells are unsafe, so that nothing could be proved of these tables."
    elif release.is_safe:
        first = "The tables are safe by the rules that were set: nobody in the audit comes too near to an unsafe cell."
    else:
        first = (
            "The tables are NOT SAFE by the rules that were set: somebody in the audit comes too near to an unsafe "
            "cell."
        )
    published = release.protected.outcome.publish(release.protected.problem)
    share = 100 * float(np.mean(~np.isnan(published)))
    second = f"Of {format_count(published.size, 'cell')}, {share:.0f} % are published."
    return draft(
        "verdict",
        "Verdict",
        [Prose(first, Emphasis.VERDICT, Audience.ALL), Prose(second, Emphasis.VERDICT, Audience.ALL)],
    )


def _intruders(release: ProtectedRelease) -> tuple[tuple[str, ...], ...]:
    return (THE_PUBLIC, A_CONTRIBUTOR) if release.has_insiders else (THE_PUBLIC,)


def _not_audited(release: ProtectedRelease) -> tuple[str, ...]:
    if release.audit is None:
        return (NO_AUDIT,)
    return () if release.has_insiders else (NO_CONTRIBUTOR,)


def _contents(release: ProtectedRelease) -> Draft:
    rows = tuple(
        (name, _dimensions(table), table.value_name or "number of records", format_count(table.size, "cell"))
        for name, table in zip(release.names, release.protected.tables, strict=True)
    )
    done = title_of(type(release.protection))
    return draft(
        "contents",
        "What is released",
        [
            WordTable("Tables", ("table", "by", "shows", "size"), rows, Audience.ALL),
            Prose(f"Protected by {in_sentence(done)}.", audience=Audience.ALL),
        ],
    )


def _dimensions(table: Table) -> str:
    return " x ".join(table.names)


def _figures(release: ProtectedRelease) -> tuple[ReportFigure, ...]:
    protected, problem = release.protected, release.protected.problem
    published = protected.outcome.publish(problem)
    shown = ~np.isnan(published)
    total = float(np.abs(problem.values[shown]).sum())
    change = 100 * float(np.abs(published[shown] - problem.values[shown]).sum()) / total if total else 0.0
    made = [
        ("risk/unsafe/before", problem.primaries.size, "cells", UNSAFE, Side.ORIGINAL),
        ("utility/cells", problem.size, "cells", CELLS, Side.RELEASED),
        ("utility/suppressed", int((~shown).sum()), "cells", SUPPRESSED, Side.RELEASED),
        ("utility/secondary", protected.secondaries, "cells", SECONDARY, Side.RELEASED),
        ("utility/published", 100 * float(shown.mean()), PERCENT, PUBLISHED, Side.RELEASED),
        ("utility/change", change, PERCENT, CHANGED, Side.BOTH),
    ]
    if release.audit is not None:
        made.append(("risk/unsafe/after", release.audit.failing.size, "cells", UNPROTECTED, Side.RELEASED))
    return tuple(
        make_figure(path, value, unit, words, Origin("table", side, release.names))
        for path, value, unit, words, side in made
    )


def _risk(release: ProtectedRelease, figures: Sequence[ReportFigure]) -> Draft:
    known = {figure.path for figure in figures}
    rows = [FigureRow(UNSAFE.label, ("risk/unsafe/before",), "risk/unsafe/before")]
    parts: list[Part] = [FigureTable("Before protection", ("found",), tuple(rows))]
    if "risk/unsafe/after" in known:
        after = FigureRow(UNPROTECTED.label, ("risk/unsafe/after",), "risk/unsafe/after")
        parts.append(
            FigureTable("After protection, by an audit", ("found",), (after,), Audience.ALL, public_columns=(0,))
        )
    parts += [Bullets(release.facts)] if release.facts else []
    return draft("risk", "Risk, before and after", parts, figures)


def _utility(figures: Sequence[ReportFigure]) -> Draft:
    for_all = [figure for figure in figures if figure.path != "utility/secondary"]
    secondary = [figure for figure in figures if figure.path == "utility/secondary"]
    tables = [(for_all, Audience.ALL), (secondary, Audience.HOUSE)]
    parts = [
        FigureTable(
            "",
            ("found",),
            tuple(FigureRow(one.label, (one.path,), one.path) for one in some),
            audience,
            public_columns=(0,),
        )
        for some, audience in tables
    ]
    return draft("utility", "Utility: what was lost", parts, figures)
