"""The part of the screen Protect in which a recipe is proposed, within limits."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from sfumato.app import changes
from sfumato.app.screens._parts import FIGURE_DIGITS, attribute, computed, heading, labelled_slider, remarks
from sfumato.app.screens.further_limits import show_further_limits
from sfumato.display import format_compact, format_count
from sfumato.recipe import Recipe
from sfumato.reports.release.words.alarms import calm

if TYPE_CHECKING:
    from sfumato.app.page import Frame

PROPOSAL = "proposal"
OPENED = "opened parts of the proposal"
WHOLE = "make whole records equal, in all columns: nobody can tell k of them apart, and much detail is lost"
USUAL_K, MAX_K = 3, 30
USUAL_SUPPRESSED, MAX_SUPPRESSED = 5.0, 30.0  # percent


def show_proposal_form(frame: "Frame") -> None:
    """Show the limits within which a recipe is proposed."""
    heading("Let a recipe be proposed")
    ui.label("Keys are made broader, and values suppressed, until nobody stands out by them.")
    chosen = frame.workbench.chosen(PROPOSAL) or {}
    k = labelled_slider("k: records that look alike by the keys, at least", 2, MAX_K, chosen.get("k", USUAL_K))
    has_limit = ui.switch("limit how much is suppressed", value="max_suppressed" in chosen)
    most = labelled_slider(
        "suppress at most, % of the key values", 0, MAX_SUPPRESSED, chosen.get("max_suppressed", USUAL_SUPPRESSED), 0.5
    )
    most.bind_enabled_from(has_limit, "value")
    strict = ui.switch("count a gap as a value of its own, too (strict)", value=chosen.get("strict", False))
    l = ui.number("l: different values in each group", min=2, max=100, value=chosen.get("l")).classes("w-full")
    t = ui.number("t: distance from the file, 0 to 1", value=chosen.get("t")).classes("w-full")
    whole = ui.switch(WHOLE, value=chosen.get("whole_records", False))
    further = show_further_limits(frame, chosen)
    for field in (has_limit, strict, l, t, *further.switched):
        field.bind_enabled_from(whole, "value", lambda is_whole: not is_whole)
    fields: dict[str, ValueElement[Any]] = {"k": k, "has_limit": has_limit, "most": most, "strict": strict}
    fields |= {"l": l, "t": t, "whole": whole, **further.fields}
    frame.drafts.keep(PROPOSAL, chosen, fields)
    frame.drafts.keep(OPENED, None, {"further limits": further.opened, **_key_order(frame)})

    def of_keys() -> dict[str, Any]:
        asked: dict[str, Any] = {"strict": bool(strict.value)}
        asked |= {"max_suppressed": float(most.value)} if has_limit.value else {}
        asked |= {"l": int(l.value)} if l.value is not None else {}
        asked |= {"t": float(t.value)} if t.value is not None else {}
        return asked | further.asked() | asked_of_keys(frame)

    def propose() -> None:
        asked = {"k": int(k.value), **({"whole_records": True} if whole.value else of_keys())}
        frame.act(changes.choose, f"asked for a recipe with k = {asked['k']}", PROPOSAL, asked)
        frame.workbench.compute("propose", asked)

    ui.button("Propose a recipe", on_click=propose).props("no-caps")


def show_proposed(frame: "Frame") -> None:
    """Show what was proposed."""
    if chosen := frame.workbench.chosen(PROPOSAL):
        computed(
            frame,
            "propose",
            "Propose it anew",
            "Kinds or roles have changed since.",
            lambda found: _show_proposed(frame, found),
            chosen,
        )


def asked_of_keys(frame: "Frame") -> dict[str, Any]:
    """Return what was chosen of the keys: how much each matters, where they were put into an order, and their trees."""
    state = frame.workbench.project.state
    found: dict[str, Any] = {}
    if changes.KEY_ORDER in state.settings:
        order = changes.key_order(state)
        found["importance"] = {name: float(len(order) - place) for place, name in enumerate(order)}
    order = changes.key_order(state)
    if trees := {name: tree for name, tree in state.settings.get(changes.TREES, {}).items() if name in order}:
        found["hierarchies"] = trees
    return found


def _key_order(frame: "Frame") -> dict[str, ui.expansion]:
    """Show the keys in their order; return what can be opened there."""
    order = changes.key_order(frame.workbench.project.state)
    if len(order) < 2:
        return {}
    with ui.expansion("Which keys matter most").classes("w-full") as opened:
        ui.label("Those further up are kept finer, and suppressed less.").classes("text-sm")
        with ui.element("ol").classes("list-decimal pl-6 w-full"):
            for place, name in enumerate(order):
                with ui.element("li"), ui.row().classes("items-center gap-2 no-wrap"):
                    ui.label(name).classes("grow min-w-0 break-all")
                    up = ui.button(icon="arrow_upward", on_click=lambda name=name: frame.act(changes.raise_key, name))
                    up.props("dense flat").props(attribute("aria-label", f"{name} matters more"))
                    up.set_enabled(place > 0)
    return {"which keys matter": opened}


def _show_proposed(frame: "Frame", found: dict[str, Any]) -> None:
    heading("Proposed", 3)
    ui.label(f"{format_compact(found['suppressed'], FIGURE_DIGITS)} % of the key values are suppressed.")
    for promise in found["promises"]:
        ui.label(promise_words(promise)).classes("text-sm")
    for limit in found["after"]["limits"]:
        ui.label(limit_words(limit)).classes("text-sm")
    remarks([calm(alarm) for alarm in found["alarms"]], "Where it does not hold")
    recipe = Recipe.from_yaml(found["recipe"])
    ui.button(
        "Take this recipe", on_click=lambda: frame.act(changes.take_recipe, "took what protect proposed", recipe)
    ).props("no-caps")


def show_all_found(frame: "Frame") -> None:
    """Show all that was found of what was proposed, as wide as the screen."""
    chosen = frame.workbench.chosen(PROPOSAL)
    found = frame.workbench.project.result("propose", chosen) if chosen else None
    if found:
        with ui.expansion("All that was found of the proposed recipe").classes("w-full"), ui.element("pre"):
            ui.label(found["text"])


def limit_words(limit: Mapping[str, Any]) -> str:
    """Return a limit on a figure, and whether it is kept.

    Examples
    --------
    >>> limit_words({"limit": "global_risk <= 1", "figure": 2.25, "is_met": False, "reason": ""})
    'Not kept: global risk <= 1 (it is 2.25)'
    """
    figure = format_compact(limit["figure"], FIGURE_DIGITS)
    why = f"; {limit['reason']}" if limit["reason"] else ""
    return f"{'Kept' if limit['is_met'] else 'Not kept'}: {limit['limit'].replace('_', ' ')} (it is {figure}){why}"


def promise_words(promise: Mapping[str, Any]) -> str:
    """Return what was asked of a recipe, and whether it is kept.

    Examples
    --------
    >>> promise_words({"asked": "k = 3 by all keys", "violations": {"wildcard": 2}, "readings": ["wildcard"]})
    'Not kept by 2 records: k = 3 by all keys'
    """
    broken = max(promise["violations"][reading] for reading in promise["readings"])
    verdict = f"Not kept by {format_count(broken, 'record')}" if broken else "Kept"
    return f"{verdict}: {promise['asked']}"
