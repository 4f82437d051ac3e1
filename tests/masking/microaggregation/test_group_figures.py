"""What groups show of several columns together tells no amount: every sum and difference of columns is tried."""

from itertools import product

import numpy as np
import pytest

from sfumato.masking.microaggregation._dominant_values import cut_amounts
from sfumato.masking.microaggregation._group_figures import Groups, group_figures
from sfumato.numerics.arrays import Floats, Integers

P, SMALL = 10.0, 1e-10


def amounts_of(seed: int, n: int, *, with_losses: bool) -> Floats:
    """Return wage, business and capital income, of which many have none, and sums of them; most unlike each other."""
    rng = np.random.default_rng(seed)

    def some(share: float, scale: float) -> Floats:
        return np.where(rng.random(n) < share, rng.lognormal(0, 1.5, n) * scale, 0.0)

    wage, business, capital, gift = some(0.7, 3e4), some(0.3, 1e4), some(0.3, 3e3), some(0.1, 2e3)
    business *= rng.choice([1, -1], n) if with_losses else 1
    earned = wage + business
    return np.column_stack([wage, business, capital, earned, earned + capital + gift])  # gifts are no column


def groups_of(n: int, k: int, units: Integers | None = None) -> Groups:
    return Groups(np.arange(n) // k, P, units)


def exact_guesses(amounts: Floats, figures: Floats, groups: Groups) -> int:
    """Return how many amounts, or sums and differences of a member's amounts, somebody finds exactly.

    Tried is each sum and difference of columns, times the members, also divided as if several had been cut alike; by
    readers, and by each member, who takes off what is their own.
    """
    found = 0
    combinations = np.array(list(product([-1, 0, 1], repeat=amounts.shape[1])))
    for group, shown in enumerate(figures):
        members = amounts[groups.numbers == group]
        factors = combinations[~np.any(combinations[:, np.isnan(shown)], axis=1)]
        held = np.nan_to_num(members) @ factors.T  # members x combinations
        total = len(members) * np.nan_to_num(shown) @ factors.T
        scale = np.abs(members).max() + 1
        for own in (np.zeros_like(total), *held):
            for among in range(1, len(members) + 1):
                hit = np.abs((total - own) / among - held) <= SMALL * np.abs(held)
                found += int(
                    np.count_nonzero(hit & (np.abs(held) > 1e-6 * scale) & (np.abs(held - own) > 1e-6 * scale))
                )
    return found


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("with_losses", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_no_sum_or_difference_of_columns_tells_an_amount_exactly(seed: int, k: int, with_losses: bool) -> None:
    amounts = amounts_of(seed, 60 * k, with_losses=with_losses)
    groups = groups_of(len(amounts), k)
    assert exact_guesses(amounts, group_figures(amounts, groups), groups) == 0


def test_means_cut_column_by_column_are_undone_by_subtraction() -> None:
    amounts = amounts_of(0, 300, with_losses=False)
    groups = groups_of(300, 5)
    by_column = np.column_stack([groups.means(groups.cut(column)) for column in amounts.T])
    assert exact_guesses(amounts, by_column, groups) > 0  # so the search above finds what there is


def kinds_of_sums(seed: int, n: int) -> dict[str, Floats]:
    """Return columns that hang together in many ways, some by what is no column."""
    rng = np.random.default_rng(seed)

    def some(share: float, scale: float) -> Floats:
        return np.where(rng.random(n) < share, rng.lognormal(0, 1.2, n) * scale, 0.0)

    gross, net, wage, bonus = (rng.lognormal(0, 0.5, n) * scale for scale in (3e4, 1e4, 9e3, 2e4))
    tax, rare, capital, gift = some(0.2, 3e3), some(0.1, 5e3), some(0.1, 5e3), some(0.15, 4e3)
    income = bonus + capital
    levy, spent = 0.1 * income * rng.random(n), income * rng.uniform(0.6, 0.9, n)
    return {
        "a difference": np.column_stack([gross, tax, gross - tax]),
        "a difference that is no column": np.column_stack([gross, gross - tax]),
        "a common part that is no column": np.column_stack([net + rare, rare + wage, net, wage]),
        "a common part": np.column_stack([net + rare, rare + wage, net, rare, wage]),
        "a sum of a sum and of more": np.column_stack([net, wage, net + wage, net + wage + rare]),
        "twelve months and more": np.column_stack([net, 12 * net + rare]),
        "both sides of an account": np.column_stack([bonus, capital, income, levy, spent, income - levy - spent]),
        "a sum of two sums": np.column_stack([bonus, capital, income, net, rare, net + rare, income + net + rare]),
        "a loss": np.column_stack([bonus, -capital, income]),
        "a little more": np.column_stack([bonus, bonus + rng.lognormal(0, 2, n) * 50]),
        "parts that all have": np.column_stack([net, wage, bonus, net + wage + bonus + gift]),
        "gaps for nothing": np.column_stack([bonus, np.where(capital > 0, capital, np.nan), income]),
    }


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("kind", kinds_of_sums(0, 1))
def test_columns_that_hang_together_tell_no_amount_exactly(kind: str, k: int) -> None:
    for seed in range(2):
        amounts, groups = kinds_of_sums(seed, 60 * k)[kind], groups_of(60 * k, k)
        assert exact_guesses(amounts, group_figures(amounts, groups), groups) == 0


@pytest.mark.parametrize("seed", range(3))
def test_sums_are_not_told_within_p_percent_either(seed: int) -> None:
    k, amounts = 6, amounts_of(seed, 360, with_losses=False)
    groups = groups_of(len(amounts), k)
    figures, parts = group_figures(amounts, groups), (0, 1, 2)
    cut = np.column_stack([cut_amounts(amounts[:, part], groups.numbers, P) for part in parts])
    for chosen in product([False, True], repeat=3):
        names = np.array(parts)[list(chosen)]
        for group in np.flatnonzero(~np.isnan(figures[:, names]).any(axis=1)) if names.size else []:
            rows = groups.numbers == group
            true, counted = amounts[rows][:, names].sum(axis=1), cut[rows][:, names].sum(axis=1)
            total = k * figures[group, names].sum()
            assert total == pytest.approx(counted.sum())
            for target in np.flatnonzero((true == counted) & (true > 0)):  # of the others only a part is in the sum
                others = np.delete(counted, target)
                assert total - others.max() - true[target] >= P / 100 * true[target] * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_cut_amount_is_nothing_that_is_shown_changes(seed: int) -> None:
    amounts = amounts_of(seed, 300, with_losses=False)
    groups = groups_of(300, 5)
    figures, cut = group_figures(amounts, groups), groups.cut(amounts[:, 2])
    above = np.flatnonzero(amounts[:, 2] > cut)
    assert above.size > 20
    for row in above[:20]:
        larger = amounts.copy()
        larger[row, [2, 4]] += 0.5 * amounts[row, 2]
        np.testing.assert_allclose(group_figures(larger, groups), figures, rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_what_a_household_has_in_all_is_not_told(seed: int) -> None:
    amounts, units = amounts_of(seed, 300, with_losses=False), np.arange(300) // 2
    figures = group_figures(amounts, groups_of(300, 6, units))
    rows = np.arange(300) // 6
    of_units = np.array([amounts[units == unit].sum(axis=0) for unit in range(150)])
    for group, shown in enumerate(figures[:, :3]):
        homes = of_units[np.unique(units[rows == group])][:, :3]
        for place in np.flatnonzero(~np.isnan(shown)):
            sizes = np.sort(homes[:, place])[::-1]
            if 6 * shown[place] >= sizes.sum() * (1 - 1e-9) and sizes[0] > 0:
                assert sizes[2:].sum() >= P / 100 * sizes[0] * (1 - 1e-9)
    assert np.isnan(group_figures(amounts, groups_of(300, 4, units))[:, 0]).sum() > 20  # of two households


@pytest.mark.parametrize("k", [3, 5])
def test_gaps_do_not_tell_amounts_by_what_is_missing_in_a_sum(k: int) -> None:
    amounts = amounts_of(1, 60 * k, with_losses=False)
    rng = np.random.default_rng(1)
    amounts[rng.random(amounts.shape) < 0.08] = np.nan
    groups = groups_of(len(amounts), k)
    figures = group_figures(amounts, groups)
    assert exact_guesses(amounts, figures, groups) == 0


def test_a_sum_is_shown_as_what_its_parts_show() -> None:
    wage, capital = np.full(100, 30_000.0) + np.arange(100), np.zeros(100)
    capital[[3, 50, 51, 52, 53]] = [60_564, 900, 800, 700, 600]
    wage[[52, 53, 54]] = 0
    amounts = np.column_stack([wage, capital, wage + capital])
    figures = group_figures(amounts, groups_of(100, 10))
    assert figures[0, 1] == 0
    assert figures[5, 1] == 300
    np.testing.assert_allclose(figures[:, 2], figures[:, 0] + figures[:, 1])


def test_a_balance_that_one_member_has_is_a_gap_and_so_is_a_part_of_it() -> None:
    rng = np.random.default_rng(0)
    spent, saved = rng.lognormal(8, 0.4, 200), np.where(rng.random(200) < 0.6, rng.normal(0, 3e3, 200), 0.0)
    pension = rng.lognormal(6, 1, 200)
    wage = spent + saved - pension
    saved[:10], spent[:10] = 0.0, (wage + pension)[:10]
    saved[0], spent[0] = 900.0, (wage + pension)[0] - 900
    amounts = np.column_stack([wage, pension, spent, saved])
    groups = groups_of(200, 10)
    assert exact_guesses(amounts, group_figures(amounts, groups), groups) == 0


def test_a_bill_less_its_other_items_does_not_tell_the_item_that_is_a_gap() -> None:
    rng = np.random.default_rng(1)
    drugs, laboratory = rng.lognormal(4, 0.5, 300), rng.lognormal(3, 0.3, 300)
    surgery = np.where(rng.random(300) < 0.08, rng.lognormal(8, 1, 300), 0.0)
    bed = rng.poisson(3, 300) * 310.0
    bed[:3], surgery[:3] = [620.0, 0.0, 310.0], 0.0  # whoever has 310 takes it off what both have
    paid_by_patient = (drugs + laboratory + surgery + bed) / 10
    amounts = np.column_stack([drugs, surgery, bed, laboratory, paid_by_patient])
    shown = group_figures(amounts, groups_of(300, 3))[0]
    assert np.isnan(shown[2])
    left = 10 * shown[4] - shown[0] - np.nan_to_num(shown[1]) - shown[3]
    assert np.isnan(left) or abs(3 * left - 310 - 620) >= P / 100 * 620


Relation = dict[str, float]


def related_columns(seed: int, n: int) -> tuple[dict[str, Floats], list[Relation]]:
    """Return amounts with sums, shares and what is taken off, and columns that contain others or equal them by chance.

    A relation is a sum of multiples of columns that is nothing in every record. Half of the times a total is no column.
    """
    rng = np.random.default_rng(seed)

    def some(share: float, mean: float) -> Floats:
        return np.where(rng.random(n) < share, rng.lognormal(mean, 1, n).round(2), 0.0)

    columns = {"wage": some(1, 10), "business": some(0.12, 9.5), "capital": some(0.3, 7), "rent": some(0.08, 8.5)}
    columns["spent"] = some(1, 8)
    relations = []
    for total in ("first", "second"):
        names = rng.choice([*columns], rng.integers(2, 5), replace=False)
        relation = {str(name): float(rng.choice([1, 1, 1, -1])) for name in names}
        columns[total] = sum(factor * columns[name] for name, factor in relation.items()) + np.zeros(n)
        relations.append({**relation, total: -1.0})
    share = {"business": 0.1, str(rng.choice(["wage", "spent", "first"])): float(rng.choice([0.073, 0.25]))}
    columns["levy"] = sum(factor * columns[name] for name, factor in share.items()) + np.zeros(n)
    relations.append({**share, "levy": -1.0})
    columns["near"] = columns["spent"] * 1.1 + rng.exponential(50, n)
    columns["equal"] = np.where(rng.random(n) < 0.05, columns["capital"], some(1, 6))
    if seed % 2:
        taken = next(one for one in relations if "first" in one)
        for place, relation in enumerate(relations):
            if relation is not taken and "first" in relation:
                relations[place] = _without(relation, taken, "first")
        relations.remove(taken)
        del columns["first"]
    return {str(name): columns[str(name)] for name in rng.permutation([*columns])}, relations


def _without(one: Relation, other: Relation, name: str) -> Relation:
    """Return what follows from two relations without a column."""
    both = {key: one.get(key, 0.0) - one[name] / other[name] * other.get(key, 0.0) for key in {**one, **other}}
    return {key: factor for key, factor in both.items() if abs(factor) > 1e-12}


def told_by_relations(columns: dict[str, Floats], relations: list[Relation], figures: Floats, k: int) -> int:
    """Return in how many groups what others show gives the largest amount of a column that few have, within 10 %.

    Tried are all relations, and what follows from two of them, by readers and by whoever has the second largest amount.
    """
    pairs = [(one, other) for one in relations for other in relations if one is not other]
    tried = [*relations, *(_without(one, other, name) for one, other in pairs for name in {*one} & {*other})]
    shown, told = dict(zip(columns, figures.T, strict=True)), set()
    for relation in tried:
        for name in {*relation} & {"business", "capital", "rent"}:
            others = {one: factor for one, factor in relation.items() if one != name}
            if not others:
                continue
            guesses = -k * sum(factor * shown[one] for one, factor in others.items()) / relation[name]
            for group, guess in enumerate(np.abs(guesses)):
                largest, second = np.sort(columns[name][k * group : k * group + k])[::-1][:2]
                for own in (0.0, second):
                    if largest and 0.995 <= (guess - own) / largest < 1 + P / 100:
                        told.add((name, group))
    return len(told)


@pytest.mark.parametrize("seed", range(8))
def test_no_relation_of_columns_tells_an_amount_that_few_have(seed: int) -> None:
    k, n = (3, 5, 10)[seed % 3], 400
    columns, relations = related_columns(seed, n - n % k)
    amounts = np.column_stack(list(columns.values()))
    groups = groups_of(len(amounts), k)
    by_column = np.column_stack([groups.means(groups.cut(column)) for column in amounts.T])
    assert told_by_relations(columns, relations, by_column, k) > 5  # so the search finds what there is
    assert told_by_relations(columns, relations, group_figures(amounts, groups), k) == 0
