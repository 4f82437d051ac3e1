"""Relations of so few households that what ties their members to the others is hardly learnt."""

import numpy as np

from sfumato.data import Microdata
from sfumato.display import format_count
from sfumato.masking.synthesis._households.members import members_by_relation
from sfumato.numerics.arrays import Rows

FEW_HOUSEHOLDS = 30  # about what a split needs to hold in two thirds of them and to be confirmed by the last third


def rare_relation_remarks(
    data: Microdata, relation: str, households: Rows, min_leaf: int, *, has_age: bool
) -> tuple[str, ...]:
    """Return a sentence that lists the relations which are drawn, but of which few households have a member.

    `has_age` tells that ages are kept in range by themselves.
    """
    codes, categories = data.codes(relation)
    labels = data.schema[relation].value_labels
    held = (members_by_relation(codes, households, int(households.max()) + 1) > 0).sum(axis=0)
    rare = [code for code in np.argsort(held, kind="stable") if min_leaf <= held[code] < FEW_HOUSEHOLDS]
    if not rare:
        return ()
    listed = ", ".join(f"{labels.get(categories[code], categories[code])} ({held[code]})" for code in rare)
    what = "whose columns but the age" if has_age else "whose ages and other columns"
    to_do = "look at them" if has_age else "name the column of the age, look at them"
    return (
        f"fewer than {format_count(FEW_HOUSEHOLDS, 'household')} each have a member of these relations, {what} may not "
        f"fit those of the head: {listed}; {to_do}, state conditions, or join relations",
    )
