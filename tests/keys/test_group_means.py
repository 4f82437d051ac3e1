"""Means hide households and giants: rents are grouped by household, and a mean that tells its largest value is told."""

from collections import defaultdict
from unittest.mock import patch

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.assessment.release_notes import MEANS_TOLD
from sfumato.keys.averaged_columns import groups_together
from sfumato.keys.group_means import count_dominated, group_remarks


def families() -> sf.Microdata:
    """Return families of three to five whose rents differ, so that each could be a group of three by itself."""
    rng = np.random.default_rng(6)
    home = np.repeat(np.arange(40), rng.integers(3, 6, 40))
    rents = rng.lognormal(7, 1, 40).round(2)
    frame = pl.DataFrame(
        {
            "home": home,
            "sex": rng.choice(["f", "m"], home.size),
            "rent": rents[home],
            "wage": np.append(rng.uniform(20, 60, home.size - 1), 9000.0).round(2),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["home"], continuous=["rent", "wage"])
    return sf.Microdata(frame, schema.with_roles(key=["sex"], household=["home"], confidential=["rent", "wage"]))


def few_by_hand(data: sf.Microdata, masked: sf.Microdata) -> int:
    holders = defaultdict(set)
    for home, rent in zip(data.frame["home"], masked.frame["rent"], strict=True):
        holders[rent].add(home)
    return len({home for homes in holders.values() if len(homes) < 3 for home in homes})


def test_amounts_of_households_are_averaged_over_as_many_households_and_equal_for_members() -> None:
    data = families()
    found = sf.protect(data, k=3, seed=1)
    assert few_by_hand(data, found.data) == 0
    rents = pl.DataFrame(found.data.frame).group_by("home").agg(pl.col("rent").n_unique())["rent"]
    assert rents.max() == 1
    assert "rent (groups of 3 households, by home)" in str(found)
    assert not any("households share" in remark for remark in found.remarks)
    dropped = data.with_schema(data.schema.with_roles(identifier=["home"], household=[]))
    assert few_by_hand(data, sf.protect(dropped, k=3, seed=1).data) == 0


def test_households_whose_amount_too_few_share_are_counted_where_records_were_grouped() -> None:
    data = families()
    by_record = sf.Mdav(columns=("rent",), k=3)
    masked = sf.Recipe(steps=[by_record], seed=1).run(data)
    few = few_by_hand(data, masked)
    assert few > 20
    told, near = group_remarks(data, masked, [by_record], 3)
    assert near.startswith("means above 0")  # of two households each learns what the other has
    assert told.startswith(f"rent: {few} households have a mean that fewer than 3 households share")
    pairs = pl.DataFrame({"home": data.frame["home"], "mean": masked.frame["rent"]}).unique()
    sharers = pairs.join(pairs.group_by("mean").len(), on="mean").group_by("home").agg(pl.col("len").min())["len"]
    alone, two = int((sharers == 1).sum()), int((sharers == 2).sum())
    assert alone + two == few
    counts = [f"{count} {how}" for count, how in ((alone, "alone"), (two, "with one other")) if count]
    assert f"({', '.join(counts)})" in told


def test_a_mean_that_tells_its_largest_value_and_values_that_stayed_stand_on_the_page() -> None:
    data = families()
    steps = [sf.Mdav(columns=("wage",), k=3), sf.Mdav(columns=("rent",), k=3, household=("home",))]
    found = sf.protect(data, k=3, seed=1, number_steps=steps)
    wages = pl.DataFrame({"mean": found.data.frame["wage"], "wage": data.frame["wage"]})
    giant = wages.filter(pl.col("wage") == 9000)["mean"][0]
    assert abs(giant * (wages["mean"] == giant).sum() / 9000 - 1) < 0.1
    told = "age: 1 mean of a group tells its largest value to within 10 %"
    assert told in " ".join(str(found).split())
    assert told in found.to_html()
    assert MEANS_TOLD in " ".join(str(found).partition("Note")[0].split())
    assessed = sf.assess(data, found.data, methods=found.recipe.steps, worst_case=False, same_order=True)
    assert any(told in remark for remark in assessed.remarks)
    assert assessed.to_dict()["alarms"] == list(found.alarms) == found.to_dict()["alarms"]
    hidden = sf.UndominatedMicroaggregation(columns=("wage",), k=3, max_percent=99)
    calm = sf.protect(data.take_rows(np.arange(data.n - 1)), k=3, seed=1, number_steps=[hidden])
    assert not any("largest value" in remark for remark in calm.remarks)
    assert "Values that stayed as they were: wage" in str(sf.protect(few_change(data), k=3, seed=1))


def few_change(data: sf.Microdata) -> sf.Microdata:
    """Return the file with wages of which most are equal, so that their means are too."""
    wages = pl.when(pl.int_range(data.n) % 5 < 4).then(40.0).otherwise("wage")
    return data.with_frame(data.frame.with_columns(wage=wages))


def test_means_are_found_without_the_recipe_and_numbers_masked_otherwise_are_none() -> None:
    data, rng = families(), np.random.default_rng(0)
    means = sf.Mdav(columns=("wage",), k=3).mask(data, rng)
    assert group_remarks(data, means, (), 3) == group_remarks(data, means, [sf.Mdav(columns=("wage",), k=3)], 3) != []
    for step in (
        sf.Rounding(columns=("wage",), base=10),
        sf.AdditiveNoise(columns=("wage",)),
        sf.RankSwapping(columns=("wage",)),
    ):
        assert group_remarks(data, step.mask(data, rng), (), 3) == []
    assert group_remarks(data, data, (), 3) == []


def test_households_are_told_apart_whatever_other_shared_amounts_are_dropped() -> None:
    rng = np.random.default_rng(8)
    home = np.repeat(np.arange(80), rng.integers(1, 5, 80))
    rents = rng.integers(300, 2_000, 80)
    frame = pl.DataFrame(
        {
            "home": home,
            "per_head": rng.permutation(80)[home] // 2,  # of two households each
            "sex": rng.choice(["f", "m"], home.size),
            "rent": rents[home],
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["sex"], continuous=["home", "rent", "per_head"])
    roles = {"key": ["sex"], "identifier": ["home", "per_head"], "confidential": ["rent"]}
    data = sf.Microdata(frame, schema.with_roles(**roles))
    found = sf.protect(data, k=3, seed=1)
    assert "rent (groups of 3 households, by home)" in str(found)
    assert few_by_hand(data, found.data) == 0


def test_an_amount_that_one_person_alone_has_is_told_by_its_mean_although_all_others_have_nothing() -> None:
    rng = np.random.default_rng(3)
    sparse, shared = np.zeros(600), np.zeros(600)
    sparse[[10, 90, 300]] = 913_450.0, 120_000.0, 47_000.0
    shared[:90] = rng.uniform(900, 1_100, 90)
    groups = np.arange(600) // 3
    assert count_dominated(sparse, groups) == (3, 0)
    assert count_dominated(shared, groups) == (0, 0)
    legacy = pl.DataFrame({"sex": rng.choice(["f", "m"], 600), "legacy": np.where(np.arange(600) == 9, 913_450.0, 0.0)})
    schema = sf.Schema.infer(legacy).with_kinds(continuous=["legacy"])
    data = sf.Microdata(legacy, schema.with_roles(key=["sex"], confidential=["legacy"]))
    found = sf.protect(data, k=3, seed=1)
    assert any(remark.startswith("legacy: 1 mean of a group tells its largest value") for remark in found.remarks)
    assert MEANS_TOLD in found.alarms


def test_a_mean_tells_the_largest_value_to_who_has_the_second_largest_as_in_the_p_percent_rule() -> None:
    small = np.random.default_rng(1).lognormal(9, 0.4, 597)
    giants, alike = np.array([52e6, 31e6, 2e6]), np.array([52e6, 31e6, 30e6])
    for largest, told in ((giants, 1), (alike, 0)):
        values = np.sort(np.append(small, largest))
        assert count_dominated(values, np.arange(600) // 3) == (0, told)
        total = largest.sum()
        assert (abs(total - largest[1] - largest[0]) <= 0.1 * largest[0]) == bool(told)


def test_protect_hides_the_largest_amount_from_everybody_and_from_who_has_the_second_largest() -> None:
    rng = np.random.default_rng(3)
    turnover = np.append((rng.lognormal(9, 0.4, 597) * rng.lognormal(4, 1, 597)).round(), [520e6, 310e6, 20e6])
    legacy = np.where(np.arange(600) == 9, 913_450.0, 0.0)
    frame = pl.DataFrame({"sex": rng.choice(["f", "m"], 600), "turnover": turnover, "legacy": legacy})
    schema = sf.Schema.infer(frame).with_kinds(continuous=["turnover", "legacy"])
    data = sf.Microdata(frame, schema.with_roles(key=["sex"], confidential=["turnover", "legacy"], identifier=[]))
    plain = sf.protect(data, k=3, seed=1, number_steps=[sf.Mdav(columns=("turnover", "legacy"), k=3)])
    found = sf.protect(data, k=3, seed=1)
    errors = []
    for means in (plain.data.values("turnover"), found.data.values("turnover")):
        group = turnover[means == means[597]]
        first, second = np.sort(group)[:-3:-1]
        errors.append((group.size * means[597] - second) / first - 1)  # what the second makes of the mean
    assert abs(errors[0]) < 0.1 <= errors[1]
    told = [remark.partition(":")[0] for remark in found.remarks if "largest value" in remark]
    assert told == ["legacy"]  # which no group hides, as nobody else has one
    assert MEANS_TOLD in found.alarms
    names = [step.name() for step in found.recipe.steps]
    assert {"undominated_microaggregation", "mdav"} <= {*names}


def test_protect_makes_no_group_larger_where_no_mean_tells_an_amount() -> None:
    data = families().take_rows(np.arange(families().n - 1))
    names = [step.name() for step in sf.protect(data, k=3, seed=1).recipe.steps]
    assert "mdav" in names
    assert "undominated_microaggregation" not in names


def test_groups_of_one_mean_are_counted_apart_where_other_columns_tell_them_apart() -> None:
    """Ten groups of three have one benefit of 300 each, so one mean; their wages tell the groups apart."""
    benefit = np.zeros(600)
    benefit[np.arange(0, 30, 3)] = 300.0
    wage = np.arange(600.0) // 3 * 100 + np.tile([1.0, 2.0, 3.0], 200)
    frame = pl.DataFrame({"benefit": benefit, "wage": wage})
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_kinds(continuous=["benefit", "wage"]))
    groups = np.arange(600) // 3
    means = {name: (np.bincount(groups, data.values(name)) / 3)[groups] for name in ("benefit", "wage")}
    masked = sf.Microdata(pl.DataFrame(means), data.schema)
    step = sf.Mdav(columns=("benefit", "wage"), k=3)
    for steps in ([step], []):
        told = " ".join(group_remarks(data, masked, steps, 3))
        assert told.startswith("benefit: 10 means of a group tell its largest value")
        assert "(of 10 means above 0)" in told


def test_columns_that_were_averaged_one_by_one_are_counted_each_by_its_own_means() -> None:
    rng = np.random.default_rng(5)
    data = sf.Microdata(pl.DataFrame({"one": rng.lognormal(3, 2, 300), "other": rng.lognormal(3, 2, 300)}))
    step = sf.IndividualRanking(columns=("one", "other"), k=3)
    masked = sf.Recipe(steps=[step], seed=1).run(data)
    alone = [sf.IndividualRanking(columns=(name,), k=3) for name in ("one", "other")]
    assert group_remarks(data, masked, [step], 3) == group_remarks(data, masked, alone, 3)


def test_the_groups_of_columns_that_were_averaged_together_are_looked_for_once() -> None:
    rng = np.random.default_rng(5)
    data = sf.Microdata(pl.DataFrame({name: rng.lognormal(3, 2, 300) for name in ("one", "other", "third")}))
    step = sf.Mdav(columns=("one", "other", "third"), k=3)
    masked = sf.Recipe(steps=[step], seed=1).run(data)
    with patch("sfumato.keys.group_means.groups_together", wraps=groups_together) as looked:
        group_remarks(data, masked, [step], 3)
    assert looked.call_count == 1


def test_what_the_recipe_did_already_is_not_advised_again() -> None:
    rng = np.random.default_rng(3)
    amounts = np.where(rng.random(600) < 0.1, rng.lognormal(6, 2, 600), 0.0).round(2)
    data = sf.Microdata(pl.DataFrame({"capital": amounts}))
    largest = sf.UndominatedMicroaggregation(columns=("capital",), k=3, max_percent=100, p=12, top_percent=5)
    told = " ".join(group_remarks(data, sf.Recipe(steps=[largest], seed=1).run(data), [largest], 3))
    assert "one of the largest 5 % of the values: raise its top_percent" in told
    assert "take undominated_microaggregation" not in told
    plain = sf.Mdav(columns=("capital",), k=3)
    told = " ".join(group_remarks(data, sf.Recipe(steps=[plain], seed=1).run(data), [plain], 3))
    assert "take undominated_microaggregation with p: 10" in told
    every = largest.replace(top_percent=100)
    assert group_remarks(data, sf.Recipe(steps=[every], seed=1).run(data), [every], 3) == []  # as is advised


def near_one_by_hand(frame: pl.DataFrame) -> int:
    """Return how many groups, told apart by all means, have the total of one, or of two, to within 10 %."""
    count = 0
    for (mean, _), group in frame.group_by("mean", "beside"):
        amounts = sorted(group["amount"].to_list(), reverse=True)
        alone = sum(amounts[1:]) <= 0.1 * sum(amounts)
        count += mean > 0 and (alone or (amounts[1] > 0 and sum(amounts[2:]) <= 0.1 * amounts[0]))
    return count


def test_all_means_that_are_nearly_one_amount_are_counted_and_said_first() -> None:
    rng = np.random.default_rng(12)
    amount = np.where(rng.random(600) < 0.4, rng.lognormal(6, 2, 600).round(), 0.0)
    other = rng.normal(2_000, 400, 600).round()
    frame = pl.DataFrame({"sex": rng.choice(["f", "m"], 600), "amount": amount, "wage": other})
    schema = sf.Schema.infer(frame).with_kinds(continuous=["amount", "wage"])
    data = sf.Microdata(frame, schema.with_roles(key=["sex"], confidential=["amount", "wage"]))
    found = sf.protect(data, k=3, seed=1)
    by_hand = near_one_by_hand(frame.with_columns(mean=found.data.frame["amount"], beside=found.data.frame["wage"]))
    assert by_hand > 0
    told = [remark for remark in found.remarks if remark.startswith("amount: ")]
    read = sum(int(part.split()[0]) for remark in told for part in remark[8:].split("; ") if " a group tell" in part)
    [near] = [remark for remark in found.remarks if remark.startswith("means above 0")]
    more = int(near.partition("amount (")[2].split()[0])
    assert read + more == by_hand
    assert MEANS_TOLD in " ".join(str(found).partition("Note")[0].split())
    assert "wage (" not in near
