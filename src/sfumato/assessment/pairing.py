"""Which masked record came from which original one, and how that is known; never a guess."""

from dataclasses import dataclass

import numpy as np

from sfumato.assessment.file_order import file_order_warning
from sfumato.assessment.row_order import OrderEvidence, order_evidence
from sfumato.contracts import paired_rows
from sfumato.data import Microdata, role
from sfumato.errors import DataError

STATED = "Records were matched by their order, as you said that it is the same."
UNSUPPORTED = (
    "MATCHED RECORDS ARE NO MORE ALIKE THAN STRANGERS: in {agreeing:.0f} % of {comparisons:,} comparisons of records "
    "with the next one the two files agree, and chance gives 50 %. Either they are matched wrongly, and the risk is "
    "higher than it would look, or nothing of the single record is left, as in synthetic data."
)
NOT_TAKEN = (
    "So it is not taken for known which record is which: give the manifest that mask or protect wrote, or an "
    "identifier by which both files number the same records alike."
)
BY_ROWS = (
    "In the order of their rows they agree in {agreeing:.0f} % of {comparisons:,} comparisons: the identifier seems to "
    "number the records anew; give it the role other, so that nothing is matched by it."
)
DOUBTED = "RECORDS SEEM TO BE MATCHED WRONGLY, so that nothing tells which is which."
LIKE_SYNTHETIC = (
    "Records are no more like their originals than like strangers, as synthetic ones are: figures that compare a "
    "record with its original say little of the loss; marginal_distance, pairwise_distance and propensity_loss "
    "compare the files as wholes."
)
RHYTHM = 60.0  # percent of agreement of rolled files from which on it is worth naming
MOVED = (
    "MATCHED RECORDS ARE NOT THE SAME ONES: most masked records are copies of originals, but of others than those they "
    "are matched with. The risk is higher than it would look."
)
ENOUGH = 10_000  # records that show whether pairs are alike
SHOWN_NAMES = 5
WHAT_TO_GIVE = "give the manifest that mask or protect wrote, or an identifier that both files have"


@dataclass(frozen=True, eq=False)
class Pairing:
    """Two files, and whether it is known which record is which.

    Parameters
    ----------
    masked
        The masked records; where the pairing is known their row ids are those of the originals.
    is_known
        Whether the row ids tell which record is which.
    sentences
        How that is known or why it is not, and what must be read with it; nothing where row ids were handed down.
    is_synthetic
        Whether the records come from nobody, so that there are no pairs to know.
    is_doubted
        Whether something says which record is which, and the records show the contrary.
    """

    masked: Microdata
    is_known: bool
    sentences: tuple[str, ...] = ()
    is_synthetic: bool = False
    is_doubted: bool = False


def pair_records(
    original: Microdata, masked: Microdata, *, same_order: bool = False, draws_anew: bool = False
) -> Pairing:
    """Return the masked file with the row ids of its originals, as far as something tells them.

    Row ids that were handed down or given count first, then an identifier that both files have, then the order: where
    the user says that it is the same, or where the files show it. An identifier or a stated order does not count where
    the records are no more alike so than strangers: a shuffled file with a number of its own would look safe.

    Parameters
    ----------
    original, masked
        The two files.
    same_order
        Whether the user says that both are in the same order.
    draws_anew
        Whether the recipe draws whole records anew, so that they are like strangers wherever they stand.
    """
    _check_common_columns(original, masked)
    if masked.is_numbered_as(original):
        return Pairing(masked, True)
    warning, found = file_order_warning(original, masked), _identified(original, masked)
    if found is not None:
        after, name = found
        by = f"Records were matched by the identifier {name}."
        return _unless_doubted(original, masked, after, (*warning, by), is_doubt_meant=draws_anew)
    if original.n != masked.n:
        if same_order:
            raise DataError(
                f"files in the same order have the same number of records; got {original.n:,} and {masked.n:,}: leave "
                f"out the option same_order, and {WHAT_TO_GIVE}"
            )
        lengths = f"The files have {original.n:,} and {masked.n:,} records, and nothing tells which are which."
        return Pairing(masked, False, (*warning, lengths))
    in_order = Microdata(masked.frame, masked.schema, original.row_ids)
    if same_order:
        return _unless_doubted(original, masked, in_order, (*warning, STATED), is_doubt_meant=draws_anew)
    evidence = order_evidence(original, in_order)
    if not evidence.is_same_order:
        return Pairing(masked, False, (*warning, _why_unknown(evidence)))
    return Pairing(in_order, True, (*warning, _by_evidence(evidence)))


def what_to_do(original_records: int, masked_records: int) -> str:
    """Return what lets files of so many records be matched, as an order that a sentence may begin or end with."""
    if original_records != masked_records:
        return WHAT_TO_GIVE
    return f"{WHAT_TO_GIVE}; or, if you know it, say that both are in the same order (the option same_order)"


def _check_common_columns(original: Microdata, masked: Microdata) -> None:
    """Refuse two files that share no column."""
    if set(original.schema.names) & set(masked.schema.names):
        return
    if all(name.removesuffix("_low").removesuffix("_high") in original.schema for name in masked.schema.names):
        raise DataError(
            "the masked file has intervals, NAME_low and NAME_high, in place of all columns: figures compare values, "
            "so that none can be told; leave some column as it is"
        )
    raise DataError(
        f"the files have no column in common: the original has {_some(original.schema.names)}, the masked file "
        f"{_some(masked.schema.names)}; are these the right files, and are the columns spelled alike?"
    )


def _some(names: tuple[str, ...]) -> str:
    """Return a few names of columns, and how many more there are."""
    shown = ", ".join(map(repr, names[:SHOWN_NAMES]))
    return shown if len(names) <= SHOWN_NAMES else f"{shown} and {len(names) - SHOWN_NAMES} more"


def _identified(original: Microdata, masked: Microdata) -> tuple[Microdata, str] | None:
    """Return the masked file with the row ids that a common identifier gives, and its name, if there is one."""
    for name in original.select(role("identifier")):
        if name in masked.schema:
            place = {value: row for row, value in enumerate(original.table[name].to_list())}
            rows = [place.get(value, -1) for value in masked.table[name].to_list()]
            if len(place) == original.n and -1 not in rows:
                return Microdata(masked.frame, masked.schema, original.row_ids[np.array(rows, dtype=np.int64)]), name
    return None


def synthetic_remark(original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return what to read with the figures of records that came from their originals but have nothing of them left."""
    return (LIKE_SYNTHETIC,) if are_strangers(original, masked) else ()


def are_strangers(original: Microdata, masked: Microdata) -> bool:
    """Tell whether matched records are no more alike than any others, and enough of them to show it."""
    return _show_strangers(_pair_evidence(original, masked))


def _unless_doubted(
    original: Microdata, masked: Microdata, paired: Microdata, sentences: tuple[str, ...], *, is_doubt_meant: bool
) -> Pairing:
    """Return a pairing with what is to be said of it; not as known where the records show that they are others."""
    evidence = _pair_evidence(original, paired)
    if not evidence.has_moved_copies and not evidence.is_like_chance:
        unsure = f"The records do not show that they are matched rightly: {_found(evidence)}."
        is_unsure = evidence.is_rhythm or _show_strangers(evidence)
        return Pairing(paired, True, (*sentences, unsure) if is_unsure else sentences)
    doubt = MOVED if evidence.has_moved_copies else _in_figures(UNSUPPORTED, evidence)
    if is_doubt_meant:
        return Pairing(paired, True, (*sentences, doubt))
    by_rows = _evidence_of_rows(original, masked)
    in_rows = () if by_rows is None or not by_rows.is_same_order else (_in_figures(BY_ROWS, by_rows),)
    return Pairing(masked, False, (*sentences, doubt, *in_rows, NOT_TAKEN), is_doubted=True)


def _in_figures(sentence: str, evidence: OrderEvidence) -> str:
    return sentence.format(agreeing=evidence.agreeing, comparisons=evidence.comparisons)


def _evidence_of_rows(original: Microdata, masked: Microdata) -> OrderEvidence | None:
    """Return how far records in the same rows agree; None where one file has more of them."""
    if original.n != masked.n:
        return None
    return _pair_evidence(original, Microdata(masked.frame, masked.schema, original.row_ids))


def _pair_evidence(original: Microdata, masked: Microdata) -> OrderEvidence:
    """Return how far matched records agree, from the first of them: thousands are enough.

    Identifiers are left out: that by which they were matched agrees whoever they are.
    """
    content = tuple(name for name in masked.schema.names if name not in original.select(role("identifier")))
    some = masked.take_columns(content).take_rows(np.arange(min(masked.n, ENOUGH)))
    return order_evidence(original.take_rows(paired_rows(original, some)), some)


def _show_strangers(evidence: OrderEvidence) -> bool:
    has_shown = evidence.is_same_order or evidence.is_in_part or evidence.is_rhythm
    return evidence.is_conclusive and not has_shown


def _by_evidence(evidence: OrderEvidence) -> str:
    if evidence.is_copy:
        return (
            f"Rows were taken to be in the same order: {evidence.equal_rows:.0f} % of them are the same in both files."
        )
    return (
        f"Rows were taken to be in the same order: in {evidence.agreeing:.0f} % of {evidence.comparisons:,} "
        f"comparisons of records with the next one the two files agree, {_expected(evidence)}."
        f"{_sorted_words(evidence)}"
    )


def _sorted_words(evidence: OrderEvidence) -> str:
    """Return what may be wrong where both files are sorted by some column: each may be by its own values."""
    if not evidence.ordered_by:
        return ""
    return (
        f" Both are sorted by {', '.join(evidence.ordered_by)}: if the masked file was sorted anew after masking, some "
        f"records stand beside their neighbours, and the risk is higher than the figures say."
    )


def _expected(evidence: OrderEvidence) -> str:
    """Return what the agreement is held against: chance, or a rhythm that the rows have."""
    if evidence.by_chance < RHYTHM:
        return "and chance gives 50 %"
    return f"and {evidence.by_chance:.0f} % do if one file is moved some rows on, since the rows have a rhythm"


def _found(evidence: OrderEvidence) -> str:
    found = f"{evidence.agreeing:.0f} % of {evidence.comparisons:,} comparisons of records with the next one agree"
    return f"{found}, {_expected(evidence)}" if evidence.by_chance >= RHYTHM else found


def _why_unknown(evidence: OrderEvidence) -> str:
    found = _found(evidence)
    if evidence.has_moved_copies:
        found = "most masked records are copies of originals that stand in other rows"
    elif not evidence.is_conclusive:
        found = "the files have too few records that could show it"
    elif evidence.is_in_part:
        found += ", but not in every part of the file"
    return f"Nothing tells which record is which: no manifest, no common identifier; as to the order, {found}."
