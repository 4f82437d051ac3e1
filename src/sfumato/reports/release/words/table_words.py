"""What the figures of protected tables, and the rules that call cells unsafe, say to a review board."""

from collections.abc import Sequence

from sfumato.display import format_compact, format_count
from sfumato.reports.release.figure import Words
from sfumato.tables import PQ, Dominance, MinUnits, PPercent, Request, Rule, ZeroUnsafe

CELLS = Words(
    "Cells",
    "There are {value}; one that several tables share counts once.",
    "As many as users need.",
    "Many more than users need: each one helps an intruder.",
    "The number of cells, totals included.",
    "small cells",
)
UNSAFE = Words(
    "Unsafe cells",
    "{value} would tell too much of a contributor if published.",
    "Few.",
    "Many: the table is too fine for its contributors.",
    "The number of cells that a rule calls unsafe, or that were given as such.",
    "small cells",
)
UNPROTECTED = Words(
    "Unsafe cells that are not protected",
    "{value} can be worked out, or nearly, by somebody in the audit from what is published.",
    "None.",
    "Any.",
    "The number of unsafe cells for which linear programmes find that some intruder comes nearer than the protection "
    "level allows.",
    "small cells",
)
NEEDED = Words(
    "Width that an unsafe cell needs",
    "Of the unsafe cell that is known best, an interval of {value} of its value must stay possible.",
    "As the rules ask.",
    "Very small: the rules ask for little.",
    "The width of the interval of values that nobody may rule out, the protection levels above and below together, in "
    "percent of the value of the cell; of the cell whose interval below is narrowest.",
    "protection level",
)
ACHIEVED = Words(
    "Width that is left of an unsafe cell",
    "Of the unsafe cell that is known best, the audit leaves an interval of {value} of its value.",
    "At least the width that it needs.",
    "Less than the width that it needs.",
    "The width of the narrowest interval that somebody in the audit finds for an unsafe cell, in percent of its value.",
    "audit",
)
SUPPRESSED_VALUE = Words(
    "Amount in cells that are not published",
    "In the table that loses most, {value} of the amount stands in innermost cells that are not published.",
    "A few percent.",
    "Tens of percent: users can work with totals only.",
    "The sum of the absolute values of unpublished cells that are no totals, in percent of the sum of all such cells "
    "of a table; of the table where it is largest.",
    "suppression",
)
SUPPRESSED = Words(
    "Cells not published",
    "{value} are not published.",
    "Few more than the unsafe ones.",
    "Many: the table says little.",
    "The number of cells that are suppressed, unsafe ones and those that protect them.",
    "suppression",
)
SECONDARY = Words(
    "Cells suppressed to protect others",
    "{value} are suppressed only so that unsafe ones cannot be worked out.",
    "Few.",
    "Many: totals and hierarchies force them, or a coarser table would serve better.",
    "The number of suppressed cells that are not unsafe themselves.",
    "suppression",
)
PUBLISHED = Words(
    "Published cells",
    "{value} of the cells are published.",
    "Above 90 %.",
    "Below 70 %: users will find many gaps.",
    "The share of cells whose figure is published, exact or changed.",
    "suppression",
)
TABLE_CELLS = Words(
    "Cells of a table",
    "The table has {value}, totals included.",
    "As many as users need.",
    "Many more than users need: each one helps an intruder.",
    "The number of cells of the table.",
    "small cells",
)
TABLE_PUBLISHED = Words(
    "Published cells of a table",
    "{value} of the cells of the table are published.",
    "Above 90 %.",
    "Below 70 %: users will find many gaps.",
    "The share of the cells of the table whose figure is published, exact or changed.",
    "suppression",
)
CHANGED = Words(
    "Change of published cells",
    "Published figures differ from the true ones by {value} on average.",
    "0 % where cells are suppressed only; a few percent where they are rounded or adjusted.",
    "Tens of percent.",
    "The sum of the absolute differences between published and true figures of published cells, in percent of the "
    "sum of the true ones.",
    "information loss",
)


def rule_sentence(rule: Rule, *, of_amounts: bool = False) -> str:
    """Return what a rule calls unsafe, with its parameters; for the house.

    In tables of amounts a cell of few units has a level of its own.

    Examples
    --------
    >>> rule_sentence(PPercent(p=10))
    'A cell is unsafe where the second largest contributor could estimate the largest to within 10 % of it.'
    """
    match rule:
        case PPercent(p=p, followers=followers):
            who = "the second largest contributor" if followers == 1 else f"{followers} contributors together"
            return f"A cell is unsafe where {who} could estimate the largest to within {format_compact(p)} % of it."
        case PQ(p=p, q=q):
            return (
                f"A cell is unsafe where somebody who knew each contribution to within {format_compact(q)} % comes to "
                f"know one to within {format_compact(p)} %."
            )
        case Dominance(n=n, max_percent=most):
            who = "largest contribution is" if n == 1 else f"{n} largest contributions are"
            return f"A cell is unsafe where the {who} more than {format_compact(most)} % of it."
        case MinUnits(units=units, margin=margin):
            level = f"; such a cell must stay uncertain by {format_compact(margin)} % of it" if of_amounts else ""
            return f"A cell is unsafe where fewer than {format_count(units, 'unit')} contribute to it{level}."
        case Request(max_percent=most):
            return (
                f"A cell is unsafe where a contributor who asked for protection gives more than "
                f"{format_compact(most)} % of it."
            )
        case ZeroUnsafe():
            return "A cell is unsafe where it is 0 although somebody contributes: all of them then have 0."
        case _:
            return f"A cell is unsafe by the rule {rule.name().replace('_', ' ')}."


def rule_names(rules: Sequence[Rule]) -> str:
    """Return what rules are called, without their parameters; for everybody."""
    names = [*dict.fromkeys(RULE_NAMES.get(rule.name(), rule.name().replace("_", " ")) for rule in rules)]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def explain_rules(rules: Sequence[Rule]) -> dict[str, str]:
    """Return what rules are called, each with what it calls unsafe, without its parameters.

    Examples
    --------
    >>> explain_rules([MinUnits(units=3)])
    {'least number of contributors': 'A cell is unsafe where too few units contribute to it.'}
    """
    named = [rule.name() for rule in rules if rule.name() in RULE_MEANINGS]
    return {RULE_NAMES[name].removeprefix("the ").removeprefix("a "): RULE_MEANINGS[name] for name in named}


RULE_NAMES = {
    "dominance": "the dominance rule",
    "min_units": "a least number of contributors",
    "p_percent": "the p percent rule",
    "pq": "the prior-posterior rule",
    "request": "the wishes of contributors",
    "zero_unsafe": "zeros that tell what everybody has",
}
"""What rules are called in a sentence."""
RULE_MEANINGS = {
    "dominance": "A cell is unsafe where its few largest contributions are too large a part of it.",
    "min_units": "A cell is unsafe where too few units contribute to it.",
    "p_percent": "A cell is unsafe where the second largest contributor, who takes off their own figure, comes within "
    "p percent of the largest contribution.",
    "pq": "A cell is unsafe where somebody who knew each contribution to within q percent comes to know one to within "
    "p percent.",
    "request": "A cell is unsafe where a unit that asked for protection gives too large a part of it.",
    "zero_unsafe": "A cell of 0 is unsafe where units contribute to it: it tells that all of them have 0.",
}
"""What rules call unsafe, for everybody."""
