"""Shares as a verdict tells them: everybody reads a bound in place of one that stands for fewer than k records."""

from sfumato.display import format_percent
from sfumato.reports.release.learnt_numbers import LearntNumbers
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.public_edition import small_share


def share_text(measured: MeasuredRelease, percent: float, *, for_all: bool, figure: str = "") -> str:
    """Return a share or a probability; for everybody a bound in place of one that stands for fewer than k records.

    The bound is no looser than a limit on the figure that it is within.
    """
    limits = [one for one in measured.question.limits if one.figure == figure and not one.is_lower]
    ceiling = min((one.number for one in limits if one.is_met(percent)), default=None)
    hidden = small_share(percent, measured.released.n, measured.k, ceiling) if for_all else ""
    return hidden or format_percent(percent)


def learnt_in_words(measured: MeasuredRelease, learnt: LearntNumbers, *, for_all: bool) -> str:
    """Return how often a confidential number is read off nearly by the keys, on average and of the worst number."""
    shares = [share_text(measured, value, for_all=for_all) for value in (learnt.by_keys, learnt.by_chance)]
    return (
        f"with a chance of {shares[0]} on average, against {shares[1]} without the keys"
        f"{_most_learnt(measured, learnt, for_all=for_all)}"
    )


def _most_learnt(measured: MeasuredRelease, learnt: LearntNumbers, *, for_all: bool) -> str:
    """Return the number that the keys tell most of beyond chance, and of those who do not have 0 alone."""
    most = learnt.most
    rates = (most.by_keys, most.by_chance, most.not_zero_by_keys, most.not_zero_by_chance)
    bases = (measured.released.n, measured.released.n, most.not_zero, most.not_zero)
    shares = [
        (small_share(rate, base, measured.k) if for_all else "") or format_percent(rate)
        for rate, base in zip(rates, bases, strict=True)
    ]
    told = f"; the keys add most for {most.name}, {shares[0]} against {shares[1]}" if len(learnt.columns) > 1 else ""
    if rates[:2] == rates[2:]:
        return told
    return f"{told}; of those alone whose {most.name} is not 0, {shares[2]} against {shares[3]}"
