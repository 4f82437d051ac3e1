"""The screen Compare: many recipes at once, what each loses and what it leaves an intruder; one of them is taken."""

from functools import partial
from typing import TYPE_CHECKING, Any

import yaml
from nicegui import ui

from sfumato.app import changes
from sfumato.app.charts import standing, trade_off_chart
from sfumato.app.screens._parts import UNCHANGED, Cell, computed, data_table, heading, labelled_slider, remarks
from sfumato.app.usual_grid import usual_grid
from sfumato.catalogue import describe
from sfumato.display import format_compact, format_count
from sfumato.recipe import Recipe
from sfumato.risk import RISKS
from sfumato.study.candidate_entries import read_candidate

if TYPE_CHECKING:
    from sfumato.app.page import Frame

SEARCH, COMPARISON = "search", "comparison"
USUAL_TRIALS, MAX_TRIALS = 24, 200


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
        computed(frame, "search", "Search", "Not searched yet with these columns.", _show_study(frame), asked)


def show_comparison(frame: "Frame") -> None:
    """Show what was found in the grid."""
    if asked := frame.workbench.chosen(COMPARISON):
        heading("Found in the grid")
        computed(frame, "compare", "Compare", "Not compared yet with these columns.", _show_study(frame), asked)


def show_search_form(frame: "Frame") -> None:
    """Show the limit and the length of a search."""
    heading("Search under a limit", 3)
    chosen = frame.workbench.chosen(SEARCH) or {}
    figure, number = _first_limit(chosen.get("limits", ["DLD<=5"]))
    titles = {measure.name(): describe(measure).title for measure in RISKS.values()}
    names = {measure.symbol: measure.name() for measure in RISKS.values()}
    risk = ui.select(titles, label="Risk", value=names.get(figure, figure), with_input=True).classes("w-full")
    at_most = labelled_slider("at most, % of the records", 0, 100, number, step=0.5)
    trials = labelled_slider("how many recipes to try", 8, MAX_TRIALS, chosen.get("trials", USUAL_TRIALS))

    frame.drafts.keep(SEARCH, chosen, {"risk": risk, "at_most": at_most, "trials": trials})

    def start() -> None:
        limit = f"{risk.value}<={format_compact(at_most.value)}"
        asked = {"limits": [limit], "trials": int(trials.value)}
        if frame.act(changes.choose, f"searched with {limit}", SEARCH, asked):
            frame.workbench.compute("search", asked)

    ui.button("Search", on_click=start).props("no-caps")


def show_grid(frame: "Frame") -> None:
    """Show the candidates of the grid."""
    heading("Compare a grid", 3)
    bench = frame.workbench
    entries = bench.chosen(changes.GRID) or []
    if not entries:
        ui.label("No candidate yet. Begin with the usual ones for these columns, or add methods of your own.")
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
            ui.button("Add the present recipe", on_click=lambda: _add(frame, [{"steps": steps}])).props(
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
    asked = {"candidates": entries}
    frame.act(changes.choose, f"compared {format_count(len(entries), 'entry')}", COMPARISON, asked)
    frame.workbench.compute("compare", asked)


def _show_study(frame: "Frame") -> Any:
    return lambda found: show_study(frame, found)


def show_study(frame: "Frame", found: dict[str, Any]) -> None:
    """Show the map of a study and the same as a table."""
    remarks(found["notices"])

    def take(number: int) -> None:
        one, before = found["candidates"][number], frame.workbench.project.state
        taken = frame.act(changes.take_recipe, f"took {one['label']}", Recipe.from_yaml(one["recipe"]))
        if taken and frame.workbench.project.state is before:
            ui.notify(UNCHANGED, position="top")

    if found["risk"]:
        ui.label("Lower left is better. Point at a mark for its figures; click it to take its recipe.").classes(
            "text-sm"
        )
        ui.echart(trade_off_chart(found), on_point_click=lambda event: take(event.data["candidate"])).classes(
            "w-full h-96 max-w-4xl"
        ).props('role=img aria-label="Risk against loss of every candidate; the table below holds the same"')
    shown = [symbol for symbol in (found["loss"], found["risk"]) if symbol] or list(found["titles"])[:2]
    rows: list[tuple[Cell, ...]] = []
    for number in sorted(range(len(found["candidates"])), key=lambda number: _rank(found, number)):
        one = found["candidates"][number]
        figures = [_figure(one["figures"].get(symbol)) for symbol in shown]
        button: Cell = "" if one["error"] else ("Take", f"Take {one['label']}", partial(take, number))
        rows.append((one["label"], *figures, one["error"] or standing(one), button))
    data_table(("Recipe", *(found["titles"][symbol] for symbol in shown), "Stands", "Take it"), rows)


def _rank(found: dict[str, Any], number: int) -> tuple[bool, bool, float]:
    one = found["candidates"][number]
    loss = one["figures"].get(found["loss"])
    return not one["is_best"], not one["is_on_front"], float("inf") if loss is None else loss


def _figure(value: float | None) -> str:
    return "" if value is None else format_compact(value, 4)


def _first_limit(limits: list[str]) -> tuple[str, float]:
    figure, _, number = limits[0].partition("<=")
    return figure, float(number)


def _entry_words(entry: Any) -> str:
    recipes = read_candidate(entry)
    names = " then ".join(dict.fromkeys(describe(type(step)).title for step in recipes[0].steps))
    return f"{names}: {format_count(len(recipes), 'candidate')}"
