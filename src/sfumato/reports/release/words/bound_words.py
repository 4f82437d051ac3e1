"""What is said of numbers that keys tell, and of the bound that no intruder exceeds."""

from dataclasses import replace

from sfumato.contracts import Measurement
from sfumato.contracts.figure_ends import NO_BOUND_AT, lower_end
from sfumato.display import format_compact, format_percent
from sfumato.reports.release.figure import Words

BOUNDS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, *(10.0 * ten for ten in range(1, 11)))
"""The percents that upper ends of intervals are rounded up to: to two digits they would tell counts of few persons."""

ON_AVERAGE = "on average over what is random, the draws of the recipe and the order of the records"
LEARNT_NUMBERS = Words(
    "Confidential numbers learnt by who knows what became of the keys",
    "Somebody who knows a person's keys and what was taken out of them or changed, and reads a confidential number off "
    "a record that shows the same, is within 10 % of the true one with a chance of {value} on average.",
    "About the baseline: keys tell no more than the file as a whole.",
    "Far above the baseline: k does not keep the number secret.",
    "The chance that a record drawn from those that show what the person's own record shows of the keys, a gap being a "
    "value of its own, has a number within 10 % of the person's, averaged over persons and confidential numbers; a 0 "
    "counts where the person has 0. The baseline draws from all records.",
    "attribute disclosure",
)
LEARNT_BY_FIT = replace(
    LEARNT_NUMBERS,
    label="Confidential numbers learnt by the keys",
    sentence="Somebody who knows a person's keys, and reads a confidential number off a record that fits them, is "
    "within 10 % of the true one with a chance of {value} on average.",
    definition="The same, drawn from all records that fit the keys that the person had before any was taken out; a gap "
    "fits every value. Of more than 10,000 persons so many are asked about.",
)
LEARNT_WITHOUT_OWN = replace(
    LEARNT_NUMBERS,
    label="The same without the person's own record",
    sentence="Read off the records of others that show the same, it is within 10 % with a chance of {value}: what is "
    "above the baseline would be told of a person who took no part, too.",
    bad="Far above the baseline: records with equal keys agree in the number.",
    definition="As above, of all but the person's own record; drawn from all records where there is no other.",
)
LEARNT_OF_RECORD = replace(
    LEARNT_NUMBERS,
    label="Confidential numbers read off the right record",
    sentence="Whoever has found the person's record first comes within 10 % of {value} of the confidential numbers.",
    good="Low: the numbers are protected by themselves.",
    bad="Far above the baseline: nothing but not being found keeps the numbers secret.",
    definition="The share of the known confidential numbers whose released value, in the person's own record, is "
    "within 10 % of the true one; a released gap is not.",
)
WORST_CASE_BOUND = Words(
    "The most that anybody could find, proven",
    "It is proven that nobody, whatever they try, finds more than {value} of the records by the compared columns, "
    f"{ON_AVERAGE}.",
    "Within what the board accepts, and little above the strongest attack that was tried.",
    "100 %: nothing smaller is proven for this recipe.",
    "The upper end of the worst case: by a proof on the recipe no rule links a larger share of records to the right "
    f"originals, {ON_AVERAGE}.",
    "worst case",
)
NO_BOUND = replace(
    WORST_CASE_BOUND,
    label="The most that anybody could find: no bound proven",
    sentence="Nothing smaller than {value} is proven for this recipe.",
)


def bound_class(percent: float) -> str:
    """Return an upper end of an interval, rounded up.

    Examples
    --------
    >>> bound_class(0.94), bound_class(3.47), bound_class(47.25), bound_class(100)
    ('1 %', '5 %', '50 %', '100 %')
    """
    return f"{format_compact(bound_step(percent))} %"


def bound_step(percent: float) -> float:
    """Return the step that an upper end of an interval is rounded up to."""
    return next((one for one in BOUNDS if percent <= one), 100.0)


def hardly_proven(bound: float) -> str:
    """Return that hardly anything is proven of the most that anybody finds: nothing, or a bound near 100 %.

    Examples
    --------
    >>> hardly_proven(99.8)
    'the bound that is proven, 99.8 %, rules out hardly anything'
    >>> hardly_proven(100)
    'no bound is proven'
    """
    if bound < NO_BOUND_AT:
        return f"the bound that is proven, {format_percent(bound)}, rules out hardly anything"
    return "no bound is proven"


def words_of_bound(bound: float) -> Words:
    """Return the words of what nobody exceeds; of 100 % that nothing is proven."""
    return WORST_CASE_BOUND if bound < NO_BOUND_AT else NO_BOUND


def words_of_attack(words: Words, found: Measurement) -> Words:
    """Return the words of a figure, which say "at least" where more than what an attack found is not ruled out."""
    if found.bound is None:
        return words
    least = lower_end(found.value, found.bound)
    return replace(words, sentence=words.sentence.replace("{value}", f"{least}{{value}}"))
