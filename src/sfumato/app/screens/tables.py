"""The screen Tables: what a table is of, which cells are unsafe and hidden, why, and what else could be done."""

from typing import TYPE_CHECKING, Any

import yaml
from nicegui import ui

from sfumato.app import changes
from sfumato.app.forms import record_form
from sfumato.app.screens._crosstab import show_crosstab
from sfumato.app.screens._parts import computed, data_table, heading, remarks
from sfumato.app.table_specifications import SPECIFICATION, specification_of
from sfumato.catalogue import describe
from sfumato.data import CATEGORICAL, Kind, Role
from sfumato.display import format_compact
from sfumato.errors import SfumatoError
from sfumato.tables import PROTECTIONS, RULES

if TYPE_CHECKING:
    from sfumato.app.page import Frame

COUNT = "number of records"
NOBODY = "each record by itself"
USUAL_RULES = ("p_percent", "dominance", "pq", "min_units", "zero_unsafe")
USUAL_PROTECTIONS = ("automatic_suppression", "optimal_suppression", "controlled_rounding", "cell_key_perturbation")
FIGURES = {
    "suppressed_cells": "Cells hidden, %",
    "changed_cells": "Cells changed, %",
    "largest_deviation": "Largest change",
    "largest_break": "Sums broken by at most",
    "protected_primaries": "Unsafe cells protected, %",
}


def show_tables_intro(frame: "Frame") -> None:
    """Say what the screen is for."""
    heading("A table of this file, safe to publish")
    ui.label(
        "Say what goes down and across, and what makes a cell unsafe. The cells that give somebody away are hidden, "
        "with as few others as keep them from being worked out."
    ).classes("max-w-3xl")


def show_table_form(frame: "Frame") -> None:
    """Show the form of the specification."""
    schema, held = frame.workbench.project.state.schema, frame.workbench.chosen(SPECIFICATION) or {}
    categories = [one.name for one in schema.variables if one.kind in CATEGORICAL]
    numbers = [one.name for one in schema.variables if one.kind is Kind.CONTINUOUS]
    dimensions = [name for name in held.get("by", ()) if name in categories]
    down = ui.select(categories, label="Rows", value=dimensions[:-1] or dimensions, multiple=True).props("use-chips")
    across = ui.select([None, *categories], label="Columns", value=dimensions[-1] if len(dimensions) > 1 else None)
    value = ui.select([COUNT, *numbers], label="Cells hold the", value=held.get("value", COUNT))
    holding = ui.select(
        [NOBODY, *schema.names], label="Who contributes together (holding)", value=held.get("holding", NOBODY)
    )
    weights = [one.name for one in schema.variables if one.role is Role.WEIGHT]
    weight = ui.switch("count by the weight", value="weight" in held) if weights else None
    rules = {name: f"{describe(rule).title}" for name, rule in RULES.items() if name in USUAL_RULES}
    kept_rule, kept_numbers = _first_entry(held.get("rules"), "min_units", {"units": 3})
    rule = ui.select(rules, label="A cell is unsafe by", value=kept_rule)
    rule_place = ui.column().classes("w-full")
    ways = {name: describe(PROTECTIONS[name]).title for name in USUAL_PROTECTIONS}
    kept_way, kept_settings = _first_entry(held.get("protections"), "automatic_suppression", {})
    way = ui.select(ways, label="Protect by", value=kept_way)
    for field in (down, across, value, holding, rule, way):
        field.classes("w-full")
    chosen = {"down": down, "across": across, "value": value, "holding": holding, "rule": rule, "way": way}
    frame.drafts.keep(SPECIFICATION, held, {**chosen, **({} if weight is None else {"weight": weight})})
    forms: dict[str, Any] = {}

    def show_rule() -> None:
        rule_place.clear()
        with rule_place:
            forms["rule"] = record_form(
                RULES[rule.value],
                schema,
                kept_numbers if rule.value == kept_rule else {},
                leaves_out=frozenset({"columns"}),
            )
            frame.drafts.keep("rule of a table", (held, rule.value), forms["rule"].fields)

    rule.on_value_change(show_rule)
    show_rule()

    def protect() -> None:
        try:
            forms["rule"].make()
            asked = specification_of(
                [*down.value, *([across.value] if across.value else [])],
                value=None if value.value == COUNT else value.value,
                holding=None if holding.value == NOBODY else holding.value,
                weight=weights[0] if weight is not None and weight.value else None,
                rule={rule.value: forms["rule"].values()},
                protection={way.value: kept_settings if way.value == kept_way else {}},
                trees=frame.workbench.chosen(changes.TREES) or {},
            )
        except SfumatoError as error:
            frame.show_problem(str(error))
            return
        title = " by ".join(asked["by"])
        frame.act(changes.choose, f"asked for a table of {title}", SPECIFICATION, asked)
        frame.workbench.compute("table", {"specification": asked})

    ui.button("Protect the table", on_click=protect).props("no-caps")


def _first_entry(entries: Any, name: str, settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name and the settings of the first entry of a specification, or the usual ones."""
    if not entries:
        return name, settings
    ((held, given),) = entries[0].items()
    return held, given


def show_tables(frame: "Frame") -> None:
    """Show what came of it."""
    chosen = frame.workbench.chosen(SPECIFICATION)
    if not chosen:
        ui.label("No table yet. Choose the rows at the left, and protect it.")
        return
    asked = {"specification": chosen}
    computed(frame, "table", "Protect it anew", "Kinds or roles have changed since.", _show_table, asked)
    if frame.workbench.project.result("table", asked):
        heading("Other ways to protect it", 3)
        computed(
            frame,
            "alternatives",
            "Compare with rounding and cell keys",
            "Rounding and cell keys publish every cell, a little changed.",
            _show_alternatives,
            asked,
        )
        heading("Write it", 3)
        computed(
            frame,
            "table_release",
            "Write the table",
            "To publish: a CSV file and a page. To keep inside: the same with reasons, for review.",
            _show_written,
            asked,
        )
    with ui.expansion("The specification, as the command line reads it").classes("w-full"), ui.element("pre"):
        ui.label(yaml.safe_dump({"data": frame.workbench.project.file.name, **chosen}, sort_keys=False))


def _show_table(found: dict[str, Any]) -> None:
    verdict = "Safe" if found["is_safe"] else "NOT SAFE" if found["is_safe"] is not None else "Not audited"
    ui.label(verdict).classes("text-lg font-medium").props('role="status"')
    for sentence in found["sentences"]:
        ui.label(sentence).classes("text-sm max-w-3xl")
    for laid in found["tables"].values():
        show_crosstab(laid)


def _show_alternatives(found: dict[str, Any]) -> None:
    data_table(
        ("Protection", *FIGURES.values()),
        [(str(row["name"]), *(_figure(row[name]) for name in FIGURES)) for row in found["protections"]],
    )


def _figure(value: float | None) -> str:
    return "" if value is None or value != value else format_compact(value)


def _show_written(found: dict[str, Any]) -> None:
    with ui.element("ul").classes("list-disc pl-6"):
        for file in found["files"]:
            with ui.element("li"):
                ui.label(file)
    remarks(found["notices"])
