"""What is inferred where confidential values are masked themselves, and where records are linked by what ties them."""

from math import pi, sqrt

import numpy as np
import pytest

from sfumato.contracts import Knowledge
from sfumato.data import Microdata, Schema
from sfumato.intruder import Runs
from sfumato.masking import AdditiveNoise, MatrixMasking, Mdav, Pram, RankSwapping
from sfumato.risk import AttributeInference
from sfumato.risk.attributes._values_before_masking import values_before_masking
from tests.risk.attributes.test_attribute_inference import KNOWN, attack, mask, microdata, people


def test_noise_on_confidential_values_leaves_the_posterior_that_bayes_tells() -> None:
    """Of a normal value with noise of half its deviation, the posterior deviation is 0.5 / sqrt(1.25)."""
    data = microdata(people(2000))
    found = attack(data, [AdditiveNoise(columns=("luck",), scale=0.5)], ("luck",))
    posterior = 100 * 0.5 / sqrt(1.25)
    # 2000 absolute errors have a mean with a standard error of 0.6 %, and the runs behind the guesses add a little
    assert found.parts["luck (error)"] == pytest.approx(posterior * sqrt(2 / pi), abs=2.0)
    assert found.parts["luck (covered at 90)"] == pytest.approx(90, abs=3)
    # without the record, the deviation itself: sqrt(2 / pi); its mean has a standard error of 1.3 %
    assert found.value == pytest.approx(100 * (1 - 0.5 / sqrt(1.25)), abs=3)
    assert "released values of luck were run back through the recipe" in found.remark
    assert "errs at least" in found.remark


def test_a_category_that_nearly_always_changes_tells_the_other_one() -> None:
    n = 400
    data = microdata({**people(n), "ill": ["no" if number % 3 else "yes" for number in range(n)]})
    found = attack(data, [Pram(columns=("ill",), stay=5)], ("ill",))
    assert found.parts["ill (error)"] == pytest.approx(5, abs=4)  # 5 % stay, with a standard error of 1.1 %
    assert found.value > 70


def test_categories_that_became_any_other_alike_tell_no_more_than_the_whole_file() -> None:
    n = 600
    data = microdata({**people(n), "job": [("cook", "judge", "smith")[number % 3] for number in range(n)]})
    found = attack(data, [Pram(columns=("job",), stay=100 / 3)], ("job",))
    assert found.parts["job (error)"] == pytest.approx(200 / 3, abs=7)
    assert found.value < 8


def test_a_shift_is_taken_back() -> None:
    shift = MatrixMasking(columns=("luck",), shifts={"luck": 9.0}, scale=None)
    found = attack(microdata(people(300)), [shift], ("luck",))
    assert found.parts["luck (error)"] < 1e-6
    assert found.value == pytest.approx(100)


def test_a_confidential_column_that_others_determine_is_read_off_them() -> None:
    columns = people(300)
    columns["total"] = columns["income"] + columns["luck"]
    found = attack(microdata(columns), [Mdav(columns=("luck",), k=50)], ("luck",))
    assert found.parts["luck (error)"] < 1e-6


def test_the_runs_of_the_person_looked_for_are_left_out() -> None:
    """Of one person whose value lies far from all others' nothing is known but what is released."""
    columns = people(200)
    columns["luck"][0] = 1000.0
    data, noise = microdata(columns), AdditiveNoise(columns=("luck",), scale=0.5)
    masked = mask(data, [noise])
    runs = Runs.of(data, masked, [noise.bound_to(data)], 0)
    rows = np.arange(200)
    found = values_before_masking(runs, masked, rows, "luck", KNOWN)
    assert found is not None
    truth, guesses = found
    assert truth[0] == 1000.0
    assert (np.abs(guesses[0] - 1000.0) > 1e-3).all()


def test_who_is_linked_by_exchanges_or_by_the_household_is_known() -> None:
    """Values that are swapped hide each pair by itself; followed from record to record they give nearly all away."""
    columns = people(300)
    data = microdata({**columns, "size": columns["age"] * columns["tax"]})
    swapping = RankSwapping(columns=(*KNOWN, "size"), window=20)
    masked = mask(data, [swapping])
    measure = AttributeInference(columns=(*KNOWN, "size"), sensitive=("luck",))
    found = measure.informed_by(Knowledge.of([swapping], data)).measure(data, masked)
    assert found.value > 80
    noisy = microdata({**columns, "home": [number // 3 for number in range(300)]})
    schema = Schema.infer(noisy.frame).with_roles(household=["home"])
    at_home, noise = Microdata(noisy.frame, schema), AdditiveNoise(columns=KNOWN, scale=0.4)
    values = [attack(one, [noise], ("luck",)).value for one in (at_home, at_home.without_columns(("home",)))]
    assert values[0] > values[1] + 20
