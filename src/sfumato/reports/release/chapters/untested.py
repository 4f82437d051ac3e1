"""The section on the limits of the assessment: what was not tested."""

from sfumato.data import Role
from sfumato.reports.release.chapters.acquaintance import k_in_doubt
from sfumato.reports.release.chapters.intruders import asks_by_what_became, list_names
from sfumato.reports.release.chapters.judging.judged_by_keys import shows_households
from sfumato.reports.release.chapters.untested_losses import TITLE as TITLE_OF_LOSSES
from sfumato.reports.release.chapters.untested_losses import unmeasured_losses
from sfumato.reports.release.chapters.whole_records import SOURCES, proven_of_equals
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.question import Standard
from sfumato.reports.release.sections import Audience, Bullets, Prose, Subheading
from sfumato.risk import SinglingOut, WorstCaseLinkage

HOUSEHOLD_REGISTER = (
    "A register that tells who lives with whom: how many households of the population no other is like was not "
    "estimated. Risks from a register take members one by one."
)
HINTS_FOR_A_REGISTER = "A register with hints of other columns: its chance of recognising a record counts keys alone."
RECIPE_NOT_RUN = "Intruders who know the recipe: no attack on these synthetic records ran it."
KEYS_ALONE = (
    "Somebody who asks for a confidential number and knows the keys only: what a person would show is not known."
)
ALWAYS = (
    "Attacks that nobody tried: a better one may find more.",
    "Other releases: whoever has another file or table about the same persons may learn more from both together.",
    "Sources that nobody thought of: keys are the variables that the schema says others may know; the roles were taken "
    "as they were given.",
    "What is written in free text, pictures or file names.",
    "What users are bound to: contracts, secure rooms and training lower the risk and are not in these figures.",
    "The future: sources and attacks grow, so that an assessment should be repeated.",
)
NO_STANDARDS = "Questions of the law and of standards: this report was asked none (of WP216, HIPAA and ISO/IEC 27559)."
OTHER_STANDARDS = "Questions of the law and of standards that this report was not asked: {names}."
STANDARDS = {Standard.WP216: "WP216", Standard.HIPAA: "HIPAA", Standard.ISO27559: "ISO/IEC 27559"}
NO_ANSWERS = "Learning a confidential value by the keys alone: no released variable is marked as confidential."
OTHER_VARIABLES = (
    "Intruders who know more than the figures above count of variables that are neither key nor confidential"
)
NO_CONTROL = (
    "Attacks beside a control (telling who took part, singling out, inference beyond what is true of "
    "everybody): no control was given, and attacks that are listed all the same count what is true of everybody, too."
)


def untested_section(measured: MeasuredRelease) -> Draft:
    """Return the section."""
    return draft(
        "untested",
        "What was not tested",
        [
            Prose("A report can show what was tried. Not tried, or not measurable here:", audience=Audience.ALL),
            Bullets(tuple(_not_tested(measured))),
            *([Bullets(for_all, Audience.PUBLIC)] if (for_all := _not_tested_for_all(measured)) else []),
            Bullets(_always(measured), Audience.ALL),
            Subheading(TITLE_OF_LOSSES, Audience.ALL),
            Bullets(tuple(unmeasured_losses(measured)), Audience.ALL),
        ],
    )


def _always(measured: MeasuredRelease) -> tuple[str, ...]:
    """Return what no report can test; sources that nobody thought of cannot tell whole records apart that are equal."""
    equal = bool(proven_of_equals(measured))
    return tuple(SOURCES if equal and one.startswith("Sources") else one for one in ALWAYS)


def _not_tested_for_all(measured: MeasuredRelease) -> tuple[str, ...]:
    """Return what this assessment leaves open without naming a variable or saying why, for everybody."""
    taken = measured.assessment.measures
    left_open = []
    if not measured.is_synthetic and not any(isinstance(one, WorstCaseLinkage) for one in taken):
        left_open.append("The worst intruder, who has everybody's original values and knows the methods.")
    if measured.question.control is None:
        left_open.append(NO_CONTROL)
    if measured.assessment.unattacked:
        names = list_names(measured.released, measured.assessment.unattacked)
        left_open.append(f"What the values of {names} may give away: no attack looked at them.")
    if measured.assessment.not_measured:
        left_open.append("Some variables of the original, which no measure could compare.")
    left_open += [
        *_descriptions(measured),
        *_registers(measured),
        *_knowing_the_recipe(measured),
        *_keys_alone(measured),
    ]
    if not measured.is_synthetic and not measured.tells_answers:
        left_open.append(NO_ANSWERS)
    if not measured.is_synthetic and (others := _others(measured)):
        left_open.append(f"{OTHER_VARIABLES}: {list_names(measured.released, others)}.")
    return tuple(left_open)


def _descriptions(measured: MeasuredRelease) -> list[str]:
    """Return which descriptions singling out left untried."""
    measures = [*measured.assessment.measures, *(measure for measure, _ in measured.attacks)]
    counts = [one.key_count for one in measures if isinstance(one, SinglingOut)]
    return [f"Singling out by descriptions of other than one or {counts[0]} columns."] if counts else []


def _registers(measured: MeasuredRelease) -> list[str]:
    """Return what nobody looked at that a register finds: by households, and by hints of keys."""
    if measured.after is None:
        return []
    hints = [HINTS_FOR_A_REGISTER] if k_in_doubt(measured) else []
    return [*([HOUSEHOLD_REGISTER] if shows_households(measured) else []), *hints]


def _knowing_the_recipe(measured: MeasuredRelease) -> list[str]:
    """Return that no attack on synthetic records runs the recipe."""
    return [RECIPE_NOT_RUN] if measured.is_synthetic else []


def _keys_alone(measured: MeasuredRelease) -> list[str]:
    """Return that nobody tried the keys alone, where it is not known what a person would show."""
    return [KEYS_ALONE] if asks_by_what_became(measured) else []


def _others(measured: MeasuredRelease) -> tuple[str, ...]:
    """Return the released variables that are marked as neither key nor confidential, and help to find somebody."""
    if proven_of_equals(measured):
        return ()
    variables = measured.released.schema.variables
    return tuple(one.name for one in variables if one.role is Role.OTHER and one.name in measured.original.schema)


def _not_tested(measured: MeasuredRelease) -> list[str]:
    """Return what this assessment leaves open, for the house."""
    assessment, original, released = measured.assessment, measured.original, measured.released
    found = list(measured.untested)
    if not measured.is_synthetic and not any(isinstance(one, WorstCaseLinkage) for one in assessment.measures):
        found.append(
            "The worst intruder, who has everybody's original values and the recipe: it takes too long in a file "
            "of this size, or records could not be matched. Assess a sample of the records to have it."
        )
    if not measured.question.methods and not measured.is_synthetic:
        found.append("An intruder who knows the recipe: no recipe was given, and no manifest tells it.")
    if measured.question.control is None:
        found.append(NO_CONTROL)
    if assessment.unattacked:
        names = list_names(original, assessment.unattacked)
        found.append(f"What the values of {names} may give away: no attack looked at them.")
    if assessment.withheld:
        names = ", ".join(name.replace("_", " ") for name in assessment.withheld)
        found.append(f"Measures that need to know which record is which, as nothing tells it: {names}.")
    if assessment.not_measured:
        found.append(f"Variables that no measure could compare: {list_names(original, assessment.not_measured)}.")
    found += [*_descriptions(measured), *_registers(measured), *_knowing_the_recipe(measured), *_keys_alone(measured)]
    if not measured.question.standards:
        found.append(NO_STANDARDS)
    elif unasked := [name for one, name in STANDARDS.items() if one not in measured.question.standards]:
        found.append(OTHER_STANDARDS.format(names=" and ".join(unasked)))
    if measured.after is None and not measured.is_synthetic:
        found.append("Risk by keys: no variable of the released file is marked as one.")
    if not any(one.role is Role.CONFIDENTIAL for one in original.schema.variables):
        found.append("Learning confidential answers: no variable is marked as confidential.")
    elif not measured.is_synthetic and not measured.tells_answers:
        found.append(NO_ANSWERS)
    if measured.after is not None and (others := _others(measured)):
        found.append(f"{OTHER_VARIABLES}: {list_names(released, others)}.")
    return found
