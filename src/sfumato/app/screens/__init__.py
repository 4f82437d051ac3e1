"""The screens, in a steward's order; each shows a project, and calls what changes or computes it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato.app.changes import GRID, KEY_ORDER, MEASURES
from sfumato.app.screens.compare import (
    COMPARISON,
    SEARCH,
    show_comparison,
    show_grid,
    show_intro,
    show_search,
    show_search_form,
)
from sfumato.app.screens.data import show_data
from sfumato.app.screens.further_risks import show_further_form, show_further_risks
from sfumato.app.screens.grid_entry import show_grid_entry
from sfumato.app.screens.new_step import show_new_step, show_preview, step_basis
from sfumato.app.screens.proposal import PROPOSAL, show_all_found, show_proposal_form, show_proposed
from sfumato.app.screens.release import show_release
from sfumato.app.screens.results import show_results
from sfumato.app.screens.risk import SCENARIO, show_risk, show_scenario
from sfumato.app.screens.steps import show_steps
from sfumato.app.screens.synthetic import SYNTHESIS, show_synthesis_form, show_synthetic, show_synthetic_intro
from sfumato.app.screens.tables import show_table_form, show_tables, show_tables_intro
from sfumato.app.screens.tree_import import show_imported, show_tree_import
from sfumato.app.screens.trees import show_trees, tree_basis
from sfumato.app.table_specifications import SPECIFICATION

if TYPE_CHECKING:
    from sfumato.app.page import Frame

    Show = Callable[[Frame], Callable[[], None] | None]

SCHEMA, RECIPE = "schema", "recipe"


class Part(NamedTuple):
    """A part of a screen, which is shown anew by itself.

    Parameters
    ----------
    show
        Shows it; returns how to bring it up to date where that is less than showing it anew.
    basis
        What it shows of a project and of a tab: an action that changes none of it leaves the part alone, and with it
        what somebody is typing there.
    verbs
        The verbs whose results it shows.
    """

    show: "Show"
    basis: "Callable[[Frame], Any]"
    verbs: frozenset[str] = frozenset()


class Screen(NamedTuple):
    """A screen: its parts from top to bottom, those to the left of them, and those above and below both."""

    parts: tuple[Part, ...]
    left: tuple[Part, ...] = ()
    top: tuple[Part, ...] = ()
    below: tuple[Part, ...] = ()


def part(show: "Show", *topics: str, verbs: tuple[str, ...] = ()) -> Part:
    """Return a part that shows something of the schema, the recipe, or what was chosen elsewhere, by its topic."""

    def basis(frame: "Frame") -> Any:
        state = frame.workbench.project.state
        held = {SCHEMA: state.schema_yaml, RECIPE: state.recipe_yaml, **state.settings}
        return [held.get(topic) for topic in topics]

    return Part(show, basis, frozenset(verbs))


SCREENS = {
    "Data": Screen((part(show_data, SCHEMA, verbs=("look",)),)),
    "Risk": Screen(
        (
            part(show_risk, SCHEMA, SCENARIO, verbs=("risk", "records")),
            part(show_further_form, SCHEMA),
            part(show_further_risks, SCHEMA, MEASURES, verbs=("measures",)),
        ),
        top=(part(show_scenario, SCHEMA, SCENARIO),),
    ),
    "Protect": Screen(
        left=(
            part(show_proposal_form, SCHEMA, PROPOSAL, KEY_ORDER),
            part(show_proposed, SCHEMA, PROPOSAL, verbs=("propose",)),
        ),
        parts=(
            part(show_steps, RECIPE),
            Part(show_new_step, step_basis),
            Part(show_preview, lambda frame: (step_basis(frame), frame.previewed), frozenset({"preview"})),
            Part(show_trees, tree_basis, frozenset({"categories"})),
            Part(show_tree_import, lambda frame: frame.tree_column),
            Part(show_imported, lambda frame: (frame.tree_column, frame.imported), frozenset({"hierarchy"})),
        ),
        below=(part(show_all_found, SCHEMA, PROPOSAL, verbs=("propose",)),),
    ),
    "Compare": Screen(
        top=(part(show_intro),),
        left=(part(show_search_form, SEARCH),),
        parts=(part(show_grid, SCHEMA, RECIPE, GRID), part(show_grid_entry, SCHEMA)),
        below=(
            part(show_search, SCHEMA, SEARCH, verbs=("search",)),
            part(show_comparison, SCHEMA, COMPARISON, verbs=("compare",)),
        ),
    ),
    "Result": Screen((part(show_results, SCHEMA, RECIPE, PROPOSAL, verbs=("masked_risk", "measure")),)),
    "Synthetic": Screen(
        top=(part(show_synthetic_intro),),
        left=(part(show_synthesis_form, SCHEMA, SYNTHESIS),),
        parts=(part(show_synthetic, SCHEMA, SYNTHESIS, verbs=("synthesise",)),),
    ),
    "Tables": Screen(
        top=(part(show_tables_intro),),
        left=(part(show_table_form, SCHEMA, SPECIFICATION),),
        parts=(part(show_tables, SCHEMA, SPECIFICATION, verbs=("table", "alternatives", "table_release")),),
    ),
    "Release": Screen(
        (
            part(
                show_release,
                SCHEMA,
                RECIPE,
                SCENARIO,
                PROPOSAL,
                verbs=("risk", "masked_risk", "measure", "release", "verify", "report"),
            ),
        )
    ),
}
