"""From files to a comparison of regressions."""

from pathlib import Path

import numpy as np
import polars
import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.jobs.compare_fits import compare_fits
from sfumato.jobs.mask import mask
from sfumato.jobs.protect import recipe_path
from sfumato.jobs.synthesise import synthesise
from sfumato.masking import SequentialSynthesis
from sfumato.recipe import Recipe, manifest_path
from sfumato.regression import POOLING_RULES


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    rng = np.random.default_rng(8)
    paths = []
    for number, n in enumerate((200, 150, 250)):
        age = rng.normal(40, 9, n).round(1)
        frame = polars.DataFrame({"age": age, "sex": rng.choice(["f", "m"], n), "pay": 3 * age + rng.normal(0, 9, n)})
        paths.append(tmp_path / f"file{number}.csv")
        frame.write_csv(paths[-1], separator=";")
    return paths


def test_copies_of_any_size_are_compared_and_plotted(files: list[Path], tmp_path: Path) -> None:
    found = compare_fits(files[0], files[1:], "pay ~ age + sex", plot=tmp_path / "fits.svg")
    assert [one.name for one in found.comparison.coefficients] == ["constant", "age", "sex=m"]
    assert found.comparison.copies == 2
    assert found.to_dict()["mean_overlap"] > 0
    assert (tmp_path / "fits.svg").stat().st_size > 1000


def test_copies_numbered_in_one_file_are_pooled_like_files(files: list[Path], tmp_path: Path) -> None:
    both = polars.concat(
        [
            polars.read_csv(file, separator=";").with_columns(release=polars.lit(number))
            for number, file in enumerate(files[1:], start=1)
        ]
    )
    both.write_csv(tmp_path / "both.csv")
    apart = compare_fits(files[0], files[1:], "pay ~ age + sex").to_dict()
    assert compare_fits(files[0], [tmp_path / "both.csv"], "pay ~ age + sex").to_dict() == apart


def test_records_that_were_kept_back_are_left_out_of_the_original(files: list[Path], tmp_path: Path) -> None:
    made = tmp_path / "made.csv"
    synthesise(files[0], made, holdout=30, seed=1)
    found = compare_fits(files[0], [made], "pay ~ age + sex")
    assert found.comparison.records == 140
    assert any("60 records of the original were kept back" in notice for notice in found.notices)
    with pytest.raises(DataError, match="made from different records of the original"):
        compare_fits(files[0], [made, files[1]], "pay ~ age + sex")
    manifest_path(made).unlink()
    assert compare_fits(files[0], [made], "pay ~ age + sex").comparison.records == 200


def test_copies_without_a_manifest_are_said_to_tell_neither_their_records_nor_how_they_were_drawn(
    files: list[Path], tmp_path: Path
) -> None:
    made, moved = tmp_path / "made.csv", tmp_path / "moved.csv"
    synthesise(files[0], made, holdout=30, releases=2, seed=1)
    moved.write_bytes(made.read_bytes())
    told, untold, ruled = (
        compare_fits(files[0], [copy], "pay ~ age + sex", rule=rule)
        for copy, rule in ((made, None), (moved, None), (moved, "large_sample_drawn"))
    )
    words = ("there is no moved.csv.manifest.json", "All 200 of the original", "take the rule large_sample_drawn")
    assert [[any(text in one for one in each.notices) for text in words] for each in (told, untold, ruled)] == [
        [False, False, False],
        [True, True, True],
        [True, True, False],
    ]
    rules = ["large_sample_drawn", "large_sample", "large_sample_drawn"]
    assert [each.comparison.rule for each in (told, untold, ruled)] == [POOLING_RULES[name] for name in rules]
    for each, name in zip((told, untold, ruled), rules, strict=True):
        assert f"Pooled by {name}:" in str(each)


def test_a_manifest_of_another_original_is_said_not_to_tell_the_records(files: list[Path], tmp_path: Path) -> None:
    made = tmp_path / "made.csv"
    synthesise(files[0], made, holdout=30, seed=1)
    found = compare_fits(files[2], [made], "pay ~ age + sex")
    assert any("made.csv.manifest.json was not used" in one and "All 250" in one for one in found.notices)


def test_copies_by_trees_without_the_bootstrap_are_said_to_have_errors_a_little_too_small(
    files: list[Path], tmp_path: Path
) -> None:
    made = tmp_path / "made.csv"
    notices = []
    for drawn_anew, parametric in ((False, False), (True, False), (False, True)):
        synthesise(files[0], made, seed=1, releases=2, bootstrap=drawn_anew, parametric=parametric, overwrite=True)
        notices.append(compare_fits(files[0], [made], "pay ~ age + sex").notices)
    assert [any("a little too short" in one for one in each) for each in notices] == [True, False, False]


@pytest.mark.parametrize(
    ("releases", "bootstrap", "is_drawn_anew"), [(1, None, False), (2, None, True), (2, False, False), (1, True, True)]
)
def test_several_files_have_models_of_their_own_and_the_rule_for_them_unless_it_is_said_otherwise(
    files: list[Path], tmp_path: Path, releases: int, bootstrap: bool | None, is_drawn_anew: bool
) -> None:
    made = tmp_path / "made.csv"
    result = synthesise(files[0], made, releases=releases, bootstrap=bootstrap, seed=1)
    step = Recipe.load(recipe_path(made)).steps[-1]
    assert isinstance(step, SequentialSynthesis)
    assert step.bootstrap is is_drawn_anew
    found, drawn, plain = (
        compare_fits(files[0], [made], "pay ~ age + sex", rule=rule).to_dict()
        for rule in (None, "large_sample_drawn", "large_sample")
    )
    assert found == (drawn if is_drawn_anew else plain)
    assert drawn != plain
    said = [any(text in notice for notice in result.notices) for text in ("large_sample_drawn", "a little too short")]
    assert said == [releases > 1 and is_drawn_anew, releases > 1 and not is_drawn_anew]


def test_a_model_or_rule_that_does_not_exist_is_refused_with_the_nearest(files: list[Path]) -> None:
    with pytest.raises(ParameterError, match="did you mean 'logistic'"):
        compare_fits(files[0], files[1:], "pay ~ age", model="logistc")
    with pytest.raises(ParameterError, match="rule must be one of large_sample"):
        compare_fits(files[0], files[1:], "pay ~ age", rule="rubin")


def test_the_partial_rule_is_called_unfit_where_the_manifest_says_that_all_columns_were_drawn(
    files: list[Path], tmp_path: Path
) -> None:
    made, mixed = tmp_path / "made.csv", tmp_path / "mixed.csv"
    synthesise(files[0], made, releases=2, label="synthetic data", seed=1)
    steps = [SequentialSynthesis(columns=("pay",), given=("age", "sex"), releases=2)]
    Recipe(steps=steps, seed=1).save(tmp_path / "mixed.yaml")
    mask(files[0], tmp_path / "mixed.yaml", mixed)
    expected = {("partial", made): True, ("large_sample", made): False, ("partial", mixed): False}
    for (rule, copy), is_said in expected.items():
        notices = compare_fits(files[0], [copy], "pay ~ age + sex", rule=rule).notices
        assert any("every column of these copies was drawn" in one for one in notices) == is_said
