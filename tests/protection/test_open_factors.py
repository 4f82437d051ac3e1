"""Numbers that would give a masked amount back with another masked one are masked too, or the output says so."""

import numpy as np

import sfumato as sf
from sfumato.keys.recomputed_values import RECOMPUTABLE
from tests.keys.pairs.test_nearer_amounts import firms, within


def test_heads_beside_turnover_by_head_are_masked_with_both() -> None:
    data = firms()
    found = sf.protect(data, k=3, seed=1)
    product, own = found.data.values("heads") * found.data.values("by_head"), found.data.values("turnover")
    assert "heads" not in found.unchanged
    assert within(data, product) < 1.3 * within(data, own)
    assert not any(RECOMPUTABLE in remark for remark in found.remarks)
    assert any("giving a masked number back" in remark and "heads" in remark for remark in found.remarks)


def test_heads_that_are_kept_are_told_of_and_the_limit_is_silent_on_amounts() -> None:
    data = firms()
    found = sf.protect(data, limits=["k>=3"], keep=["heads"], seed=1)
    assert np.array_equal(found.data.values("heads"), data.values("heads"))
    [told] = [remark for remark in found.remarks if remark.startswith(RECOMPUTABLE)]
    assert "turnover by heads and by_head (of " in told
    assert "SOME MASKED VALUES CAN BE COMPUTED" in " ".join(found.alarms)
    assert "it says nothing of amounts" in found.after.limits[0].scope
    assessed = sf.assess(data, found.data, methods=found.recipe.steps, worst_case=False, same_order=True)
    assert f"{told}." in assessed.remarks
