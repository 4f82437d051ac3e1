"""The tables of tau-Argus's examples, by specification."""

from pathlib import Path

import pytest

from sfumato.table_specification import TableSpecification, build_tables, protect_tables
from sfumato.table_specification.pattern_files import read_pattern
from sfumato.tables.audit.audit import audit
from tests.tables.reference_files import table_file

SPEC = """\
data: tauargus_tau_testW_micro.csv
by: [Size, Region]
hierarchies: {Region: tauargus_region2_hrc.csv}
value: Var2
rules: [p_percent: 15]
insiders: false
protections: [optimal_suppression]
"""


@pytest.mark.reference
def test_the_known_optimum_comes_out_and_other_tools_patterns_are_audited() -> None:
    folder: Path = table_file("tauargus_tau_testW_micro").parent
    specification = TableSpecification.from_yaml(SPEC, folder)
    found = protect_tables(specification, build_tables(specification))
    assert (found.problem.primaries.size, found.secondaries, found.pattern.cost) == (9, 6, 521_926)
    for name, secondaries in (("REF_tauargus_Simple2D_modular_p15", 12), ("REF_gauss_simple2d", 14)):
        suppressed = read_pattern([folder / f"{name}.csv"], found.linked)
        assert int((suppressed & ~found.problem.must_suppress).sum()) == secondaries
        assert audit(found.problem, suppressed, intervals="unprotected").is_safe
