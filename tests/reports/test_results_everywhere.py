"""Every public result: dataframes of both kinds, plain values, a short notebook view, and nothing secret in it."""

import inspect
import json
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

import sfumato as sf
from sfumato import outputs, tables
from sfumato.display.figure import StyledFigure
from sfumato.display.tabular_result import TabularResult
from sfumato.documents import Record
from tests.reports.release.surveys import made, released, survey

SEED = 918273645
NUMBERS = ("income", "rent")
NOT_RESULTS = {
    "sfumato": {
        *("Category", "Hierarchy", "Microdata", "Recipe", "Schema", "Summary", "Variable", "Selector", "ReadOptions"),
        *("SfumatoError", "CamouflagedAnswers", "ComparedValues", "Divergence", "ImprovementEnding", "Kind", "Role"),
        *("FullSynthesisRule", "LargeSampleRule", "PartialSynthesisRule", "LinearRegression", "LogisticRegression"),
        "PoissonRegression",
    },
    "tables": {
        *(
            "ArgusTable",
            "Certificates",
            "Dimension",
            "GivenCell",
            "Pattern",
            "PerturbationTable",
            "Problem",
            "Progress",
        ),
        *("ProtectedCells", "Publication", "RecordColumns", "RecordNoise", "Sensitivity", "TableDefinition"),
    },
    "outputs": {"Concern", "Disclosure", "Entry", "OutputRules"},
}
"""Public classes that no verb returns as what it found: data, parameters, parts of results."""


def firms() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "region": [f"R{number}" for number in rng.integers(0, 3, 60)],
            "sector": [f"S{number}" for number in rng.integers(0, 4, 60)],
            "sales": [float(number) for number in rng.integers(10**6, 10**7, 60)],
        }
    )


@cache
def table() -> tables.Table:
    return tables.Table.from_records(firms(), ["region", "sector"], "sales")


@cache
def protected_tables() -> tables.ProtectedTables:
    return tables.protect(table(), tables.OptimalSuppression(), rule=tables.PPercent(p=30))


@cache
def study() -> sf.Study:
    measures = [sf.InformationLoss(columns=NUMBERS), sf.DistanceLinkage(columns=NUMBERS)]
    swaps = [sf.RankSwapping(columns=NUMBERS, window=window) for window in (5, 20)]
    return sf.compare(survey(), swaps, measures=measures, seed=SEED)


@cache
def found_by_search() -> sf.Search:
    space = [sf.RankSwapping(columns=NUMBERS, window=5)]
    return sf.search(survey(), space, minimise="IL", limits=["DLD<=90"], trials=1, seed=SEED)


def log() -> outputs.OutputLog:
    kept = outputs.OutputLog(firms(), name="anna")
    kept.crosstab("region", "sector")
    return kept


def project(folder: Any) -> outputs.Project:
    kept = outputs.OutputLog(firms(), folder, name="anna")
    kept.crosstab("region", "sector")
    kept.finalise()
    return outputs.Project(folder)


def publication() -> tables.ProtectedPublication:
    definitions = {"one": tables.TableDefinition.model_validate({"by": ["region", "sector"], "value": "sales"})}
    whole = tables.Publication.from_records(firms(), definitions)
    return tables.protect_publication(whole, rule=tables.PPercent(p=30))


def comparison() -> tables.ProtectionComparison:
    done = protected_tables()
    return tables.compare_protections({"suppression": done.outcome}, done.problem)


def improvement() -> sf.Improvement:
    masked = sf.Recipe(steps=[sf.RankSwapping(columns=NUMBERS, window=10)], seed=SEED).run(survey())
    return sf.MomentMatching(columns=NUMBERS).improve(survey(), masked, np.random.default_rng(0))


def lattice() -> sf.LatticeSearch:
    return sf.search_lattice(survey(), sf.FullDomainRecoding(columns=("sex", "town"), k=3))


def decisions() -> sf.LinkDecisions:
    linkage = sf.ProbabilisticLinkage(columns=("sex", "town", "ill"))
    few = survey().take_rows(np.arange(60))
    return sf.link_decisions(linkage, few, few)


def explanation() -> tables.Explanation:
    done = protected_tables()
    return tables.explain(done.problem, done.pattern.suppressed, int(done.problem.primaries[0]))


def protected() -> sf.Protected:
    return sf.protect(survey(), k=3, seed=SEED)


MAKERS: dict[type, Callable[[], Any]] = {
    sf.Assessment: lambda: sf.assess(survey(), released(), worst_case=False),
    sf.FitComparison: lambda: sf.compare_fits(sf.LinearRegression(formula="income ~ age"), survey(), [released()]),
    sf.Improvement: improvement,
    sf.LatticeSearch: lattice,
    sf.LinkDecisions: decisions,
    sf.Protected: protected,
    sf.RecordExplanation: lambda: sf.explain_risk(survey(), sf.IndividualRisk(columns=("sex", "town")), 0),
    sf.ReleaseReport: made,
    sf.RiskReport: lambda: sf.risk_report(survey()),
    sf.RiskTable: lambda: sf.risk_report(survey()).variables,
    sf.Search: found_by_search,
    sf.Study: study,
    sf.SyntheticReport: lambda: sf.synthetic_report(survey(), released()),
    tables.Audit: lambda: protected_tables().audit(),
    tables.Explanation: explanation,
    tables.ProtectedPublication: publication,
    tables.ProtectedTables: protected_tables,
    tables.ProtectionComparison: comparison,
    tables.Table: table,
    tables.UnsafeTables: lambda: tables.find_unsafe([table()], tables.PPercent(p=30)),
    outputs.Output: lambda: log().outputs[0],
    outputs.OutputLog: log,
}
"""How to come by a result of each kind; a project needs a folder and is made apart."""

DRAWN = (sf.FitComparison, sf.Improvement, sf.ReleaseReport, sf.RiskReport, sf.Search, sf.Study, sf.SyntheticReport)


@cache
def result(kind: type) -> Any:
    return MAKERS[kind]()


def check(found: Any) -> None:
    assert isinstance(found, TabularResult)
    frame = found.to_polars()
    assert isinstance(frame, pl.DataFrame)
    assert frame.width > 0
    assert list(found.to_pandas().columns) == frame.columns
    assert len(found.to_pandas()) == frame.height
    json.dumps(found.to_dict(), allow_nan=False, default=_no_other)
    assert len(found._repr_html_()) < 40_000


def _no_other(value: object) -> object:
    raise TypeError(f"a {type(value).__name__} is not plain")


@pytest.mark.parametrize("room", [sf, tables, outputs], ids=lambda room: room.__name__)
def test_every_public_class_is_a_result_that_is_walked_or_named_as_none(room: Any) -> None:
    known = NOT_RESULTS[room.__name__.rpartition(".")[2]]
    classes = {name: one for name in room.__all__ if inspect.isclass(one := getattr(room, name))}
    open_ones = {
        name
        for name, one in classes.items()
        if one not in MAKERS and one is not outputs.Project and not issubclass(one, Record | Enum) and name not in known
    }
    assert open_ones == set()


@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_a_result_goes_on_as_dataframes_and_as_plain_values(kind: type) -> None:
    assert isinstance(result(kind), kind)
    check(result(kind))


def test_a_project_does_too(tmp_path: Any) -> None:
    check(project(tmp_path / "project"))


@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_neither_its_text_nor_a_notebook_tells_a_seed_or_a_value_of_a_record(kind: type) -> None:
    shown = repr(result(kind)) + result(kind)._repr_html_()
    incomes = [f"{value:.4f}" for value in survey().values("income")]
    sales = [f"{value:.0f}" for value in firms()["sales"]]
    assert str(SEED) not in shown
    assert [secret for secret in (*incomes, *sales) if secret in shown.replace(",", "")] == []


@pytest.mark.parametrize("kind", [tables.Audit, tables.Explanation, tables.Table, tables.UnsafeTables])
def test_what_holds_true_cells_shows_none_of_them(kind: type) -> None:
    shown = (repr(result(kind)) + result(kind)._repr_html_()).replace(",", "")
    assert [value for value in table().values.tolist() if f"{value:.0f}" in shown] == []


def test_protected_tables_show_only_what_is_published() -> None:
    shown = (repr(protected_tables()) + protected_tables()._repr_html_()).replace(",", "")
    hidden = protected_tables().suppressed()
    assert hidden.any()
    assert [value for value in table().values[hidden].tolist() if f"{value:.0f}" in shown] == []
    assert all(f"{value:.0f}" in shown for value in table().values[~hidden].tolist())


@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_what_is_drawn_is_a_plain_matplotlib_figure_in_the_one_style(kind: type) -> None:
    assert hasattr(kind, "figure") is (kind in DRAWN)
    if kind in DRAWN:
        drawn = result(kind).figure()
        assert isinstance(drawn, Figure)
        assert isinstance(drawn, StyledFigure)
        assert drawn.axes
