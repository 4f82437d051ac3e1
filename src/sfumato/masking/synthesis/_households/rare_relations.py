"""Relations of so few households that what ties their members to the others is hardly learnt."""

import numpy as np

from sfumato.data import Microdata
from sfumato.display import format_count
from sfumato.masking.synthesis._households.members import members_by_relation
from sfumato.numerics.arrays import Rows

FEW_HOUSEHOLDS = 30  # about what a split needs to hold in two thirds of them and to be confirmed by the last third


def rare_relation_remarks(data: Microdata, relation: str, households: Rows, min_leaf: int) -> tuple[str, ...]:
    """Return a sentence that lists the relations which are drawn, but of which few households have a member."""
    codes, categories = data.codes(relation)
    labels = data.schema[relation].value_labels
    held = (members_by_relation(codes, households, int(households.max()) + 1) > 0).sum(axis=0)
    rare = [code for code in np.argsort(held, kind="stable") if min_leaf <= held[code] < FEW_HOUSEHOLDS]
    if not rare:
        return ()
    listed = ", ".join(f"{labels.get(categories[code], categories[code])} ({held[code]})" for code in rare)
    return (
        f"fewer than {format_count(FEW_HOUSEHOLDS, 'household')} each have a member of these relations, whose ages and "
        f"other columns may not fit those of the head: {listed}; look at them, state conditions, or join relations",
    )
