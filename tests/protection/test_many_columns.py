"""What columns tell is found wherever they stand in a file, behind many that tell nothing too."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import DROPPED_COMPUTED
from sfumato.keys.findings.exposure import READABLE
from sfumato.keys.recomputed_values import RECOMPUTABLE, recomputed_columns

N, HARMLESS = 400, 25


def file(told: dict[str, np.ndarray], seed: int = 4, **roles: list[str]) -> sf.Microdata:
    """Return records with a region, many columns of numbers that tell nothing, and at their end some that do."""
    rng = np.random.default_rng(seed)
    columns = {"region": rng.choice([*"ABCD"], N)}
    columns |= {f"q{place:02d}": rng.integers(0, 320, N).astype(float) for place in range(HARMLESS)}
    frame = pl.DataFrame(columns | told)
    schema = sf.Schema.infer(frame).with_kinds(nominal=["region"], continuous=frame.columns[1:])
    return sf.Microdata(frame, schema.with_roles(**{"key": ["region"], "identifier": [], **roles}))


def test_a_key_is_read_off_the_last_two_columns_of_many() -> None:
    rng = np.random.default_rng(4)
    employees, per_head = np.minimum(np.ceil(rng.lognormal(2.2, 0.9, N)), 40), rng.choice([30.0, 35, 40, 45], N)
    told = {"employees": employees, "turnover": employees * per_head, "per_head": per_head}
    data = file(told, key=["region", "employees"])
    found = sf.protect(data, k=3, seed=1, limits=["k=3"], keep=data.schema.names)
    region = data.frame["region"].to_numpy()
    shown = found.data.frame["region"].to_list()
    read = found.data.values("turnover") / found.data.values("per_head")
    fitting = [
        sum(employees[other] == round(read[row]) and shown[row] in (None, region[other]) for other in range(N))
        for row in range(N)
    ]
    alone = sum(count < 3 for count in fitting)
    assert alone > 20
    assert not found.after.meets_limits
    assert any(READABLE in note and "turnover and per_head (employees)" in note for note in found.remarks)
    assert any(f"finds at least {alone} of {N} records" in note for note in found.remarks)


@pytest.mark.parametrize("first", ["whole", "one of no days", "one negative", "gaps", "many of no days"])
def test_a_product_tells_a_masked_amount_whatever_zeros_and_gaps_its_columns_have(first: str) -> None:
    rng = np.random.default_rng(4)
    days, rate = rng.integers(1, 41, N).astype(float), (rng.uniform(280, 900, N) / 4).round() * 4
    cost = days * rate
    match first:
        case "one of no days":
            days[0] = 0
        case "one negative":
            days[0] = -7
        case "gaps":
            rate[rng.random(N) < 0.4] = np.nan
        case "many of no days":
            days[: N // 2] = 0
            cost[: N // 4] = 0
    data = file({"days": days, "rate": rate, "cost": cost}, confidential=["cost"])
    masked = sf.Recipe(steps=[sf.RankSwapping(columns=("cost",), window=40)], seed=1).run(data)
    [found] = recomputed_columns(data, masked, [name for name in data.schema.names if name != "cost"])
    told = sum(cost[row] > 0 and abs(days[row] * rate[row] / cost[row] - 1) < 0.01 for row in range(N))
    assert told > N / 3
    assert (found.column, {*found.sources}, found.values) == ("cost", {"days", "rate"}, int(np.count_nonzero(cost)))
    assert told <= found.records <= told + N // 100  # a guess at a gap may come near


def test_a_limit_on_amounts_is_not_met_by_a_product_behind_many_columns() -> None:
    rng = np.random.default_rng(5)
    days, rate = rng.integers(1, 41, N).astype(float), rng.uniform(280, 900, N).round()
    data = file({"days": days, "rate": rate, "cost": days * rate}, confidential=["cost"])
    steps = [sf.RankSwapping(columns=("cost",), window=40)]
    found = sf.protect(data, k=3, seed=1, number_steps=steps, limits=["interval_disclosure<=75"])
    assert not found.after.meets_limits
    assert any(RECOMPUTABLE in note and f"(of {N} of {N} records)" in note for note in found.remarks)


def test_a_dropped_amount_is_computed_from_the_last_two_columns_of_many() -> None:
    rng = np.random.default_rng(6)
    income, share = rng.lognormal(7.8, 0.5, N).round(), rng.uniform(10, 60, N).round(1)
    rent = (income * share / 100).round()
    data = file({"income": income, "share": share, "rent": rent}, identifier=["income"])
    found = sf.protect(data, k=3, seed=1, keep=[name for name in data.schema.names if name != "income"])
    near = sum(abs(100 * rent[row] / share[row] / income[row] - 1) <= 0.05 for row in range(N))
    assert DROPPED_COMPUTED in found.alarms
    assert any(f"of {near} of {N} records" in note and "rent" in note and "share" in note for note in found.remarks)
