"""Attribute inference, checked against sums over all matchings and against closed cases."""

from collections.abc import Sequence
from itertools import permutations
from math import exp, inf, pi, prod, sqrt
from statistics import mean, stdev
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge, MaskingMethod, Measurement
from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.masking import AdditiveNoise, Mdav, Sampling
from sfumato.risk import AttributeInference, LikelihoodLinkage

KNOWN = ("age", "tax")
WITHOUT = "error without the record"


def microdata(columns: dict[str, Any]) -> Microdata:
    return Microdata(pl.DataFrame({name: pl.Series(column, nan_to_null=True) for name, column in columns.items()}))


def people(n: int, seed: int = 1) -> dict[str, Any]:
    """Return persons whose income depends on what is known of them, and luck and a job that do not."""
    rng = np.random.default_rng(seed)
    age, tax = rng.normal(size=(2, n))
    job = np.array(["cook", "judge", "smith"])[rng.integers(3, size=n)]
    return {"age": age, "tax": tax, "income": age + tax + rng.normal(size=n), "luck": rng.normal(size=n), "job": job}


def mask(data: Microdata, steps: Sequence[MaskingMethod], seed: int = 7) -> Microdata:
    rng = np.random.default_rng(seed)
    for step in steps:
        data = step.mask(data, rng)
    return data


def attack(
    data: Microdata, steps: Sequence[MaskingMethod], sensitive: tuple[str, ...], masked: Microdata | None = None
) -> Measurement:
    measure = AttributeInference(columns=KNOWN, sensitive=sensitive).informed_by(Knowledge.of(steps, data))
    return measure.measure(data, mask(data, steps) if masked is None else masked)


def weights_of_all_matchings(before: list[list[float]], after: list[list[float]], scale: float) -> list[list[float]]:
    """Return for each person the probability of each record under normal noise, by adding up every matching."""
    spread = [scale * stdev(column) for column in before]

    def density(person: int, record: int) -> float:
        gaps = [(after[c][record] - before[c][person]) / spread[c] for c in range(len(before))]
        return exp(-sum(gap * gap for gap in gaps) / 2)

    n = len(before[0])
    found = [[0.0] * n for _ in range(n)]
    for matching in permutations(range(n)):
        weight = prod(density(person, matching[person]) for person in range(n))
        for person in range(n):
            found[person][matching[person]] += weight
    return [[weight / sum(row) for weight in row] for row in found]


def plain_quantile(records: list[tuple[Any, float]], level: float) -> Any:
    total, reached = sum(weight for _, weight in records), 0.0
    for value, weight in sorted(records):
        reached += weight
        if reached >= level * total - 1e-9:
            return value
    return inf


def plain_median(records: list[tuple[float, float]]) -> float:
    upper = -plain_quantile([(-value, weight) for value, weight in records], 0.5)
    return (plain_quantile(records, 0.5) + upper) / 2  # type: ignore[no-any-return]


def likeliest(records: list[tuple[str, float]]) -> list[str]:
    totals = {value: sum(weight for other, weight in records if other == value) for value, _ in records}
    return [value for value, total in totals.items() if total >= max(totals.values()) * (1 - 1e-9)]


def records_of(weights: list[float], released: list[Any], left_out: int | None) -> list[tuple[Any, float]]:
    """Return the values that count with their weights; those of the whole file where there are none."""
    pairs = list(enumerate(zip(released, weights, strict=True)))
    some = [(value, w) for j, (value, w) in pairs if j != left_out and value is not None and w > 1e-9]
    return some or [(value, 1.0) for value in released if value is not None]


@pytest.mark.parametrize(("n", "scale"), [(6, 0.2), (7, 0.8), (7, 3.0)])
def test_equals_a_sum_over_all_matchings(n: int, scale: float) -> None:
    columns = people(n, seed=n)
    columns["luck"] = [None, *columns["luck"].tolist()[1:]]
    data, noise = microdata(columns), AdditiveNoise(columns=KNOWN, scale=scale)
    masked = mask(data, [noise])
    released = [*columns["income"].tolist()[:-1], None]
    masked = masked.with_columns_of(microdata({"income": released}))
    found = attack(data, [noise], ("income", "luck", "job"), masked).parts
    files = [[file.values(name).tolist() for name in KNOWN] for file in (data, masked)]
    weights = weights_of_all_matchings(files[0], files[1], scale)
    for name, seen in (("income", released), ("luck", columns["luck"])):
        persons = [person for person in range(n) if columns[name][person] is not None]
        truth, unit = [columns[name][person] for person in persons], stdev([v for v in columns[name] if v is not None])
        whole = plain_median([(value, 1.0) for value in seen if value is not None])
        guesses = [plain_median(records_of(weights[person], seen, None)) for person in persons]
        others = [plain_median(records_of(weights[person], seen, person)) for person in persons]
        errors = [
            100 * mean(abs(a - b) for a, b in zip(truth, made, strict=True)) / unit
            for made in (guesses, others, [whole] * len(truth))
        ]
        ends = [
            [plain_quantile(records_of(weights[person], seen, None), level) for level in (0.05, 0.95)]
            for person in persons
        ]
        covered = [low <= value <= high for value, (low, high) in zip(truth, ends, strict=True)]
        assert found[f"{name} (error)"] == pytest.approx(errors[0])
        assert found[f"{name} ({WITHOUT})"] == pytest.approx(min(errors[1:]))
        assert found[name] == pytest.approx(100 * max(0, 1 - errors[0] / min(errors[1:])))
        assert found[f"{name} (covered at 90)"] == pytest.approx(100 * mean(map(float, covered)))
        assert found[f"{name} (width at 90)"] == pytest.approx(100 * mean(high - low for low, high in ends) / unit)
    jobs = columns["job"].tolist()
    ways = [
        [likeliest(records_of(weights[person], jobs, person if leaves_out else None)) for person in range(n)]
        for leaves_out in (False, True)
    ]
    ways.append([likeliest([(job, 1.0) for job in jobs])] * n)
    wrong = [100 - 100 * mean((jobs[p] in way[p]) / len(way[p]) for p in range(n)) for way in ways]
    assert found["job (error)"] == pytest.approx(wrong[0])
    assert found[f"job ({WITHOUT})"] == pytest.approx(min(wrong[1:]))


def test_an_unmasked_file_gives_everything_away() -> None:
    data = microdata(people(50))
    found = AttributeInference(columns=KNOWN, sensitive=("luck", "job")).measure(data, data)
    assert found.value == 100.0
    assert [found.parts[f"luck ({part})"] for part in ("error", "covered at 90", "width at 90")] == [0.0, 100.0, 0.0]
    assert found.parts["job (error)"] == 0.0


def test_records_of_strangers_give_nothing_away() -> None:
    original, others = microdata(people(1000)), microdata(people(1000, seed=2))
    measure = AttributeInference(columns=KNOWN, sensitive=("income", "luck", "job"), max_candidates=1000)
    found = measure.measure(original, others)
    assert found.value < 2
    # 90 % of 1000, with a standard error of 1 %
    assert found.parts["luck (covered at 90)"] == pytest.approx(90, abs=4)


def test_what_the_file_tells_about_everybody_does_not_count() -> None:
    found = attack(microdata(people(1000)), [AdditiveNoise(columns=KNOWN, scale=0.5)], ("income", "luck"))
    assert found.parts["income (error)"] < 0.85 * 100 * sqrt(2 / pi) < found.parts["luck (error)"]
    assert found.parts["income"] < 5


def test_of_five_records_with_the_same_keys_and_different_jobs_one_is_guessed_right() -> None:
    n = 100
    data = microdata({**people(n), "job": [f"job {number}" for number in range(n)]})
    found = attack(data, [Mdav(columns=KNOWN, k=5)], ("job",))
    assert found.parts["job (error)"] == pytest.approx(80)
    assert found.parts[f"job ({WITHOUT})"] == pytest.approx(99)  # one of a hundred, as nobody else has the job
    assert found.value == pytest.approx(100 * (1 - 80 / 99))


def test_of_two_records_with_the_same_keys_the_guess_lies_between() -> None:
    data = microdata({"age": [1.0, 1.0, 9.0, 9.0], "tax": [2.0, 2.0, 5.0, 5.0], "luck": [0.0, 10.0, 20.0, 50.0]})
    found = attack(data, [], ("luck",), data)
    unit = stdev([0.0, 10.0, 20.0, 50.0]) / 100
    assert found.parts["luck (error)"] * unit == pytest.approx((5 + 5 + 15 + 15) / 4)
    # the other of the two is off by 10 and by 30, and the median of all four by 15, 5, 5 and 35
    assert found.parts[f"luck ({WITHOUT})"] * unit == pytest.approx((15 + 5 + 5 + 35) / 4)
    assert found.parts["luck (width at 90)"] * unit == pytest.approx((10 + 10 + 30 + 30) / 4)


def test_intervals_cover_what_they_say_and_more_noise_teaches_less() -> None:
    data = microdata(people(800))
    found = [attack(data, [AdditiveNoise(columns=KNOWN, scale=scale)], ("luck", "job")) for scale in (0.01, 0.1, 0.5)]
    values = [one.value for one in found]
    assert values == sorted(values, reverse=True)
    assert values[0] > 60
    assert values[-1] < 20
    # at least 90 % of 800, with a standard error of 1 %; intervals end at values, and so cover a little more
    assert 86 <= found[-1].parts["luck (covered at 90)"] <= 96
    widths = [one.parts["luck (width at 90)"] for one in found]
    assert widths == sorted(widths)


def test_a_balanced_category_is_not_learnt_from_a_file_that_tells_nobody_apart() -> None:
    data = microdata({"age": ["old", "young"] * 10, "tax": ["low"] * 10 + ["high"] * 10, "ill": ["no", "yes"] * 10})
    told = microdata(
        {"age": ["old", "young"] * 10, "tax": ["low"] * 10 + ["high"] * 10, "ill": ["no"] * 10 + ["yes"] * 10}
    )
    assert AttributeInference(columns=("tax",), sensitive=("ill",)).measure(data, data).value == 0.0
    assert AttributeInference(columns=("tax",), sensitive=("ill",)).measure(told, told).parts["ill (error)"] == 0.0


def test_persons_of_a_sample_are_guessed_from_its_records() -> None:
    data = microdata(people(300))
    steps = [AdditiveNoise(columns=KNOWN, scale=0.001), Sampling(percent=50)]
    found = attack(data, steps, ("luck",))
    assert found.value > 90
    assert found.parts["luck (covered at 90)"] > 90


def test_who_has_the_recipe_learns_more_than_who_trusts_a_wrong_one() -> None:
    data, noise = microdata(people(300)), AdditiveNoise(columns=KNOWN, scale=0.02)
    informed = attack(data, [noise], ("luck",))
    assert "an intruder who knows the recipe and these 2 columns errs" in informed.remark
    uninformed = attack(data, [], ("luck",), mask(data, [noise]))
    assert "the recipe and" not in uninformed.remark
    assert "no recipe was given" in uninformed.remark


def test_a_rule_for_the_confidential_columns_leaves_out_what_is_known() -> None:
    frame = pl.DataFrame(people(30))
    data = Microdata(frame, Schema.infer(frame).with_roles(confidential=["luck", "tax"]))
    found = AttributeInference(columns=KNOWN).measure(data, data)
    assert [part for part in found.parts if "(" not in part] == ["luck"]
    with pytest.raises(DataError, match=r"AttributeInference.sensitive: role\(confidential\) picks no column beside"):
        AttributeInference(columns=(*KNOWN, "luck")).measure(data, data)


@pytest.mark.parametrize("name", ["luck", "job"])
def test_refuses_a_confidential_column_that_cannot_be_learnt(name: str) -> None:
    columns = people(30)
    data = microdata(columns)
    measure = AttributeInference(columns=KNOWN, sensitive=(name,))
    with pytest.raises(UnknownColumnError, match=f"sensitive: the masked file has no column '{name}'; what others"):
        measure.measure(data, data.without_columns((name,)))
    with pytest.raises(DataError, match=f"sensitive: '{name}' is also in columns; name it in one of the two"):
        measure.replace(columns=(name, "age")).measure(data, data)
    other = {"luck": columns["job"], "job": columns["luck"]}[name]
    with pytest.raises(
        KindError, match=f"sensitive: '{name}' is .* in the original and .* in the masked file; a schema"
    ):
        measure.measure(data, microdata({**columns, name: other}))
    constant = microdata({**columns, name: [columns[name][0]] * 30})
    with pytest.raises(DataError, match=f"sensitive: '{name}' has fewer than 2 different values, so nothing can"):
        measure.measure(constant, constant)
    empty = data.with_columns_of(data.take_columns((name,)))
    gone = Microdata(empty.frame.with_columns(pl.lit(None, empty.frame.schema[name]).alias(name)), data.schema)
    with pytest.raises(DataError, match=f"sensitive: '{name}' has no observed value in the masked file; leave it out"):
        measure.measure(data, gone)


def test_refuses_recoded_categories() -> None:
    columns = people(30)
    recoded = ["other" if job == "cook" else job for job in columns["job"]]
    with pytest.raises(DataError, match=r"AttributeInference.sensitive: 'job' has 1 category in the masked file that"):
        AttributeInference(columns=KNOWN, sensitive=("job",)).measure(
            microdata(columns), microdata({**columns, "job": recoded})
        )


def test_a_job_that_only_one_person_has_is_learnt_as_often_as_the_person_is_linked() -> None:
    n = 200
    data = microdata({**people(n), "job": [f"job {number}" for number in range(n)]})
    steps = [AdditiveNoise(columns=KNOWN, scale=0.05)]
    masked = mask(data, steps)
    linked = LikelihoodLinkage(columns=KNOWN).informed_by(Knowledge.of(steps, data)).measure(data, masked)
    found = attack(data, steps, ("job",), masked)
    assert 100 - found.parts["job (error)"] == pytest.approx(linked.parts["one to one"], abs=5)
