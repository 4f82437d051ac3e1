"""A-priori files of tau-Argus."""

from pathlib import Path

import pytest

from sfumato.errors import FileError
from sfumato.publication.apriori import read_apriori
from sfumato.tables import Status


def test_an_a_priori_file_decides_of_cells(tmp_path: Path) -> None:
    (tmp_path / "a.hst").write_text("1;A;u\n2;A1;p\nTot;B;s\n1;B2;c;5\n2;Tot;pl;1;3\n")
    found = read_apriori(tmp_path / "a.hst", ("Size", "Region"), separator=";")
    assert [cell.status for cell in found] == [Status.PROTECT, Status.PUBLISH, Status.SAFE, None, Status.PROTECT]
    assert [cell.reason for cell in found] == [None, None, "so says a.hst, line 3", None, None]
    assert (found[3].cost, found[4].protection_level) == (5.0, 3.0)
    assert found[0].where == {"Size": "1", "Region": "A"}


@pytest.mark.parametrize(
    ("line", "message"),
    [("1;A", "expected 2 codes and a status"), ("1;A;x", "a status is one of"), ("1;A;c;many", "must be numbers")],
)
def test_a_wrong_a_priori_file_is_refused_with_the_line(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "a.hst").write_text(line)
    with pytest.raises(FileError, match=message):
        read_apriori(tmp_path / "a.hst", ("Size", "Region"), separator=";")
