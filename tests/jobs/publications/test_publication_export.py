"""Exporting a publication to tau-Argus."""

from pathlib import Path

import pytest

from sfumato.errors import ParameterError
from sfumato.jobs.publications.publication_export import publication_export
from sfumato.jobs.publications.publication_protect import publication_protect
from tests.publication.publication_files import publication_files


def test_the_batch_that_is_written_has_the_same_unsafe_cells_and_is_protected_as_it_stands(tmp_path: Path) -> None:
    file = publication_files(tmp_path)
    written = publication_export(file, tmp_path / "argus")
    ours, read = publication_protect(file).protected, publication_protect(tmp_path / "argus/publication.arb").protected
    assert set(read.names) == set(ours.names) == {path.stem for path in written.cells}
    for name in ours.names:
        assert [written.cells[path] for path in written.cells if path.stem == name] == [ours.table(name).size]
        unsafe = [
            {
                cell
                for cell, status in zip(each.table(name).cell_names, each.statuses(name), strict=True)
                if status.value == "primary"
            }
            for each in (ours, read)
        ]
        assert unsafe[0] == unsafe[1]
    assert all(audit.is_safe for audit in read.audit())


def test_a_batch_is_not_exported_again(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="is a batch of tau-Argus already"):
        publication_export(tmp_path / "job.arb", tmp_path / "argus")
