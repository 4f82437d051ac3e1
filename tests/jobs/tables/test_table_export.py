"""Exporting tables to tau-Argus."""

from pathlib import Path

from sfumato.jobs.tables.table_export import table_export
from sfumato.tables import read_tau_argus
from tests.table_specification.firms import firm_files


def test_each_table_is_written_with_its_cells(tmp_path: Path) -> None:
    spec = firm_files(tmp_path) / "spec.yaml"
    result = table_export(spec, tmp_path / "argus")
    ((path, size),) = result.cells.items()
    assert read_tau_argus(path).table.size == size
    assert f"{path}: {size} cells" in str(result)
    assert result.to_dict()["files"] == {str(path): size}
