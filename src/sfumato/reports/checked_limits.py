"""Limits that were checked: what the file has, and what is left of that to whoever reads the whole file."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple, Protocol

import numpy as np

from sfumato.display import format_compact
from sfumato.keys.findings.causes import BY_KEYS as KEYS_ALONE
from sfumato.keys.findings.causes import ONE_SIDE, REPEATED, Cause
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.parameters.limits import SMALLEST_STRICT_GROUP, Limit

BY_KEYS = "by the keys alone"
BY_KEYS_AND_MORE = f"{BY_KEYS}, and by what was looked for in other columns"
NOT_OF_AMOUNTS = "it says nothing of amounts, and some are told: see the notes"
LEARNT_ALL_THE_SAME = "somebody who learns what goes with which keys finds some persons all the same: see the notes"
STRICT = "strict_"  # with which the name of a figure begins that takes a gap for a value of its own
COUNTS_OF_GROUPS = {"violations": None, "uniques": 2}  # of records in groups of fewer than k, and than this
UNBOUNDED = {"population_uniques"}  # who is found may raise these to anything
UNCOUNTED = "other columns tell a key, and it cannot be counted who is found so"


class CheckedLimit(NamedTuple):
    """A limit, what the file has, whether that is within the limit, the unit of both, and why where that is not plain.

    Where the figure has two ends, it is the upper one. The scope says by what a limit on k is judged, and on what it is
    silent; the causes, against whom one that is not met does not hold.
    """

    limit: Limit
    figure: float
    is_met: bool
    unit: str = ""
    reason: str = ""
    scope: str = ""
    causes: tuple[Cause, ...] = ()

    @property
    def limit_text(self) -> str:
        """The limit with its unit, so that nobody takes 0.01 for one percent."""
        return f"{self.limit} {self.unit}".rstrip()

    @property
    def figure_text(self) -> str:
        """What the file has, with its unit."""
        return f"{format_compact(self.figure)} {self.unit}".rstrip()

    @property
    def finding(self) -> str:
        """What the file has, or why that keeps to the limit or not."""
        return self.reason or f"it is {self.figure_text}"


def is_count_of_groups(limit: Limit) -> bool:
    """Tell whether a limit is on k, or on how many records are in smaller groups, which is k in other words."""
    return limit.is_lower or limit.figure.removeprefix(STRICT) in COUNTS_OF_GROUPS


class HeldFile(Protocol):
    """What is known of a file by its keys alone, as a report on its risk has it."""

    @property
    def limits(self) -> tuple[CheckedLimit, ...]:
        """The limits by the keys alone."""

    @property
    def counted(self) -> int:
        """How many records the figures count: one of each person and combination of keys."""

    @property
    def homes(self) -> tuple[tuple[int, int], ...]:
        """The sizes of the households, in records that are counted, and how many there are of each."""

    @property
    def risk_alone(self) -> float:
        """The risk in percent of whom nobody in the file shares the keys of, at most."""


def hold_limits(file: HeldFile, findings: KeyFindings, scope: str = BY_KEYS_AND_MORE) -> tuple[CheckedLimit, ...]:
    """Return limits on figures by keys as they are met against somebody who reads all that the file tells.

    Every verb that judges such a limit does it by this rule. What breaks k is counted: keys that other columns tell,
    gaps that tell their value, households that columns tell, several records of one person. What may only help
    somebody, such as a rare value beside a gap, is told elsewhere and not judged. Nor is a mean that tells an amount:
    k says how many persons a record may be of, and a limit that is met says that it is silent on amounts.

    A limit on records in smaller groups, or on a risk, is met only if it is with all those found beside the keys, each
    as if alone in the file with its keys, and as if in the households where that raises the risk most. Of risks that is
    without those whom only somebody finds who looks for one person: they are chances that a record is recognised.

    Parameters
    ----------
    file
        The limits and figures by the keys alone.
    findings
        What the file tells beside the keys.
    scope
        By what they are judged.
    """
    if findings.learnt is not None and findings.learnt.is_found:
        scope = f"{scope}; {LEARNT_ALL_THE_SAME}"
    return tuple(
        _hold_on_k(one._replace(scope=scope), findings)
        if one.limit.is_lower
        else _hold_with_found(one._replace(scope=scope if one.scope else ""), findings, file)
        for one in file.limits
    )


def tell_silence(checked: Sequence[CheckedLimit], *, tells_amounts: bool) -> tuple[CheckedLimit, ...]:
    """Return limits, those on k saying that they are silent on amounts where the file tells some."""
    if not tells_amounts:
        return tuple(checked)
    return tuple(one._replace(scope=f"{one.scope}; {NOT_OF_AMOUNTS}") if one.limit.is_lower else one for one in checked)


def _hold_on_k(checked: CheckedLimit, findings: KeyFindings) -> CheckedLimit:
    k, is_strict = int(checked.limit.number), checked.limit.figure == SMALLEST_STRICT_GROUP
    fewest, causes = findings.fewest(is_strict=is_strict), findings.causes(k, is_strict=is_strict)
    by_keys = () if checked.is_met or checked.causes else (KEYS_ALONE,)
    checked = checked._replace(causes=tuple(dict.fromkeys((*by_keys, *checked.causes, *causes))))
    figure = checked.figure if fewest is None else min(checked.figure, float(fewest))
    if findings.is_uncounted and checked.is_met:
        return checked._replace(is_met=False, reason=UNCOUNTED)
    return checked._replace(figure=figure, is_met=checked.limit.is_met(figure))


def _hold_with_found(checked: CheckedLimit, findings: KeyFindings, file: HeldFile) -> CheckedLimit:
    """Return a limit on a count or a risk, held against all who are found beside the keys.

    Figures count persons already, but for gaps that fit several records of one.
    """
    name = checked.limit.figure.removeprefix(STRICT)
    is_strict, is_of_groups = name != checked.limit.figure, name in COUNTS_OF_GROUPS
    causes = findings.causes(COUNTS_OF_GROUPS.get(name) or findings.k, is_strict=is_strict)
    told = [cause for cause in causes if cause != REPEATED and (is_of_groups or cause != ONE_SIDE)]
    found, least = findings.found_records(told), checked.figure
    if is_of_groups and findings.persons is not None and not is_strict:
        least = max(least, findings.persons.alone if name == "uniques" else findings.persons.records)
    most = least + found
    if name == "global_risk":
        most = least + file.risk_alone * found / file.counted
    elif name == "expected_reidentifications":
        most = least + file.risk_alone * found / 100
    elif name == "largest_risk":
        most = max(least, file.risk_alone) if told else least
    elif name == "household_risk":
        most = least + raised_household_risk(file.homes, found, file.risk_alone)
    elif name in UNBOUNDED and told:
        most = inf
    if not checked.is_met or checked.limit.is_met(most):
        return checked
    more = "more" if most == inf else f"up to {format_compact(most)} {checked.unit}".rstrip()
    reason = f"{checked.figure_text} {BY_KEYS}, and {more} with what else the file tells"
    return checked._replace(is_met=False, reason=reason, causes=causes)


def raised_household_risk(homes: Sequence[tuple[int, int]], found: float, risk: float) -> float:
    """Return by how many percentage points the mean household risk rises if some persons are found, at most.

    They are put where that raises it most: each adds to the risk of all members of its household, and less where
    others of them are found too.

    Parameters
    ----------
    homes
        The sizes of the households and how many there are of each.
    found, risk
        How many persons are found, and the risk in percent of each.

    Examples
    --------
    >>> raised_household_risk([(3, 1), (1, 7)], found=2, risk=50)
    22.5
    """
    if not found or not homes or found == inf:
        return found and inf
    sizes, counts = np.array(homes, dtype=np.int64).T
    members = np.arange(1, int(sizes.max()) + 1)
    raised = np.where(members <= sizes[:, None], sizes[:, None] * risk * (1 - risk / 100) ** (members - 1), 0.0).ravel()
    order = np.argsort(-raised, kind="stable")
    before = np.cumsum(np.repeat(counts, members.size)[order])
    taken = np.diff(np.minimum(before, found), prepend=0.0)
    return float((raised[order] * taken).sum() / (sizes * counts).sum())
