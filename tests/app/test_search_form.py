"""What can be asked of a search on the page can be searched for."""

import pytest

import sfumato as sf
from sfumato.app.screens.compare import is_searchable
from sfumato.risk import RISKS
from sfumato.study.search.objectives import build_objective

DATA = sf.datasets.demo(60)


@pytest.mark.parametrize("name", [name for name, measure in RISKS.items() if is_searchable(measure)])
def test_every_risk_that_is_offered_can_be_limited(name: str) -> None:
    assert build_objective(DATA, None, [f"{name}<=5"], None, None).limits


def test_a_risk_that_must_be_told_more_than_its_columns_is_not_offered() -> None:
    assert not is_searchable(sf.AttributeDisclosure)
    assert is_searchable(sf.DistanceLinkage)
