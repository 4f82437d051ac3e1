"""What `sfumato table` shows and writes, and the exit codes of its commands."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from sfumato.jobs.tables import table_protect
from sfumato.table_specification import (
    SpecifiedTables,
    TableSpecification,
    build_tables,
    find_unsafe_cells,
    protect_tables,
)
from sfumato.tables import ProtectedTables
from tests.cli.commands import Ran
from tests.table_specification.firms import FIRMS, SPEC, firm_files

Command = Callable[..., Ran]
ROUNDED = ("table", "protect", "--protection", "controlled_rounding")
KEYED = ("table", "protect", "--protection", "cell_key_perturbation")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return firm_files(tmp_path) / "spec.yaml"


def test_protect_shows_the_table_with_marks_and_says_what_was_done(sfumato: Command, spec: Path) -> None:
    ran = sfumato("table", "protect", spec)
    assert ran.code == 0, ran.err
    assert "[p] unsafe   [s] suppressed to protect unsafe cells" in ran.out
    assert "3 of them unsafe (3 by p_percent(10))" in ran.out
    assert "No other safe choice costs less." in ran.out
    assert "Audited: an outsider" in ran.out
    assert "publish the files, not this" in ran.err


def test_protect_writes_what_audit_calls_safe(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    ran = sfumato("table", "protect", spec, "-o", tmp_path / "out", "--json")
    told = json.loads(ran.out)
    assert told["is_safe"] is True
    assert told["ended"] == "optimal"
    assert sorted(told["files"]) == sorted(str(path) for path in (tmp_path / "out").rglob("*.*"))
    audited = sfumato("table", "audit", spec, "--pattern", tmp_path / "out" / "spec.csv")
    assert audited.code == 0
    assert "Safe: every primary is protected from every intruder" in audited.out


def test_what_is_not_safe_is_written_for_review_only(
    sfumato: Command, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def careless(
        specification: TableSpecification, specified: SpecifiedTables, *, on_progress: object, **_: object
    ) -> ProtectedTables:
        found = protect_tables(specification, specified)
        return replace(found, outcome=replace(found.pattern, suppressed=found.problem.must_suppress))

    monkeypatch.setattr(table_protect, "protect_tables", careless)
    ran = sfumato("table", "protect", spec, "-o", tmp_path / "out")
    assert ran.code == 3
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"review"}
    assert "NOT SAFE" in (tmp_path / "out" / "review" / "protection.html").read_text()
    assert "To publish" not in ran.err
    assert "nothing was written to be published" in ran.err


def test_two_runs_suppress_the_same_cells(sfumato: Command, spec: Path) -> None:
    assert sfumato("table", "protect", spec, "--json").out == sfumato("table", "protect", spec, "--json").out


def test_audit_ends_with_3_when_a_pattern_is_not_safe(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    sfumato("table", "protect", spec, "-o", tmp_path / "out")
    statuses = pl.read_csv(tmp_path / "out" / "review" / "spec_statuses.csv")
    only_unsafe = statuses.with_columns(
        status=pl.when(pl.col("status") == "primary").then(pl.lit("suppressed")).otherwise(pl.lit("published"))
    )
    only_unsafe.write_csv(tmp_path / "pattern.csv")
    ran = sfumato("table", "audit", spec, "-p", tmp_path / "pattern.csv", "-o", tmp_path / "audited")
    assert ran.code == 3
    assert "Not safe:" in ran.out
    assert "NOT SAFE from an outsider" in (tmp_path / "audited" / "review" / "protection.html").read_text()
    plain = json.loads(sfumato("table", "audit", spec, "-p", tmp_path / "pattern.csv", "--json").out)
    assert plain["is_safe"] is False
    assert plain["names"][plain["violations"][0]["cell"]] == plain["violations"][0]["name"]


def test_round_keeps_every_sum(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    ran = sfumato(*ROUNDED, spec, "-o", tmp_path / "out", "--write-unsafe")
    assert ran.code == 3, "a base of 50 leaves the unsafe cells too open"
    assert "rounded to multiples of 50" in (tmp_path / "out" / "spec.html").read_text()
    cells = pl.read_csv(tmp_path / "out" / "spec.csv")
    assert (cells["sales"] % 50 == 0).all()
    leaves = cells.filter(pl.col("region").is_in(["N1", "N2", "S1", "S2"]), pl.col("sector") != "Total")
    total = cells.filter(pl.col("region") == "Total", pl.col("sector") == "Total")["sales"].item()
    assert leaves["sales"].sum() == total
    assert "Audited: NOT SAFE from an outsider" in ran.out
    assert "though they are NOT SAFE" in ran.err


def test_adjust_moves_what_is_unsafe(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    adjusted = ("table", "protect", spec, "--protection", "controlled_adjustment")
    ran = sfumato(*adjusted, "-o", tmp_path / "out", "--time-limit", "2", "--write-unsafe")
    assert ran.code == 3, ran.err
    published = dict(
        pl.read_csv(tmp_path / "out" / "spec.csv").select(pl.concat_str("region", "sector"), "sales").rows()
    )
    assert published["N1farm"] != FIRMS.filter(pl.col("region") == "N1")["sales"].sum()
    assert published["Totalfarm"] + published["Totalshop"] == pytest.approx(published["TotalTotal"])


def test_cell_key_warns_of_keys_that_are_drawn_anew(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    ran = sfumato(*KEYED, spec, "-o", tmp_path / "out")
    assert "does not add up any more" in ran.out
    assert "The keys were drawn by the seed" in ran.err
    spec.write_text(SPEC.replace("seed: 1\n", ""))
    assert "The keys were drawn for this run" in sfumato(*KEYED, spec).err
    FIRMS.with_columns(key=pl.Series(range(1000, 1018))).write_csv(tmp_path / "firms.csv")
    spec.write_text(SPEC.replace("seed: 1", "key: key"))
    assert "keys were drawn" not in sfumato(*KEYED, spec).err


def test_unsafe_cells_that_stay_open_end_with_exit_code_3(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    spec.write_text(SPEC.replace("base: 50", "base: 1"))
    ran = sfumato(*ROUNDED, spec, "-o", tmp_path / "out", "--json")
    told = json.loads(ran.out)
    assert 0 < told["unprotected"] <= told["primaries"]
    assert told["is_safe"] is False
    assert ran.code == 3
    assert f"{told['unprotected']} of {told['primaries']} cells that must be protected are not." in ran.err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"review"}
    assert "To publish" not in ran.err


def test_an_unsafe_cell_is_not_published_because_it_is_given_so(sfumato: Command, spec: Path) -> None:
    spec.write_text(f"{SPEC}\ngiven_cells: [{{where: {{sector: farm}}, status: publish}}]\n")
    ran = sfumato("table", "protect", spec)
    assert ran.code == 1
    assert "status publish is given to cells that are unsafe: " in ran.err
    farm = "where: {sector: farm}"
    spec.write_text(f"{SPEC}\ngiven_cells: [{{{farm}, status: safe}}, {{{farm}, status: publish}}]\n")
    assert (
        "status safe is given to cells that the rules call unsafe, and no reason: "
        in sfumato("table", "protect", spec).err
    )
    spec.write_text(f"{SPEC}\ngiven_cells: [{{{farm}, status: safe, reason: known}}, {{{farm}, status: publish}}]\n")
    assert "status" not in sfumato("table", "protect", spec).err


def test_compare_puts_the_protections_side_by_side(sfumato: Command, spec: Path) -> None:
    spec.write_text(SPEC.replace("controlled_adjustment", "controlled_adjustment: {time_limit: 1}"))
    found = json.loads(sfumato("table", "compare", spec, "--json").out)["protections"]
    assert [each["name"] for each in found] == [
        "optimal_suppression",
        "controlled_rounding",
        "controlled_adjustment",
        "cell_key_perturbation",
    ]
    assert found[0]["protected_primaries"] == 100
    assert "primaries protected, %" in sfumato("table", "compare", spec).out


def test_export_writes_what_can_be_read_again(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    ran = sfumato("table", "export", spec, "-o", tmp_path / "argus")
    assert ran.code == 0, ran.err
    assert "keep them inside" in ran.err
    (tmp_path / "again.yaml").write_text("cells: argus/spec.tab\nprotections: [optimal_suppression]\ninsiders: false\n")
    spec.write_text(SPEC + "insiders: false\n")
    first, again = (
        json.loads(sfumato("table", "protect", path, "--json").out) for path in (spec, tmp_path / "again.yaml")
    )
    assert again["primaries"] == first["primaries"]
    assert again["cost"] == pytest.approx(first["cost"])


def test_export_carries_costs_over_and_tells_what_it_cannot(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    given = "- {where: {region: S1, sector: shop}, status: suppress}\n- {where: {sector: farm}, cost: 0.125}\n"
    spec.write_text(f"{SPEC}given_cells:\n{given}cost: unity\ninsiders: false\n")
    ran = sfumato("table", "export", spec, "-o", tmp_path / "argus")
    assert "1 cells of spec are given to be suppressed and need no protection" in ran.err
    (tmp_path / "again.yaml").write_text("cells: argus/spec.tab\nprotections: [optimal_suppression]\ninsiders: false\n")
    problems = []
    for path in (spec, tmp_path / "again.yaml"):
        specification = TableSpecification.load(path)
        problems.append(find_unsafe_cells(specification, build_tables(specification)).problem)
    first, again = problems
    assert (again.costs == first.costs).all()
    assert set(first.costs) == {1, 0.125}
    assert again.primaries.size == first.primaries.size + 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("value: sales", "value: slaes"), "there is no column 'slaes'; did you mean 'sales'?"),
        (("p_percent: 10", "min_units: 90"), "min_units(90): all"),
        (("firms.csv", "firm.csv"), "'data' must be a file that exists; there is no"),
        (("rules:\n  - p_percent: 10\n", ""), "the specification has no rules"),
        (("region: region.hrc", "region: {digits: [1, 2]}"), "dimension 'region': code 'N1' must have 3 characters"),
    ],
)
def test_bad_input_ends_with_1_and_one_message(
    change: tuple[str, str], said: str, sfumato: Command, spec: Path
) -> None:
    spec.write_text(SPEC.replace(*change))
    ran = sfumato("table", "protect", spec)
    assert ran.code == 1
    assert said in ran.err
    assert ran.out == ""


def test_contributions_below_zero_are_named_by_their_cell_and_not_shown(sfumato: Command, spec: Path) -> None:
    FIRMS.with_columns(sales=pl.when(pl.col("owner") == 12).then(-163).otherwise("sales")).write_csv(
        spec.parent / "firms.csv"
    )
    ran = sfumato("table", "protect", spec)
    assert ran.code == 1
    assert "region=S2, sector=farm has negative ones" in ran.err
    assert "163" not in ran.err


def test_a_protection_without_its_parameters_says_what_to_write(sfumato: Command, spec: Path) -> None:
    spec.write_text(SPEC.replace("  - controlled_rounding: {base: 50}\n", ""))
    ran = sfumato("table", "protect", spec, "--protection", "controlled_rounding")
    assert ran.code == 1
    assert "add it to 'protections': ControlledRounding.base is required" in ran.err
    misspelt = sfumato("table", "protect", spec, "--protection", "controled_rounding")
    assert "did you mean 'controlled_rounding'?" in misspelt.err


def test_a_protection_without_a_time_limit_says_so(sfumato: Command, spec: Path) -> None:
    ran = sfumato(*KEYED, spec, "--time-limit", "3")
    assert ran.code == 1
    assert "cell_key_perturbation has no time limit" in ran.err


def test_an_earlier_release_is_taken_into_account_by_protect_and_audit(
    sfumato: Command, spec: Path, tmp_path: Path
) -> None:
    sfumato("table", "protect", spec, "-o", tmp_path / "out")
    earlier = tmp_path / "out" / "spec.csv"
    assert sfumato("table", "protect", spec, "--previous", earlier).code == 0
    assert sfumato("table", "audit", spec, "-p", earlier, "--previous", earlier).code == 0
    open_table = tmp_path / "open.csv"
    open_table.write_text(earlier.read_text().replace(",suppressed", ",published"))
    withheld = sfumato("table", "protect", spec, "--previous", open_table, "-o", tmp_path / "withheld")
    assert withheld.code == 3
    assert "Who has the earlier release as well" in withheld.err
    assert sfumato("table", "audit", spec, "-p", earlier, "--previous", open_table).code == 3


def test_protect_keeps_the_pattern_of_the_period_before(sfumato: Command, spec: Path, tmp_path: Path) -> None:
    sfumato("table", "protect", spec, "-o", tmp_path / "before")
    ran = sfumato("table", "protect", spec, "--last-period", tmp_path / "before/spec.csv")
    assert ran.code == 0, ran.err
    assert "are those of the period before and 0 are new" in ran.out
