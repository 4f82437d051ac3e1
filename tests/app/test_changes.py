"""Each action of the workbench gives the schema or the recipe that its name says."""

import polars
import pytest

import sfumato as sf
from sfumato.app import changes
from sfumato.app.project import State
from sfumato.app.studies.proposal_entries import proposal_entry
from sfumato.errors import ParameterError, SfumatoError


@pytest.fixture
def state() -> State:
    frame = polars.DataFrame({"age": [31, 44, 99], "sex": ["f", "m", "f"], "w": [1.5, 2.5, 3.0]})
    return State("opened", sf.Schema.infer(frame).to_yaml())


TOP = sf.TopCoding(columns=("age",), at=50)
SWAP = sf.RankSwapping(columns=("age",), window=50)


def test_a_second_key_joins_the_first(state: State) -> None:
    after = changes.give_role(changes.give_role(state, "age", "key"), "sex", "key")
    assert after.schema.select(sf.role("key")) == ("age", "sex")


def test_a_second_weight_takes_the_place_of_the_first(state: State) -> None:
    after = changes.give_role(changes.give_role(state, "age", "weight"), "w", "weight")
    assert after.schema.select(sf.role("weight")) == ("w",)


def test_one_column_says_whose_each_record_is_or_none_does(state: State) -> None:
    after = changes.give_person(changes.give_person(state, "age"), "sex")
    assert (after.schema.person, after.schema["sex"].role) == ("sex", "identifier")
    assert after.action == "sex says whose each record is"
    assert changes.give_person(after, "").schema.person == ""


def test_codes_for_no_answer_are_read_as_numbers_where_they_are(state: State) -> None:
    after = changes.give_missing_codes(state, "age", "99, -9, x")
    assert after.schema["age"].missing_codes == (99, -9, "x")
    assert after.action == '99, -9, x of age mean "no answer"'
    assert changes.give_missing_codes(after, "age", " ").schema["age"].missing_codes == ()


def test_a_code_that_is_a_value_is_no_longer_missing(state: State) -> None:
    after = changes.accept_codes(changes.give_missing_codes(state, "age", "99"), "age", [99])
    assert after.schema["age"].missing_codes == ()
    assert after.schema["age"].valid_codes == (99,)


def test_steps_are_added_moved_changed_and_removed(state: State) -> None:
    both = changes.add_step(changes.add_step(state, TOP), SWAP)
    assert both.recipe == sf.Recipe(steps=[TOP, SWAP])
    assert changes.raise_step(both, 1).recipe == sf.Recipe(steps=[SWAP, TOP])
    assert changes.raise_step(both, 0) == both
    other = TOP.replace(at=60)
    assert changes.replace_step(both, 0, other).recipe == sf.Recipe(steps=[other, SWAP])
    assert changes.remove_step(both, 0).recipe == sf.Recipe(steps=[SWAP])
    assert changes.remove_step(changes.remove_step(both, 0), 0).recipe is None


def test_a_recipe_that_is_taken_leaves_its_seed_behind(state: State) -> None:
    taken = changes.take_recipe(state, "took it", sf.Recipe(steps=[TOP], seed=7))
    assert taken.recipe == sf.Recipe(steps=[TOP])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("seed: 7\nsteps: [{top_coding: {columns: [age], at: 50}}]", "leave the seed out"),
        (
            "schema: {variables: {age: {kind: ordinal}}}\nsteps: [{top_coding: {columns: [age], at: 50}}]",
            "leave the schema out",
        ),
        ("steps: [{top_codin: {columns: [age], at: 50}}]", "top_coding"),
    ],
)
def test_refuses_an_edited_recipe_with_what_to_do(state: State, text: str, problem: str) -> None:
    with pytest.raises(SfumatoError, match=problem):
        changes.edit_recipe(state, text)


def test_an_edited_recipe_may_be_emptied(state: State) -> None:
    assert changes.edit_recipe(changes.add_step(state, TOP), "  ").recipe is None


def test_what_is_chosen_is_kept_by_topic_and_taken_back(state: State) -> None:
    chosen = changes.choose(changes.choose(state, "a", "search", {"trials": 8}), "b", "proposal", {"k": 3})
    assert chosen.settings == {"search": {"trials": 8}, "proposal": {"k": 3}}
    assert changes.choose(chosen, "c", "search", None).settings == {"proposal": {"k": 3}}


def test_candidates_join_the_grid_once_and_wrong_ones_are_refused(state: State) -> None:
    entry = {"mdav": {"columns": ["age"], "k": [3, 5]}}
    grid = changes.add_candidates(changes.add_candidates(state, [entry]), [entry])
    assert grid.settings == {"grid": [entry]}
    assert grid.action == "added 2 candidates to the grid"
    assert changes.remove_candidates(grid, 0).settings == {}
    with pytest.raises(SfumatoError, match="Mdav"):
        changes.add_candidates(state, [{"mdav": {"columns": ["age"], "k": [0]}}])


def test_proposals_join_the_grid_as_one_entry_and_are_counted_one_by_one(state: State) -> None:
    entry = proposal_entry("keys", {"strict": True}, [3, 5, 10])
    grid = changes.add_candidates(state, [entry])
    assert grid.settings == {"grid": [entry]}
    assert grid.action == "added 3 candidates to the grid"
    with pytest.raises(ParameterError, match="proposals must have a name, and a list of k from 2 on"):
        changes.add_candidates(state, [proposal_entry("keys", {}, [1])])


def test_keys_are_put_into_an_order(state: State) -> None:
    keyed = changes.give_role(changes.give_role(state, "age", "key"), "sex", "key")
    assert changes.key_order(keyed) == ["age", "sex"]
    assert changes.key_order(changes.raise_key(keyed, "sex")) == ["sex", "age"]
    assert changes.raise_key(keyed, "age") == keyed
    other = changes.give_role(changes.raise_key(keyed, "sex"), "sex", "other")
    assert changes.key_order(other) == ["age"]


def test_an_order_of_text_makes_a_column_ordinal(state: State) -> None:
    after = changes.give_order(state, "sex", ["f", "m"], "m\n\n f \n")
    assert (after.schema["sex"].kind, after.schema["sex"].categories) == ("ordinal", ("m", "f"))
    numbers = changes.give_order(state, "age", [31, 44, 99], "99\n31\n44")
    assert numbers.schema["age"].categories == (99, 31, 44)


@pytest.mark.parametrize("text", ["m", "m\nf\nx", "m\nf\nf", ""])
def test_an_order_that_is_not_of_these_categories_is_refused(state: State, text: str) -> None:
    with pytest.raises(SfumatoError, match="must list each of its 2 categories once"):
        changes.give_order(state, "sex", ["f", "m"], text)


def test_measures_are_asked_for_once_each_and_left_out(state: State) -> None:
    both = changes.take_measure(changes.take_measure(state, sf.Suda(max_size=3)), sf.LDiversity(l=4))
    again = changes.take_measure(both, sf.Suda(max_size=2))
    assert [next(iter(entry)) for entry in again.settings[changes.MEASURES]] == ["l_diversity", "suda"]
    assert again.settings[changes.MEASURES][1]["suda"]["max_size"] == 2
    left = changes.leave_out_measure(changes.leave_out_measure(again, 1), 0)
    assert changes.MEASURES not in left.settings
