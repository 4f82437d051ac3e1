"""Where persons have several records, figures on keys say the same in `assess` as in `risk`."""

import numpy as np
import pytest

import sfumato as sf
from sfumato.keys.findings.counted_persons import PERSONS_COUNTED
from tests.reports.test_counted_persons import panel


@pytest.mark.parametrize("moves", [False, True])
def test_assess_and_risk_count_the_same_persons_whatever_the_order(moves: bool) -> None:
    data = panel(moves=moves)
    masked = sf.Rounding(columns=("born",), base=5).mask(data, np.random.default_rng(0))
    masked = masked.without_columns(("person",)).take_rows(np.random.default_rng(1).permutation(data.n))
    aligned = data.take_rows(data.rows_of(masked.row_ids))
    measures = (sf.KAnonymity(columns=("born", "region")), sf.IndividualRisk(columns=("born", "region")))
    assessed = sf.assess(data, masked, measures)
    report = sf.risk_report(masked, original=aligned, measures=measures)
    assert report["violations"] > 0
    for one, other in zip(assessed.measurements, report.further, strict=True):
        assert (one.value, one.parts) == (other.found.value, other.found.parts)
    anonymity = assessed.measurements[0]
    assert (anonymity.parts["KAS"], anonymity.parts["KA3"]) == (report["k"], report["violations"])
    assert anonymity.parts["KA3"] != measures[0].of(masked).parts["KA3"]  # which are of records
    assert PERSONS_COUNTED in anonymity.remark
    assert anonymity.per_record is not None
    assert anonymity.per_record.size == data.n


def test_records_count_where_nobody_has_several() -> None:
    once = panel().take_rows(np.arange(90))
    measure = sf.KAnonymity(columns=("born", "region"))
    [found] = sf.assess(once, once, [measure]).measurements
    assert found == measure.of(once)
