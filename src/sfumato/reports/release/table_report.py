"""The release report on protected tables: the same order and the same parts as that on a file."""

from collections.abc import Sequence
from typing import Any

from sfumato.catalogue.descriptions import title_of
from sfumato.display import format_count
from sfumato.reports.release.assembly import assemble_report
from sfumato.reports.release.chapters.intruders import IN_HAND
from sfumato.reports.release.chapters.left_out import WHO_IS_ALONE, left_out_section
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
    FigureRow,
    FigureTable,
    Part,
    Prose,
    WordTable,
)
from sfumato.reports.release.table_figures import (
    FOR_THE_HOUSE,
    table_figures,
    tells_suppressed_amount,
)
from sfumato.reports.release.table_verdict import readers_of, table_verdict, why_no_contributor
from sfumato.reports.release.words.audit_words import (
    A_CONTRIBUTOR,
    NO_AUDIT,
    NO_CONTRIBUTOR,
    NOT_TESTED,
    SHARED_CELLS,
    THE_PUBLIC,
    WHO_ELSE_IS_THERE,
    WHO_IS_THERE,
)
from sfumato.reports.release.words.table_words import (
    UNPROTECTED,
    UNSAFE,
    explain_rules,
    rule_names,
    rule_sentence,
)
from sfumato.reports.release.words.variable_names import name_with_label

SMALLEST_TOLD = 3  # cells: fewer are not told to everybody
MAX_CELLS = 300  # cells of a table that a page shows
MAX_TABLES = 4  # tables
CHEAPEST, CHEAPEST_HERE = "costs less.", "costs less, by what the protection counts each suppressed cell as."
"""What is said of the choice of cells, and what it says to those who do not know what a cost is here."""
HOUSE_LOSSES = "What protecting unsafe cells costs"


def build_table_report(
    release: ProtectedRelease, edition: Edition, known: Provenance, title: str, request: dict[str, Any] | None = None
) -> ReleaseReport:
    """Return the report on protected tables; see `sfumato.reports.release.build.build_report`."""
    figures = table_figures(release)
    drafts: list[Draft] = [
        table_verdict(release),
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
                    Bullets(
                        (*_not_audited(release, nobody_alone=nobody_alone), _who_is_there(release), *NOT_TESTED),
                        audience,
                    )
                    for audience, nobody_alone in readers_of(release).items()
                ),
                *([Prose(why)] if (why := why_no_contributor(release)) else []),
            ],
        ),
        provenance_section(known),
    ]
    drafts.insert(-1, left_out_section(drafts, further=() if release.has_insiders else (WHO_IS_ALONE,)))
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


def _intruders(release: ProtectedRelease) -> tuple[tuple[str, ...], ...]:
    return (THE_PUBLIC, A_CONTRIBUTOR) if release.has_insiders else (THE_PUBLIC,)


def _not_audited(release: ProtectedRelease, *, nobody_alone: bool) -> tuple[str, ...]:
    if release.audit is None:
        return (NO_AUDIT,)
    return (SHARED_CELLS,) if release.has_insiders or nobody_alone else (NO_CONTRIBUTOR, SHARED_CELLS)


def _who_is_there(release: ProtectedRelease) -> str:
    """Return that nobody looked who is there; rows that tell it of all in them are named in the verdict, where any."""
    return WHO_ELSE_IS_THERE if release.is_safe and single_category_words(release) else WHO_IS_THERE


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
        of_amounts = any(table.value_name is not None for table in release.protected.tables)
        parts += [
            Bullets(tuple(rule_sentence(one, of_amounts=of_amounts) for one in release.rules)),
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
    parts += [Bullets(tuple(one.replace(CHEAPEST, CHEAPEST_HERE) for one in release.facts))] if release.facts else []
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
