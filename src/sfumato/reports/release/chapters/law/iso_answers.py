"""Which parts of a report answer the headings of ISO/IEC 27559, and which it leaves to the house."""

from collections.abc import Iterator

from sfumato.contracts import ControlledRisk
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, WordTable
from sfumato.risk import DistanceLinkage, WorstCaseLinkage

TITLE = "What answers each heading"
HEADINGS = ("heading", "answered by")
NOT_HERE = "Not answered here"


def iso_tables(measured: MeasuredRelease) -> tuple[WordTable, WordTable]:
    """Return the table for the house and for everybody, each of what its edition holds."""
    house, public = (tuple(_answers(measured, for_all=for_all)) for for_all in (False, True))
    return WordTable(TITLE, HEADINGS, house), WordTable(TITLE, HEADINGS, public, Audience.PUBLIC)


def _answers(measured: MeasuredRelease, *, for_all: bool) -> Iterator[tuple[str, str]]:
    yield (
        "Context assessment: threat modelling (6.2)",
        "Section on who might attack; motives and the security of the place where the data are used must be added by "
        "the house.",
    )
    yield (
        "Context assessment: transparency and impact (6.3)",
        "The public edition serves transparency; harm to persons must be judged by the house.",
    )
    yield (
        "Data assessment: data features (7.2)",
        "Section on what is released: kinds, roles, and what became of each variable.",
    )
    by_keys = measured.after is not None
    yield (
        "Data assessment: attack modelling (7.3)",
        "Section on risk: largest and mean risk by the keys, of a file taken for the population and, by weights, for a "
        "sample."
        if by_keys
        else f"{NOT_HERE}: no risk by keys was measured.",
    )
    yield "Identifiability: quantifying (8.2.2)", _parts(_quantified(measured))
    yield "Identifiability: adversarial testing (8.2.3)", _parts(_attacked(measured))
    yield "Mitigation: transforming the data (8.3.3)", _transformed(measured, for_all=for_all)
    yield "Mitigation: the environment (8.3.2)", f"{NOT_HERE}: it is not in the data."
    yield (
        "Mitigation: re-evaluation (8.3.4)",
        f"{NOT_HERE}: figures before protection and the check of the report are for the house."
        if for_all
        else "Section on risk, figures before and after where both were measured; the report can be checked and made "
        "again.",
    )
    yield (
        "Governance: before data are made available (9.2)",
        f"Date, author and {'the checksum of the release' if for_all else 'checksums'} under provenance; roles and "
        f"policies must be added by the house.",
    )
    yield "Governance: after data are made available (9.3)", f"{NOT_HERE}; see what was not tested."


def _parts(parts: Iterator[str]) -> str:
    found = ", ".join(parts)
    return f"Section on risk: {found}." if found else f"{NOT_HERE}: nothing of the kind was measured."


def _quantified(measured: MeasuredRelease) -> Iterator[str]:
    if measured.after is not None:
        yield "individual risk, groups of equal keys"
    if any(isinstance(one, DistanceLinkage) for one in measured.assessment.measures):
        yield "linkage by numbers"
    if _has_control(measured):
        yield "the excess of attacks over a control"


def _attacked(measured: MeasuredRelease) -> Iterator[str]:
    if any(isinstance(one, WorstCaseLinkage) for one in measured.assessment.measures):
        yield "the worst intruder that was tried"
    if _has_control(measured):
        yield "attacks beside a control"


def _has_control(measured: MeasuredRelease) -> bool:
    is_tried = any(isinstance(one, ControlledRisk) for one in measured.assessment.measures)
    return measured.question.control is not None and is_tried


def _transformed(measured: MeasuredRelease, *, for_all: bool) -> str:
    if not measured.question.methods:
        return "Section on what is released; no recipe is known."
    if for_all:
        return "Section on what is released; methods are named under provenance, their parameters are confidential."
    return "Section on what is released, and the recipe under provenance."
