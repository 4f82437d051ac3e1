"""Publications: which tables belong together, and that all of them together give nothing away."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Hierarchy
from sfumato.errors import DataError, ParameterError
from sfumato.tables import (
    GivenCell,
    HeuristicSuppression,
    MinUnits,
    OptimalSuppression,
    PPercent,
    Publication,
    RecordColumns,
    Table,
    TableDefinition,
    protect_publication,
)
from tests.tables.publication.judge import Cell, Judge

REGIONS = Hierarchy.from_levels(
    [("n1", "n", "Total"), ("n2", "n", "Total"), ("s1", "s", "Total"), ("s2", "s", "Total")]
)
EQUATION = ("turnover", "domestic", "export")


def firms(seed: int, size: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "region": rng.choice(REGIONS.leaves, size),
            "sector": rng.choice(["a", "b", "c"], size),
            "size": rng.choice(["small", "large"], size),
            "domestic": rng.lognormal(3, 1.2, size).round(),
            "export": rng.lognormal(2, 1.5, size).round(),
        }
    )
    return frame.with_columns(turnover=pl.col("domestic") + pl.col("export"))


def table(*by: str, value: str | None = "turnover", **where: str | list[str]) -> TableDefinition:
    return TableDefinition(dimensions=by, value=value, where=where)


DEFINITIONS = {
    "by_region": table("region", "sector"),
    "by_size": table("sector", "size"),
    "domestic": table("region", "sector", value="domestic"),
    "north": table("sector", "size", region="n"),
    "counts": table("region", "size", value=None),
}


def publication(seed: int = 0) -> Publication:
    return Publication.from_records(
        firms(seed), DEFINITIONS, hierarchies={"region": REGIONS}, equations=["turnover = domestic + export"]
    )


def test_tables_that_share_cells_or_an_equation_are_one_cluster_and_counts_another() -> None:
    assert [cluster.names for cluster in publication().clusters] == [
        ("by_region", "by_size", "domestic", "north"),
        ("counts",),
    ]


def test_a_table_whose_cells_another_one_has_is_found_to_be_a_part() -> None:
    definitions = {"whole": table("region", "sector"), "part": table("sector", region="n"), "other": table("size")}
    found = Publication.from_records(firms(1), definitions, hierarchies={"region": REGIONS})
    assert found.parts == {"part": "whole"}


def test_what_follows_by_subtraction_is_in_the_cluster_and_all_its_sums_hold() -> None:
    cluster = publication().clusters[0]
    hidden = {member.name for member in cluster.members if not member.is_published}
    assert "export by region, sector" in hidden
    assert "turnover by sector, size of all without region=n" in hidden
    assert np.abs(cluster.linked.relations @ cluster.linked.values).max() < 1e-9
    assert cluster.linked.unpublished is not None


def test_hidden_tables_are_not_made_where_nothing_follows() -> None:
    definitions = {
        "one": table("region", "sector"),
        "two": table("sector", "size"),
        "part": table("sector", region="n"),
    }
    found = Publication.from_records(
        firms(2), definitions, hierarchies={"region": REGIONS}, equations=["turnover = domestic + export"]
    )
    assert found.names == tuple(member.name for member in found.members)


@pytest.mark.parametrize("seed", range(4))
def test_an_independent_judge_finds_every_unsafe_cell_protected(seed: int) -> None:
    p, definitions = 20.0, {name: entry for name, entry in DEFINITIONS.items() if entry.value is not None}
    found = Publication.from_records(
        firms(seed, 24), definitions, hierarchies={"region": REGIONS}, equations=["turnover = domestic + export"]
    )
    protected = protect_publication(found, HeuristicSuppression(), rule=PPercent(p=p), insiders=False)
    assert all(audit.is_safe for audit in protected.audit())
    judge = Judge(firms(seed, 24), definitions, {"region": REGIONS}, EQUATION)
    published: dict[Cell, bool] = {}
    for name, entry in definitions.items():
        at = {codes: cell for cell, _, codes in judge.cells(entry)}
        frame, shown = protected.table(name).to_frame(), ~protected.suppressed(name)
        rows = frame.select(entry.dimensions).rows()
        published |= {at[row]: bool(is_shown) for row, is_shown in zip(rows, shown, strict=True)}
    assert judge.unprotected(published, p) == []
    assert judge.unprotected(dict.fromkeys(published, True), p) != []


def test_a_table_of_several_codes_is_tied_to_one_that_has_them_apart() -> None:
    for apart in (table("region", "sector"), table("region", "sector", region=["n1", "n2", "s1"])):
        definitions = {"apart": apart, "together": table("sector", region=["n1", "s1"])}
        cluster, *others = Publication.from_records(firms(7), definitions).clusters
        assert cluster.names == ("apart", "together")
        assert not others
        rank = np.linalg.matrix_rank(cluster.linked.relations.toarray())
        free = cluster.linked.size - rank
        assert free == 3 * (3 if apart.where else 4)  # nothing is left open once the finest cells are known


def test_an_unsafe_difference_of_two_safe_tables_is_protected() -> None:
    records = pl.DataFrame({"sector": [*"aaaabbbb"], "region": [*"nnnsnnnn"], "sales": [5, 6, 7, 9, 5, 6, 7, 8]})
    definitions = {"all": table("sector", value="sales"), "north": table("sector", value="sales", region="n")}
    protected = protect_publication(
        Publication.from_records(records, definitions), OptimalSuppression(), rule=MinUnits(units=3), insiders=False
    )
    hidden = [protected.suppressed(name).sum() for name in ("all", "north")]
    assert sum(hidden) > 0
    assert all(audit.is_safe for audit in protected.audit())


def test_contributors_keep_their_numbers_in_tables_of_a_part_of_the_records() -> None:
    records = firms(3).with_columns(owner=pl.Series(range(40)) // 2)
    whole, part = (
        Publication.from_records(
            records, {"t": definition}, hierarchies={"region": REGIONS}, columns=RecordColumns(holding="owner")
        )
        for definition in (table("region"), table("region", region="s"))
    )
    of_all, of_part = whole.members[0].table, part.members[0].table
    for code in ("s", "s1", "s2"):
        held = [one.contributions.holders[one.cell(region=code)].tolist() for one in (of_all, of_part)]  # type: ignore[union-attr]
        assert held[0] == held[1]


def test_a_filter_on_its_own_dimension_leaves_groups_out_that_are_not_whole() -> None:
    found = Publication.from_records(
        firms(4), {"t": table("region", region=["n", "s1"])}, hierarchies={"region": REGIONS}
    )
    member = found.members[0]
    assert member.table.dimensions[0].codes == ("Total", "n", "n1", "n2", "s1")
    assert member.fixed == {"region": "n or s1"}


def test_a_cell_that_is_given_concerns_every_table_that_has_it() -> None:
    given = GivenCell(where={"sector": "Total"}, status="publish")
    protected = protect_publication(
        publication(),
        HeuristicSuppression(),
        rule=PPercent(p=10),
        rules={"counts": MinUnits(units=2)},
        given_cells=[given],
    )
    for name in ("by_region", "by_size", "north"):
        cells = protected.table(name).cells_with(sector="Total")
        assert not protected.suppressed(name)[cells].any()


def test_a_cluster_of_which_nothing_is_asked_is_published_as_it_is_beside_one_of_which_something_is() -> None:
    given = [GivenCell(where={"region": "n1", "sector": "a"}, status="protect")]
    definitions = {"sales": table("region", "sector"), "people": table("size", value=None)}
    found = Publication.from_records(firms(1), definitions, hierarchies={"region": REGIONS})
    protected = protect_publication(found, given_cells=given)
    assert protected.suppressed("sales").any()
    assert not protected.suppressed("people").any()
    with pytest.raises(DataError, match="there is no rule, and no cell is given to be protected"):
        protect_publication(found)


def test_messages_name_the_table_and_the_cell() -> None:
    records = firms(5)
    with pytest.raises(DataError, match=r"table 'x': its filter region=n3 selects no record; did you mean"):
        Publication.from_records(records, {"x": table("sector", region="n3")}, hierarchies={"region": REGIONS})
    with pytest.raises(DataError, match=r"table 'x': the records have no column 'sektor'; did you mean 'sector'"):
        Publication.from_records(records, {"x": table("sektor")})
    wrong = records.with_columns(turnover=pl.col("turnover") + 1)
    broken = Publication.from_records(
        wrong,
        {"x": table("sector"), "y": table("sector", value="domestic")},
        equations=["turnover = domestic + export"],
    )
    with pytest.raises(
        DataError, match=r"table 'x': turnover = domestic \+ export does not hold in sector=a; sector=b"
    ):
        assert broken.clusters
    first = pl.col("sector") == "b"
    one_cell = records.with_columns(turnover=pl.col("turnover") + first.cast(pl.Float64))
    broken = Publication.from_records(
        one_cell,
        {name: table("sector", value=name) for name in ("turnover", "domestic", "export")},
        equations=["turnover = domestic + export"],
    )
    expected = (
        r"table 'turnover': turnover = domestic \+ export does not hold in sector=b; sector=Total \(2 cells in all"
    )
    with pytest.raises(DataError, match=expected):
        assert broken.clusters
    one, two = (Table.from_records(frame, ["sector"], "turnover") for frame in (records, wrong))
    with pytest.raises(
        DataError,
        match=r"tables 'one' and 'two' contradict each other: they have different values in sector=a; sector=b",
    ):
        assert Publication.from_tables({"one": one, "two": two}).clusters
    with pytest.raises(
        DataError, match=r"sector=z is given, but no .* such a cell \('sector' has no code 'z'\); correct"
    ):
        protect_publication(publication(), rule=PPercent(p=10), given_cells=[GivenCell(where={"sector": "z"}, cost=1)])
    given = [GivenCell(where={"sector": "a"}, table="by_sise", cost=1)]
    with pytest.raises(DataError, match="the publication has no table 'by_sise'; did you mean 'by_size'"):
        protect_publication(publication(), rule=PPercent(p=10), given_cells=given)
    with pytest.raises(DataError, match=r"such a cell \(none is by 'age'\); correct its codes, or take it out"):
        protect_publication(publication(), rule=PPercent(p=10), given_cells=[GivenCell(where={"age": "z"}, cost=1)])
    with pytest.raises(ParameterError, match="no table 'by_regio'; did you mean 'by_region'"):
        protect_publication(publication(), rules={"by_regio": MinUnits(units=3)})
    with pytest.raises(ParameterError, match=r"last_period: .* no table 'by_regio'; did you mean 'by_region'"):
        protect_publication(publication(), rule=PPercent(p=10), last_period={"by_regio": np.ones(21, dtype=np.bool_)})
    with pytest.raises(DataError, match=r"last_period: table 'by_region' must have .* each of its 28 cells; got 5"):
        protect_publication(
            publication(), rule=MinUnits(units=2), last_period={"by_region": np.ones(5, dtype=np.bool_)}
        )
    with pytest.raises(DataError, match="at least one table"):
        Publication(())


def test_an_equation_that_one_record_breaks_is_told_by_the_cell_that_has_it_and_not_by_a_group_over_it() -> None:
    records = firms(5)
    broken = records.with_columns(turnover=pl.col("turnover") + (pl.int_range(pl.len()) == 7).cast(pl.Float64))
    region, sector = records.row(7)[:2]
    definitions = {name: table("region", "sector", value=name) for name in ("turnover", "domestic", "export")}
    found = Publication.from_records(
        broken, definitions, hierarchies={"region": REGIONS}, equations=["turnover = domestic + export"]
    )
    with pytest.raises(DataError, match=f"export does not hold in region={region}, sector={sector};"):
        assert found.clusters


def test_an_unsafe_cell_that_is_given_as_safe_or_published_without_a_reason_is_told_with_its_table() -> None:
    records = pl.DataFrame({"sector": [*"aaab"], "sales": [5, 6, 7, 9]})
    alone = Publication.from_records(records, {"sales": table("sector", value="sales")})
    for status, expected in (
        ("safe", "table 'sales': status safe .* no reason: sector=b; say as `reason` why"),
        ("publish", "table 'sales': status publish .* unsafe: sector=b; leave these out"),
    ):
        given = [GivenCell(where={"sector": "b"}, status=status)]
        with pytest.raises(DataError, match=expected):
            protect_publication(alone, rule=MinUnits(units=3), given_cells=given)


def test_an_equation_with_a_variable_that_is_nowhere_is_refused_as_it_would_tie_nothing() -> None:
    definitions = {name: table("sector", value=name) for name in ("turnover", "export")}
    expected = r"equation 'turnover = domestic \+ exports': the records have no column 'exports'; did you mean 'export'"
    with pytest.raises(DataError, match=expected):
        Publication.from_records(firms(5), definitions, equations=["turnover = domestic + exports"])
    made = {name: Table.from_records(firms(5), ["sector"], name) for name in definitions}
    with pytest.raises(DataError, match="no table has the values of 'domestic'; correct it, or take it out"):
        Publication.from_tables(made, equations=["turnover = domestic + export"])


def test_tables_of_different_records_are_kept_apart_by_the_codes_that_they_have() -> None:
    north, south = (
        Table.from_records(firms(6).filter(pl.col("region").str.starts_with(part)), ["sector"], "turnover")
        for part in "ns"
    )
    apart = Publication.from_tables({"n": north, "s": south}, fixed={"n": {"region": "n"}, "s": {"region": "s"}})
    assert [cluster.names for cluster in apart.clusters] == [("n",), ("s",)]
