"""The screens, in a steward's order; each shows a project, and calls what changes or computes it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from sfumato.app.screens.compare import show_compare
from sfumato.app.screens.data import show_data
from sfumato.app.screens.new_step import show_new_step
from sfumato.app.screens.proposal import show_proposal
from sfumato.app.screens.release import show_release
from sfumato.app.screens.results import show_results
from sfumato.app.screens.risk import show_risk
from sfumato.app.screens.steps import show_steps
from sfumato.app.screens.synthetic import show_synthetic
from sfumato.app.screens.tables import show_tables
from sfumato.app.screens.trees import show_trees

if TYPE_CHECKING:
    from sfumato.app.page import Frame


class Part(NamedTuple):
    """A part of a screen, which is shown anew by itself: how to show it, and the verbs whose results it shows."""

    show: "Callable[[Frame], None]"
    verbs: frozenset[str] = frozenset()


class Screen(NamedTuple):
    """A screen: its parts from top to bottom, and those that stand to the left of them, if any."""

    parts: tuple[Part, ...]
    left: tuple[Part, ...] = ()


def _whole(show: "Callable[[Frame], None]", *verbs: str) -> Screen:
    return Screen((Part(show, frozenset(verbs)),))


SCREENS = {
    "Data": _whole(show_data, "look"),
    "Risk": _whole(show_risk, "risk", "records"),
    "Protect": Screen(
        left=(Part(show_proposal, frozenset({"propose"})),),
        parts=(
            Part(show_steps),
            Part(show_new_step, frozenset({"preview"})),
            Part(show_trees, frozenset({"categories", "hierarchy"})),
        ),
    ),
    "Compare": _whole(show_compare, "compare", "search"),
    "Result": _whole(show_results, "measure"),
    "Synthetic": _whole(show_synthetic, "synthesise"),
    "Tables": _whole(show_tables, "table", "alternatives", "table_release"),
    "Release": _whole(show_release, "risk", "measure", "release"),
}
