"""Comparing the protections of a specification."""

from pathlib import Path

from sfumato.jobs.tables.table_compare import table_compare
from tests.table_specification.firms import SPEC, firm_files


def test_each_protection_is_measured_and_the_same_one_twice_has_a_number(tmp_path: Path) -> None:
    spec = firm_files(tmp_path) / "spec.yaml"
    start = SPEC.index("protections:")
    spec.write_text(
        f"{SPEC[:start]}protections: [controlled_rounding: {{base: 50}}, controlled_rounding: {{base: 5000}}]"
    )
    result = table_compare(spec)
    names = [each["name"] for each in result.to_dict()["protections"]]
    assert names == ["controlled_rounding", "controlled_rounding 2"]
    narrow, wide = result.comparison.measures
    assert narrow.protected_primaries < wide.protected_primaries == 100
    assert narrow.disclosed_primaries == wide.disclosed_primaries == 0
    assert result.notices[-1].endswith("keep them inside.")


def test_a_page_of_the_measures_says_what_each_protection_did(tmp_path: Path) -> None:
    spec = firm_files(tmp_path) / "spec.yaml"
    result = table_compare(spec, output=tmp_path / "compared.html")
    page = (tmp_path / "compared.html").read_text()
    for each in result.comparison.measures:
        assert f"{each.name}: " in page
    assert "primaries worked out exactly, %" in page
    assert "keep them inside" in page


def test_linked_tables_are_compared_too(tmp_path: Path) -> None:
    spec = firm_files(tmp_path) / "spec.yaml"
    linked = "tables: {one: [region, sector], two: [region, size]}"
    start = SPEC.index("protections:")
    text = SPEC[:start].replace("by: [region, sector]", linked) + "protections: [optimal_suppression]"
    spec.write_text(text)
    assert table_compare(spec).comparison.measures[0].protected_primaries == 100
