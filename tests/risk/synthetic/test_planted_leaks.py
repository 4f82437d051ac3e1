"""Leaks that are known to be there are found, and where there is none, none is."""

import numpy as np
import pytest

from sfumato.data import Microdata, Schema
from sfumato.masking import SequentialSynthesis
from sfumato.risk import MembershipInference
from sfumato.risk.synthetic._copied_columns import closeness_chance
from tests.risk.synthetic.other_populations import OTHER_POPULATIONS
from tests.risk.synthetic.planted import LEAKS, column_copied, finders, population

N = 300


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str) -> None:
    people = population(N, 1)
    assert finders(people, LEAKS[leak](people, 1), population(N, 2))


def test_an_independent_sample_of_the_same_population_shows_no_leak() -> None:
    assert finders(population(N, 1), population(N, 2), population(N, 3)) == set()


def test_a_smaller_control_finds_copies_too() -> None:
    people = population(N, 1)
    assert "membership_inference" in finders(people, LEAKS["half of the file copied"](people, 1), population(90, 2))


def test_a_copied_column_of_whole_numbers_is_found_with_a_small_control_of_a_small_file() -> None:
    draw, n, control, column = OTHER_POPULATIONS["villagers"]
    people, others, schema = draw(n, 1), draw(control, 2), Schema.infer(draw(n, 3))
    attack = MembershipInference(columns=schema.names).with_control(Microdata(others, schema))
    copied = column_copied(people, 1, draw, column)
    found = attack.measure(Microdata(people, schema), Microdata(copied, schema))
    kept = set(copied["rent"].to_list())
    back = [100 * sum(rent in kept for rent in file["rent"].to_list()) / len(file) for file in (people, others)]
    assert found.shows_leak
    assert f"rent are those of the members: 100 % of them come back, {back[1]:.2f} % of the others'" in found.remark
    assert back[0] == 100
    assert not attack.measure(Microdata(people, schema), Microdata(draw(n, 4), schema)).shows_leak


def test_a_copied_column_whose_numbers_many_share_is_found_though_only_its_frequencies_tell() -> None:
    draw, n, control, column = OTHER_POPULATIONS["pupils"]
    people, others, schema = draw(n, 1), draw(control, 501), Schema.infer(draw(n, 7))
    attack = MembershipInference(columns=schema.names).with_control(Microdata(others, schema))
    found = attack.measure(Microdata(people, schema), Microdata(column_copied(people, 1, draw, column), schema))
    assert found.shows_leak
    assert "The values of test are those of the members, in another order" in found.remark
    resampled = draw(n, 1001).with_columns(people[column].sample(n, with_replacement=True, seed=1))
    assert not attack.measure(Microdata(people, schema), Microdata(resampled, schema)).shows_leak


def test_of_categories_that_are_as_many_as_in_the_original_it_is_said_that_they_were_kept_or_copied() -> None:
    draw, _, _, _ = OTHER_POPULATIONS["patients"]
    people, others, schema = draw(1200, 1), draw(600, 501), Schema.infer(draw(1200, 7))
    attack = MembershipInference(columns=schema.names).with_control(Microdata(others, schema))
    strata = SequentialSynthesis(columns=tuple(name for name in schema.names if name != "ward"), within=("ward",))
    made = {
        "copied": Microdata(column_copied(people, 1, draw, "diagnosis"), schema),
        "drawn": Microdata(
            draw(1200, 1001).with_columns(people["diagnosis"].sample(1200, with_replacement=True, seed=1)), schema
        ),
        "kept as strata": strata.mask(Microdata(people, schema), np.random.default_rng(1)),
    }
    found = {name: attack.measure(Microdata(people, schema), file) for name, file in made.items()}
    assert "each category of diagnosis is as in the original" in found["copied"].remark
    assert "is as in the original" not in found["drawn"].remark
    assert "each category of ward is as in the original" in found["kept as strata"].remark
    assert not found["copied"].shows_leak  # strata of these sizes would look alike, and tell as little of a person


def test_the_chance_of_closeness_is_not_smaller_than_it_is_where_values_are_drawn() -> None:
    rng = np.random.default_rng(3)
    for counts in ([40, 40], [90, 5, 5], [10] * 10, [1] * 100):
        original = np.repeat(np.arange(len(counts)), counts)
        chances = [closeness_chance(original, rng.choice(original, original.size)) for _ in range(2000)]
        for level in (0.01, 0.1):
            assert np.mean(np.array(chances) <= level) < level + 4 * np.sqrt(level / 2000)


@pytest.mark.parametrize("name", OTHER_POPULATIONS)
def test_every_population_gives_other_records_with_another_seed_and_the_same_with_the_same(name: str) -> None:
    draw, _, _, column = OTHER_POPULATIONS[name]
    assert draw(50, 1).equals(draw(50, 1))
    assert not draw(50, 1)[column].equals(draw(50, 2)[column])
