"""Random files of every kind: their public reports hold no value of a record, no id, no seed and no suppressed cell."""

import json
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.jobs.tables.table_protect import table_protect
from tests.reports.release.test_public_edition import random_release


def told_of(secrets: Sequence[str], told: str) -> list[str]:
    return [secret for secret in secrets if secret in told]


@pytest.mark.parametrize("seed", range(2))
def test_a_synthetic_file(seed: int) -> None:
    data, _, recipe = random_release(seed)
    model = sf.SequentialSynthesis(columns=("place", "sex", "pay", "tax"))
    drawn = sf.Recipe(steps=[sf.DropIdentifiers(columns=("id",)), model], seed=recipe.seed)
    halves = data.take_rows(np.arange(0, data.n, 2)), data.take_rows(np.arange(1, data.n, 2))
    report = sf.report(halves[0], drawn.run(halves[0]), recipe=drawn, control=halves[1], edition="public")
    assert report.edition == "public"
    counts = data.frame["place"].value_counts()
    secrets = [
        *data.frame["id"].to_list(),
        *counts.filter(pl.col("count") < 3)["place"].to_list(),
        *(str(value) for value in [*data.frame["pay"], *data.frame["tax"]]),
        str(recipe.seed),
    ]
    assert told_of(secrets, report.to_json() + report._repr_html_() + str(report)) == []


@pytest.mark.parametrize("seed", range(2))
def test_a_labelled_file_with_dates(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 90
    rare = [f"Rare{rng.integers(10**9)}" for _ in range(2)]
    labels = {1: "Common", 2: "Usual", 3: rare[0], 4: rare[1]}
    days = [date(1950, 1, 1) + timedelta(days=int(day)) for day in rng.choice(20_000, n, replace=False)]
    work = [3, 4, *rng.integers(1, 3, n - 2).tolist()]
    variables = (
        Variable(name="work", kind="nominal", role="key", label="Kind of work", value_labels=labels),
        Variable(name="birth", kind="date", role="key", label="Day of birth"),
        Variable(name="pay", kind="continuous", role="confidential"),
    )
    frame = pl.DataFrame({"work": work, "birth": days, "pay": np.round(rng.lognormal(8, 0.5, n), 7)})
    data = Microdata(frame, Schema(variables=variables))
    steps = [
        sf.DateRounding(columns=("birth",), to="year"),
        sf.LocalSuppression(columns=("work", "birth"), k=3),
        sf.AdditiveNoise(columns=("pay",), scale=0.31234567),
    ]
    recipe = sf.Recipe(steps=steps, seed=int(rng.integers(10**12, 10**15)))
    report = sf.report(data, recipe.run(data), recipe=recipe, edition="public")
    secrets = [*rare, *(str(value) for value in frame["pay"]), str(recipe.seed), "0.31234567"]
    ends = [str(min(days)), str(max(days))]  # a round edge of a bar may be somebody's birthday, the ends may not
    assert told_of([*secrets, *ends], report.to_json() + report._repr_html_() + str(report)) == []


@pytest.mark.parametrize("seed", range(3))
def test_a_protected_table(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    firms = pl.DataFrame(
        {
            "firm": [f"firm{number}" for number in rng.choice(10**9, 70, replace=False)],
            "region": [f"R{number}" for number in rng.integers(0, 4, 70)],
            "sector": [f"S{number}" for number in rng.integers(0, 4, 70)],
            "sales": rng.integers(10**6, 10**8, 70),
        }
    )
    firms.write_csv(tmp_path / "firms.csv")
    content = {"data": "firms.csv", "by": ["region", "sector"], "value": "sales", "rules": [{"p_percent": {"p": 41}}]}
    (tmp_path / "spec.yaml").write_text(json.dumps(content))
    found = table_protect(tmp_path / "spec.yaml", tmp_path / "out", public_report=tmp_path / "public.html")
    told = ((tmp_path / "public.json").read_text() + (tmp_path / "public.html").read_text()).replace(",", "")
    hidden = found.protected.tables[0].values[found.protected.suppressed()]
    assert hidden.size
    assert told_of([f"{value:.0f}" for value in hidden], told) == []
    contributions = [str(value) for value in firms["sales"]]
    cells = {f"{value:.0f}" for value in found.protected.tables[0].values[~found.protected.suppressed()]}
    assert told_of([value for value in contributions if value not in cells], told) == []
    assert told_of([*firms["firm"], "41 %", "p_percent"], told) == []
