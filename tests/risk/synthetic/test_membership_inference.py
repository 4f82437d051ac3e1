"""Membership inference: the strongest of seven attacks, its rates, and the bound on epsilon."""

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.risk import MembershipInference
from sfumato.risk.synthetic._coded_files import CodedFiles, code_files
from sfumato.risk.synthetic._independent_size import independent_size
from sfumato.risk.synthetic._membership_rates import Scores, epsilon_bound
from sfumato.risk.synthetic._membership_scores import _reference
from tests.risk.synthetic.planted import NAMES, SCHEMA, column_copied, file, half_copied, population

PEOPLE, OTHERS = population(300, 1), population(300, 2)


def scores(seed: int, shift: float, decimals: int = 6, n: int = 400) -> Scores:
    rng = np.random.default_rng(seed)
    return Scores(rng.normal(shift, 1, n).round(decimals), rng.normal(0, 1, n).round(decimals))


def test_copies_of_half_the_file_are_found_and_bound_epsilon() -> None:
    measure = MembershipInference(columns=NAMES).with_control(file(OTHERS))
    found = measure.measure(file(PEOPLE), file(half_copied(PEOPLE, 1)))
    assert found.value == pytest.approx(50, abs=5)
    assert found.parts["MIAauc"] > 70
    assert found.parts["MIAeps"] > 2
    assert found.interval is not None
    assert found.interval[0] < 50 < found.interval[1]
    assert found.shows_leak


def test_true_values_in_records_that_are_otherwise_drawn_give_members_away() -> None:
    measure = MembershipInference(columns=NAMES).with_control(file(OTHERS))
    found = measure.measure(file(PEOPLE), file(column_copied(PEOPLE, 1)))
    assert found.parts["single values (area)"] > 70
    assert found.parts["nearest (area)"] < 70
    assert found.shows_leak


def test_without_a_control_only_copies_are_told() -> None:
    found = MembershipInference(columns=NAMES).measure(file(PEOPLE), file(half_copied(PEOPLE, 1)))
    assert found.value == pytest.approx(50, abs=1)
    assert found.shows_leak is None
    assert "cannot be told who is taken for a member wrongly" in found.remark


@pytest.mark.parametrize("decimals", [6, 0])
def test_area_and_its_test_are_those_of_mann_and_whitney(decimals: int) -> None:
    found = scores(1, 0.2, decimals)
    truth = np.repeat([1, 0], 400)
    assert found.area == pytest.approx(roc_auc_score(truth, np.concatenate([found.members, found.others])))
    expected = stats.mannwhitneyu(
        found.members, found.others, alternative="greater", method="asymptotic", use_continuity=False
    )
    assert found.area_chance == pytest.approx(expected.pvalue)


def test_intervals_cover_what_more_persons_show() -> None:
    truth, wide = stats.norm.sf(stats.norm.isf(0.01) - 1), stats.norm.cdf(1 / np.sqrt(2))
    covered = [
        (scores(seed, 1.0).true_positive_interval(0.01, 1), scores(seed, 1.0).area_interval(1)) for seed in range(60)
    ]
    assert sum(low <= truth <= high for (low, high), _ in covered) >= 55
    assert sum(low <= wide <= high for _, (low, high) in covered) >= 53


def test_true_positives_are_read_off_the_curve() -> None:
    found = Scores(np.array([5.0, 4.0, 1.0, 0.0]), np.array([3.0, 2.0, 1.0, 0.0]))
    assert found.true_positives(0.0) == 0.5
    assert found.true_positives(1.0) == 1.0
    copies = Scores(np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(4))
    assert copies.true_positives(0.2) == pytest.approx(0.25 + 0.75 * 0.2)


def test_epsilon_is_seldom_bounded_above_that_of_the_mechanism() -> None:
    """Randomised response with probability p has an epsilon of log(p / (1 - p))."""
    p, bounds = 0.75, []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        bounds.append(
            epsilon_bound(
                [Scores((rng.random(1000) < p).astype(np.float64), (rng.random(1000) > p).astype(np.float64))]
            )
        )
    assert np.mean(np.array(bounds) > np.log(p / (1 - p))) <= 0.05
    assert np.mean(bounds) > 0.5


def test_few_members_among_the_highest_scores_are_enough() -> None:
    rng = np.random.default_rng(1)
    members = np.concatenate([rng.normal(8, 1, 30), rng.normal(0, 1, 1970)])
    found = Scores(members, rng.normal(0, 1, 2000))
    assert found.top_chance(0.01) < 1e-4 < found.area_chance


def test_a_file_of_other_length_and_other_order_is_measured() -> None:
    made = population(450, 3).sample(fraction=1.0, shuffle=True, seed=1)
    found = MembershipInference(columns=NAMES).with_control(file(OTHERS.head(120))).measure(file(PEOPLE), file(made))
    assert not found.shows_leak
    assert pl.Series([*found.parts.values()]).is_finite().all()


def test_a_household_of_equal_members_counts_as_one_person() -> None:
    alone = scores(4, 0.3)
    homes = np.repeat(np.arange(400), 3)
    together = Scores(np.repeat(alone.members, 3), np.repeat(alone.others, 3), (homes, homes + 400))
    assert together.area_chance == pytest.approx(alone.area_chance)
    assert together.top_chance(0.01) == pytest.approx(alone.top_chance(0.01))
    assert together.area_interval(7) == pytest.approx(alone.area_interval(7))
    assert Scores(together.members, together.others).area_chance < together.area_chance / 10


def test_intervals_count_those_who_live_together_for_as_many_as_they_tell() -> None:
    truth, homes = stats.norm.sf(stats.norm.isf(0.01) - 1), np.repeat(np.arange(400), 4)
    covered, widths = 0, []
    for seed in range(60):
        alone = scores(seed, 1.0)
        together = Scores(np.repeat(alone.members, 4), np.repeat(alone.others, 4), (homes, homes + 400))
        ends = [each.true_positive_interval(0.01, 1) for each in (together, Scores(together.members, together.others))]
        covered += ends[0][0] <= truth <= ends[0][1]
        widths.append([high - low for low, high in ends])
    assert covered >= 55
    assert np.mean(widths, axis=0)[0] > 1.4 * np.mean(widths, axis=0)[1]  # what each person by itself would tell


def test_households_bound_epsilon_no_higher_than_the_mechanism_has_it() -> None:
    p, homes, bounds = 0.75, np.repeat(np.arange(250), 4), []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        members, others = (
            np.repeat(is_one.astype(np.float64), 4) for is_one in (rng.random(250) < p, rng.random(250) > p)
        )
        bounds.append(
            [epsilon_bound([each]) for each in (Scores(members, others, (homes, homes + 250)), Scores(members, others))]
        )
    above = (np.array(bounds) > np.log(p / (1 - p))).mean(axis=0)
    assert above[0] <= 0.05
    assert 0.3 < np.mean(bounds, axis=0)[0] < np.mean(bounds, axis=0)[1] - 0.1


def test_persons_who_live_together_and_are_not_alike_count_as_many() -> None:
    rng = np.random.default_rng(1)
    is_found, homes = rng.random(4000) < 0.2, np.repeat(np.arange(1000), 4)
    assert independent_size(is_found, homes) > 3600
    assert independent_size(np.repeat(is_found[:1000], 4), homes) == pytest.approx(1000, rel=0.01)
    assert independent_size(np.zeros(4000, dtype=np.bool_), homes) == 1000


def test_whole_households_of_the_control_are_in_the_reference() -> None:
    homes = np.random.default_rng(3).integers(0, 40, 120)
    homes = np.unique(homes, return_inverse=True)[1]
    files = CodedFiles((), (120, 120, 120), (homes, homes))
    chosen = _reference(files, 1)
    assert 0 < chosen.sum() < 120
    assert not set(homes[chosen]) & set(homes[~chosen])


def test_households_are_read_from_the_files() -> None:
    people, others, made = population(120, 5), population(120, 6), population(120, 7)
    schema = Schema(variables=(*SCHEMA.variables, Variable(name="home", kind=Kind.NOMINAL, role=Role.HOUSEHOLD)))
    original, control = (
        Microdata(frame.with_columns(home=pl.Series(np.arange(120) // 4)), schema) for frame in (people, others)
    )
    measure = MembershipInference(columns=NAMES).with_control(control)
    coded = code_files(measure, original, file(made))
    assert coded.households is not None
    assert [home.tolist() for home in coded.households] == [(np.arange(120) // 4).tolist()] * 2
    assert code_files(measure.with_control(file(others)), original, file(made)).households is None


def test_a_leak_that_the_area_shows_says_so() -> None:
    measure = MembershipInference(columns=NAMES).with_control(file(OTHERS))
    remark = measure.measure(file(PEOPLE), file(column_copied(PEOPLE, 1))).remark
    assert remark.startswith("LEAK FOUND: by ")
    assert "where guessing has 50" in remark
