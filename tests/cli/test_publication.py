"""What `sfumato publication` shows and writes, and its exit codes."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.commands import Ran
from tests.publication.publication_files import PUBLICATION, publication_files

Command = Callable[..., Ran]


def test_protect_says_which_tables_belong_together_and_what_to_publish(sfumato: Command, tmp_path: Path) -> None:
    ran = sfumato("publication", "protect", publication_files(tmp_path), "-o", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert "5 tables in 2 clusters" in ran.out
    assert "To publish: what is in" in ran.err
    assert (tmp_path / "out/publication.xlsx").exists()


def test_protect_gives_machines_the_clusters(sfumato: Command, tmp_path: Path) -> None:
    ran = sfumato("publication", "protect", publication_files(tmp_path), "--json")
    found = json.loads(ran.out)
    assert [cluster["tables"] for cluster in found["clusters"]][1] == ["firms"]
    assert found["parts"] == {"north": "by_region"}


def test_a_filter_that_selects_nobody_is_refused_with_the_table(sfumato: Command, tmp_path: Path) -> None:
    text = PUBLICATION.replace("where: {region: North}", "where: {region: Nort}")
    ran = sfumato("publication", "protect", publication_files(tmp_path, text))
    assert ran.code == 1
    assert "table 'north': its filter region=Nort selects no record; did you mean 'North'?" in ran.err
