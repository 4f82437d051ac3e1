"""The screen Compare: many recipes at once, what each loses and what it leaves an intruder; one of them is taken."""

from functools import partial
from typing import TYPE_CHECKING, Any

import yaml
from nicegui import ui

from sfumato.app import changes
from sfumato.app.forms import without_marks
from sfumato.app.screens._parts import computed, heading, labelled_slider
from sfumato.app.screens.proposal import asked_of_keys
from sfumato.app.screens.study import show_study
from sfumato.app.studies.kept_entries import plain_entry
from sfumato.app.studies.proposal_entries import is_proposal, proposal_words
from sfumato.app.studies.usual_grid import usual_grid
from sfumato.catalogue import describe
from sfumato.contracts import Measure
from sfumato.display import format_compact, format_count
from sfumato.risk import RISKS
from sfumato.study.candidate_entries import read_candidate

if TYPE_CHECKING:
    from sfumato.app.page import Frame

SEARCH, COMPARISON = "search", "comparison"
USUAL_TRIALS, MAX_TRIALS = 24, 200
OWN = "own recipe"
ONE_RISK = (
    "A search limits one risk. What others find, such as somebody who knows the keys, is not looked at: measure the "
    "recipe that you take in the screen Result."
)


def show_intro(frame: "Frame") -> None:
    """Say what the screen is for."""
    heading("Which recipe loses least, at which risk?")
    ui.label(
        "Each candidate masks the whole file and is measured. Take one from the map or the table, and it becomes the "
        "recipe."
    ).classes("max-w-3xl")


def show_search(frame: "Frame") -> None:
    """Show what the search found."""
    if asked := frame.workbench.chosen(SEARCH):
        heading("Found by the search")
        ui.label(ONE_RISK).classes("max-w-3xl")
        computed(
            frame, "search", "Search", "Not searched yet with these columns.", partial(show_study, frame, SEARCH), asked
        )


def show_comparison(frame: "Frame") -> None:
    """Show what was found in the grid."""
    if asked := frame.workbench.chosen(COMPARISON):
        heading("Found by comparing")
        computed(
            frame,
            "compare",
            "Compare",
            "Not compared yet with these columns.",
            partial(show_study, frame, COMPARISON),
            asked,
        )


def show_search_form(frame: "Frame") -> None:
    """Show the limit and the length of a search."""
    heading("Search under a limit", 3)
    chosen = frame.workbench.chosen(SEARCH) or {}
    figure, number = _first_limit(chosen.get("limits", ["DLD<=5"]))
    titles = {measure.name(): describe(measure).title for measure in RISKS.values() if is_searchable(measure)}
    names = {measure.symbol: measure.name() for measure in RISKS.values()}
    risk = ui.select(titles, label="Risk", value=names.get(figure, figure), with_input=True).classes("w-full")
    meaning = ui.label().classes("text-xs text-grey-8")
    meaning.bind_text_from(risk, "value", lambda name: without_marks(describe(RISKS[name]).summary) if name else "")
    at_most = labelled_slider("at most, % of the records", 0, 100, number, step=0.5)
    trials = labelled_slider("how many recipes to try", 8, MAX_TRIALS, chosen.get("trials", USUAL_TRIALS))

    frame.drafts.keep(SEARCH, chosen, {"risk": risk, "at_most": at_most, "trials": trials})

    def start() -> None:
        limit = f"{risk.value}<={format_compact(at_most.value)}"
        asked = {"limits": [limit], "trials": int(trials.value)}
        if frame.act(changes.choose, f"searched with {limit}", SEARCH, asked):
            frame.workbench.compute("search", asked)

    ui.button("Search", on_click=start).props("no-caps")


def is_searchable(measure: type[Measure]) -> bool:
    """Tell whether a risk can be limited in a search: it needs to be told nothing but its columns."""
    return not any(field.is_required() for name, field in measure.model_fields.items() if name != "columns")


def show_grid(frame: "Frame") -> None:
    """Show the candidates of the grid."""
    heading("Compare several recipes", 3)
    bench = frame.workbench
    entries = bench.chosen(changes.GRID) or []
    if not entries:
        ui.label("No recipe yet. Begin with the usual ones for these columns, or add methods of your own.")
    with ui.element("ul").classes("list-disc pl-6 w-full"):
        for number, entry in enumerate(entries):
            with ui.element("li"), ui.row().classes("items-center gap-2 no-wrap"):
                ui.label(_entry_words(entry)).classes("grow min-w-0 text-sm")
                ui.button(
                    icon="delete", on_click=lambda number=number: frame.act(changes.remove_candidates, number)
                ).props(f'dense flat aria-label="Remove entry {number + 1} of the grid"')
    schema, recipe = bench.project.state.schema, bench.project.state.recipe
    with ui.row():
        ui.button("Add the usual ones", on_click=lambda: _add(frame, usual_grid(schema))).props("no-caps outline")
        if recipe is not None:
            steps = yaml.safe_load(recipe.to_yaml())["steps"]
            ui.button("Add the present recipe", on_click=lambda: _add(frame, [{"name": OWN, "steps": steps}])).props(
                "no-caps outline"
            )
        if entries:
            ui.button("Compare", on_click=lambda: _compare(frame, entries)).props("no-caps")


def _add(frame: "Frame", entries: list[Any]) -> None:
    if not entries:
        frame.show_problem("no column is of a kind that the usual methods take; correct the kinds in the screen Data")
        return
    frame.act(changes.add_candidates, entries)


def _compare(frame: "Frame", entries: list[Any]) -> None:
    of_keys = asked_of_keys(frame) if any(is_proposal(plain_entry(entry)) for entry in entries) else {}
    asked = {"candidates": entries, **({"of_keys": of_keys} if of_keys else {})}
    frame.act(changes.choose, f"compared {format_count(len(entries), 'entry')}", COMPARISON, asked)
    frame.workbench.compute("compare", asked)


def _first_limit(limits: list[str]) -> tuple[str, float]:
    figure, _, number = limits[0].partition("<=")
    return figure, float(number)


def _entry_words(kept: Any) -> str:
    entry = plain_entry(kept)
    if is_proposal(entry):
        return proposal_words(entry)
    recipes = read_candidate(entry)
    names = " then ".join(dict.fromkeys(describe(type(step)).title for step in recipes[0].steps))
    return f"{names}: {format_count(len(recipes), 'candidate')}"
