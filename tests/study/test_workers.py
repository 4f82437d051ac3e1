"""A test that starts processes, which costs seconds."""

from collections.abc import Iterator

import pytest
from joblib.externals.loky import get_reusable_executor

from sfumato.contracts import MaskingMethod
from sfumato.masking import CorrelatedNoise, Mdav, RankSwapping, TopCoding
from sfumato.recipe import Recipe
from sfumato.study import compare
from tests.study.examples import COLUMNS, people


@pytest.fixture(scope="module", autouse=True)
def _no_process_is_left_behind() -> Iterator[None]:
    yield
    get_reusable_executor().shutdown(wait=True, kill_workers=True)


def test_any_number_of_processes_gives_the_same_study_and_failures_stop_nobody() -> None:
    candidates: dict[str, Recipe | MaskingMethod] = {
        "swapped": RankSwapping(columns=COLUMNS, window=5),
        "impossible": Mdav(columns=COLUMNS, k=5000),
        "noisy": Recipe(steps=(CorrelatedNoise(columns=COLUMNS), TopCoding(columns=COLUMNS, percent=5)), seed=3),
        "absent": Mdav(columns=("incme",)),
    }
    alone, together = (compare(people(), candidates, replications=2, seed=7, workers=n) for n in (1, 2))
    assert alone == together
    assert [candidate.label for candidate in together.candidates] == list(candidates)
    errors = {candidate.label: candidate.error or "" for candidate in together.candidates}
    assert errors["swapped"] == errors["noisy"] == ""
    assert "k" in errors["impossible"]
    assert "did you mean 'income'" in errors["absent"]
