"""Everything that can be wrong with a recipe file is told at once, with its line."""

from pathlib import Path

import pytest

from sfumato.data import Role, Schema, Selector, Variable
from sfumato.errors import DocumentError, FileError
from sfumato.masking import METHODS, Mdav, RankSwapping, TopCoding
from sfumato.recipe import Recipe

WHOLE = """\
# what the statistics act asks for
seed: 7
schema: people.schema.yaml
steps:
  - rank_swapping: {columns: [income, tax], window: 10}
  - top_coding: {columns: numeric, at: 90}
"""


def problems(text: str) -> list[str]:
    with pytest.raises(DocumentError) as refused:
        Recipe.from_yaml(text)
    return list(refused.value.problems)


def test_reads_steps_seed_and_schema_file(tmp_path: Path) -> None:
    schema = Schema(variables=(Variable(name="income", kind="continuous", role="key"),))
    (tmp_path / "people.schema.yaml").write_text(schema.to_yaml(), encoding="utf-8")
    (tmp_path / "recipe.yaml").write_text(WHOLE, encoding="utf-8")
    assert Recipe.load(tmp_path / "recipe.yaml") == Recipe(
        steps=[RankSwapping(columns=("income", "tax"), window=10), TopCoding(columns=Selector("numeric"), at=90)],
        seed=7,
        schema=schema,
    )


def test_reads_a_schema_written_in_the_recipe() -> None:
    recipe = Recipe.from_yaml(
        "schema: {variables: {age: {kind: continuous, role: key}}}\nsteps: [mdav: {columns: [age]}]"
    )
    assert recipe.schema is not None
    assert recipe.schema["age"].role is Role.KEY


def test_reads_a_file_that_begins_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text("steps: [mdav: {columns: [income]}]", encoding="utf-8-sig")
    assert Recipe.load(tmp_path / "recipe.yaml").steps == (Mdav(columns=("income",)),)


def test_reads_a_list_of_columns_used_twice() -> None:
    text = "steps:\n- mdav: {columns: &money [income, tax]}\n- rank_swapping: {columns: *money}\n"
    assert Recipe.from_yaml(text).steps[1] == RankSwapping(columns=("income", "tax"))


def test_all_problems_are_told_together_in_the_order_of_their_lines() -> None:
    text = """\
seed: -1
sede: 3
steps:
  - rank_swaping: {columns: [income]}
  - rank_swapping: {columns: [income], windw: 3}
  - rank_swapping:
      columns: [income]
      window: 101
  - mdav:
    columns: [income]
  - mdav
  - mdav: 3
  - top_coding:
      columns: income
      at: [1]
"""
    assert problems(text) == [
        "line 1: 'seed' must be in [0, inf); got -1",
        "line 2: a recipe has no key 'sede'; did you mean 'seed'?",
        "line 4, step 1: there is no method 'rank_swaping'; did you mean 'rank_swapping'?",
        "line 5, step 2 (rank_swapping): RankSwapping has no parameter 'windw'; did you mean 'window'?",
        "line 8, step 3 (rank_swapping): RankSwapping.window must be in (0, 100]; got 101",
        "line 9, step 4: expected one method, got the keys mdav, columns; "
        "begin each method with '-', indent its parameters",
        "line 11, step 5 (mdav): Mdav.columns is required",
        f"line 12, step 6 (mdav): mdav expects parameters by their names: {', '.join(Mdav.model_fields)}; got a number",
        "line 14, step 7 (top_coding): TopCoding.columns must be a list of column names, or one of numeric, "
        "categorical, linkable, role(NAME); got 'income'",
        "line 15, step 7 (top_coding): TopCoding.at must be a number, or a category of an ordinal column; got [1]",
    ]


def test_the_message_counts_and_lists_the_problems() -> None:
    with pytest.raises(DocumentError, match=r"^the recipe has 2 problems:\n  - line 1: .*\n  - line 2: .*$"):
        Recipe.from_yaml("seed: -1\nsteps: []")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_known_by_its_name(method: str) -> None:
    said = problems(f"steps:\n  - {method}: {{colums: [income]}}")
    assert (
        f"line 2, step 1 ({method}): {METHODS[method].__name__} has no parameter 'colums'; did you mean 'columns'?"
        in said
    )


def test_a_method_unlike_any_other_is_answered_with_the_list_of_methods() -> None:
    assert problems("steps: [zzzzzz]") == [
        f"line 1, step 1: there is no method 'zzzzzz'; the methods are {', '.join(METHODS)}"
    ]


def test_a_parameter_name_that_is_not_text_is_refused() -> None:
    (problem,) = problems("steps: [mdav: {columns: [a], 3: 4}]")
    assert problem.startswith("line 1, step 1 (mdav): Mdav has no parameter '3'; it has columns, k,")


def test_a_key_given_twice_is_refused_wherever_it_is() -> None:
    text = "seed: 1\nsteps:\n  - mdav:\n      columns: [a]\n      k: 3\n      k: 4\nseed: 2\n"
    assert problems(text) == [
        "line 6, step 1 (mdav): the key 'k' is already in line 5; keep one of them",
        "line 7: the key 'seed' is already in line 1; keep one of them",
    ]


def test_a_method_given_twice_in_one_step_is_refused() -> None:
    text = "steps:\n  - mdav: {columns: [a]}\n    mdav: {columns: [b]}\n"
    assert problems(text) == ["line 3, step 1: the key 'mdav' is already in line 2; keep one of them"]


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n"])
def test_an_empty_file_is_refused(text: str) -> None:
    (problem,) = problems(text)
    assert problem.endswith(": 'steps' must be a list of methods, as in '- mdav: {columns: [income]}'; got nothing")


@pytest.mark.parametrize(
    ("text", "got"), [("age,income\n31,2000\n", "text"), ("- mdav\n", "a list"), ("7", "a number")]
)
def test_a_file_of_another_sort_is_refused(text: str, got: str) -> None:
    assert problems(text) == [
        f"line 1: the recipe must be a mapping with the keys seed, schema, steps, improve, keep_identifiers, "
        f"keep_order, keep_households, keep_categories, keep_real_columns; got {got}",
        "line 1: 'steps' must be a list of methods, as in '- mdav: {columns: [income]}'; got nothing",
    ]


@pytest.mark.parametrize(
    ("steps", "got"),
    [("", "nothing"), (" []", "nothing"), (" {mdav: {columns: [a]}}", "a mapping"), (" mdav", "text")],
)
def test_steps_that_are_not_a_list_are_refused(steps: str, got: str) -> None:
    expected = f"line 2: 'steps' must be a list of methods, as in '- mdav: {{columns: [income]}}'; got {got}"
    assert problems(f"seed: 1\nsteps:{steps}") == [expected]


def test_absent_steps_are_refused() -> None:
    (problem,) = problems("seed: 3")
    assert problem.startswith("line 1: 'steps' must be a list of methods")


@pytest.mark.parametrize(("step", "got"), [("3", "a number"), ("{}", "nothing"), ("[mdav]", "a list"), ("", "nothing")])
def test_a_step_that_is_not_a_method_is_refused(step: str, got: str) -> None:
    expected = f"line 3, step 2: expected a method, as in '- mdav: {{columns: [income]}}'; got {got}"
    assert problems(f"steps:\n  - mdav: {{columns: [a]}}\n  - {step}") == [expected]


@pytest.mark.parametrize("text", ["seed: 7\n\tsteps: 3", "steps:\n\t- mdav: {columns: [a]}"])
def test_tabs_are_refused_by_name(text: str) -> None:
    assert problems(text) == ["line 2: a tab cannot indent YAML; use spaces"]


@pytest.mark.parametrize(
    "text",
    [
        "steps: [",
        "steps: {a: 1",
        "a: b: c",
        "steps: *absent",
        "? [a]\n: b",
        "steps: !!python/object/apply:os.getcwd []",
        "seed: 1\n---\nseed: 2",
        "steps: 2024-02-31",
        "steps: \x01",
    ],
)
def test_what_is_not_yaml_is_refused(text: str) -> None:
    (problem,) = problems(text)
    assert "not valid YAML" in problem


def test_what_is_not_yaml_is_refused_with_its_line() -> None:
    (problem,) = problems("seed: 1\nsteps:\n  - mdav: {columns: [a]\n  - mdav: x")
    assert problem.startswith("line 4: not valid YAML")


def test_a_list_that_holds_itself_is_refused() -> None:
    (problem,) = problems("steps: &all [*all]")
    assert problem.startswith("line 1, step 1: expected a method")


def test_schema_problems_are_told_with_the_others_each_with_its_line() -> None:
    text = "schema:\n  variables:\n    age: {kind: continous}\n    sex: {}\nsteps:\n  - mdav\n"
    assert problems(text) == [
        "line 3: column 'age': Variable.kind must be 'continuous', 'ordinal', 'nominal' or 'date'; got 'continous'",
        "line 4: column 'sex': Variable.kind is required",
        "line 6, step 1 (mdav): Mdav.columns is required",
    ]


def test_an_absent_schema_file_is_told_with_the_others(tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as refused:
        Recipe.from_yaml("schema: absent.yaml\nsteps:\n  - mdav\n", folder=tmp_path)
    assert refused.value.problems == (
        f"line 1: schema file 'absent.yaml': the schema {tmp_path}/absent.yaml cannot be read: "
        "No such file or directory; its path begins at the recipe's folder",
        "line 3, step 1 (mdav): Mdav.columns is required",
    )


def test_a_schema_file_that_is_not_a_schema_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("variables: [", encoding="utf-8")
    (tmp_path / "latin.yaml").write_bytes("variables: {größe: {kind: nominal}}".encode("latin-1"))
    for file in ("broken.yaml", "latin.yaml"):
        with pytest.raises(DocumentError) as refused:
            Recipe.from_yaml(f"schema: {file}\nsteps: [mdav: {{columns: [a]}}]", folder=tmp_path)
        (problem,) = refused.value.problems
        assert problem.startswith(f"line 1: schema file '{file}': ")
        assert "\n" not in problem


def test_an_absent_recipe_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the recipe .*absent\.yaml cannot be read: No such file or directory"):
        Recipe.load(tmp_path / "absent.yaml")


def test_a_recipe_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_bytes(b"\xff\xfe\x00steps")
    with pytest.raises(FileError, match="is not UTF-8 text; expected a YAML file"):
        Recipe.load(tmp_path / "recipe.yaml")


@pytest.mark.parametrize(
    ("step", "meaning"),
    [
        ("distance_linkage: {columns: [a]}", "that is a measure: name it under measures"),
        ("moment_matching: {columns: [a]}", "that is an improver: name it under improve"),
        ("noise: {columns: [a]}", "methods of that family are additive_noise, correlated_noise"),
    ],
)
def test_a_name_that_is_no_method_is_answered_with_what_it_is(step: str, meaning: str) -> None:
    assert f"'; {meaning}" in problems(f"steps: [{step}]")[0]
