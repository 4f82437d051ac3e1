"""What a release shows of who is who beside what its columns tell: its order, and numbers that it kept."""

import numpy as np

from sfumato.contracts import paired_rows
from sfumato.data import Microdata, Role

MIN_RECORDS = 6  # fewer may stand in the order of the original by chance
IN_ORDER = "the records are in the order of the original: whoever has it so knows who is who, and no bound is proven"
KEPT = "{names}: such numbers are those of the original: whoever knows them knows who is who, and no bound is proven"


def release_traces(original: Microdata, released: Microdata) -> tuple[str, ...]:
    """Return in a sentence each what tells who is who though no attack uses it; nothing where nothing does."""
    rows = paired_rows(original, released)
    is_in_order = len(rows) >= MIN_RECORDS and bool((np.diff(rows) > 0).all())
    kept = [name for name in released.schema.names if _is_number(original, released, name)]
    kept = [name for name in kept if _is_kept(original, released, name)]
    return (*([IN_ORDER] if is_in_order else []), *([KEPT.format(names=", ".join(kept))] if kept else []))


def _is_number(original: Microdata, released: Microdata, name: str) -> bool:
    """Tell whether a column of both files names persons or households."""
    roles = {data.schema[name].role for data in (original, released) if name in data.schema}
    return name in original.schema and bool(roles & {Role.HOUSEHOLD, Role.IDENTIFIER})


def _is_kept(original: Microdata, released: Microdata, name: str) -> bool:
    """Tell whether most records have the number that their original has."""
    (before, known), (after, shown) = original.codes(name), released.codes(name)
    texts = [np.array([*map(str, categories), ""], dtype=object) for categories in (known, shown)]
    numbers = texts[0][before][paired_rows(original, released)], texts[1][after]
    has_number = after >= 0
    return bool(has_number.any() and (numbers[0] == numbers[1])[has_number].mean() > 0.5)
