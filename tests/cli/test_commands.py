"""What people see and what exit code they get, command by command."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato import __version__
from sfumato.improve import IMPROVERS
from sfumato.loss import LOSSES
from sfumato.masking import METHODS
from sfumato.risk import RISKS
from sfumato.tables import PROTECTIONS, RULES
from tests.cli.commands import Ran, masked


def test_version_is_told(sfumato: Callable[..., Ran]) -> None:
    assert sfumato("--version").out.strip() == f"sfumato {__version__}"


def test_describe_shows_kinds_roles_and_the_range_of_numbers(sfumato: Callable[..., Ran], folder: Path) -> None:
    ran = sfumato("describe", folder / "people.csv")
    assert ran.code == 0
    for word in ("person_id", "identifier", "continuous", "nominal", "200 records"):
        assert word in ran.out
    described = json.loads(sfumato("describe", folder / "people.csv", "--json").out)["columns"]
    income = pl.read_csv(folder / "people.csv")["income"]
    assert [(column["minimum"], column["maximum"]) for column in described if column["name"] == "income"] == [
        (income.min(), income.max())
    ]


def test_suspected_missing_codes_are_described_and_stop_masking_until_the_schema_knows_them(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    frame = pl.read_csv(folder / "people.csv")
    held = pl.int_range(pl.len())
    coded = frame.with_columns(
        income=pl.when(held < 5).then(-9.0).otherwise("income"), tax=pl.when(held < 1).then(-99.0).otherwise("tax")
    )
    coded.write_csv(folder / "people.csv")
    described = json.loads(sfumato("describe", folder / "people.csv", "--json").out)["columns"]
    suspected = {column["name"]: column["suspected_codes"] for column in described}
    reason = "below zero where no other value is"
    assert suspected["income"] == [{"code": -9, "records": 5, "reason": reason}]
    assert suspected["tax"] == [{"code": None, "records": 1, "reason": reason}]
    ran = masked(sfumato, folder)
    assert ran.code == 1
    assert "column 'income' holds -9 (5 records" in ran.err
    assert "column 'tax' holds 1 code of one or two records, not shown here" in ran.err
    assert "-99" not in ran.err
    assert "valid_codes: [-9]" in ran.err
    assert not list(folder.glob("masked*"))
    (folder / "people.schema.yaml").write_text(
        "variables:\n  income: {kind: continuous, missing_codes: [-9]}\n  tax: {kind: continuous, valid_codes: [-99]}\n"
    )
    assert masked(sfumato, folder).code == 0
    released = pl.read_csv(folder / "masked.csv")["income"]
    assert (released == -9).sum() == 5


def test_describe_proposes_columns_to_microaggregate_together(sfumato: Callable[..., Ran], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    income, height = rng.lognormal(9, 1, 60), rng.normal(170, 9, 60)
    table = pl.DataFrame({"income": income, "height": height, "tax: all": income / 3, "arm": height / 3})
    table.write_csv(tmp_path / "people.csv")
    ran = sfumato("describe", tmp_path / "people.csv", "--columns-at-a-time", 2)
    assert 'column_groups: [["income", "tax: all"], ["height", "arm"]]' in " ".join(ran.out.split())
    as_json = json.loads(sfumato("describe", tmp_path / "people.csv", "--columns-at-a-time", 2, "--json").out)
    assert as_json["column_groups"] == [["income", "tax: all"], ["height", "arm"]]


def test_describe_as_json_is_json(sfumato: Callable[..., Ran], folder: Path) -> None:
    described = json.loads(sfumato("describe", folder / "people.csv", "--json").out)
    assert described["records"] == 200
    assert [column["name"] for column in described["columns"]][:2] == ["person_id", "age"]


def test_masking_twice_gives_the_same_records_with_any_number_of_threads(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    assert masked(sfumato, folder, "one.csv", "--threads", "1").code == 0
    assert masked(sfumato, folder, "two.csv", "--threads", "2").code == 0
    one, two, people = (sorted((folder / f"{name}.csv").read_bytes().splitlines()) for name in ("one", "two", "people"))
    assert one == two  # each release has an order of its own
    assert one != people


def test_a_published_seed_is_warned_about(sfumato: Callable[..., Ran], folder: Path) -> None:
    assert "seed" in masked(sfumato, folder).err
    assert "do not publish" in masked(sfumato, folder).err


def test_verify_passes_and_fails_when_one_byte_of_the_output_changes(sfumato: Callable[..., Ran], folder: Path) -> None:
    masked(sfumato, folder)
    manifest = folder / "masked.csv.manifest.json"
    assert sfumato("verify", manifest).code == 0
    content = bytearray((folder / "masked.csv").read_bytes())
    content[-3] ^= 1
    (folder / "masked.csv").write_bytes(content)
    ran = sfumato("verify", manifest)
    assert ran.code == 1
    assert "FAILED" in ran.out
    assert json.loads(sfumato("verify", manifest, "--json").out)["passed"] is False


def test_describe_names_no_category_of_one_or_two_records(sfumato: Callable[..., Ran], tmp_path: Path) -> None:
    rows = "\n".join([*(f"{i},flu" for i in range(30)), "30,plague", "31,gout", "32,gout"])
    (tmp_path / "ill.csv").write_text("x,diagnosis\n" + rows + "\n")
    ran = sfumato("describe", tmp_path / "ill.csv")
    assert "flu" in ran.out
    assert "plague" not in ran.out
    assert "gout" not in ran.out


def test_compare_runs_a_study_file(sfumato: Callable[..., Ran], folder: Path) -> None:
    (folder / "study.yaml").write_text(
        "data: people.csv\nseed: 3\nreplications: 2\ncandidates:\n"
        "  - rank_swapping: {columns: [income, tax], window: 5}\n"
        "  - [{top_coding: {columns: [age], at: 80}}, {mdav: {columns: [income, tax]}}]\n"
    )
    ran = sfumato("compare", folder / "study.yaml", "-o", folder / "out", "--workers", "1")
    assert ran.code == 0, ran.err
    assert "rank swapping" in ran.out
    assert {"study.csv", "map.svg", "map.png", "recipes"} <= {path.name for path in (folder / "out").iterdir()}
    assert list((folder / "out" / "recipes").glob("*.yaml"))


def test_compare_tells_all_problems_of_a_study_at_once(sfumato: Callable[..., Ran], folder: Path) -> None:
    (folder / "study.yaml").write_text(
        "data: people.csv\nreplications: 0\ncandidate: 3\ncandidates:\n"
        "  - rank_swaping: {columns: [income]}\n  - mdav: {columns: [income], k: 1}\n"
    )
    ran = sfumato("compare", folder / "study.yaml")
    assert ran.code == 1
    for words in ("the study has 4 problems", "line 2", "did you mean 'candidates'", "did you mean 'rank_swapping'"):
        assert words in ran.err
    assert "line 6, candidate 2: Mdav.k must be in [2, inf); got 1" in ran.err


def test_methods_lists_everything_that_has_a_name_with_what_a_machine_needs(sfumato: Callable[..., Ran]) -> None:
    listed = json.loads(sfumato("methods", "--json").out)
    assert {entry["name"] for entry in listed} == {*METHODS, *RISKS, *LOSSES, *IMPROVERS, *PROTECTIONS, *RULES}
    for entry in listed:
        assert {"name", "room", "family", "kinds", "layout", "parameters", "source"} <= set(entry)
        assert entry["source"]
        assert entry["parameters"]["type"] == "object"
        assert bool(entry["layout"]) == (entry["room"] == "masking")
        assert bool(entry["symbol"]) == (entry["room"] in ("risk", "loss"))


@pytest.mark.parametrize("name", [*METHODS, *RISKS, *LOSSES, *IMPROVERS, *PROTECTIONS, *RULES])
def test_everything_that_has_a_name_can_be_shown_in_full(sfumato: Callable[..., Ran], name: str) -> None:
    ran = sfumato("methods", name)
    assert ran.code == 0
    assert "Parameters" in ran.out
    assert "Source" in ran.out


def test_an_unknown_method_is_answered_with_the_nearest(sfumato: Callable[..., Ran]) -> None:
    ran = sfumato("methods", "rank_swap")
    assert ran.code == 1
    assert "did you mean 'rank_swapping'" in ran.err


def test_a_recipe_with_three_mistakes_shows_all_three_with_their_lines(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    (folder / "recipe.yaml").write_text(
        "seed: 7\nsteps:\n  - rank_swapping: {columns: [income], window: 101}\n"
        "  - mdv: {columns: [income]}\n  - top_coding: {colums: [age], at: 80}\n"
    )
    ran = masked(sfumato, folder)
    assert ran.code == 1
    for words in (
        "line 3, step 1 (rank_swapping): RankSwapping.window must be in (0, 100]; got 101",
        "line 4, step 2: there is no method 'mdv'; did you mean 'mdav'?",
        "line 5, step 3 (top_coding): TopCoding has no parameter 'colums'; did you mean 'columns'?",
    ):
        assert words in ran.err
    assert not (folder / "masked.csv").exists()


BAD_INPUT = {
    "no such file": (None, "people", "did you mean 'people.csv'"),
    "an empty file": ("", "people", "empty"),
    "a header only": ("person_id,age,income,tax\n", "people", "needs records to mask; the file has none"),
    "text where numbers should be": (
        "person_id,age,income,tax\n1,30,high,2\n2,31,low,3\n",
        "people",
        "'income' is nominal",
    ),
    "an unknown column": ("person_id,age,incom,tax\n1,30,5.5,2\n2,31,6.5,3\n", "people", "did you mean 'incom'"),
    "no value at all": ("person_id,age,income,tax\n1,30,,2\n2,31,,3\n", "people", "'income'"),
    "an infinity": ("person_id,age,income,tax\n1,30,inf,2.5\n2,31,6.5,3.5\n", "people", "infinit"),
    "a repeated column": ("age,income,tax,age\n30,5.5,2.5,1\n31,6.5,3.5,2\n", "people", "'age'"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_gets_a_message_an_exit_code_and_no_output(
    case: str, sfumato: Callable[..., Ran], folder: Path
) -> None:
    content, name, words = BAD_INPUT[case]
    source = folder / ("peple.csv" if content is None else f"{name}.csv")
    if content is not None:
        source.write_text(content)
    ran = sfumato("mask", source, "-r", folder / "recipe.yaml", "-o", folder / "masked.csv")
    assert ran.code == 1, (ran.out, ran.err)
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert not list(folder.glob("masked*"))
    assert not list(folder.glob(".sfumato*"))


def test_one_row_is_refused_by_what_needs_more_and_masked_by_what_does_not(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    (folder / "people.csv").write_text("age,income,tax\n95,5.5,2.5\n")
    (folder / "recipe.yaml").write_text("steps:\n  - top_coding: {columns: [age], at: 80}\n")
    assert masked(sfumato, folder).code == 0
    assert (folder / "masked.csv").read_text() == "age,income,tax\n80,5.5,2.5\n"
    (folder / "recipe.yaml").write_text("steps:\n  - mdav: {columns: [income]}\n")
    assert "k" in masked(sfumato, folder, "other.csv").err


def test_an_output_folder_that_is_not_there_is_told(sfumato: Callable[..., Ran], folder: Path) -> None:
    ran = sfumato("mask", folder / "people.csv", "-r", folder / "recipe.yaml", "-o", folder / "nowhere" / "masked.csv")
    assert ran.code == 1
    assert "nowhere" in ran.err


def test_wrong_usage_has_its_own_exit_code(sfumato: Callable[..., Ran]) -> None:
    assert sfumato("mask").code == 2
    assert sfumato("nonsense").code == 2


def test_an_unexpected_error_shows_no_traceback_and_no_value_without_debug(
    sfumato: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("a secret value")

    monkeypatch.setattr("sfumato.jobs._column_doubts.read_with_dialect", broken)
    ran = sfumato("describe", folder / "people.csv")
    assert ran.code == 1
    assert "KeyError" in ran.err
    assert "secret" not in ran.err
    with pytest.raises(KeyError):
        sfumato("describe", folder / "people.csv", "--debug")


def test_the_command_is_installed_and_starts_without_the_heavy_libraries() -> None:
    code = (
        "import sys; import sfumato; import sfumato.cli; "
        "heavy = {'numba', 'scipy', 'pandas', 'matplotlib', 'polars', 'pyreadstat', 'sklearn'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
    command = Path(sys.executable).parent / "sfumato"
    assert os.access(command, os.X_OK)


def test_a_command_ends_without_looking_for_garbage() -> None:
    code = (
        "import atexit, gc, sys; atexit.register(lambda: print(len(gc.get_objects())))\n"
        "from sfumato.cli import main; sys.argv = ['sfumato', '--version']; main()"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout.split()[-1]) < 1000  # of many thousands, all others are never looked at again


def test_the_risk_of_a_file_loads_no_masking_method() -> None:
    code = "import sys, sfumato.jobs.risk; print('sfumato.masking' in sys.modules, 'sfumato.loss' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False False"


def test_no_job_loads_what_it_may_not_need_and_a_description_no_loops() -> None:
    code = (
        "import sys, sfumato.jobs.describe; print('numba' in sys.modules)\n"
        "import sfumato.jobs.assess, sfumato.jobs.protect\n"
        "print({'scipy.stats', 'scipy.optimize', 'sklearn', 'pandas', 'matplotlib'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "set()"]
