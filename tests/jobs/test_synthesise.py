"""A synthetic file appears with its recipe and manifest, and holds nobody."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from sfumato import assessment
from sfumato.data import Microdata
from sfumato.datasets import demo
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.files import ReadOptions
from sfumato.jobs.compare_fits import compare_fits
from sfumato.jobs.mask import mask
from sfumato.jobs.protect import recipe_path
from sfumato.jobs.result import JobEnding
from sfumato.jobs.synthesise import control_path, synthesise
from sfumato.jobs.verify import verify
from sfumato.masking import DropIdentifiers, HouseholdSynthesis, SequentialSynthesis
from sfumato.recipe import Recipe, manifest_path
from sfumato.reports.synthetic_report import SyntheticReport
from sfumato.risk import MembershipInference
from tests.masking.synthesis.made_households import households

COLUMNS = ("household_id", "person_id", "region", "age", "sex", "wage_income", "transfer_income", "sampling_weight")
OPTIONS = ReadOptions(identifier=("person_id",), household="household_id", weight="sampling_weight")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    demo(400).frame.select(COLUMNS).write_csv(path)
    return path


def test_identifiers_never_leave_and_households_come_whole(source: Path, tmp_path: Path) -> None:
    result = synthesise(source, tmp_path / "made.csv", options=OPTIONS)
    made, people = pl.read_csv(tmp_path / "made.csv"), pl.read_csv(source)
    assert made.columns == [COLUMNS[0], *COLUMNS[2:]]
    assert made["household_id"].n_unique() == people["household_id"].n_unique()
    assert made.group_by("household_id").agg(pl.col("region").n_unique())["region"].max() == 1
    assert any(f"{people['household_id'].n_unique()} of them, by household_id" in notice for notice in result.notices)


def test_persons_come_one_by_one_where_the_file_tells_no_households(source: Path, tmp_path: Path) -> None:
    pl.read_csv(source).rename({"household_id": "hh"}).sort("hh").write_csv(source)
    options = ReadOptions(identifier=("person_id",), weight="sampling_weight")
    result = synthesise(source, tmp_path / "made.csv", options=options)
    assert pl.read_csv(tmp_path / "made.csv").shape == (400, len(COLUMNS) - 1)
    assert any(notice.startswith("hh WAS DRAWN AS A QUANTITY") for notice in result.notices)
    with pytest.raises(ParameterError, match="relation needs a column of the role household"):
        synthesise(source, tmp_path / "other.csv", options=options, relation="sex")


def test_regressions_draw_what_has_no_model_of_its_own_where_asked_for(source: Path, tmp_path: Path) -> None:
    pl.read_csv(source).drop("household_id").write_csv(source)
    options = ReadOptions(identifier=("person_id",), weight="sampling_weight")
    synthesise(
        source,
        tmp_path / "made.csv",
        options=options,
        columns=("region", "age", "wage_income"),
        models={"wage_income": "tree"},
        parametric=True,
    )
    step = Recipe.load(recipe_path(tmp_path / "made.csv")).steps[-1]
    assert isinstance(step, SequentialSynthesis)
    assert {name: type(model).name() for name, model in (step.models or {}).items()} == {
        "region": "logistic",
        "age": "linear",
        "wage_income": "tree",
    }


def test_no_pairing_figure_is_told_of_records_that_come_from_nobody(source: Path, tmp_path: Path) -> None:
    result = synthesise(source, tmp_path / "made.csv", options=OPTIONS)
    assert not result.manifest.all_records
    assert not result.manifest.unchanged_percent
    drawn = SequentialSynthesis(columns=COLUMNS[3:], within=("region",))
    Recipe(steps=[DropIdentifiers(columns=COLUMNS[:2]), drawn]).save(tmp_path / "strata.yaml")
    strata = mask(source, tmp_path / "strata.yaml", tmp_path / "strata.csv", options=OPTIONS)
    told = " ".join((*result.notices, *strata.notices))
    assert not any(words in told for words in ("stayed as they were", "that no other has"))
    assert not any("Released as they were" in notice for notice in result.notices)


def test_the_manifest_proves_the_file_and_the_recipe_makes_another(source: Path, tmp_path: Path) -> None:
    synthesise(source, tmp_path / "made.csv", options=OPTIONS, size=70, releases=2)
    people, made = pl.read_csv(source), pl.read_csv(tmp_path / "made.csv")
    households = round(70 * people["household_id"].n_unique() / 400)
    assert made.select("release", "household_id").n_unique() == 2 * households
    assert len(made) == pytest.approx(140, abs=40)
    assert verify(manifest_path(tmp_path / "made.csv")).passed
    mask(source, tmp_path / "made.csv.recipe.yaml", tmp_path / "again.csv", options=OPTIONS)
    assert pl.read_csv(tmp_path / "again.csv").select("release", "household_id").n_unique() == 2 * households


def test_the_releases_of_one_file_are_pooled_by_the_rule_that_its_manifest_asks_for(
    source: Path, tmp_path: Path
) -> None:
    copies = [tmp_path / "made.csv"]
    synthesise(source, copies[0], options=OPTIONS, releases=3, bootstrap=True)
    found, drawn, plain = (
        compare_fits(source, copies, "wage_income ~ age + sex", options=OPTIONS, rule=rule)
        for rule in (None, "large_sample_drawn", "large_sample")
    )
    assert found.comparison.copies == 3
    assert found.to_dict() == drawn.to_dict() != plain.to_dict()


def test_whole_households_are_kept_back_and_written_as_they_were(source: Path, tmp_path: Path) -> None:
    result = synthesise(source, tmp_path / "made.csv", options=OPTIONS, holdout=20, seed=3)
    assert result.control == tmp_path / "made.control.csv"
    control, people = pl.read_csv(result.control), pl.read_csv(source)
    assert control.columns == [COLUMNS[0], *COLUMNS[2:]]
    assert 40 < len(control) < 120
    homes = people.filter(pl.col("household_id").is_in(control["household_id"].to_list())).drop("person_id")
    assert homes.sort(homes.columns).equals(control.sort(homes.columns).select(homes.columns))
    assert pl.read_csv(tmp_path / "made.csv")["household_id"].n_unique() == people["household_id"].n_unique()
    assert any("made.control.csv" in notice and "They are real" in notice for notice in result.notices)


@pytest.mark.parametrize(("holdout", "size"), [(30, None), (None, 150), (30, 800)])
@pytest.mark.parametrize("drops", [(), ("household_id",)])
def test_weights_add_up_to_those_of_the_file(
    tmp_path: Path, holdout: float | None, size: int | None, drops: tuple[str, ...]
) -> None:
    people = demo(300).frame.select(COLUMNS).drop(drops).with_columns(pl.col("sampling_weight").round(2))
    people.write_parquet(tmp_path / "people.parquet")  # binary, so that nothing is rounded when it is written
    options = replace(OPTIONS, household=None) if drops else OPTIONS
    synthesise(tmp_path / "people.parquet", tmp_path / "made.parquet", options=options, holdout=holdout, size=size)
    made = pl.read_parquet(tmp_path / "made.parquet")["sampling_weight"]
    assert made.sum() == pytest.approx(people["sampling_weight"].sum(), rel=0.001)
    assert made.round(2).equals(made)


def test_the_page_lists_relations_of_few_households(tmp_path: Path) -> None:
    households(200).frame.select("home", "relation", "age").write_csv(tmp_path / "people.csv")
    page, options = tmp_path / "page.html", ReadOptions(household="home")
    result = synthesise(tmp_path / "people.csv", tmp_path / "made.csv", options=options, relation="relation", page=page)
    told = [notice for notice in result.notices if "fewer than 30 households" in notice]
    assert len(told) == 1
    assert told[0] in page.read_text(encoding="utf-8")


def test_a_file_without_records_is_refused(source: Path, tmp_path: Path) -> None:
    pl.read_csv(source).clear().write_csv(source)
    with pytest.raises(DataError, match="no records; there is nothing to synthesise"):
        synthesise(source, tmp_path / "made.csv", options=OPTIONS)
    assert not (tmp_path / "made.csv").exists()


def test_records_that_share_an_identifier_are_drawn_together_or_not_at_all(source: Path, tmp_path: Path) -> None:
    options = ReadOptions(identifier=("person_id", "household_id"))
    with pytest.raises(DataError, match=r"several records share 'household_id'.*give it the role household"):
        synthesise(source, tmp_path / "made.csv", options=options)
    steps = [DropIdentifiers(columns=COLUMNS[:2]), SequentialSynthesis(columns=COLUMNS[3:5])]
    one_by_one = Recipe(steps=steps, keep_real_columns=True)
    told = mask(source, one_by_one, tmp_path / "masked.csv", options=OPTIONS).notices
    assert any("ONE BY ONE ALTHOUGH SEVERAL SHARE household_id" in notice for notice in told)


def test_no_file_is_replaced_that_cannot_be_made_again(source: Path, tmp_path: Path) -> None:
    (tmp_path / "made.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(FileError, match="exists already"):
        synthesise(source, tmp_path / "made.csv", options=OPTIONS)


@pytest.mark.parametrize("holdout", [0, 100, -3])
def test_refuses_to_keep_back_nobody_or_all(source: Path, tmp_path: Path, holdout: float) -> None:
    with pytest.raises(ParameterError, match=r"holdout must be in \(0, 100\); got"):
        synthesise(source, tmp_path / "made.csv", options=OPTIONS, holdout=holdout)


def test_a_synthetic_file_is_assessed_without_pairs_and_not_made_again_for_that(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sfumato.jobs.assess import assess

    synthesise(source, tmp_path / "made.csv", options=OPTIONS)
    monkeypatch.delattr(Recipe, "run")
    result = assess(source, tmp_path / "made.csv", options=OPTIONS)
    told = " ".join((*result.notices, str(result)))
    assert "synthetic" in told
    assert not {"DLD", "IL", "KA"} & result.assessment.values.keys()
    assert "a weight that no other has" not in told
    assert "HMIA" in result.assessment.values  # copied households are looked for


def test_a_page_shows_the_file_beside_its_original(source: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    groups = {"wage_income": ("sex",)}
    result = synthesise(source, tmp_path / "made.csv", holdout=25.0, page=page, seed=3, within_groups=groups)
    assert "wage_income within groups of sex" in page.read_text()
    with pytest.raises(ParameterError, match="pictures on the page"):
        synthesise(source, tmp_path / "other.csv", within_groups=groups)
    assert any("not for publication" in notice for notice in result.notices)


def test_a_column_without_a_value_is_left_out_and_named(tmp_path: Path) -> None:
    frame = demo(200).frame.select("age", "sex", "wage_income").with_columns(empty=pl.lit(None, dtype=pl.Float64))
    frame.write_parquet(tmp_path / "people.parquet")
    result = synthesise(tmp_path / "people.parquet", tmp_path / "made.csv")
    assert "empty" not in pl.read_csv(tmp_path / "made.csv").columns
    assert any("no record has a value: empty" in notice for notice in result.notices)


def test_nothing_is_written_where_the_page_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*files: object, **options: object) -> None:
        raise DataError("too few records")

    monkeypatch.setattr("sfumato.jobs.synthesise.synthetic_report", refuse)
    demo(100).frame.select("age", "sex").write_csv(tmp_path / "people.csv")
    with pytest.raises(DataError, match="too few records"):
        synthesise(tmp_path / "people.csv", tmp_path / "made.csv", page=tmp_path / "page.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]


def test_those_kept_back_are_the_control_of_an_assessment(source: Path, tmp_path: Path) -> None:
    from sfumato.jobs.assess import assess

    made, control = tmp_path / "made.csv", tmp_path / "made.control.csv"
    synthesise(source, made, options=OPTIONS, holdout=25, seed=3)
    result = assess(source, made, options=OPTIONS, control=control)
    kept = len(pl.read_csv(control))
    assert {"MIA", "synthetic"} <= result.assessment.values.keys()
    assert any(f"{kept} records of the original were kept back" in remark for remark in result.assessment.remarks)
    people = pl.read_csv(source)
    drawn = people.filter(~pl.col("household_id").is_in(pl.read_csv(control)["household_id"].to_list()))
    drawn.head(kept).drop("person_id").write_csv(tmp_path / "members.csv")
    with pytest.raises(DataError, match="most records of the control are in the original too"):
        assess(source, made, options=OPTIONS, control=tmp_path / "members.csv")


def test_a_leak_is_said_first_and_the_files_are_written_all_the_same(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(people: Microdata, drawn: Microdata, *, control: Microdata, **options: object) -> SyntheticReport:
        measure = MembershipInference(columns=("age", "sex", "wage_income"))
        return SyntheticReport(people, people, assessment.assess(people, people, [measure], control=control))

    monkeypatch.setattr("sfumato.jobs.synthesise.synthetic_report", leaky)
    result = synthesise(source, tmp_path / "made.csv", options=OPTIONS, holdout=30, page=tmp_path / "page.html", seed=3)
    assert result.notices[0].startswith("LEAK FOUND by membership inference")
    assert result.ending is JobEnding.NOT_MET
    assert all((tmp_path / name).is_file() for name in ("made.csv", "page.html", "made.control.csv"))


def test_predictors_ages_and_relations_go_into_the_recipe_and_what_formulas_need_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "homes.parquet"
    frame = households(150).frame.with_columns(birth=pl.date(2021, 6, 1) - pl.duration(days=366 * pl.col("age")))
    frame.select("home", "age", "birth", "sex", "relation", "income").write_parquet(path)
    synthesise(
        path,
        tmp_path / "made.parquet",
        options=ReadOptions(household="home"),
        models={"age": {"formula": {"expression": "years('2021-12-31' - birth)"}}},
        predictors={"income": ("birth",)},
        relation="relation",
        age="birth",
        seed=2**70,
    )
    step = Recipe.load(recipe_path(tmp_path / "made.parquet")).steps[-1]
    assert isinstance(step, HouseholdSynthesis)
    assert step.columns == ("relation", "birth", "age", "sex", "income")
    assert (step.relation, step.age, step.predictors) == ("relation", "birth", {"income": ("birth",)})
    made = pl.read_parquet(tmp_path / "made.parquet")
    born = made["birth"]
    assert made["age"].to_list() == (2021 - born.dt.year()).to_list()  # on the last day of a year


def test_chosen_columns_are_drawn_in_their_order_and_others_left_out(source: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.csv"
    synthesise(source, made, options=OPTIONS, columns=("sex", "wage_income", "age"), holdout=20, seed=2**70)
    steps = Recipe.load(recipe_path(made)).steps
    assert steps[-1].columns == ("sex", "wage_income", "age")
    assert pl.read_csv(made).columns == ["household_id", "age", "sex", "wage_income"]
    assert pl.read_csv(control_path(made)).columns == ["household_id", "age", "sex", "wage_income"]
    with pytest.raises(DataError, match="'person_id' cannot be drawn"):
        synthesise(source, tmp_path / "other.csv", options=OPTIONS, columns=("person_id",))
    with pytest.raises(DataError, match="did you mean 'age'"):
        synthesise(source, tmp_path / "other.csv", options=OPTIONS, columns=("ages",))
