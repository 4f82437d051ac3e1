"""What `synthesise` says to somebody who wrote no recipe and masks nothing."""

from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.files import ReadOptions
from sfumato.jobs.assess import assess
from sfumato.jobs.compare_fits import compare_fits
from sfumato.jobs.init import init
from sfumato.jobs.synthesise import synthesise


def test_open_codes_are_told_as_questions_about_the_file_with_the_command_that_answers_them(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    debts = [-9.0] * 40 + [100.5 + 3 * step for step in range(160)]
    pl.DataFrame({"debt": debts, "sex": ["f", "m"] * 100}).write_csv(file)
    with pytest.raises(DataError, match=r"(?s)nothing was made of people.csv.*'debt' holds -9.*sfumato init ") as told:
        synthesise(file, tmp_path / "made.csv")
    assert "recipe" not in str(told.value)
    init(file)
    assert synthesise(file, tmp_path / "made.csv").manifest.output.rows == 200


def test_what_a_seed_gives_away_is_told_of_synthetic_records_in_their_own_words(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    pl.DataFrame({"pay": [100.5 + 3 * step for step in range(200)], "sex": ["f", "m"] * 100}).write_csv(file)
    result = synthesise(file, tmp_path / "made.csv", seed=5)
    said = " ".join(result.notices)
    assert "make the synthetic file again" in result.manifest.confidential
    assert result.manifest.confidential in said
    assert "A SHORT SEED IS FOUND BY TRYING" in said
    assert "swap" not in said


def test_the_schema_beside_a_file_is_named_and_the_other_files_that_it_is_read_with(tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    pl.DataFrame({"age": list(range(60)), "sex": ["f", "m"] * 30}).write_csv(people)
    told = "Kinds, roles and codes are those of people.schema.yaml, which lies beside people.csv."
    assert not any("people.schema.yaml" in one for one in synthesise(people, tmp_path / "a.csv", seed=1).notices)
    (tmp_path / "people.schema.yaml").write_text("variables: {age: {kind: continuous, role: key}}")
    made = synthesise(people, tmp_path / "b.csv", seed=1)
    assert told in made.notices
    (tmp_path / "people.parquet").write_bytes(b"")
    shared = f"{told} It is read with people.parquet as well: see that it fits."
    assert shared in synthesise(people, tmp_path / "c.csv", seed=1).notices
    assert shared in compare_fits(people, [tmp_path / "b.csv"], "age ~ sex").notices
    assert shared in assess(people, tmp_path / "b.csv").assessment.remarks
    given = ReadOptions(schema=tmp_path / "people.schema.yaml")
    assert not any("which lies beside" in one for one in synthesise(people, tmp_path / "d.csv", options=given).notices)
