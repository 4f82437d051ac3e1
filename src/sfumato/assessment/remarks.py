"""What must be read with the figures: who the intruders are, and what the figures leave out."""

from collections.abc import Sequence

import numpy as np

from sfumato.assessment.claims import claimed_anonymity
from sfumato.assessment.defaults import compares_values
from sfumato.assessment.pairing import Pairing
from sfumato.assessment.release_notes import Note, alarms_of, key_notes, value_notes, weight_notes
from sfumato.assessment.synthetic_files import is_synthetic
from sfumato.comparison.kept_values import count_kept_values, unchanged_names
from sfumato.contracts import LossMeasure, MaskingMethod, Measure
from sfumato.data import Kind, Microdata, role
from sfumato.data.kinds import CONTENT_ROLES, DESIGN_ROLES
from sfumato.display import format_percent
from sfumato.keys.findings.key_findings import KeyFindings, find_key_findings
from sfumato.keys.recomputed_values import recomputed_columns
from sfumato.risk import KAnonymity

USUAL_K = 3  # where nobody says how many records should share the keys of each, or a mean

SEVERAL_INTRUDERS = "Several intruders are measured here."
ALARMS = "THE FILE TELLS MORE THAN THE FIGURES SAY."
NO_LOSS = (
    "No figure of loss looks at these columns: {names}. What was lost of them, by themselves and together with others, "
    "is not measured; compare them with the original yourself."
)


def claim_remark(claims: Sequence[KAnonymity], masked: Microdata, taken: Sequence[Measure]) -> tuple[str, ...]:
    """Return who the intruder is to whom k was promised, and who those of the other measures that are taken are."""
    if not claims:
        return ()
    has_worst = any(measure.is_a("worst_case_linkage") for measure in taken)
    worst = "; in the worst case (WCL) they also know how the file was masked" if has_worst else ""
    return (
        f"{SEVERAL_INTRUDERS} k-anonymity (KA), which the masking aims at, is about somebody who "
        f"knows {_known_keys(claims[0], masked)} The other risks are about somebody who has the exact original "
        f"values of all compared columns{worst}. They can be high in a file in which nobody stands out by the keys.",
    )


def notes_of_release(
    measures: Sequence[Measure],
    original: Microdata,
    pairing: Pairing,
    steps: Sequence[MaskingMethod],
    *,
    is_usual: bool,
) -> tuple[list[Note], tuple[KeyFindings, ...]]:
    """Return what the masked file tells beside the figures, as `protect` tells it of the same file, and what it counts.

    Of synthetic records nothing is said, as nobody is found by them. Where records are not matched, only what the
    masked file tells by itself is. Where the measures were chosen, and none is of k, only the weights are looked at.

    Parameters
    ----------
    measures
        Those that are taken; a k among them tells the keys.
    original, pairing
        The original, and the masked file as far as its records are matched.
    steps
        The steps that masked it, as far as they are known.
    is_usual
        Whether the measures are the usual ones.
    """
    if pairing.is_synthetic:
        return [], ()
    masked = pairing.masked
    claims = [(masked.select(one.columns), one.k) for one in measures if isinstance(one, KAnonymity)]
    if not pairing.is_known:
        findings = tuple(find_key_findings(None, masked, *keys) for keys in claims)
        of_keys = [key_notes(None, masked, *keys, findings=one) for keys, one in zip(claims, findings, strict=True)]
        return [*(note for notes in of_keys for note in notes), *weight_notes(None, masked)], findings
    if not claims and not is_usual:
        return weight_notes(original, masked), ()
    notes, findings = _notes_of_pair(original, masked, claims, steps)
    return [*notes, *weight_notes(original, masked)], findings


def notes_of_masking(original: Microdata, masked: Microdata, steps: Sequence[MaskingMethod]) -> list[Note] | None:
    """Return what a file that was just masked still tells, but for its weights; None where records are drawn anew."""
    pairing = Pairing(masked, masked.is_numbered_as(original))
    if not pairing.is_known or is_synthetic(original, pairing, steps):
        return None
    claims = [(masked.select(one.columns), one.k) for one in claimed_anonymity(masked, steps)]
    return _notes_of_pair(original, masked, claims, steps)[0]


def _notes_of_pair(
    original: Microdata,
    masked: Microdata,
    claims: Sequence[tuple[tuple[str, ...], int]],
    steps: Sequence[MaskingMethod],
) -> tuple[list[Note], tuple[KeyFindings, ...]]:
    """Return what a masked file tells of its keys, by the k that is claimed of them or that it has, and of values."""
    before = original
    if not np.array_equal(original.row_ids, masked.row_ids):
        before = original.take_rows(original.rows_of(masked.row_ids))
    unchanged = unchanged_names(count_kept_values(before, masked))
    claims = claims or _reached_anonymity(before, masked, unchanged)
    k = max((k for _, k in claims), default=USUAL_K)
    recomputed = recomputed_columns(before, masked, unchanged)
    findings = tuple(find_key_findings(before, masked, *keys) for keys in claims)
    of_keys = [
        key_notes(before, masked, *keys, unchanged=unchanged, findings=one)
        for keys, one in zip(claims, findings, strict=True)
    ]
    of_values = value_notes(before, masked, steps, k, unchanged=unchanged, recomputed=recomputed)
    return [*(note for notes in of_keys for note in notes), *of_values], findings


def no_loss_remark(taken: Sequence[Measure], original: Microdata, pairing: Pairing) -> tuple[str, ...]:
    """Return which columns of the masked file no loss looks at; nothing where there are none."""
    names = columns_without_loss(taken, original, pairing)
    return (NO_LOSS.format(names=", ".join(names)),) if names else ()


def columns_without_loss(taken: Sequence[Measure], original: Microdata, pairing: Pairing) -> tuple[str, ...]:
    """Return the columns of the masked file that no loss looks at.

    Identifiers, numbers of households, and columns of which every record kept its value have no loss to speak of. The
    count of suppressed values compares no values, so that it does not count here.
    """
    masked = pairing.masked
    losses = [one for one in taken if isinstance(one, LossMeasure) and compares_values(one)]
    seen = {name for measure in losses for name in original.select(measure.columns)}
    roles = CONTENT_ROLES | DESIGN_ROLES
    names = [each.name for each in original.schema.variables if each.role in roles and each.name not in seen]
    names = [name for name in names if name in masked.schema and masked.summary.observed(name)]
    if names and pairing.is_known:
        before = original.frame.select(names)[original.rows_of(masked.row_ids)]
        names = [name for name in names if not before[name].equals(masked.frame[name], null_equal=True)]
    return tuple(names)


def alarm_remark(notes: Sequence[Note]) -> tuple[str, ...]:
    """Return in one remark what notes come to; nothing where none is an alarm."""
    alarms = alarms_of(notes)
    return (f"{ALARMS} {' '.join(alarms)} The notes tell how much.",) if alarms else ()


def _reached_anonymity(
    original: Microdata, masked: Microdata, unchanged: Sequence[str]
) -> list[tuple[tuple[str, ...], int]]:
    """Return the keys and the k that a file has by them, up to the usual one, where keys were masked and it has some.

    So a file is looked at for which nobody says how it was masked.
    """
    names = tuple(name for name in original.select(role("key")) if name in masked.schema)
    names = tuple(name for name in names if masked.schema[name].kind is not Kind.CONTINUOUS)
    shown = tuple(name for name in names if masked.summary.observed(name))
    if not shown or {*names} <= {*unchanged}:
        return []
    reached = int(KAnonymity(columns=shown, k=USUAL_K).of(masked).parts["KAS"])
    return [(names, min(reached, USUAL_K))] if reached > 1 else []


def recoding_remark(lost: tuple[str, ...], taken: Sequence[Measure]) -> tuple[str, ...]:
    """Return a sentence about the columns that only the worst case looks at; nothing where there are none."""
    linked = {name for measure in taken if measure.is_a("worst_case_linkage") for name in measure.columns}
    names = ", ".join(name for name in lost if name in linked)
    return (f"{names}: of another kind than in the original, so only the worst case compares them.",) if names else ()


def _known_keys(claim: KAnonymity, masked: Microdata) -> str:
    """Return what somebody knows to whom k was promised, and what a promise about some keys says nothing about."""
    keys = ", ".join(claim.columns) if isinstance(claim.columns, tuple) else str(claim.columns)
    if not claim.combinations:
        return f"{keys} of a person."
    all_keys = claim.replace(combinations=()).measure(masked, masked).value
    return (
        f"no more of {keys} of a person than the combinations that were asked for; of all these keys together "
        f"{format_percent(all_keys)} of the records share them with fewer than {claim.k - 1} others."
    )
