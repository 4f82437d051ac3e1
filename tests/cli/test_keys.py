"""`sfumato risk` and `sfumato protect`: what people see, what is written, and when a pipeline stops."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from tests.cli.commands import Ran
from tests.protection.surveys import matching, survey

KEYS = ("sex", "job", "town", "age")


@pytest.fixture
def surveyed(tmp_path: Path) -> Path:
    sf.write(survey(), tmp_path / "survey.csv")
    return tmp_path


def test_risk_shows_figures_and_categories_and_no_record(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    ran = sfumato("risk", surveyed / "survey.csv")
    assert ran.code == 0
    for word in ("uniques", "global_risk", "Riskiest combinations", "job"):
        assert word in ran.out
    assert "p17" not in ran.out


def test_a_limit_that_is_not_met_stops_a_pipeline(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    ran = sfumato("risk", surveyed / "survey.csv", "--limit", "k=3", "--limit", "global_risk<=90")
    assert ran.code == 3
    assert "Not within limits: k >= 3 (it is 1)." in ran.err
    assert sfumato("risk", surveyed / "survey.csv", "--limit", "global_risk<=90").code == 0
    share = sfumato("risk", surveyed / "survey.csv", "--limit", "global_risk<=0.05")
    assert "The limit on global_risk 0.05 is 0.05 percent; did you mean 5 %? Then write 5." in share.err


def test_risk_as_json_and_as_a_page_say_the_same(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    ran = sfumato(
        "risk", surveyed / "survey.csv", "--json", "--page", surveyed / "risk.html", "--key", "sex", "--key", "job"
    )
    told = json.loads(ran.out)
    assert list(told["keys"]) == ["sex", "job"]
    assert f"{told['figures']['uniques']:,.0f} records" in (surveyed / "risk.html").read_text()


def test_protect_writes_a_file_that_keeps_to_the_limit(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    output = surveyed / "safe.csv"
    limits = ("--limit", "k=3", "--limit", "global_risk<=5", "--max-suppressed", "20")
    ran = sfumato("protect", surveyed / "survey.csv", "-o", output, *limits, "--page", surveyed / "safe.html")
    assert ran.code == 0, ran.err
    assert "Limit k >= 3: met by design, by the keys alone, and by what was looked for in other columns (3)" in ran.out
    assert "Limit global_risk <= 5 %: measured and met (" in ran.out
    assert "Limit suppressed <= 20 %: met, with what other columns make necessary (" in ran.out
    assert min(matching(pl.read_csv(output), list(KEYS))) >= 3
    assert "<h2>Risk before and after</h2>" in (surveyed / "safe.html").read_text()
    assert sfumato("verify", f"{output}.manifest.json").code == 0
    assert "seed" not in Path(f"{output}.recipe.yaml").read_text()


def test_the_recipe_that_protect_wrote_masks_the_file_again(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv")
    recipe = surveyed / "safe.csv.recipe.yaml"
    assert sfumato("mask", surveyed / "survey.csv", "-r", recipe, "-o", surveyed / "again.csv").code == 0
    again, safe = (pl.read_csv(surveyed / name).drop("home") for name in ("again.csv", "safe.csv"))
    assert again.sort(again.columns).equals(safe.sort(safe.columns))  # the order and the households are drawn anew


def test_a_hierarchy_file_and_importance_say_how_keys_are_joined(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    rows = ["cook;serves;*", "actor;serves;*", "smith;makes;*", "clerk;else;*", "pilot;else;*"]
    (surveyed / "jobs.csv").write_text("\n".join(rows))
    tree = f"job={surveyed / 'jobs.csv'}"
    options = ("--k", "5", "--hierarchy", tree, "--importance", "sex=9")
    ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", *options)
    assert ran.code == 0, ran.err
    released = pl.read_csv(surveyed / "safe.csv")
    assert set(released["job"].drop_nulls()) <= {"serves", "makes", "else"}
    assert released["sex"].null_count() == 0
    for wrong in ("sex", "sex=", "sex=much"):
        ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", "--importance", wrong)
        assert ran.code == 1
        assert "--importance must" in ran.err


def test_nothing_is_written_where_a_limit_cannot_be_met(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", "--limit", "global_risk<=0")
    assert ran.code == 3
    assert "No file was written" in ran.err
    ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", "--max-suppressed", "0.5")
    assert ran.code == 3
    assert "No file was written: allow more suppression" in ran.err
    assert "max_suppressed 0.5 is 0.5 percent; did you mean 50 %? Then write 50." in ran.out
    assert not list(surveyed.glob("safe*"))


def test_strict_protection_and_combinations_can_be_asked_for(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    strict, pairs = surveyed / "strict.csv", surveyed / "pairs.csv"
    ran = sfumato("protect", surveyed / "survey.csv", "-o", strict, "--strict", "--limit", "strict_k=3")
    assert ran.code == 0, ran.err
    assert sfumato("risk", strict, "--limit", "strict_k=3").code == 0
    ran = sfumato("protect", surveyed / "survey.csv", "-o", pairs, "--combinations", "2")
    assert ran.code == 0, ran.err
    assert sfumato("risk", pairs, "--combinations", "2", "--limit", "k=3").code == 0


def test_an_assessment_of_what_protect_wrote_says_whom_k_was_promised(
    sfumato: Callable[..., Ran], tmp_path: Path
) -> None:
    sf.write(sf.datasets.demo(150), tmp_path / "survey.csv")
    assert sfumato("protect", tmp_path / "survey.csv", "-o", tmp_path / "safe.csv").code == 0
    ran = sfumato("assess", tmp_path / "survey.csv", tmp_path / "safe.csv")
    assert ran.code == 0, ran.err
    told = " ".join(ran.out.split())
    assert "(KA), which the masking aims at, is about somebody who knows" in told
    assert "in the worst case (WCL) they also know how the file was masked" in told


def test_diversity_and_closeness_of_a_column_can_be_asked_for(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    output, asked = surveyed / "safe.csv", ("--l-diversity", "2", "--t-closeness", "0.6")
    keys = ("--key", "sex", "--key", "town", "--key", "age", "--other", "income")
    options = (*keys, "--sensitive", "job", *asked, "--keeps-numbers")
    ran = sfumato("protect", surveyed / "survey.csv", "-o", output, *options)
    assert ran.code == 0, ran.err
    groups = pl.read_csv(output).group_by("sex", "town", "age").agg(pl.col("job").n_unique())
    assert groups["job"].min() >= 2  # type: ignore[operator]
    assert "l = 2, the different values of job in each group" in " ".join(ran.out.split())


def test_a_limit_on_the_worst_case_that_is_not_met_stops_a_pipeline(
    sfumato: Callable[..., Ran], surveyed: Path
) -> None:
    limit = ("--keeps-numbers", "--limit", "worst_case_linkage<=1")
    ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", *limit)
    assert ran.code == 3
    assert "NOT PROTECTED AS ASKED" in ran.out
    assert "who knows the numbers" in " ".join(ran.err.split())
    assert not list(surveyed.glob("safe*"))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--key", "jobb"), "jobb"),
        (("--schema", "no_keys.yaml"), "name the columns that others may know of a person as keys"),
        (("--weight", "sex"), "'sex' is nominal; expected a continuous column"),
        (("--limit", "k"), "--limit: a limit is a figure and a number, as in 'DLD<=5' or 'k>=3'; got 'k'"),
        (("--household", "nobody"), "nobody"),
    ],
)
def test_wrong_options_are_told(
    sfumato: Callable[..., Ran], surveyed: Path, options: tuple[str, str], told: str
) -> None:
    (surveyed / "no_keys.yaml").write_text("variables: {sex: {kind: nominal}}")
    ran = sfumato("risk", surveyed / "survey.csv", options[0], options[1].replace("no_keys", f"{surveyed}/no_keys"))
    assert ran.code == 1
    assert told in ran.err


def test_weights_of_zero_are_refused_in_the_words_of_the_command_line(
    sfumato: Callable[..., Ran], surveyed: Path
) -> None:
    frame = pl.read_csv(surveyed / "survey.csv").with_columns(weight=pl.lit(0.0))
    frame.write_csv(surveyed / "survey.csv")
    ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", "--weight", "weight")
    assert ran.code == 1
    assert ran.err.startswith("sfumato: --weight: 'weight' must be above 0")
    assert "missing or not above 0 in 200 of 200" in ran.err
    assert not (surveyed / "safe.csv").exists()


@pytest.mark.parametrize("page", ["survey.csv", "safe.csv", "nowhere/page.html"])
def test_a_page_that_cannot_be_written_is_refused_before_anything_is(
    sfumato: Callable[..., Ran], surveyed: Path, page: str
) -> None:
    before = (surveyed / "survey.csv").read_bytes()
    ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", "--page", surveyed / page)
    assert ran.code == 1
    assert (surveyed / "survey.csv").read_bytes() == before
    assert not (surveyed / "safe.csv").exists()


def test_confidential_columns_can_be_named_on_the_command_line(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    options = ("--key", "sex", "--key", "job", "--confidential", "income", "--json")
    others = ("--other", "town", "--other", "age", "--other", "tax", "--keep", "tax")
    refused = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", *options)
    assert "the schema gives the role key to" in refused.err  # nobody said that they are none
    ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "safe.csv", *options, *others)
    told = json.loads(ran.out)
    assert "income" not in told["unchanged"]
    assert "tax" in told["unchanged"]
    assert "seed" not in told["recipe"]


def test_numbers_are_masked_by_the_steps_of_a_recipe_or_kept(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    (surveyed / "numbers.yaml").write_text("steps: [rounding: {columns: [tax], base: 1000}]\n", encoding="utf-8")
    given = {"by_recipe": ("--number-recipe", surveyed / "numbers.yaml"), "kept": ("--keeps-numbers",)}
    for name, options in given.items():
        ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / f"{name}.csv", *options)
        assert ran.code == 0
    before, by_recipe, kept = (
        pl.read_csv(surveyed / f"{name}.csv")["tax"].sort().to_list() for name in ("survey", "by_recipe", "kept")
    )
    assert kept == before
    assert {value % 1000 for value in by_recipe if value is not None} == {0}
    ran = sfumato("protect", surveyed / "survey.csv", "-o", surveyed / "no.csv", *given["by_recipe"], *given["kept"])
    assert ran.code == 1
    assert "--number-recipe and --keeps-numbers contradict each other" in ran.err


def test_a_closeness_of_0_is_refused_as_in_python_and_named_as_the_option(
    sfumato: Callable[..., Ran], tmp_path: Path
) -> None:
    sf.write(sf.datasets.demo(50), tmp_path / "survey.csv")
    ran = sfumato("protect", tmp_path / "survey.csv", "-o", tmp_path / "safe.csv", "--t-closeness", "0")
    assert "--t-closeness must be above 0 and at most 1; got 0.0" in ran.err
    assert not (tmp_path / "safe.csv").exists()


def test_only_one_column_can_be_named_as_weight(sfumato: Callable[..., Ran], surveyed: Path) -> None:
    ran = sfumato("risk", surveyed / "survey.csv", "--weight", "weight", "--weight", "tax")
    assert ran.code == 2
    assert "only one column can be it; got weight, tax" in ran.err


def test_weights_that_were_normalised_are_scaled_in_the_risk_of_protect_too(
    sfumato: Callable[..., Ran], surveyed: Path
) -> None:
    asked = ("protect", surveyed / "survey.csv", "--json", "--seed", "1", "--population-size", "50000", "--output")
    told = json.loads(sfumato(*asked, surveyed / "safe.csv").out)
    risk = sfumato("risk", surveyed / "survey.csv", "--json", "--population-size", "50000")
    assert told["before"]["figures"] == json.loads(risk.out)["figures"]


def test_a_weight_that_nobody_shares_is_told_on_the_pages_of_risk_and_assess(
    sfumato: Callable[..., Ran], surveyed: Path
) -> None:
    alarm = "have a weight that no other has"
    sfumato("risk", surveyed / "survey.csv", "--page", surveyed / "risk.html")
    assert alarm in (surveyed / "risk.html").read_text()
    sfumato("protect", surveyed / "survey.csv", "--seed", "1", "--output", surveyed / "safe.csv")
    sfumato("assess", surveyed / "survey.csv", surveyed / "safe.csv", "--page", surveyed / "assess.html")
    page = (surveyed / "assess.html").read_text()
    assert alarm in page
    assert page.index("Notes, to be read with the figures") < page.index("KAC, different combinations of keys: ")
    assert "an intruder who knows the recipe" in page.lower()
    assert "recipe does not fit" not in page


def test_a_column_that_is_not_there_is_told_with_the_option_that_names_it(
    sfumato: Callable[..., Ran], surveyed: Path
) -> None:
    ran = sfumato("risk", surveyed / "survey.csv", "--weight", "w")
    assert ran.code == 1
    assert "--weight: there is no column 'w'; the columns are: " in ran.err


def test_a_weight_is_a_number_also_where_all_are_equal_and_amounts_that_stay_text_are_told(
    sfumato: Callable[..., Ran], tmp_path: Path
) -> None:
    rows = "".join(f'{"fm"[row % 2]},2000,"{row}.{100 + row},50",{row}.25\n' for row in range(1, 61))
    (tmp_path / "pay.csv").write_text(f"sex,w,pay,rate\n{rows}", encoding="utf-8")
    options = ("--key", "sex", "--weight", "w", "--confidential", "pay")
    assert sfumato("risk", tmp_path / "pay.csv", *options).code == 0
    ran = sfumato("protect", tmp_path / "pay.csv", "-o", tmp_path / "out.csv", *options)
    assert ran.code == 0
    assert "pay is text, as its numbers have a comma before decimals" in " ".join(ran.out.split())
