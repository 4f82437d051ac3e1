"""The screens, in a steward's order; each shows a project, and calls what changes or computes it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from sfumato.app.screens.data import show_data
from sfumato.app.screens.protect import show_protect
from sfumato.app.screens.release import show_release
from sfumato.app.screens.results import show_results
from sfumato.app.screens.risk import show_risk

if TYPE_CHECKING:
    from sfumato.app.page import Frame


class Screen(NamedTuple):
    """A screen: how to show it, and the verbs whose results it shows."""

    show: "Callable[[Frame], None]"
    verbs: frozenset[str]


SCREENS = {
    "Data": Screen(show_data, frozenset({"look"})),
    "Risk": Screen(show_risk, frozenset({"risk"})),
    "Protect": Screen(show_protect, frozenset({"propose", "preview"})),
    "Result": Screen(show_results, frozenset({"measure"})),
    "Release": Screen(show_release, frozenset({"risk", "measure", "release"})),
}
