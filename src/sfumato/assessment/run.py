"""Assess a masked file: take the measures, make the scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sfumato.assessment.arguments import check_arguments
from sfumato.assessment.assessment import Assessment
from sfumato.assessment.claims import claimed_anonymity
from sfumato.assessment.defaults import (
    comparable,
    compares_values,
    dates_of_both,
    default_measures,
    linkable,
    measures_without_pairs,
    shared_records,
    suppression,
)
from sfumato.assessment.defaults import worst_case as worst_case_measure
from sfumato.assessment.figures_by_persons import measure_persons
from sfumato.assessment.outliers import outliers_of
from sfumato.assessment.pairing import DOUBTED, Pairing, pair_records, synthetic_remark, what_to_do
from sfumato.assessment.plan import measure_of
from sfumato.assessment.recoded_variables import recoded_remark
from sfumato.assessment.release_notes import Note, alarms_of, remarks_of
from sfumato.assessment.release_traces import release_traces
from sfumato.assessment.remarks import alarm_remark, claim_remark, no_loss_remark, notes_of_release, recoding_remark
from sfumato.assessment.symbols import check_symbols, symbol_endings, variants_of
from sfumato.assessment.synthetic_files import (
    NO_CONTROL,
    SYNTHETIC,
    attacks_without_pairs,
    draws_anew,
    is_synthetic,
    leak_remark,
    unattacked_columns,
)
from sfumato.assessment.unread_dates import with_unread_dates
from sfumato.contracts import Correspondence, Knowledge, MaskingMethod, Measure, Measurement, Part
from sfumato.data import Kind, Microdata, Schema, role
from sfumato.errors import DataError
from sfumato.intruder import with_told_columns
from sfumato.keys.findings.counted_units import counted_as
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.scores import USUAL_SCORES, Score, synthetic_score

MAX_RECORDS = 20_000  # in larger files the worst case is measured only when it is asked for
TOO_MANY = (
    f"The worst case was not measured, as it takes long beyond {MAX_RECORDS} records: name worst_case_linkage among "
    f"the measures to have it, or assess a sample of the records."
)
MIN_OUTLIERS = 5
TOO_FEW = (
    f"Outliers are not shown separately, as the masked file has fewer than {MIN_OUTLIERS} of them: their mean loss "
    f"would give away a single person's values."
)


@dataclass(frozen=True)
class Question:
    """What is asked of two files.

    Parameters
    ----------
    measures
        The measures, those among them that must be withheld too.
    not_measured
        Columns that none of them looks at, although the original has them.
    remarks
        What must be read with the answers.
    """

    measures: tuple[Measure, ...]
    not_measured: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def assess(
    original: Microdata,
    masked: Microdata,
    measures: Sequence[Measure] | None = None,
    scores: Sequence[Score] | None = None,
    *,
    outliers: bool = False,
    worst_case: bool = True,
    methods: Sequence[Part] = (),
    same_order: bool = False,
    control: Microdata | None = None,
    is_release: bool = False,
    is_sample: bool = False,
) -> Assessment:
    """Return what the measures find in an original and its masked file, with the scores made from it.

    Parameters
    ----------
    original, masked
        The two files. Masked records are matched to their originals by row id where these were handed down or given, so
        that a sample or another order is fine; else by an identifier that both have, or by their order if the records
        show that it is the same. Where nothing tells, measures that compare a record with its original are withheld,
        and where the `methods` draw whole records anew, they are not among the usual ones: such records come from
        nobody.
    measures
        What to ask. When not given, the `default_measures` of the numeric and categorical columns that the masked file
        still has as such; the assessment names the others.
    scores
        The scores to make; those of `USUAL_SCORES` whose measures were taken when not given.
    outliers
        Tell the figures of the outliers apart: the 5 % of the original records that are farthest from the mean record
        over the measured numeric columns, standardised. Where no numeric column is measured there are none; fewer than
        5 are not shown separately, as their mean could give away the values of one.
    worst_case
        Add `WorstCaseLinkage` to the default measures, in files of up to 20 000 records: it takes seconds to minutes.
    methods
        The methods that masked the file, and what improved it after them, as in `recipe.parts`: an intruder who knows
        them tries the attacks that are made for them, as in `WorstCaseLinkage`.
    same_order
        Say that both files hold the same records in the same order, where row ids and identifiers do not tell; or that
        records which were drawn anew are to be compared with those in their rows all the same.
    control
        Records of the same population that the masked file was not made from. Attacks that ask not which record is
        which, such as `MembershipInference`, are tried on them too: what they find there is known about everybody.
        They are among the usual measures where a control is given, or where nothing tells which record is which.
    is_release
        Whether the masked file is as it leaves the house, and not yet to be put into another order: what its order,
        household numbers and identifiers tell of who is who then counts, and leaves no bound on links.
    is_sample
        Whether both files are a sample of larger ones: what the masked one tells beside the figures is then not looked
        for, as it rests on how many records of the whole file share something.

    Examples
    --------
    >>> import polars
    >>> original = Microdata(polars.DataFrame({"income": [21.5, 35.2, 50.1, 78.9], "tax": [4.1, 7.3, 11.9, 20.2]}))
    >>> masked = Microdata(polars.DataFrame({"income": [28.4, 28.4, 64.4, 64.4], "tax": [5.7, 5.7, 16.0, 16.0]}))
    >>> assessment = assess(original, masked, same_order=True)
    >>> assessment.values["DLD"]
    50.0
    """
    check_arguments(original, masked, measures, scores, methods, control)
    if not original.n or not masked.n:
        raise DataError(f"{'the original' if not original.n else 'the masked file'} has no records to assess")
    named = {name for measure in measures or () for name in original.select(measure.columns)}
    original, masked, unread = with_unread_dates(original, masked, named)
    steps = tuple(part for part in methods if isinstance(part, MaskingMethod))
    pairing = pair_records(original, masked, same_order=same_order, draws_anew=draws_anew(original, masked, steps))
    if measures is None and not same_order and is_synthetic(original, pairing, steps):
        pairing = replace(pairing, is_known=False, is_synthetic=True, sentences=(SYNTHETIC,))
    question = (
        _usual_question(original, pairing, steps, worst_case, control)
        if measures is None
        else Question(tuple(measures))
    )
    taken = tuple(measure for measure in question.measures if pairing.is_known or not needs_pairs(measure))
    if question.measures and not taken:
        to_do = what_to_do(original.n, masked.n)
        raise DataError(f"{pairing.sentences[-1]} All measures asked for need to know that: {to_do}")
    notes, findings = list[Note](), tuple[KeyFindings, ...]()
    if not is_sample:
        notes, findings = notes_of_release(taken, original, pairing, steps, is_usual=measures is None)
    told = (f"{remark}." for remark in remarks_of(notes))
    units = (counted_as(original),) if findings and pairing.is_known else ()
    remarks = (*alarm_remark(notes), *pairing.sentences, *unread, *question.remarks, *units, *told)
    knowledge = Knowledge.of(methods, original, control)
    if is_release and pairing.is_known:
        knowledge = replace(knowledge, shown=release_traces(original, pairing.masked))
    informed = tuple(measure.informed_by(knowledge) for measure in taken)
    check_symbols(taken, scores or ())
    found = tuple(
        _with_ending(measure_persons(measure, original, pairing), ending)
        for measure, ending in zip(informed, symbol_endings(taken), strict=True)
    )
    unattacked = unattacked_columns(original, pairing.masked, informed) if control is not None else ()
    in_classes = recoded_remark(informed, found, original, pairing.masked)
    remarks = (*leak_remark(found, unattacked), *remarks, *in_classes)
    without = Assessment(
        informed,
        found,
        (),
        original.n,
        masked.n,
        question.not_measured,
        remarks,
        withheld=tuple(measure.name() for measure in question.measures if measure not in taken),
        unattacked=unattacked,
        alarms=(*((DOUBTED,) if pairing.is_doubted else ()), *alarms_of(notes)),
        findings=findings,
    )
    usual = USUAL_SCORES if control is None else (*USUAL_SCORES, synthetic_score)
    made = _known_scores(scores, usual, without.measured_values, is_paired=pairing.is_known)
    columns = _measured_numbers(original, informed) if outliers and pairing.is_known else ()
    apart = outliers_of(original, pairing.masked, columns) if columns else None
    if apart is not None and apart.records < MIN_OUTLIERS:
        apart, remarks = None, (*remarks, TOO_FEW)
    return replace(without, scores=made, remarks=remarks, outliers=apart)


def _with_ending(found: Measurement, ending: str) -> Measurement:
    return replace(found, symbol=f"{found.symbol}{ending}") if ending else found


def needs_pairs(measure: Measure) -> bool:
    """Tell whether the figure of a measure rests on knowing which masked record came from which original one."""
    correspondence = getattr(measure, "correspondence", Correspondence.TRUE_RECORD)
    return measure.needs_pairs and correspondence is Correspondence.TRUE_RECORD


def _usual_question(
    original: Microdata,
    pairing: Pairing,
    methods: Sequence[MaskingMethod],
    worst_case: bool,
    control: Microdata | None,
) -> Question:
    """Return what to ask when no measure is named."""
    masked = pairing.masked
    schema, lost = comparable(original, masked)
    claims = claimed_anonymity(masked, methods)
    known = linkable(original, with_told_columns(masked, methods, original))
    measures, more = _usual_measures(schema, original, pairing, known if worst_case else None, claims, control)
    taken = tuple(measure for measure in measures if pairing.is_known or not needs_pairs(measure))
    strangers = synthetic_remark(original, masked) if pairing.is_known and not pairing.sentences else ()
    remarks = (
        *(*strangers, *more, *claim_remark(claims, masked, taken), *recoding_remark(lost, taken)),
        *no_loss_remark(taken, original, pairing),
    )
    left = tuple(name for name in lost if not any(name in one.columns for one in taken if compares_values(one)))
    return Question(measures, left, remarks)


def _usual_measures(
    schema: Schema,
    original: Microdata,
    pairing: Pairing,
    known: Schema | None,
    claims: tuple[Measure, ...],
    control: Microdata | None,
) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
    """Return the measures to take when none is named, and what to say of those that are not.

    `known` are the columns by which the worst case links, none where it is not asked for.
    """
    masked = pairing.masked
    dates = dates_of_both(schema, masked)
    usual = default_measures(schema, dates)
    worst = (worst_case_measure(known),) if known is not None and original.n <= MAX_RECORDS else ()
    if not pairing.is_known:
        keys = () if pairing.is_synthetic else original.select(role("key"))  # nobody stands out who is nobody
        without = measures_without_pairs(schema, original, masked, claims, control, keys)
        paired = () if pairing.is_synthetic else (measure for measure in (*usual, *worst) if needs_pairs(measure))
        return (*without, *paired), () if control is not None else (NO_CONTROL,)
    remarks = (TOO_MANY,) if known is not None and not worst else ()
    return (
        *usual,
        *suppression(original, masked),
        *claims,
        *shared_records(schema, dates),
        *(attacks_without_pairs(schema, original, masked, control) if control is not None else ()),
        *worst,
    ), remarks


def _known_scores(
    scores: Sequence[Score] | None, usual: Sequence[Score], values: Mapping[str, float], *, is_paired: bool
) -> tuple[Score, ...]:
    """Return the scores to make, refusing one that lacks a measure before anything is shown.

    Of the usual ones, and where measures were withheld, those are made whose measures were taken.
    """
    made = tuple(usual if scores is None else scores)
    if scores is None or not is_paired:
        made = tuple(score for score in made if score.is_known(values))
    for score in made:
        absent = [symbol for symbol in score.needs if symbol not in values]
        several = {symbol: variants for symbol in absent if (variants := variants_of(symbol, values))}
        for symbol, variants in several.items():
            raise DataError(f"{score.name}: {symbol} is taken with several parameters; weigh {' or '.join(variants)}")
        lacking = [f"{measure_of(symbol)} ({symbol})" for symbol in absent if measure_of(symbol)]
        if lacking:
            raise DataError(
                f"{score.name}: its figures are not all among those taken ({', '.join(values) or 'none'}); "
                f"measure {' and '.join(lacking)} too, or leave the score out"
            )
        score.score(values)
    return made


def _measured_numbers(original: Microdata, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return the numeric columns that some measure looks at, in the order of the file."""
    seen = {name for measure in measures for name in original.select(measure.columns)}
    names = [one.name for one in original.schema.variables if one.kind is Kind.CONTINUOUS and one.name in seen]
    return tuple(name for name in names if original.summary.observed(name) > 0)
