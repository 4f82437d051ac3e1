"""Batches of tau-Argus as publications: primaries of its own examples come out."""

from itertools import product
from pathlib import Path

import polars as pl
import pytest

from sfumato.datasets import reference_folder
from sfumato.errors import FileError
from sfumato.publication.argus_batch import load_batch
from sfumato.tables import ControlledRounding, HeuristicSuppression, Insiders, OptimalSuppression, protect_publication

METADATA = """\
<SEPARATOR> ","
h_id <HOLDING>
act "00" <RECODEABLE> <TOTCODE> "Total" <HIERARCHICAL> <HIERCODELIST> "act.hrc" <HIERLEADSTRING> "@"
product "00" <RECODEABLE> <TOTCODE> "Total"
region "00" <RECODEABLE> <TOTCODE> "Total" <HIERARCHICAL> <HIERCODELIST> "region.hrc" <HIERLEADSTRING> "@"
mun <RECODEABLE> <TOTCODE> "Total"
turnover <NUMERIC> <DECIMALS> 2
"""
BATCH = """\
<OPENMICRODATA> "firms.csv"
<OPENMETADATA> "firms.rda"
<SPECIFYTABLE> "act""product"|"turnover"||
<SAFETYRULE> P(0,0)|P(0,0)|P(10,1)
<SPECIFYTABLE> "act""region"|"turnover"||
<SAFETYRULE> P(0,0)|P(0,0)|P(10,1)
<READMICRODATA>
<SUPPRESS> MOD(0,5,1,1,1)
<WRITETABLE> (1,3,AS+,"by_product.sbs")
<WRITETABLE> (2,3,AS+,"by_region.sbs")
"""


def hrc(name: str) -> str:
    """Return a hierarchy of the reference files as tau-Argus writes it."""
    rows = pl.read_csv(reference_folder() / "tables" / f"tauargus_{name}_hrc.csv", infer_schema=False)
    below: dict[str, list[str]] = {}
    for parent, child in rows.select("parent", "child").rows():
        below.setdefault(parent, []).append(child)

    def lines(code: str, depth: int) -> list[str]:
        return [line for child in below.get(code, ()) for line in ("@" * depth + child, *lines(child, depth + 1))]

    children = {child for group in below.values() for child in group}
    root = next(parent for parent in below if parent not in children)
    return "\n".join(lines(root, 0)) + "\n"


@pytest.fixture
def enterprises(tmp_path: Path) -> Path:
    records = pl.read_csv(reference_folder() / "tables/tauargus_example_enterprise_micro.csv", infer_schema=False)
    records.write_csv(tmp_path / "firms.csv")
    (tmp_path / "firms.rda").write_text(METADATA)
    (tmp_path / "job.arb").write_text(BATCH)
    (tmp_path / "act.hrc").write_text(hrc("nace_divisions"))
    (tmp_path / "region.hrc").write_text(hrc("KohStatReg"))
    return tmp_path / "job.arb"


@pytest.mark.reference
def test_the_linked_tables_of_the_enterprise_example_have_its_primaries_and_cost_less(enterprises: Path) -> None:
    batch = load_batch(enterprises)
    assert batch.insiders is Insiders.NEIGHBOURS
    (cluster,) = batch.specified.publication.clusters
    assert cluster.names == ("by_product", "by_region")
    protected = protect_publication(
        batch.specified.publication, HeuristicSuppression(), rules=batch.specified.rules, insiders=False
    )
    primaries = [sum(status.value == "primary" for status in protected.statuses(name)) for name in cluster.names]
    assert primaries == [290, 346]
    assert all(audit.is_safe for audit in protected.audit())
    assert protected.clusters[0].pattern.cost < 0.7 * (524_093 + 838_706)


@pytest.mark.reference
def test_what_a_batch_says_of_costs_and_ways_is_taken_over(enterprises: Path) -> None:
    text = BATCH.replace("||", "||-2").replace("MOD(0,5,1,1,1)", "OPT(1,5)")
    enterprises.write_text(text)
    assert isinstance(load_batch(enterprises).protection, OptimalSuppression)
    assert load_batch(enterprises).cost.value == "unity"
    enterprises.write_text(BATCH.replace("MOD(0,5,1,1,1)", "RND(1,5)"))
    assert load_batch(enterprises).protection == ControlledRounding(base=5)
    enterprises.write_text(BATCH.replace("P(10,1)", "Q(10,1)"))
    with pytest.raises(FileError, match="there is no safety rule Q"):
        load_batch(enterprises)


def test_codes_of_totals_that_differ_between_dimensions_link_and_protect_the_same_cells(tmp_path: Path) -> None:
    records = "".join(
        f"{act},{region},{10 + 7 * number % 23 + 90 * (number == 5)}\n"
        for number, (act, region) in enumerate(product("ABC", "NNNSSW"))
    )
    (tmp_path / "firms.csv").write_text(records)
    batch = BATCH.replace('"act""product"', '"act"').replace("P(0,0)|P(0,0)|P(10,1)", "P(10,1)|FREQ(3,30)")
    (tmp_path / "job.arb").write_text(batch)
    fields = (
        '<SEPARATOR> ","\nact <RECODEABLE> <TOTCODE> "{}"\nregion <RECODEABLE> <TOTCODE> "{}"\nturnover <NUMERIC>\n'
    )
    statuses = []
    for totals in (("Total", "Total"), ("All", "NL")):
        (tmp_path / "firms.rda").write_text(fields.format(*totals))
        protected = load_batch(tmp_path / "job.arb").protect()
        (cluster,) = protected.publication.clusters
        assert protected.to_frame("by_region").select("act", "region").row(0) == totals
        statuses.append([[status.value for status in protected.statuses(name)] for name in cluster.names])
    assert statuses[0] == statuses[1]
    assert {"primary", "secondary", "published"} <= set(statuses[0][1])
