"""What else users can do with a release: sums between variables, the population, households, single records."""

from sfumato.data import Kind, Microdata, role
from sfumato.data.kinds import CONTENT_ROLES
from sfumato.display import format_percent
from sfumato.reports.release.chapters.utility.compared_statistics import weights_of_both
from sfumato.reports.release.chapters.utility.kept_structure import broken_share, find_sums
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.public_edition import small_share


def about_sums(measured: MeasuredRelease) -> str:
    """Return which sums of the original hold no longer, counted in the released records."""
    rules = find_sums(measured.original, measured.released)
    shares = {rule: broken_share(measured.released, rule) for rule in rules}
    broken = [
        f"{rule.total} = {' + '.join(rule.terms)} (off in "
        f"{small_share(share, measured.released.n, measured.k) or format_percent(share)} of the records)"
        for rule, share in shares.items()
        if share > 0
    ]
    if broken:
        return f"broken: {'; '.join(broken)}. Other rules between variables were not looked at"
    return f"kept, all {len(rules)} that were found; other rules were not looked at" if rules else ""


def about_weights(measured: MeasuredRelease) -> str:
    """Return whether the population can be estimated, and how well that is known."""
    original, released = measured.original, measured.released
    held = original.select(role("weight"))
    if not held:
        return ""
    if weights_of_both(original, released) is None:
        return "not possible: the weight is not released, or not as positive numbers for every record"
    aligned = measured.aligned
    is_kept = aligned is not None and bool((aligned.values(held[0]) == released.values(held[0])).all())
    beyond = "" if measured.is_synthetic else " beyond the totals"
    changed = "" if is_kept else f" {held[0]} was changed, too." if aligned is not None else ""
    return (
        f"possible with {held[0]}, but how good they are was not measured{beyond}.{changed} Errors "
        f"must be estimated without the sampling design unless it is released"
    )


def about_households(original: Microdata, released: Microdata) -> str:
    """Return whether households can be analysed."""
    name = original.select(role("household"))[0]
    told = name in released.schema and bool(released.observed(name).any())
    return (
        "possible, but not measured: the file tells who lives together"
        if told
        else "not possible: who lives together is not released"
    )


def about_records(measured: MeasuredRelease) -> str:
    """Return that single records are nothing to be analysed, and why."""
    if measured.is_synthetic:
        return "never: records were drawn from models, and stand for nobody"
    numbers = [
        one.name
        for one in measured.released.schema.variables
        if one.kind is Kind.CONTINUOUS and one.role in CONTENT_ROLES
    ]
    changed = " numbers may have been changed," if numbers and measured.question.steps else ""
    return f"never:{changed} values may have been taken out or exchanged, and no record should be followed up"
