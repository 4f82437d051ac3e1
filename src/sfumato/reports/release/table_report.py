"""The release report on protected tables: the same order and the same parts as that on a file."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sfumato.catalogue.descriptions import title_of
from sfumato.display import format_count, format_percent
from sfumato.reports.release.assembly import assemble_report
from sfumato.reports.release.chapters.intruders import IN_HAND
from sfumato.reports.release.chapters.left_out import left_out_section
from sfumato.reports.release.chapters.plain_verdict import (
    DECISION,
    HEADINGS,
    INTRUDER_HEADINGS,
    NO_DECISION,
    TITLE,
    WHO_FINDS,
)
from sfumato.reports.release.chapters.provenance import Provenance, explain_methods, provenance_section
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import ReportFigure, in_sentence
from sfumato.reports.release.protected_release import ProtectedRelease
from sfumato.reports.release.published_table import amount_words, published_table, single_category_words
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
from sfumato.reports.release.table_figures import (
    FOR_THE_HOUSE,
    suppressed_amount,
    table_figures,
    tells_suppressed_amount,
)
from sfumato.reports.release.words.audit_words import (
    A_CONTRIBUTOR,
    ALONE_FINDS,
    HOW_JUDGED,
    KNOWN_COUNTS,
    NO_AUDIT,
    NO_CONTRIBUTOR,
    NOBODY_ALONE,
    NOBODY_FINDS,
    NOT_AUDITED,
    NOT_KNOWN,
    NOT_TESTED,
    NOT_THOUGHT_OF,
    PROMISED,
    RESTS_ON,
    SHARED_CELLS,
    THE_PUBLIC,
)
from sfumato.reports.release.words.table_words import (
    UNPROTECTED,
    UNSAFE,
    explain_rules,
    rule_names,
    rule_sentence,
)
from sfumato.reports.release.words.variable_names import name_with_label
from sfumato.tables import PQ, PPercent

SMALLEST_TOLD = 3  # cells: fewer are not told to everybody
FEW_PUBLISHED = 70  # percent of the cells, as the words on that figure say
MAX_CELLS = 300  # cells of a table that a page shows
MAX_TABLES = 4  # tables
HOUSE_LOSSES = "What protecting unsafe cells costs"


def build_table_report(
    release: ProtectedRelease, edition: Edition, known: Provenance, title: str, request: dict[str, Any] | None = None
) -> ReleaseReport:
    """Return the report on protected tables; see `sfumato.reports.release.build.build_report`."""
    figures = table_figures(release)
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
        _utility(release, [one for one in figures if one.path.startswith("utility/")]),
        draft(
            "untested",
            "What was not tested",
            [
                *(
                    Bullets((*_not_audited(release, nobody_alone=nobody_alone), *NOT_TESTED), audience)
                    for audience, nobody_alone in _readers(release).items()
                ),
                *([Prose(why)] if (why := _why_no_contributor(release)) else []),
            ],
        ),
        provenance_section(known),
    ]
    drafts.insert(-1, left_out_section(drafts))
    return assemble_report(
        drafts,
        edition,
        known,
        title,
        records=release.protected.problem.size,
        k=SMALLEST_TOLD,
        meets_limits=None if release.audit is None else release.is_safe,
        request=request,
        methods=explain_methods([type(release.protection)]) | explain_rules(release.rules),
        explained=("audit", "cell", "contributor", "protection level", "seed", "suppression"),
    )


def _verdict(release: ProtectedRelease) -> Draft:
    told = _readers(release)
    published = release.protected.outcome.publish(release.protected.problem)
    share = 100 * float(np.mean(~np.isnan(published)))
    many = f" Below {FEW_PUBLISHED} %: users will find many gaps." if share < FEW_PUBLISHED else ""
    second = f"Of {format_count(published.size, 'cell')}, {format_percent(share)} are published.{many}"
    hidden = int(np.isnan(published).sum())
    lost = f"{hidden:,} of {format_count(published.size, 'cell')} are not published."
    if hidden and tells_suppressed_amount(release):
        lost += f" In them stands {format_percent(suppressed_amount(release.protected))} of the amount, totals apart."
    tables = [
        WordTable(
            TITLE,
            HEADINGS,
            (
                ("Promised", PROMISED if release.is_safe and not release.tells_least_counts else "Nothing."),
                ("Lost", lost),
                ("Not known", NOT_KNOWN),
                ("Rests on", RESTS_ON),
            ),
            Audience.ALL,
        )
    ]
    intruders = [
        WordTable(WHO_FINDS, INTRUDER_HEADINGS, _judged(release, nobody_alone=nobody_alone), audience)
        for audience, nobody_alone in told.items()
    ]
    alone = single_category_words(release) if release.is_safe else ""
    return draft(
        "verdict",
        "Verdict",
        [
            *(
                Prose(_first_sentence(release, nobody_alone=nobody_alone), Emphasis.VERDICT, audience)
                for audience, nobody_alone in told.items()
            ),
            Prose(second, Emphasis.VERDICT, Audience.ALL),
            *([Prose(alone, Emphasis.NOTICE, Audience.ALL)] if alone else []),
            *intruders,
            *([Prose(HOW_JUDGED, audience=Audience.ALL)] if release.audit is not None else []),
            *tables,
            Prose(NO_DECISION, audience=Audience.PUBLIC),
            DECISION,
        ],
    )


def _first_sentence(release: ProtectedRelease, *, nobody_alone: bool) -> str:
    if release.audit is None:
        return "No rule says which cells are unsafe, so that nothing could be proved of these tables."
    if not release.is_safe:
        return (
            "The tables are NOT SAFE by the rules that were set: somebody in the audit comes too near to an unsafe "
            "cell."
        )
    if release.tells_least_counts:
        return f"The counts are NOT SHOWN TO BE SAFE: {KNOWN_COUNTS}"
    return f"The amounts are safe against {_whom(release)}; other contributors were not audited."


def _judged(release: ProtectedRelease, *, nobody_alone: bool) -> tuple[tuple[str, str, str], ...]:
    """Return a line for each who may try to work out a cell: how the tables stand against them, and why."""
    is_safe = release.is_safe and not release.tells_least_counts
    finds = "come no nearer to an unsafe cell than its rule allows" if is_safe else "come too near to an unsafe cell"
    if release.audit is None:
        stands, finds = "not audited", "nothing is known, as no rule says what is unsafe"
    elif not release.is_safe:
        stands = "NOT safe, from one of these at least"
    else:
        stands = "safe" if is_safe else "not shown to be safe"
        finds = finds if is_safe else "may work out small counts, as each is known to be at least 1"
    rows = [("The public", stands, finds)]
    if release.has_insiders:
        rows.append(("Contributors who are alone in a cell", stands, finds))
    elif nobody_alone:
        rows.append(("Contributors who are alone in a cell", "not in question", NOBODY_FINDS))
    elif release.audit is not None:
        rows.append(("Contributors who are alone in a cell", "not audited", ALONE_FINDS))
    together = "nobody looked at several cells together"
    rows.append(("Contributors who share a cell", "not audited", f"{_by_rule(release)}{together}"))
    rows.append(("Contributors who tell each other what they gave", "not audited", "nothing is known"))
    return tuple(rows)


def _by_rule(release: ProtectedRelease) -> str:
    """Return by which rule contributors to a cell are kept from each other, where one is made for that."""
    rules = [rule for rule in release.rules if isinstance(rule, PPercent | PQ)]
    return f"kept from each other cell by cell by {rule_names(rules)}; " if rules and release.is_safe else ""


def _whom(release: ProtectedRelease) -> str:
    return "the public and contributors who are alone in a cell" if release.has_insiders else "the public"


def _intruders(release: ProtectedRelease) -> tuple[tuple[str, ...], ...]:
    return (THE_PUBLIC, A_CONTRIBUTOR) if release.has_insiders else (THE_PUBLIC,)


def _readers(release: ProtectedRelease) -> dict[Audience, bool]:
    """Return for whom there are words, and whether they say that nobody is alone in a cell: only the house may know."""
    if _why_no_contributor(release) == NOBODY_ALONE:
        return {Audience.HOUSE: True, Audience.PUBLIC: False}
    return {Audience.ALL: False}


def _not_audited(release: ProtectedRelease, *, nobody_alone: bool) -> tuple[str, ...]:
    if release.audit is None:
        return (NO_AUDIT,)
    return (SHARED_CELLS,) if release.has_insiders or nobody_alone else (NO_CONTRIBUTOR, SHARED_CELLS)


def _why_no_contributor(release: ProtectedRelease) -> str:
    """Return why no contributor was in the audit, for the house: whether there is none, or nobody thought of them."""
    if release.audit is None or release.has_insiders:
        return ""
    if not release.protection.suppresses:
        return NOT_AUDITED
    return NOBODY_ALONE if release.looks_for_insiders else NOT_THOUGHT_OF


def _contents(release: ProtectedRelease) -> Draft:
    tables = tuple(zip(release.names, release.protected.tables, strict=True))
    rows = tuple(
        (
            name,
            " by ".join(name_with_label(release.schema, one) for one in table.names),
            amount_words(release, table),
            format_count(table.size, "cell"),
        )
        for name, table in tables
    )
    done = f"Protected by {in_sentence(title_of(type(release.protection)))}."
    parts: list[Part] = [
        WordTable("Tables", ("table", "by", "shows", "size"), rows, Audience.ALL),
        Prose(done, audience=Audience.ALL),
    ]
    if release.rules:
        parts += [
            Bullets(tuple(map(rule_sentence, release.rules))),
            Prose(
                f"Unsafe cells are found by {rule_names(release.rules)}; parameters are confidential.",
                audience=Audience.PUBLIC,
            ),
        ]
    if release.is_safe:
        parts += [
            published_table(release, number, name)
            for number, (name, table) in enumerate(tables[:MAX_TABLES])
            if table.size <= MAX_CELLS
        ]
    return draft("contents", "What is released", parts)


def _risk(release: ProtectedRelease, figures: Sequence[ReportFigure]) -> Draft:
    known = {figure.path for figure in figures}
    rows = [FigureRow(UNSAFE.label, ("risk/unsafe/before",), "risk/unsafe/before")]
    parts: list[Part] = [FigureTable("Unsafe cells before protection", ("found",), tuple(rows))]
    if "risk/unsafe/after" in known:
        after = FigureRow(UNPROTECTED.label, ("risk/unsafe/after",), "risk/unsafe/after")
        parts.append(
            FigureTable("After protection, by an audit", ("found",), (after,), Audience.ALL, public_columns=(0,))
        )
    widths = [figure for figure in figures if figure.path.startswith("risk/interval/")]
    if widths:
        rows = [FigureRow(one.label, (one.path,), one.path) for one in widths]
        parts.append(FigureTable("How near the nearest comes", ("found",), tuple(rows)))
    parts += [Bullets(release.facts)] if release.facts else []
    return draft("risk", "Risk, before and after", parts, figures)


def _utility(release: ProtectedRelease, figures: Sequence[ReportFigure]) -> Draft:
    overall = [figure for figure in figures if not figure.path.startswith("utility/tables/")]
    kept_back = FOR_THE_HOUSE[:1] if tells_suppressed_amount(release) else FOR_THE_HOUSE
    for_all = [figure for figure in overall if figure.path not in kept_back]
    secondary = [figure for figure in overall if figure.path in kept_back]
    parts: list[Part] = [
        FigureTable(
            title,
            ("found",),
            tuple(FigureRow(one.label, (one.path,), one.path) for one in some),
            audience,
            public_columns=(0,),
        )
        for title, some, audience in (("", for_all, Audience.ALL), (HOUSE_LOSSES, secondary, Audience.HOUSE))
    ]
    if len(overall) < len(figures):
        rows = tuple(
            FigureRow(name, (f"utility/tables/{name}/cells", f"utility/tables/{name}/published"))
            for name in release.names
        )
        parts.append(FigureTable("Table by table", ("cells", "published"), rows, Audience.ALL, public_columns=(0, 1)))
    return draft("utility", "Utility: what was lost", parts, figures)
