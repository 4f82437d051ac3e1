"""A protected file as text and as a page: what was done, what it cost, and the risk before and after."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from sfumato.assessment.rendering import format_ends
from sfumato.catalogue.descriptions import describe, plain_meaning, title_of
from sfumato.comparison.kept_values import kept_value_notices
from sfumato.contracts import MaskingMethod
from sfumato.display import (
    Column,
    Row,
    Table,
    as_sentence,
    bullet_list,
    detail_column,
    format_count,
    format_percent,
    header_column,
    heading,
    numbered_list,
    paragraph,
    render_notebook,
    render_page,
    text_column,
    wrap_text,
)
from sfumato.keys.classes import MissingKeys
from sfumato.keys.findings.causes import BY_KEYS
from sfumato.loss import LOSSES, Suppressions
from sfumato.parameters.limits import SUPPRESSED
from sfumato.protection.intruders import HEADING, intruder_sentences
from sfumato.reports.risk_page import limit_section, risk_sections
from sfumato.reports.risk_text import format_figure
from sfumato.risk import RISKS

if TYPE_CHECKING:
    from sfumato.protection.protected import Protected
    from sfumato.reports.checked_limits import CheckedLimit

LOST = "Information loss, in the columns that kept their kind"
LEARNT = "What an intruder who knows the numbers still learns"
BUT = "What does not hold, as the notes explain:"
WHOLE = (
    "Where that is too much, protect whole records (the option whole_records): each is then equal to at least "
    "{others} others in every column that is released, whatever somebody knows, and much of the detail is lost."
)
INSIDE = (
    "This page shows categories and counts of the original file too: it is for those who decide on the release and not "
    "for publication."
)


def render_text(protected: "Protected") -> str:
    """Return what was done and the risk before and after it, as text."""
    return "\n".join(_lines(protected))


def render_html(protected: "Protected", title: str) -> str:
    """Return the page."""
    return render_page(title, _sections(protected), notice=INSIDE)


def render_cell(protected: "Protected") -> str:
    """Return what a notebook shows."""
    tables = [_risk_table(protected), _key_table(protected)]
    return render_notebook([*_verdict_in_html(protected), *(table.to_html() for table in tables)])


def describe_step(step: MaskingMethod) -> str:
    """Return a step in words: what is done to which columns."""
    columns = step.columns if isinstance(step.columns, tuple) else (str(step.columns),)
    detail = f" ({step.detail()})" if step.detail() else ""
    return f"{title_of(type(step))}: {', '.join(columns)}{detail}"


def verdict(protected: "Protected") -> str:
    """Return what holds for the protected file, and whether it took more suppression than was asked for.

    What does not hold stands below it, in a list of its own.
    """
    return f"{_verdict_on_keys(protected)} {_verdict_on_suppression(protected)}"


def _verdict_in_html(protected: "Protected") -> Iterator[str]:
    yield paragraph(verdict(protected))
    if protected.alarms:
        yield paragraph(BUT)
        yield bullet_list(protected.alarms)
        yield from map(paragraph, _advice(protected))


def _advice(protected: "Protected") -> Iterator[str]:
    """Yield what to do where alarms are too many, unless it was done."""
    if not protected.whole_records:
        yield WHOLE.format(others=protected.after.k - 1)


def _verdict_on_suppression(protected: "Protected") -> str:
    suppressed, most = format_percent(protected.suppressed), format_percent(protected.max_suppressed)
    if protected.whole_records and not protected.limits_suppression:
        return f"{suppressed} of the key values became gaps."
    if not protected.exceeds_suppression:
        asked = "asked for" if protected.limits_suppression else "aimed at"
        return f"{suppressed} of the key values are suppressed, within the {most} {asked}."
    hints = f", {protected.hinted:,} of them by hint suppression" if protected.hinted else ""
    more = f"MORE THAN THE {most} ASKED FOR" if protected.limits_suppression else f"MORE THAN THE {most} AIMED AT"
    return f"{suppressed} of the key values are suppressed{hints}, {more}: see the notes."


def _verdict_on_keys(protected: "Protected") -> str:
    k, alone = protected.after.k, protected.promises[0].violations[MissingKeys.CATEGORY]
    records, by = format_count(protected.data.n, "record"), f"by sfumato {version('sfumato')}"
    done = f"{records}, protected with k = {k} {by}: "
    if not protected.after.meets_limits:
        checked = protected.after.limits
        unmet = ", ".join(f"{one.limit_text} is not met ({one.finding})" for one in checked if not one.is_met)
        done = f"{records}, NOT PROTECTED AS ASKED ({by}): {unmet}. By the keys alone, "
    if protected.whole_records:
        done = done.removesuffix("By the keys alone, ")
        return f"{done}each record is equal to at least {k - 1} others in every column that is released, gaps included."
    known = "its keys" if protected.knows_all_keys else "those of its keys that are known together"
    if not alone:
        return f"{done}each record has {known}, gaps included, in common with at least {k - 1} others."
    whoever = "whoever knows all keys of such a person may look for the gap"
    side = protected.side
    if side is None or side.persons:
        whoever += ", which strict protection prevents"
    else:
        whoever += f", and is left with {k} records all the same by what was looked for, those with other gaps included"
    if not protected.knows_all_keys:
        whoever = "whoever knows these of such a person may look for the gap"
    return (
        f"{done}what each record shows of {known} fits at least {k} records, a gap fitting every value. Where a gap "
        f"is a value of its own, {format_count(int(alone), 'record')} {'is' if alone == 1 else 'are'} in groups of "
        f"fewer than {k}: {whoever}."
    )


def _risk_table(protected: "Protected") -> Table:
    """Return the figures that both reports have, before and after."""
    after = {figure.name: figure for figure in protected.after.figures}
    rows: list[Row] = [
        (figure.name, format_figure(figure), format_figure(after[figure.name]), figure.meaning)
        for figure in protected.before.figures
        if figure.name in after
    ]
    return Table((header_column("figure"), Column("before"), Column("after"), text_column()), tuple(rows))


def _key_table(protected: "Protected") -> Table:
    """Return what became of each key."""
    columns = (
        Column("values before"),
        Column("values after"),
        Column("suppressed", unit="%"),
        Column("lost", unit="%"),
    )
    rows: list[Row] = [
        (row.key, row.different_before, row.different_after, row.suppressed, row.loss) for row in protected.keys
    ]
    rows.append(("all keys", "", "", protected.suppressed, protected.key_loss))
    return Table((header_column("key"), *columns), tuple(rows), totals=frozenset({len(rows) - 1}))


def _measure_tables(protected: "Protected") -> dict[str, Table]:
    """Return what was measured by its heading: symbol, figure, and what the measure does."""
    rows: dict[str, list[Row]] = {LOST: [], LEARNT: []}
    for found in protected.assessment.measurements:
        measure = LOSSES.get(found.name) or RISKS[found.name]
        if measure is not Suppressions:  # the table of keys has it, key by key
            meaning = f"{found.name.replace('_', ' ')}. {plain_meaning(describe(measure))}"
            row = (found.symbol, f"{format_ends(found)} {found.unit}", meaning)
            rows[LOST if found.name in LOSSES else LEARNT].append(row)
    columns = (header_column(), Column(), detail_column())
    return {title: Table(columns, tuple(found)) for title, found in rows.items() if found}


def _lines(protected: "Protected") -> Iterator[str]:
    yield wrap_text(verdict(protected))
    if protected.alarms:
        yield wrap_text(BUT)
        yield from (wrap_text(f"- {alarm}") for alarm in protected.alarms)
        yield from map(wrap_text, _advice(protected))
    yield from (_limit_line(one, knows_all_keys=protected.knows_all_keys) for one in protected.after.limits)
    yield wrap_text(protected.after.counted_as)
    yield ""
    yield from (wrap_text(f"Note: {remark}.") for remark in protected.remarks)
    yield from [""] if protected.remarks else []
    yield "What was done"
    yield from (f"  {step}" for step in map(describe_step, protected.recipe.steps))
    yield ""
    risk = replace(_risk_table(protected), title="Risk")
    yield risk.take_columns([0, 1, 2]).to_text()
    yield ""
    yield replace(_key_table(protected), title="Keys").to_text()
    for title, table in _measure_tables(protected).items():
        yield ""
        yield replace(table, title=title).to_text()
    yield ""
    yield HEADING
    yield from (wrap_text(f"- {sentence}") for sentence in intruder_sentences(protected))
    yield ""
    yield wrap_text(_unchanged(protected))


def _limit_line(checked: "CheckedLimit", *, knows_all_keys: bool) -> str:
    """Return a limit, what the file has, and whether the protection aims at it or it is only measured."""
    met = "met" if checked.is_met else "NOT MET"
    how, silence = f"measured and {met}", ""
    if checked.causes:
        how = f"measured, and {met} against {'; '.join(cause.against for cause in checked.causes)}"
    if checked.limit.figure == SUPPRESSED:
        how = f"{met}, with what other columns make necessary"
    if checked.limit.is_lower:
        scope, _, silence = checked.scope.partition("; ")
        how = (
            f"{met} by design, {'' if knows_all_keys else 'of keys that are known together, '}{scope}"
            if checked.is_met
            else f"{met} against {'; '.join(cause.against for cause in checked.causes or (BY_KEYS,))}"
        )
    said = f"; {silence}" if silence and checked.is_met else ""
    return f"Limit {checked.limit_text}: {how} ({checked.reason or checked.figure_text}){said}"


def _sections(protected: "Protected") -> Iterator[str]:
    yield from _verdict_in_html(protected)
    yield paragraph(protected.after.counted_as)
    yield from limit_section(protected.after)
    if protected.remarks:
        yield heading("Notes, to be read before the file is released")
        yield bullet_list(as_sentence(f"{remark}.") for remark in protected.remarks)
    yield heading(HEADING)
    yield bullet_list(intruder_sentences(protected))
    yield heading("What was done")
    yield numbered_list(map(describe_step, protected.recipe.steps))
    yield heading("Risk before and after")
    yield _risk_table(protected).to_html()
    yield heading("What became of the keys")
    yield _key_table(protected).to_html()
    for title, table in _measure_tables(protected).items():
        yield heading(title)
        yield table.to_html()
    yield paragraph(_unchanged(protected))
    for when, report in (("before", protected.before), ("after", protected.after)):
        yield heading(f"The keys {when} protection", 1)
        yield from risk_sections(report)


def _unchanged(protected: "Protected") -> str:
    """Return which columns, and which part of the values of others, are released as they were."""
    unchanged = f"Released as they were: {', '.join(protected.unchanged) or 'no column'}."
    return " ".join([unchanged, *kept_value_notices(protected.unchanged_percent)])
