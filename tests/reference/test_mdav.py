"""100 SSE/SST of MDAV on the CASC files, as printed by the literature and given by other software (sdcMicro)."""

import numpy as np
import pytest

from sfumato.data import numeric
from sfumato.datasets import reference
from sfumato.execution import run_step
from sfumato.masking import Mdav

CENSUS = {3: 5.6922, 4: 7.4947, 5: 9.0884, 10: 14.1559}
EIA = {3: 0.5919, 4: 0.8120, 5: 1.5877, 10: 3.2699}
CASES = [("census", size, figure) for size, figure in CENSUS.items()] + [("eia", *case) for case in EIA.items()]


@pytest.mark.reference
@pytest.mark.parametrize(("name", "k", "printed"), CASES)
def test_mdav_loses_as_much_as_the_literature_says(name: str, k: int, printed: float) -> None:
    data = reference(name)
    columns = data.select(numeric)
    masked = run_step(Mdav(columns=columns, k=k), data, seed=0, step=0)
    original = data.matrix(columns)
    lost = ((original - masked.matrix(columns)) / original.std(axis=0)) ** 2
    assert 100 * lost.sum() / original.size == pytest.approx(printed, abs=5e-5)
    assert len(columns) == {"census": 13, "eia": 10}[name]
    assert np.array_equal(masked.row_ids, data.row_ids)
