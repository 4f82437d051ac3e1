"""Sfumato: statistical disclosure control for Python.

Every public name is importable from here; what lies behind a name is loaded when it is first used.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato import datasets as datasets
    from sfumato import outputs as outputs
    from sfumato import tables as tables
    from sfumato.assessment import Assessment as Assessment
    from sfumato.assessment import assess as assess
    from sfumato.data import *  # noqa: F403
    from sfumato.errors import SfumatoError as SfumatoError
    from sfumato.files import ReadOptions as ReadOptions
    from sfumato.files import read as read
    from sfumato.files import write as write
    from sfumato.improve import *  # noqa: F403
    from sfumato.loss import *  # noqa: F403
    from sfumato.masking import *  # noqa: F403
    from sfumato.plugins import register as register
    from sfumato.protection import Protected as Protected
    from sfumato.protection.protect import protect as protect
    from sfumato.recipe import Recipe as Recipe
    from sfumato.regression import FitComparison as FitComparison
    from sfumato.regression import FullSynthesisRule as FullSynthesisRule
    from sfumato.regression import LargeSampleRule as LargeSampleRule
    from sfumato.regression import LinearRegression as LinearRegression
    from sfumato.regression import LogisticRegression as LogisticRegression
    from sfumato.regression import PartialSynthesisRule as PartialSynthesisRule
    from sfumato.regression import PoissonRegression as PoissonRegression
    from sfumato.regression import compare_fits as compare_fits
    from sfumato.reports import ReleaseReport as ReleaseReport
    from sfumato.reports import RiskReport as RiskReport
    from sfumato.reports.release.build import report as report
    from sfumato.reports.risk_report import risk_report as risk_report
    from sfumato.reports.synthetic_report import SyntheticReport as SyntheticReport
    from sfumato.reports.synthetic_report import synthetic_report as synthetic_report
    from sfumato.risk import *  # noqa: F403
    from sfumato.scores import SCORES as SCORES
    from sfumato.study import Study as Study
    from sfumato.study.compare import compare as compare
    from sfumato.study.search import Search as Search
    from sfumato.study.search import between as between
    from sfumato.study.search import search as search

__version__ = "0.1.0"

_PLACES = {
    "assessment": ("Assessment", "assess"),
    "data": (
        *("Category", "Hierarchy", "Kind", "Microdata", "Role", "Schema", "Selector", "Summary", "Variable"),
        *("categorical", "linkable", "numeric", "role"),
    ),
    "errors": ("SfumatoError",),
    "files": ("ReadOptions", "read", "write"),
    "improve": ("IMPROVERS", "ComparedValues", "ImprovementEnding", "Improvement"),
    "loss": ("LOSSES", "Divergence", "register_analysis"),
    "masking": (
        *("METHODS", "CamouflagedAnswers", "LatticeSearch", "corrected_counts", "corrected_moments"),
        *("correlated_columns", "corrected_regression", "expected_values", "mask_by_matrices"),
        *("microaggregation_bound", "search_lattice"),
        *("strict_suppression_bound", "swap_reidentified"),
    ),
    "plugins": ("register",),
    "protection": ("Protected", "protect"),
    "recipe": ("Recipe",),
    "regression": (
        *("FitComparison", "FullSynthesisRule", "LargeSampleRule", "LinearRegression", "LogisticRegression"),
        *("PartialSynthesisRule", "PoissonRegression", "compare_fits"),
    ),
    "reports": ("ReleaseReport", "RiskReport", "report", "risk_report"),
    "reports.synthetic_report": ("SyntheticReport", "synthetic_report"),
    "risk": (
        *("RISKS", "RecordExplanation", "RiskTable", "explain_risk", "population_table", "risk_by_category"),
        *("risk_by_variable", "riskiest_combinations", "suda_by_category", "LinkDecisions", "link_decisions"),
    ),
    "scores": ("SCORES",),
    "study": ("Study", "compare"),
    "study.search": ("Search", "between", "search"),
}
_MODULES = ("datasets", "outputs", "tables")


def _classes() -> Iterator[tuple[str, str]]:
    """Yield every method, measure and improver with its room: a class has the name of its file."""
    families = {"masking": "[!_]*/[!_]*.py", "risk": "[!_]*/[!_]*.py", "loss": "[!_]*/[!_]*.py", "improve": "[!_]*.py"}
    for room, files in families.items():
        for file in Path(__file__).with_name(room).glob(files):
            yield file.stem.title().replace("_", ""), room


_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names} | dict(_classes())

__all__ = ["__version__", *sorted((*_MODULES, *_PLACE_OF))]


def __getattr__(name: str) -> Any:
    """Load a public name from its place when it is first used."""
    if name in _MODULES:
        return import_module(f"sfumato.{name}")
    if name in _PLACE_OF:
        return getattr(import_module(f"sfumato.{_PLACE_OF[name]}"), name)
    from sfumato.errors import did_you_mean

    raise AttributeError(f"module 'sfumato' has no attribute '{name}'{did_you_mean(name, __all__)}")


def __dir__() -> list[str]:
    return list(__all__)
