"""What is said of how often an attack was tried, what chance explains of it, and of all attacks together."""

from collections.abc import Sequence
from math import floor, log10

from sfumato.contracts import Measurement, Trials
from sfumato.display import as_sentence, format_number, format_percent
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.words.bound_words import bound_class

WITHOUT_CONTROL = ". Without a control it cannot be told how much of this"
"""What remarks of attacks end with."""
ONLY_CHANCE = "Chance can explain the difference from the control"
BEYOND_CHANCE = "That is more than chance explains."
TRACE = "That is more than chance explains, and too little to be called a leak."
WHO_LOOKS_FOR_PERSONS = (
    "An acquaintance, somebody with a register or a holder of exact numbers, who look for the record of a person"
)
NO_RECORD_OF_A_PERSON = (
    "no record is of a person, so that there is none to be found; what keys and numbers tell of persons all the same "
    "is what the traces are about, and stands in the section on risk"
)
OF_LARGEST = "beyond those of the control, of the largest excess possible"
BASES = {
    "Singling out": f"descriptions that single somebody out, {OF_LARGEST}",
    "Linkability": f"persons whose halves are put together, {OF_LARGEST}",
    "Inference": f"values guessed right, {OF_LARGEST}",
    "Telling who took part": "participants who are named where 1 % of the others are, too (guessing names 1 %)",
    "Telling which households took part": "households that are named where 1 % of the others are, too (guessing names "
    "1 %)",
    "Unique persons whose keys come back once": f"unique persons whose keys come back once, {OF_LARGEST}",
}
"""What the reach of an attack beside a control is a share of, by the label of its figure."""
MAX_CHANCE = 0.2  # percent of safe files in which chance calls a leak found, by each attack


def remark_on_page(remark: str, columns: Sequence[str]) -> str:
    """Return a remark of a measure as a sentence, without what the page says of all attacks without a control.

    The name of a column that it begins with stays as it is.
    """
    text = remark.partition(WITHOUT_CONTROL)[0]
    return text if text.split(" ")[0] in columns else as_sentence(text)


def base_of_reach(label: str) -> str:
    """Return what the reach of an attack is a share of, as an entry of a list."""
    return BASES.get(label, in_sentence(label))


def rounded_count(count: int) -> str:
    """Return how many were tried, rounded: exactly how many took part may be a secret.

    Examples
    --------
    >>> rounded_count(4), rounded_count(37), rounded_count(359), rounded_count(2410)
    ('fewer than 10', 'about 40', 'about 360', 'about 2,400')
    """
    if count < 10:
        return "fewer than 10"
    unit = max(10, 10 ** (floor(log10(count)) - 1))
    return f"about {round(count / unit) * unit:,}"


def tried_words(found: Measurement) -> str:
    """Return what an attack was tried on, and whether chance explains what it found; nothing where that is not known.

    Examples
    --------
    >>> tried_words(Measurement("linkability", "LINK", 1.5, trials=Trials("persons", 359, 141)))
    'Tried on about 360 persons of the file and 140 of the control.'
    """
    trials = found.trials
    if trials is None:
        return ""
    if trials.unit == "descriptions":
        words = f"Tried with {rounded_count(trials.tried)} descriptions."
    else:
        words = f"Tried on {rounded_count(trials.tried)} {trials.unit} of the file"
        others = rounded_count(trials.control_tried).removeprefix("about ")
        words += f" and {others} of the control." if trials.control_tried else "."
    if found.shows_leak is None:
        return words
    return f"{words} {BEYOND_CHANCE if found.shows_leak else TRACE if found.shows_trace else _not_ruled_out(found)}"


def _not_ruled_out(found: Measurement) -> str:
    """Return that chance can explain what an attack found, and how large a leak may be all the same."""
    joint = None if found.trials is None else found.trials.joint_interval
    reach = joint or found.interval
    open_up_to = (
        "which leaks are ruled out was not computed"
        if reach is None
        else f"leaks up to {bound_class(reach[1])}, rounded up, by this attack"
    )
    return f"{ONLY_CHANCE}; {open_up_to}{'' if reach is None else ' are not ruled out'}."


def interval_words(interval: tuple[float, float], trials: Trials | None, *, is_of_most: bool = False) -> str:
    """Return an interval, and the wider one that holds for all attacks together where there is a control.

    One of the most among several figures is wider than that of a figure alone.
    """
    low, high = map(format_number, interval)
    wider = ", and wider as the most of several is told" if is_of_most else ""
    words = f"95 % confidence interval, taking what was tried for a random sample{wider}: {low} to {high} %"
    if trials is None or not trials.control_tried or trials.joint_interval is None:
        return f"{words}."
    low, high = map(format_number, trials.joint_interval)
    return f"{words}; {low} to {high} % if the intervals of all attacks are to hold together."


def comparisons_in_words(found: Sequence[Measurement]) -> str:
    """Return how many comparisons with a control were tested, and how often chance would call a leak found.

    Examples
    --------
    >>> one = Measurement("linkability", "LINK", 1.5, trials=Trials("persons", 359, 141, 4), shows_leak=False)
    >>> comparisons_in_words([one])
    '1 attack with 4 comparisons; of files that are safe, chance alone would call a leak found in at most 0.2 %'
    """
    asked = [one for one in found if one.shows_leak is not None]
    tests = sum(1 if one.trials is None else max(one.trials.comparisons, 1) for one in asked)
    attacks = "1 attack" if len(asked) == 1 else f"{len(asked)} attacks"
    together = " over all attacks together" if len(asked) > 1 else ""
    return (
        f"{attacks} with {tests:,} comparisons; of files that are safe, chance alone would call a leak found in at "
        f"most {format_percent(MAX_CHANCE * len(asked))}{together}"
    )
