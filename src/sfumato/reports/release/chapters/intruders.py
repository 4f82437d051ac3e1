"""The section on who might attack: the intruders that were tried, what they know and want, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sfumato.comparison.kept_values import count_kept_values
from sfumato.contracts import ControlledRisk, Measure
from sfumato.data import Microdata, Role, role
from sfumato.reports.release.chapters.acquaintance import WITH_HINTS, hints_leave_fewer
from sfumato.reports.release.chapters.judging.judged_by_keys import shows_households
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import ReportFigure, in_sentence
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, Part, Prose, WordTable
from sfumato.reports.release.words.variable_names import name_with_label
from sfumato.risk import BestSubsetLinkage, IntervalDisclosure, WorstCaseLinkage

LARGEST_LIST = 12  # names of variables in a sentence
IN_HAND = (
    "Each of them is taken to have what is released and to be held back by nothing, as when it is open to everybody. "
    "Where only some may have it, under a contract or in a secure room, their number and their motives are for the "
    "board to judge: the figures do not count on it."
)


class Intruder(NamedTuple):
    """Somebody who may look for a person: who it is, what they know, what they want, and which figures answer it."""

    who: str
    knows: str
    wants: str
    paths: tuple[str, ...]
    more: str = ""


def intruder_section(measured: MeasuredRelease, figures: Sequence[ReportFigure]) -> Draft:
    """Return the section; the figures are those of the risk, which everybody reads in the section on it only."""
    known = {figure.path: figure for figure in figures}
    found = tuple(intruders(measured))
    keys = () if measured.after is None else measured.after.keys
    headings = ("intruder", "knows", "wants", "what they find")
    for_all = (*headings[:3], "answered by")
    parts: list[Part] = [
        Prose(
            "A risk is always a risk from somebody. These are the main intruders; the verdict lists all.",
            audience=Audience.ALL,
        ),
        Prose(IN_HAND, audience=Audience.ALL),
        *([Prose(f"The keys: {list_names(measured.released, keys)}.", audience=Audience.ALL)] if keys else []),
        WordTable("", headings, tuple((*one[:3], _answers(one, known, values=True)) for one in found)),
        WordTable("", for_all, tuple((*one[:3], _answers(one, known, values=False)) for one in found), Audience.PUBLIC),
    ]
    return draft("intruders", "Who might attack, and what they know", parts)


def intruders(measured: MeasuredRelease) -> Iterator[Intruder]:
    """Yield the intruders that the measures of the report stand for."""
    taken = measured.assessment.measures
    if measured.after is not None:
        keys, alone = "the keys", ", nor who lives with whom" if shows_households(measured) else ""
        yield Intruder(
            "An acquaintance",
            f"of a person: {keys}; and that the person is in the file",
            "to find the person's record",
            ("risk/fitting/records/after", "risk/keys/k/after", "risk/keys/strict_uniques/after"),
            f"; {WITH_HINTS}" if hints_leave_fewer(measured) else "",
        )
        yield Intruder(
            "Somebody with a register",
            f"of everybody: {keys}; but not who is in the file{alone}",
            "to find anybody",
            ("risk/keys/global_risk/after", "risk/keys/largest_risk/after"),
        )
        if measured.released.select(role("household")):
            yield Intruder(
                "Somebody who knows a family",
                f"of all members of a household: {keys}; and that it is in the file",
                "to find the records of the family",
                ("risk/households/found_by_fit/after", "risk/households/found/after"),
            )
        if measured.tells_answers:
            yield Intruder(
                "Somebody who asks for an answer",
                f"of a person: {keys}{', and what became of them' if asks_by_what_became(measured) else ''}",
                "to learn a confidential answer, without needing to know which record it is",
                (
                    "risk/keys/single_valued/after",
                    "risk/measures/AD",
                    "risk/measures/AD/certain",
                    "risk/measures/learnt_numbers/by_fit",
                    "risk/measures/learnt_numbers",
                ),
            )
    numbers = [one for one in taken if isinstance(one, BestSubsetLinkage | IntervalDisclosure)]
    if numbers:
        yield Intruder(
            "A holder of exact numbers",
            f"of everybody: original values of {_compared(measured, numbers[0])}",
            "to find the nearest record, or to learn a number nearly",
            ("risk/measures/BSLD", "risk/measures/DLD", "risk/measures/ID"),
        )
    worst = [one for one in taken if isinstance(one, WorstCaseLinkage)]
    if worst:
        yield Intruder(
            "The worst case",
            f"of everybody: the original values in the compared columns ({_compared(measured, worst[0])}), and the "
            f"recipe, but not the seed",
            "to match every record, with any attack that Sfumato has",
            ("risk/measures/WCL", "risk/measures/WCL/WCB"),
        )
    if any(isinstance(one, ControlledRisk) for one in taken):
        yield Intruder(
            "A reader of the file who looks for traces",
            "a part of a person's values, or all of them",
            "to single out somebody, to put two sources together, to guess a value, or to tell who took part",
            ("risk/measures/SO", "risk/measures/LINK", "risk/measures/INF", "risk/measures/MIA", "risk/measures/HMIA"),
        )


def asks_by_what_became(measured: MeasuredRelease) -> bool:
    """Tell whether all that was measured of confidential answers is by who knows what became of the keys."""
    after, learnt = measured.after, measured.learnt
    by_keys = after is not None and any(one.name == "single_valued" for one in after.report.figures)
    return learnt is not None and learnt.by_fit is None and measured.attribute is None and not by_keys


def _compared(measured: MeasuredRelease, measure: Measure) -> str:
    """Return the columns that a measure compares."""
    return ", ".join(measure.common_columns(measured.original, measured.released))


def _answers(intruder: Intruder, known: Mapping[str, ReportFigure], *, values: bool) -> str:
    """Return the figures that answer an intruder, by label; with their values for the house."""
    shown = [known[path] for path in intruder.paths if path in known]
    told = [f"{in_sentence(one.label)}: {one.text}" if values else in_sentence(one.label) for one in shown]
    more = f"{intruder.more}{'' if values else ' (see the section on risk)'}"
    return f"{'; '.join(told)}{more}" if told else "see what was not tested"


def list_names(data: Microdata, names: tuple[str, ...]) -> str:
    """Return variables by name, with their labels where they have short ones."""
    shown = [name_with_label(data.schema, name) for name in names[:LARGEST_LIST]]
    more = f" and {len(names) - LARGEST_LIST} more" if len(names) > LARGEST_LIST else ""
    return f"{', '.join(shown)}{more}"


def unprotected_variables(measured: MeasuredRelease) -> tuple[str, ...]:
    """Return the released variables that are neither keys nor confidential and were left as they were.

    What is the same for everybody tells nobody apart, and is not among them.
    """
    if measured.aligned is None or measured.after is None:
        return ()
    kept = count_kept_values(measured.aligned, measured.released)
    return tuple(
        one.name
        for one in measured.released.schema.variables
        if one.role is Role.OTHER
        and one.name in kept
        and kept[one.name].values
        and not kept[one.name].differing
        and _tells_apart(measured.released, one.name)
    )


def _tells_apart(data: Microdata, name: str) -> bool:
    return data.summary.distinct(name) > 1 or not bool(data.observed(name).all())
