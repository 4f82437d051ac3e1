"""The section on the trade-off: the alternatives that a study compared, with the chosen one marked."""

from sfumato.display import format_count, format_number
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.question import TradeOff
from sfumato.reports.release.sections import Chart, ChartKind, Prose

NO_STUDY = (
    "No study of alternatives was given, so that this report cannot show whether another way to protect the file would "
    "have lost less at the same risk."
)


def trade_off_section(measured: MeasuredRelease) -> Draft:
    """Return the section."""
    found = measured.question.trade_off
    title = "The trade-off: alternatives"
    if found is None:
        return draft("trade_off", title, [Prose(NO_STUDY)])
    values = measured.assessment.values
    chosen = None
    if found.risk in values and found.loss in values:
        chosen = {"risk": values[found.risk], "loss": values[found.loss]}
    return draft("trade_off", title, [_chart(found, chosen)])


def _chart(found: TradeOff, chosen: dict[str, float] | None) -> Chart:
    front = sum(one.is_on_front for one in found.alternatives)
    sentence = (
        f"{format_count(len(found.alternatives), 'alternative')} compared; {front:,} of them, joined by the line, are "
        f"beaten by none in both risk and loss. Lower left is better."
    )
    if chosen is not None:
        sentence += (
            f" The star is this release: {found.risk_title}: {format_number(chosen['risk'])}; "
            f"{found.loss_title}: {format_number(chosen['loss'])}. "
            f"It was measured for this report; where the study took other columns the two compare roughly only."
        )
    return Chart(
        ChartKind.MAP,
        "trade_off/map",
        "Risk against loss of the alternatives",
        sentence,
        f"A map of alternatives: {found.loss_title} across, {found.risk_title} up. {sentence}",
        f"{found.risk_title}; {found.loss_title}",
        f"{found.risk_title} against {found.loss_title}, as the study measured them.",
        {
            "risk_title": found.risk_title,
            "loss_title": found.loss_title,
            "alternatives": [vars(one) for one in found.alternatives],
            "chosen": chosen,
        },
    )
