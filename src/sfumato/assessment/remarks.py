"""What must be read with the figures: who the intruders are, and what the figures leave out."""

from collections.abc import Sequence

from sfumato.assessment.pairing import Pairing
from sfumato.contracts import Measure
from sfumato.data import Microdata
from sfumato.display import format_percent
from sfumato.keys.exposure import telling_exposure
from sfumato.keys.found_households import household_remarks
from sfumato.keys.weight_notices import own_weight_notices
from sfumato.risk import KAnonymity, WorstCaseLinkage


def claim_remark(claims: Sequence[KAnonymity], masked: Microdata, taken: Sequence[Measure]) -> tuple[str, ...]:
    """Return who the intruder is to whom k was promised, and who those of the other measures that are taken are."""
    if not claims:
        return ()
    has_worst = any(isinstance(measure, WorstCaseLinkage) for measure in taken)
    worst = "; in the worst case (WCL) they also know how the file was masked" if has_worst else ""
    return (
        f"Several intruders are measured here. k-anonymity (KA), which the masking aims at, is about somebody who "
        f"knows {_known_keys(claims[0], masked)} The other risks are about somebody who has the exact original "
        f"values of all compared columns{worst}. They can be high in a file in which nobody stands out by the keys.",
    )


def readable_remark(measures: Sequence[Measure], original: Microdata, pairing: Pairing) -> tuple[str, ...]:
    """Return which keys of a k that is measured other columns tell, and who is found by a household or a weight.

    The original counts where records are matched. Of synthetic records nothing is said, as nobody is found by them.
    """
    if pairing.is_synthetic:
        return ()
    masked = pairing.masked
    found: list[str] = []
    for measure in measures:
        if isinstance(measure, KAnonymity):
            names = masked.select(measure.columns)
            before = original if pairing.is_known else None
            found += telling_exposure(masked, names, measure.k, before).remarks
            found += household_remarks(masked, names, before)
    found += [notice.removesuffix(".") for notice in own_weight_notices(masked, original if pairing.is_known else None)]
    return tuple(f"{remark}." for remark in dict.fromkeys(found) if remark)


def recoding_remark(lost: tuple[str, ...], taken: Sequence[Measure]) -> tuple[str, ...]:
    """Return a sentence about the columns that only the worst case looks at; nothing where there are none."""
    linked = {name for measure in taken if isinstance(measure, WorstCaseLinkage) for name in measure.columns}
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
