"""The section on who might attack: the intruders that were tried, what they know and want, in words."""

from collections.abc import Iterator
from typing import NamedTuple

from sfumato.contracts import ControlledRisk
from sfumato.data import Microdata
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, Part, Prose, WordTable
from sfumato.risk import DistanceLinkage, IntervalDisclosure, WorstCaseLinkage

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
    figures: str


def intruder_section(measured: MeasuredRelease) -> Draft:
    """Return the section."""
    found = tuple(intruders(measured))
    headings = ("intruder", "knows", "wants", "answered by")
    parts: list[Part] = [
        Prose(
            "A risk is always a risk from somebody. These are the intruders that this report looks at; what no "
            "intruder here knows or does is listed under what was not tested.",
            audience=Audience.ALL,
        ),
        Prose(IN_HAND, audience=Audience.ALL),
        WordTable("", headings, tuple(tuple(one) for one in found), audience=Audience.ALL),
    ]
    return draft("intruders", "Who might attack, and what they know", parts)


def intruders(measured: MeasuredRelease) -> Iterator[Intruder]:
    """Yield the intruders that the measures of the report stand for."""
    taken = measured.assessment.measures
    if measured.after is not None:
        keys = list_names(measured.released, measured.after.keys)
        yield Intruder(
            "An acquaintance",
            f"of a person: {keys}; and that the person is in the file",
            "to find the person's record",
            "smallest group (k), records in groups below k, largest risk",
        )
        yield Intruder(
            "Somebody with a register",
            f"of everybody: {keys}; but not who is in the file",
            "to find anybody",
            "mean risk of a record, records recognised if all are looked for",
        )
        if measured.tells_answers:
            yield Intruder(
                "Somebody who asks for an answer",
                f"of a person: {keys}",
                "to learn a confidential answer, without needing to know which record it is",
                "keys that tell a confidential answer, answers guessed right",
            )
    if any(isinstance(one, DistanceLinkage | IntervalDisclosure) for one in taken):
        yield Intruder(
            "A holder of exact numbers",
            "of everybody: original values of the numbers, as a bank, an employer or a tax office may have them",
            "to find the nearest record, or to learn a number nearly",
            "nearest record is the right one, original value lies near the released one",
        )
    if any(isinstance(one, WorstCaseLinkage) for one in taken):
        yield Intruder(
            "The worst case",
            "of everybody: the original values in all compared variables, and the recipe, but not the seed",
            "to match every record, with any attack that Sfumato has",
            "the worst intruder that was tried",
        )
    if any(isinstance(one, ControlledRisk) for one in taken):
        yield Intruder(
            "A reader of the file who looks for traces",
            "a part of a person's values, or all of them",
            "to single out somebody, to put two sources together, to guess a value, or to tell who took part",
            "singling out, linkability, inference, telling who took part; each beside a control where one was given",
        )


def list_names(data: Microdata, names: tuple[str, ...]) -> str:
    """Return variables by name, with their labels where they have short ones."""
    shown = []
    for name in names[:LARGEST_LIST]:
        label = data.schema[name].label if name in data.schema else ""
        shown.append(f"{name} ({label})" if label and len(label) <= 40 else name)
    more = f" and {len(names) - LARGEST_LIST} more" if len(names) > LARGEST_LIST else ""
    return f"{', '.join(shown)}{more}"
