"""Everything that a release report computes, once, before a word of it is written."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sfumato.assessment import Assessment, assess
from sfumato.assessment.claims import claimed_anonymity
from sfumato.assessment.defaults import comparable
from sfumato.assessment.pairing import Pairing, pair_records
from sfumato.assessment.recoded_variables import recoded_of, without_recoded
from sfumato.assessment.synthetic_files import SYNTHETIC, attacks_without_pairs, draws_anew
from sfumato.contracts import Knowledge, Measure, Measurement, paired_rows
from sfumato.data import CATEGORICAL, Microdata, Role, role
from sfumato.errors import SfumatoError
from sfumato.intruder import NO_FIT
from sfumato.keys.findings.equal_records import equal_groups, smallest_equal_group
from sfumato.keys.findings.fitting_households import persons_found_by_fit
from sfumato.keys.findings.key_findings import KeyFindings, find_key_findings
from sfumato.keys.findings.sides_by_keys import sides_by_keys
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters.limits import SMALLEST_GROUP, Limit
from sfumato.reports.checked_limits import hold_limits
from sfumato.reports.counted_persons import risk_per_record
from sfumato.reports.release.household_sizes import sides_by_size
from sfumato.reports.release.key_risk import KeyRisk, count_left
from sfumato.reports.release.learnt_numbers import LearntNumbers, learnt_numbers
from sfumato.reports.release.question import ReleaseQuestion, Standard
from sfumato.reports.risk_figures import FIGURES
from sfumato.reports.risk_report import risk_report
from sfumato.risk import AttributeDisclosure, Inference, Linkability, SinglingOut

USUAL_K = 3
HELPING_ROLES = (Role.WEIGHT, Role.HOUSEHOLD)


@dataclass(frozen=True, eq=False)
class MeasuredRelease:
    """What was measured of a release.

    Parameters
    ----------
    question
        What was asked.
    k
        How many records should share the keys of each.
    assessment
        Risk and loss by the usual measures.
    pairing
        The released file, its records matched to the original's as far as something tells which is which.
    aligned
        The original records of the released ones, in their order; None where they are not matched.
    before, after
        What both files give away by their keys; None where they have none, or nobody stands behind a record.
    attribute
        How well confidential answers are guessed from the keys.
    untested
        What could not be measured, and why.
    attacks
        The attacks that WP216 asks for.
    learnt
        What the keys tell of confidential numbers; None where there is none, or records are not matched.
    """

    question: ReleaseQuestion
    k: int
    assessment: Assessment
    pairing: Pairing
    aligned: Microdata | None
    before: KeyRisk | None
    after: KeyRisk | None
    attribute: Measurement | None = None
    untested: tuple[str, ...] = ()
    attacks: tuple[tuple[Measure, Measurement], ...] = ()
    learnt: LearntNumbers | None = None

    @property
    def original(self) -> Microdata:
        """The file as it was."""
        return self.question.original

    @property
    def released(self) -> Microdata:
        """The file as it is released."""
        return self.pairing.masked

    @property
    def suppressed(self) -> float | None:
        """The percent of the values of the keys that were taken out; None where records are not matched."""
        if self.aligned is None or self.after is None:
            return None
        had = [self.aligned.observed(name) for name in self.after.keys]
        lost = [known & ~self.released.observed(name) for known, name in zip(had, self.after.keys, strict=True)]
        return 100 * float(np.sum(lost)) / max(float(np.sum(had)), 1.0)

    @property
    def tells_answers(self) -> bool:
        """Whether it was measured what the keys tell of confidential answers."""
        by_keys = self.after is not None and any(one.name == "single_valued" for one in self.after.report.figures)
        return by_keys or self.attribute is not None or self.learnt is not None

    @cached_property
    def equal_records(self) -> int:
        """How many released records are equal in every column, at least; 0 where it is fewer than k, or one."""
        return 0 if self.is_synthetic else smallest_equal_group(self.released, max(self.k, 2))

    @cached_property
    def equal_sizes(self) -> CodeColumn:
        """How many released records each different one stands for, where whole records are equal."""
        return np.bincount(equal_groups(self.released))

    @cached_property
    def without_recoded(self) -> dict[str, tuple[Measure, Measurement]]:
        """The measures of categories again, of the variables that kept their classes, where some did not, by symbol."""
        found: dict[str, tuple[Measure, Measurement]] = {}
        for measure, taken in self.assessment.by_room("loss"):
            if recoded := recoded_of(measure, self.original, self.pairing.masked):
                narrow = without_recoded(measure, self.original, self.pairing.masked, recoded)
                found |= {} if narrow is None else {taken.symbol: narrow}
        return found

    @property
    def is_shuffled(self) -> bool | None:
        """Whether the records stand in an order drawn at random; None where nobody knows."""
        if self.question.is_shuffled is None and self.aligned is self.original:
            return False
        return self.question.is_shuffled

    @property
    def is_synthetic(self) -> bool:
        """Whether the released records come from nobody."""
        return SYNTHETIC in self.assessment.remarks


def recipe_is_doubted(measured: MeasuredRelease) -> bool:
    """Tell whether values moved otherwise than the recipe moves them when the attacks run it, with other draws."""
    return any(NO_FIT in found.remark for found in measured.assessment.measurements)


def measure_release(question: ReleaseQuestion) -> MeasuredRelease:
    """Take all figures of a release."""
    # 1. The usual measures of risk and loss.
    found = assess(
        question.original,
        question.released,
        outliers=True,
        methods=question.methods,
        same_order=question.same_order,
        control=question.control,
        is_release=question.is_release,
    )
    is_synthetic = SYNTHETIC in found.remarks
    # 2. Which record is which.
    drawn = draws_anew(question.original, question.released, question.steps)
    pairing = pair_records(question.original, question.released, same_order=question.same_order, draws_anew=drawn)
    if is_synthetic:
        pairing = replace(pairing, is_known=False, is_synthetic=True)
    aligned = _aligned(question.original, pairing)
    # 3. Who stands out by the keys, before and after.
    k = _claimed_k(question)
    untested: list[str] = []
    before = after = None
    keys = _observed_keys(question.original)
    if keys:
        before = _key_risk(question.original, keys, k, (), untested, "the original")
    shown = tuple(name for name in keys if name in pairing.masked.schema and pairing.masked.observed(name).any())
    if shown and not is_synthetic:
        limits = tuple(limit for limit in question.limits if limit.figure in FIGURES)
        released = _with_helping_columns(pairing.masked, aligned)
        after = _key_risk(released, shown, k, limits, untested, "the released file", aligned)
        if after is not None:
            smallest = max([k, *(int(limit.number) for limit in limits if limit.is_lower)])
            findings = _known_findings(found, shown, smallest)
            if findings is None and limits:
                findings = find_key_findings(aligned, pairing.masked, shown, smallest)
            held = () if findings is None else hold_limits(after.report, findings)
            sides = None if aligned is None else sides_by_keys(aligned, pairing.masked, shown)
            by_fit = None if aligned is None else persons_found_by_fit(aligned, pairing.masked, shown)
            by_size = sides_by_size(question.original, aligned, pairing.masked, shown)
            after = replace(
                after, held=held, findings=findings, sides=sides, found_by_fit=by_fit, sides_by_size=by_size
            )
            if aligned is not None and findings is not None:
                after = replace(after, left_by_columns=count_left(aligned, pairing.masked, after, findings))
    # 4. What the keys tell of confidential answers.
    attribute = learnt = None
    if aligned is not None and shown:
        attribute = _attribute_disclosure(aligned, pairing.masked, shown, untested)
        learnt = learnt_numbers(aligned, pairing.masked, shown)
    # 5. The attacks that a standard asks for.
    attacks = _attacks(question, pairing.masked, found) if Standard.WP216 in question.standards else ()
    return MeasuredRelease(
        question, k, found, pairing, aligned, before, after, attribute, tuple(untested), attacks, learnt
    )


def _attacks(
    question: ReleaseQuestion, released: Microdata, found: Assessment
) -> tuple[tuple[Measure, Measurement], ...]:
    """Return singling out, linkability and inference: those of the assessment, or taken here."""
    taken = [pair for pair in found.by_room("risk") if isinstance(pair[0], SinglingOut | Linkability | Inference)]
    if taken:
        return tuple(taken)
    schema, _ = comparable(question.original, released)
    measures = attacks_without_pairs(schema, question.original, released, question.control)
    wanted = [one for one in measures if isinstance(one, SinglingOut | Linkability | Inference)]
    knowledge = Knowledge.of((), question.original, question.control)
    return tuple((one, one.informed_by(knowledge).measure(question.original, released)) for one in wanted)


def _claimed_k(question: ReleaseQuestion) -> int:
    """Return the k that was asked for: by the user, by a limit, by the recipe, or the usual one."""
    asked = [int(limit.number) for limit in question.limits if limit.figure == SMALLEST_GROUP]
    claims = [one.k for one in claimed_anonymity(question.released, question.steps)]
    return next(iter([*([question.k] if question.k else []), *asked, *claims]), USUAL_K)


def _observed_keys(data: Microdata) -> tuple[str, ...]:
    return tuple(name for name in data.select(role("key")) if data.observed(name).any())


def _aligned(original: Microdata, pairing: Pairing) -> Microdata | None:
    """Return the original records of the released ones, in their order."""
    if not pairing.is_known:
        return None
    if np.array_equal(original.row_ids, pairing.masked.row_ids):
        return original
    return original.take_rows(paired_rows(original, pairing.masked))


def _with_helping_columns(released: Microdata, aligned: Microdata | None) -> Microdata:
    """Return the released records with the weights and households of their originals where they were left out.

    The risk in the population is the same whether readers see the weights or not.
    """
    if aligned is None or released.table.implementation is not aligned.table.implementation:
        return released
    for one in HELPING_ROLES:
        if not released.select(role(one)):
            for name in aligned.select(role(one)):
                if name not in released.schema:
                    released = released.with_column(aligned.schema[name], aligned.table.get_column(name))
    return released


def _key_risk(
    data: Microdata,
    keys: tuple[str, ...],
    k: int,
    limits: tuple[Limit, ...],
    untested: list[str],
    what: str,
    original: Microdata | None = None,
) -> KeyRisk | None:
    try:
        report = risk_report(data, columns=keys, k=k, limits=limits, original=original)
        risks = risk_per_record(data, keys, data if original is None else original)
    except SfumatoError as error:
        if limits:  # what was demanded must be answered
            raise
        untested.append(f"Who stands out by the keys of {what} was not counted: {error}.")
        return None
    return None if risks is None else KeyRisk(report, risks)


def _known_findings(found: Assessment, keys: tuple[str, ...], k: int) -> KeyFindings | None:
    """Return what the assessment counted beside these keys for this k; None where it did not."""
    return next((one for one in found.findings if {*one.names} == {*keys} and one.k == k), None)


def _attribute_disclosure(
    aligned: Microdata, released: Microdata, keys: tuple[str, ...], untested: list[str]
) -> Measurement | None:
    """Return how well confidential answers are guessed by somebody who recodes a person's keys as the release does."""
    names = tuple(
        one.name
        for one in aligned.schema.variables
        if one.role is Role.CONFIDENTIAL and one.kind in CATEGORICAL and one.name in released.schema
    )
    known = tuple(name for name in keys if released.schema[name].kind in CATEGORICAL)
    if not names or not known:
        return None
    try:
        persons = aligned.take_columns(names)
        for name in known:
            persons = persons.with_column(released.schema[name], released.table.get_column(name))
        return AttributeDisclosure(columns=names, given=known).measure(persons, released)
    except SfumatoError as error:
        untested.append(f"How far keys tell confidential answers was not measured: {error}.")
        return None
