"""Sfumato: statistical disclosure control for Python.

Every public name is importable from here; what lies behind a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato import datasets as datasets
    from sfumato import tables as tables
    from sfumato.assessment import Assessment as Assessment
    from sfumato.assessment import assess as assess
    from sfumato.data import *  # noqa: F403
    from sfumato.errors import SfumatoError as SfumatoError
    from sfumato.files import read as read
    from sfumato.files import write as write
    from sfumato.improve import *  # noqa: F403
    from sfumato.loss import *  # noqa: F403
    from sfumato.masking import *  # noqa: F403
    from sfumato.plugins import register as register
    from sfumato.protection import Protected as Protected
    from sfumato.protection.protect import protect as protect
    from sfumato.recipe import Recipe as Recipe
    from sfumato.report import RiskReport as RiskReport
    from sfumato.report.risk_report import risk_report as risk_report
    from sfumato.risk import *  # noqa: F403
    from sfumato.scores import SCORES as SCORES
    from sfumato.study import Study as Study
    from sfumato.study.compare import compare as compare
    from sfumato.study.search import Search as Search
    from sfumato.study.search import between as between
    from sfumato.study.search import search as search

__version__ = "0.1.0"

_ROOMS = {
    "assessment": ("Assessment", "assess"),
    "errors": ("SfumatoError",),
    "files": ("read", "write"),
    "plugins": ("register",),
    "protection": ("Protected", "protect"),
    "recipe": ("Recipe",),
    "report": ("RiskReport", "risk_report"),
    "scores": ("SCORES",),
    "study": ("Study", "compare"),
    "study.search": ("Search", "between", "search"),
}
_MODULES = {
    "assessment",
    "data",
    "datasets",
    "execution",
    "files",
    "improve",
    "loss",
    "masking",
    "protection",
    "recipe",
    "report",
    "risk",
    "scores",
    "study",
    "table_plan",
    "tables",
}
_WHOLE_ROOMS = ("data", "masking", "risk", "loss", "improve")  # all that these rooms make public is public here
_HOME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its room when it is first used."""
    if name in _MODULES:
        return import_module(f"sfumato.{name}")
    if name in _HOME:
        return getattr(import_module(f"sfumato.{_HOME[name]}"), name)
    for room in _WHOLE_ROOMS:
        module = import_module(f"sfumato.{room}")
        if name in module.__all__:
            return getattr(module, name)
    raise AttributeError(f"module 'sfumato' has no attribute '{name}'")


def __dir__() -> list[str]:
    shared = [name for room in _WHOLE_ROOMS for name in import_module(f"sfumato.{room}").__all__]
    return sorted({"datasets", "tables", *_HOME, *shared})
