"""Worst-case linkage: the strongest of many attacks, and what it says of methods that look safe."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest

from sfumato.contracts import Knowledge, Measurement
from sfumato.data import Kind, Microdata, Variable
from sfumato.execution import run_step
from sfumato.masking import AdditiveNoise, CorrelatedNoise, Hybrid, IndividualRanking, Mdav, Pram, RankSwapping
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.binomial import binomial_interval
from sfumato.risk import DistanceLinkage, ExpectationMaximisationLinkage, RankIntervalLinkage, WorstCaseLinkage
from sfumato.risk.linkage._worst_case.released_strata import released_strata
from sfumato.risk.linkage._worst_case.spaces import spaces, without_largest
from sfumato.risk.linkage.worst_case_linkage import is_beaten, mean_among_equals
from tests.matrices import microdata, names_of

ATTACKS = 16  # equal values, two with each of four distances, weights with four metrics, three by likelihood


def people(n: int = 300, d: int = 6) -> FloatMatrix:
    rng = np.random.default_rng(11)
    return np.exp(rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) / 3)


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    return WorstCaseLinkage(columns=names_of(original), **parameters).measure(microdata(original), microdata(masked))


def masked_by(method: object, matrix: FloatMatrix) -> FloatMatrix:
    masked = run_step(method, microdata(matrix), seed=3, step=0)  # type: ignore[arg-type]
    return masked.matrix(names_of(matrix))


def test_the_strongest_attack_counts() -> None:
    original = people()
    masked = original * np.random.default_rng(2).lognormal(0, 0.5, original.shape)
    found = measured(original, masked)
    some = found.parts["some attack"]
    attacks = {name: percent for name, percent in found.parts.items() if name not in ("some attack", "WCB", "WCA")}
    assert len(attacks) == ATTACKS
    assert found.value == max(attacks.values()) < some < sum(attacks.values())
    assert list(attacks.values()) == sorted(attacks.values(), reverse=True)
    strongest = max(attacks, key=lambda name: attacks[name])
    assert f"links at least {found.value:.1f} % of the records: so many were found, and up to" in found.remark
    assert f"strongest attack: {strongest}" in found.remark


def test_without_the_recipe_the_figure_is_said_to_be_no_upper_bound() -> None:
    original = people(80, 2)
    method = AdditiveNoise(columns=names_of(original), scale=0.5)
    masked = microdata(masked_by(method, original))
    measure = WorstCaseLinkage(columns=names_of(original))
    unknown = measure.measure(microdata(original), masked)
    known = measure.informed_by(Knowledge(steps=(method,))).measure(microdata(original), masked)
    assert "this is no upper bound: who has the recipe" in unknown.remark
    assert unknown.bound == unknown.parts["WCB"] == 100
    assert "no upper bound" not in known.remark
    assert known.bound is not None
    assert known.value < known.bound == known.parts["WCB"] < 60


def test_nobody_tells_equal_records_apart_whether_the_recipe_is_known_or_not() -> None:
    original = people(80, 2)
    method = Mdav(columns=names_of(original), k=4)
    masked = microdata(masked_by(method, original))
    measure = WorstCaseLinkage(columns=names_of(original))
    for informed in (measure, measure.informed_by(Knowledge(steps=(method,)))):
        found = informed.measure(microdata(original), masked)
        assert found.bound == pytest.approx(25)
        assert "nobody links more than 25.0 % by these columns on average, which is proven" in found.remark


def test_its_parts_are_the_attacks_by_themselves() -> None:
    original = people()
    masked = masked_by(RankSwapping(columns=names_of(original), window=20), original)
    names, files = names_of(original), (microdata(original), microdata(masked))
    parts = measured(original, masked, window=20).parts
    estimated = ExpectationMaximisationLinkage(columns=names, metric="rank").measure(*files)
    assert parts["estimated weights, rank metric"] == pytest.approx(estimated.value)
    nearest = DistanceLinkage(columns=names, max_keys=len(names)).measure(*files)
    assert parts["nearest by standardised values"] == pytest.approx(nearest.parts[str(len(names))])
    inside = RankIntervalLinkage(columns=names, window=20, max_keys=len(names)).measure(*files)
    assert parts["rank intervals"] == pytest.approx(inside.parts[str(len(names))])


def test_rank_swapping_falls_to_an_intruder_who_thinks_in_ranks() -> None:
    original = people()
    masked = masked_by(RankSwapping(columns=names_of(original), window=15), original)
    found = measured(original, masked, window=15)
    assert found.parts["nearest by standardised values"] < 50 < 80 < found.value
    assert found.parts["likelihood, one to one"] > 80


def test_correlated_noise_falls_to_the_mahalanobis_distance() -> None:
    rng = np.random.default_rng(7)
    original = rng.normal(size=(300, 1)) + 0.3 * rng.normal(size=(300, 6))  # six columns that say nearly the same
    masked = masked_by(CorrelatedNoise(columns=names_of(original), variance_ratio=0.1), original)
    parts = measured(original, masked).parts
    assert parts["nearest by Mahalanobis distance"] > 2 * parts["nearest by standardised values"]


def test_individual_ranking_is_attacked_when_it_is_known() -> None:
    original = people()
    masked = masked_by(IndividualRanking(columns=names_of(original), k=20), original)
    known, unknown = (measured(original, masked, individual_ranking=answer) for answer in (True, False))
    assert set(known.parts) - set(unknown.parts) == {"individual ranking"}
    assert known.parts["individual ranking"] > unknown.parts["nearest by standardised values"]


@pytest.mark.parametrize("k", [3, 5, 10])
def test_a_group_of_equal_records_shares_its_links(k: int) -> None:
    original = people()
    masked = masked_by(Mdav(columns=names_of(original), k=k), original)
    found = measured(original, masked)
    assert found.per_record is not None
    assert found.per_record.max() <= 100 / k + 1e-9
    assert mean_among_equals(np.array([1.0, 0.0, 0.0]), np.array([4, 4, 4])).tolist() == [1 / 3] * 3


def test_values_that_stayed_as_they_were_give_their_records_away() -> None:
    original, rng = people(), np.random.default_rng(9)
    exchanged = np.column_stack([rng.permutation(column) for column in original.T])
    masked = np.where(rng.random(original.shape) < 0.6, exchanged, original)
    found = measured(original, masked)
    assert found.parts["equal values"] > 90
    assert "equal values" in found.remark


def test_categories_are_attacked_too() -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame(
        {"town": rng.integers(40, size=300).astype(str), "work": rng.integers(40, size=300).astype(str)}
    )
    data = Microdata(frame.with_columns(income=pl.Series(rng.normal(size=300))))
    alone = WorstCaseLinkage(columns=("town", "work")).measure(data, data)
    assert not any(name.startswith(("nearest by", "one to one by")) for name in alone.parts)
    assert alone.value > 80
    masked = data.with_column(Variable(name="income", kind=Kind.CONTINUOUS), rng.normal(size=300))
    assert WorstCaseLinkage(columns=("town", "work", "income")).measure(data, masked).value > 80


def test_one_wild_record_does_not_hide_the_others() -> None:
    original = people()
    masked = original * np.random.default_rng(2).lognormal(0, 0.1, original.shape)
    tame = measured(original, masked).parts
    masked[0, 0] = 1e10
    wild = measured(original, masked).parts
    for name in tame:
        assert wild[name] == pytest.approx(tame[name], abs=8), name


def test_strangers_are_hardly_linked() -> None:
    original, strangers = people(), np.random.default_rng(5).lognormal(size=(300, 6))
    # each of thirteen attacks is right about once: Poisson(13) exceeds 30 once in 10^5, which is 10 % of 300
    assert measured(original, strangers).value <= 10


@pytest.mark.parametrize(("right", "n"), [(0, 40), (3, 40), (20, 40), (40, 40)])
def test_the_interval_is_the_exact_binomial_one(right: int, n: int) -> None:
    expected = binomtest(right, n).proportion_ci(0.95, method="exact")
    assert binomial_interval(right, n) == pytest.approx((100 * expected.low, 100 * expected.high))


def test_noise_in_one_direction_falls_to_who_knows_its_covariances() -> None:
    rng = np.random.default_rng(7)
    original = rng.normal(size=(300, 4))
    masked = original + 4 * rng.normal(size=(300, 1)) * np.ones(4) + 0.02 * rng.normal(size=(300, 4))
    parts = measured(original, masked).parts
    assert parts["nearest by Mahalanobis distance of the noise"] > 95
    assert parts["nearest by standardised values"] < 50


def test_points_by_mahalanobis_have_its_distances() -> None:
    rng = np.random.default_rng(0)
    original = rng.normal(size=(90, 3)) @ rng.normal(size=(3, 3))
    original /= original.std(axis=0, ddof=1)
    masked = original + rng.normal(size=(90, 3))
    found = spaces(original, masked, np.arange(90))
    difference = original[4] - masked[9]
    for name, covariance in (
        ("Mahalanobis distance", np.cov(original, rowvar=False)),
        ("Mahalanobis distance of the noise", np.cov(without_largest(original - masked), rowvar=False)),
    ):
        before, after = found[name]
        expected = difference @ np.linalg.inv(covariance) @ difference
        assert ((before[4] - after[9]) ** 2).sum() == pytest.approx(expected)


def test_the_noise_of_few_records_is_not_known() -> None:
    original = np.random.default_rng(0).normal(size=(59, 3))
    assert "Mahalanobis distance of the noise" not in spaces(original, original + 1, np.arange(59))


def test_a_total_beside_its_parts_adds_no_direction() -> None:
    parts = people(d=3)
    whole = np.column_stack([parts, parts.sum(axis=1)])
    assert spaces(whole, whole, np.arange(300))["Mahalanobis distance"][0].shape[1] == 3


@pytest.mark.reference
def test_rank_swapping_15_of_census_is_almost_wholly_re_identified() -> None:
    """The papers' intruders link 5 to 34 %: Yancey, Winkler and Creecy (2002), table 2."""
    from sfumato.data import numeric
    from sfumato.datasets import reference

    data = reference("census")
    masked = run_step(RankSwapping(columns=numeric, window=15), data, seed=1, step=0)
    found = WorstCaseLinkage(columns=numeric, window=15).measure(data, masked)
    assert found.value > 95
    assert found.parts["estimated weights, rank metric"] > 95


def test_nothing_is_called_proven_that_a_simpler_attack_beats_row_by_row() -> None:
    beaten = {"likelihood, row by row": np.full(400, 0.15), "nearest by ranks": np.full(400, 0.67)}
    close = {"likelihood, row by row": np.full(400, 0.15), "nearest by ranks": np.full(400, 0.17)}
    together = {"likelihood, row by row": np.full(400, 0.15), "one to one by ranks": np.full(400, 0.67)}
    assert [is_beaten(chances) for chances in (beaten, close, together)] == [True, False, False]


def test_swapped_columns_of_equal_values_are_measured_too() -> None:
    equal = np.ones((40, 2))
    known = Knowledge(steps=(RankSwapping(columns=names_of(equal), window=10),))
    found = WorstCaseLinkage(columns=names_of(equal)).informed_by(known).measure(microdata(equal), microdata(equal))
    assert found.value == pytest.approx(100 / 40)


def linked_by_values(original: FloatMatrix, step: object, **parameters: object) -> float:
    """Return how many records are linked one to one by standardised values, by somebody who knows the step."""
    measure = WorstCaseLinkage(columns=names_of(original), **parameters)
    knows = measure.informed_by(Knowledge(steps=(step,)))  # type: ignore[arg-type]
    found = knows.measure(microdata(original), microdata(masked_by(step, original)))
    return found.parts["one to one by standardised values"]


def test_hybrid_data_are_linked_among_all_records_one_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    original = people(200, 4)
    step = Hybrid(columns=names_of(original), original_percent=10)
    among_all = linked_by_values(original, step)
    monkeypatch.setattr("sfumato.risk.linkage.worst_case_linkage.MAX_ALL_PAIRS", 0)
    assert among_all > 90
    assert among_all > linked_by_values(original, step, max_candidates=5) + 2


def test_strata_that_are_released_are_attacked_as_files_of_their_own_where_they_are_known() -> None:
    numbers = people(160, 4)
    numbers[::2] = numbers[::2, ::-1] * 1.3  # two kinds of records, each with a scale of its own
    amounts = names_of(numbers)
    survey = Microdata(pl.DataFrame(numbers, schema=list(amounts)).with_columns(sex=pl.Series(["f", "m"] * 80)))
    steps = (Hybrid(columns=amounts, original_percent=10, within=("sex",)),)
    masked = run_step(steps[0], survey, seed=3, step=0)

    measure = WorstCaseLinkage(columns=(*amounts, "sex")).informed_by(Knowledge(steps=steps))
    parts, name = measure.measure(survey, masked).parts, "one to one by standardised values"
    assert parts[f"{name}, in strata of sex"] > 95 > parts[name] + 10
    masked_later = (*steps, Pram(columns=("sex",), stay=80))
    assert list(released_strata(steps, survey, (*amounts, "sex"))) == [("sex",)]
    assert not list(released_strata(steps, survey, amounts))
    assert not list(released_strata(masked_later, survey, (*amounts, "sex")))


def test_who_lacks_a_value_is_not_linked_to_who_has_it_where_steps_keep_gaps() -> None:
    original = people(150, 3)
    original[np.random.default_rng(4).random(original.shape) < 0.2] = np.nan
    step = AdditiveNoise(columns=names_of(original), scale=2.0)
    masked = microdata(masked_by(step, original))
    blind = WorstCaseLinkage(columns=names_of(original)).measure(microdata(original), masked)
    assert linked_by_values(original, step) > blind.parts["one to one by standardised values"]
