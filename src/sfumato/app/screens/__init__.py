"""The screens, in a steward's order; each shows a project, and calls what changes or computes it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from sfumato.app.screens.compare import show_compare
from sfumato.app.screens.data import show_data
from sfumato.app.screens.protect import show_protect
from sfumato.app.screens.release import show_release
from sfumato.app.screens.results import show_results
from sfumato.app.screens.risk import show_risk
from sfumato.app.screens.synthetic import show_synthetic
from sfumato.app.screens.tables import show_tables

if TYPE_CHECKING:
    from sfumato.app.page import Frame


class Screen(NamedTuple):
    """A screen: how to show it, and the verbs whose results it shows."""

    show: "Callable[[Frame], None]"
    verbs: frozenset[str]


SCREENS = {
    "Data": Screen(show_data, frozenset({"look"})),
    "Risk": Screen(show_risk, frozenset({"risk"})),
    "Protect": Screen(show_protect, frozenset({"propose", "preview", "categories", "hierarchy"})),
    "Compare": Screen(show_compare, frozenset({"compare", "search"})),
    "Result": Screen(show_results, frozenset({"measure"})),
    "Synthetic": Screen(show_synthetic, frozenset({"synthesise"})),
    "Tables": Screen(show_tables, frozenset({"table", "alternatives", "table_release"})),
    "Release": Screen(show_release, frozenset({"risk", "measure", "release"})),
}
