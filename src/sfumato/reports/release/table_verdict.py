"""The verdict on protected tables: against whom they are safe, in a line for each, and what was lost."""

import numpy as np

from sfumato.display import format_count, format_percent
from sfumato.reports.release.chapters.plain_verdict import (
    DECISION,
    HEADINGS,
    INTRUDER_HEADINGS,
    KEEP_SECRET,
    NO_DECISION,
    TITLE,
    WHO_FINDS,
)
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.protected_release import ProtectedRelease
from sfumato.reports.release.published_table import single_category_words
from sfumato.reports.release.sections import (
    Audience,
    Emphasis,
    Prose,
    WordTable,
)
from sfumato.reports.release.table_figures import (
    suppressed_amount,
    tells_suppressed_amount,
)
from sfumato.reports.release.words.audit_words import (
    ALONE_FINDS,
    HOW_JUDGED,
    KNOWN_COUNTS,
    NOBODY_ALONE,
    NOBODY_FINDS,
    NOT_AUDITED,
    NOT_KNOWN,
    NOT_THOUGHT_OF,
    PROMISED,
    RESTS_ON,
    SECRETS,
)
from sfumato.reports.release.words.table_words import (
    rule_names,
)
from sfumato.tables import PQ, PPercent

FEW_PUBLISHED = 70  # percent of the cells, as the words on that figure say


def table_verdict(release: ProtectedRelease) -> Draft:
    """Return the section."""
    told = readers_of(release)
    published = release.protected.outcome.publish(release.protected.problem)
    share = 100 * float(np.mean(~np.isnan(published)))
    many = f" Below {FEW_PUBLISHED} %: users will find many gaps." if share < FEW_PUBLISHED else ""
    second = f"Of {format_count(published.size, 'cell')}, {format_percent(share)} are published.{many}"
    hidden = int(np.isnan(published).sum())
    lost = f"{hidden:,} of {format_count(published.size, 'cell')} are not published."
    if hidden and tells_suppressed_amount(release):
        lost += f" In them stands {format_percent(suppressed_amount(release.protected))} of the amount, totals apart."
    rows = (
        ("Promised", PROMISED if release.is_safe and not release.tells_least_counts else "Nothing."),
        ("Lost", lost),
        ("Not known", NOT_KNOWN),
        ("Rests on", RESTS_ON),
    )
    tables = [
        WordTable(TITLE, HEADINGS, (*rows, (KEEP_SECRET, SECRETS))),
        WordTable(TITLE, HEADINGS, rows, Audience.PUBLIC),
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
    others = "other contributors" if release.has_insiders else "contributors"
    if nobody_alone:
        others = "contributors who share a cell"
    return (
        f"The amounts are safe against {_whom(release)}, from {_this(release)} alone; {others} were not audited, and "
        f"files or tables of the same persons were not looked for."
    )


def _this(release: ProtectedRelease) -> str:
    return "this table" if len(release.names) == 1 else "these tables"


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


def readers_of(release: ProtectedRelease) -> dict[Audience, bool]:
    """Return for whom there are words, and whether they say that nobody is alone in a cell: only the house may know."""
    if why_no_contributor(release) == NOBODY_ALONE:
        return {Audience.HOUSE: True, Audience.PUBLIC: False}
    return {Audience.ALL: False}


def why_no_contributor(release: ProtectedRelease) -> str:
    """Return why no contributor was in the audit, for the house: whether there is none, or nobody thought of them."""
    if release.audit is None or release.has_insiders:
        return ""
    if not release.protection.suppresses:
        return NOT_AUDITED
    return NOBODY_ALONE if release.looks_for_insiders else NOT_THOUGHT_OF
