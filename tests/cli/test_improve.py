"""`sfumato improve`: what it writes and shows, which improver it takes, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.data import Microdata, numeric
from sfumato.files import read
from sfumato.risk import DistanceLinkage
from tests.cli.commands import Ran, masked, write_people

QUICK = ("--column", "income", "--column", "tax", "--max-steps", "2000", "--seed", "1")


@pytest.fixture
def improve(sfumato: Callable[..., Ran], folder: Path) -> Callable[..., Ran]:
    masked(sfumato, folder)

    def run(*options: str | Path, file: str = "masked.csv", output: str = "better.csv") -> Ran:
        return sfumato("improve", folder / "people.csv", folder / file, "-o", folder / output, *options)

    return run


def test_shows_figures_before_and_after_and_writes_a_file_that_can_be_verified(
    improve: Callable[..., Ran], sfumato: Callable[..., Ran], folder: Path
) -> None:
    ran = improve(*QUICK)
    assert ran.code == 0, ran.err
    assert all(word in ran.out for word in ("before", "after", "E", "IL1", "IL", "DLD", "ID", "better.csv"))
    assert "Records were matched by the key in masked.csv.manifest.json." in ran.err
    assert "assess the improved file before you release it" in ran.err
    assert "do not publish" in ran.err
    better, before = pl.read_csv(folder / "better.csv"), pl.read_csv(folder / "masked.csv")
    assert better.drop("income", "tax").equals(before.drop("income", "tax"))
    assert not better.equals(before)
    assert sfumato("verify", folder / "better.csv.manifest.json").code == 0
    before.write_csv(folder / "better.csv")
    changed = sfumato("verify", folder / "better.csv.manifest.json")
    assert changed.code == 1
    assert "the improver, run again, gives another output" in changed.out


def test_the_figures_as_json_are_those_of_assess(improve: Callable[..., Ran], folder: Path) -> None:
    found = json.loads(improve(*QUICK, "--json").out)
    assert found["improver"] == "post_masking_optimisation"
    assert found["after"]["E"] < found["before"]["E"]
    assert found["steps_taken"] <= 2000
    for when, file in (("before", "masked.csv"), ("after", "better.csv")):
        released = read(folder / file)
        ordered = released.take_rows(np.argsort(released.frame["person_id"].to_numpy()))
        after = Microdata(ordered.frame, ordered.schema)
        values = assess(read(folder / "people.csv"), after, scores=(), worst_case=False).values
        assert [found[when][symbol] for symbol in ("IL", "DLD", "ID")] == pytest.approx(
            [values[symbol] for symbol in ("IL", "DLD", "ID")], rel=1e-5
        )  # the figures are of all decimals, the file has as many as its input


def test_the_same_seed_gives_the_same_bytes_and_no_seed_others(improve: Callable[..., Ran], folder: Path) -> None:
    for name in ("one.csv", "two.csv"):
        improve(*QUICK, output=name)
    improve(*QUICK[:-2], output="three.csv")
    one, two, three = ((folder / name).read_bytes() for name in ("one.csv", "two.csv", "three.csv"))
    assert one == two != three


def test_the_order_of_the_masked_file_stays(improve: Callable[..., Ran], folder: Path) -> None:
    turned = pl.read_csv(folder / "masked.csv").reverse()
    turned.write_csv(folder / "turned.csv")
    assert improve(*QUICK, file="turned.csv").code == 0
    assert pl.read_csv(folder / "better.csv")["person_id"].equals(turned["person_id"])


def test_the_trace_is_drawn_or_written(improve: Callable[..., Ran], folder: Path) -> None:
    assert improve(*QUICK, "--trace", folder / "trace.svg").code == 0
    assert "<svg" in (folder / "trace.svg").read_text(encoding="utf-8")
    assert improve(*QUICK, "--trace", folder / "trace.csv").code == 0
    trace = pl.read_csv(folder / "trace.csv")
    assert trace.columns == ["step", "E", "IL1"]
    assert trace["step"][0] == 0


def test_tells_the_columns_that_the_masked_file_no_longer_has(improve: Callable[..., Ran], folder: Path) -> None:
    pl.read_csv(folder / "masked.csv").drop("tax").write_csv(folder / "less.csv")
    ran = improve("--max-steps", "500", "--seed", "1", file="less.csv")
    assert ran.code == 0
    assert "Not improved, as the masked file no longer has them, or in another kind: tax." in ran.err


REFUSED = {
    ("--method", "moment_maching"): "did you mean 'moment_matching'?",
    ("--method", "moment_matching", "--keeps-groups"): "MomentMatching has no parameter 'keeps_groups'",
    ("--record-percent", "200"): "PostMaskingOptimisation.record_percent must be in (0, 100]; got 200",
    ("--max-steps", "0"): "PostMaskingOptimisation.max_steps must be in [1, 100000000]; got 0",
    ("--set", "sacle=2"): "has no parameter 'sacle'; did you mean 'scale'?",
    ("--set", "scale"): "--set must be written as NAME=VALUE, as in scale=0.5; got 'scale'",
    ("--set", "scale=1", "--set", "scale=2"): "--set gives scale twice; keep one",
    ("--set", "target=1", "--target", "0.1"): "target is given twice, with an option and with --set; keep one",
    ("--set", "scale=[1"): "--set scale: the value is not valid YAML",
    ("--column", "incme"): "there is no column 'incme'; did you mean 'income'?",
    ("--column", "region"): "'region' is nominal; expected continuous columns",
    ("--trace", "trace.txt"): "a trace is a file that ends in .svg, .png, .pdf, .csv; got 'trace.txt'",
    ("--trace", "nowhere/trace.svg"): "there is no folder nowhere; make it first",
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(
    options: tuple[str, ...], improve: Callable[..., Ran], folder: Path
) -> None:
    there = sorted(folder.iterdir())
    ran = improve(*options)
    assert ran.code == 1
    assert REFUSED[options] in ran.err
    assert sorted(folder.iterdir()) == there


def test_no_input_is_written_over(improve: Callable[..., Ran], folder: Path) -> None:
    before = (folder / "masked.csv").read_bytes()
    for ran in (improve(output="masked.csv"), improve(output="people.csv"), improve("--trace", folder / "people.csv")):
        assert ran.code == 1
        assert "would take the place of" in ran.err
    assert (folder / "masked.csv").read_bytes() == before


def test_records_that_cannot_be_matched_are_refused(improve: Callable[..., Ran], folder: Path) -> None:
    mixed = pl.read_csv(folder / "masked.csv").drop("person_id").sample(fraction=1, shuffle=True, seed=1)
    mixed.write_csv(folder / "mixed.csv")
    ran = improve(file="mixed.csv")
    assert ran.code == 1
    assert "Give the manifest that mask or protect wrote" in ran.err
    pl.read_csv(folder / "masked.csv").select("region").write_csv(folder / "other.csv")
    assert "the files have no numeric column in common" in improve(file="other.csv").err
    assert not (folder / "better.csv").exists()


@pytest.mark.parametrize("times", [1, 3])
def test_a_file_of_another_length_is_improved_and_compared_with_the_nearest_records(
    improve: Callable[..., Ran], sfumato: Callable[..., Ran], folder: Path, times: int
) -> None:
    some = pl.read_csv(folder / "masked.csv").head(120).drop("person_id")
    pl.concat([some] * times).with_columns(pl.col("income") * 1.2).write_csv(folder / "other.csv")
    ran = improve(*QUICK, "--json", file="other.csv")
    assert ran.code == 0, ran.err
    assert f"The files have 200 and {120 * times} records" in ran.err
    assert "The figures compare each masked record with the original one that is nearest to it." in ran.err
    found = json.loads(ran.out)
    assert found["after"]["E"] < found["before"]["E"]
    better, original = read(folder / "better.csv"), read(folder / "people.csv")
    assert better.n == 120 * times
    columns = original.select(numeric)
    nearest = DistanceLinkage(columns=columns, correspondence="nearest_record").measure(original, better)
    assert found["after"]["DLD"] == pytest.approx(nearest.value)
    assert sfumato("verify", folder / "better.csv.manifest.json").code == 0


def test_mask_tells_what_a_recipe_improved(sfumato: Callable[..., Ran], folder: Path) -> None:
    (folder / "recipe.yaml").write_text(
        "steps:\n  - drop_identifiers\n  - mdav: {columns: [income, tax], k: 5}\n"
        "improve:\n  post_masking_optimisation: {columns: [income, tax], target: 0, max_steps: 3000}\n"
    )
    write_people(folder / "people.csv", 400)
    ran = masked(sfumato, folder)
    assert ran.code == 0
    assert "Improved by post_masking_optimisation: " in ran.err
    assert "Groups of equal records were broken in income, tax" in ran.err
