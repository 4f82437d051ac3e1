"""The screen Risk: who stands out in the original file, by what, and how much."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.charts import bar_chart, risk_classes
from sfumato.app.screens._parts import computed, data_table, figure_card, heading, remarks
from sfumato.app.workbench import Workbench
from sfumato.data import role
from sfumato.keys.findings.counted_units import OPTION

if TYPE_CHECKING:
    from sfumato.app.page import Frame

MAX_ROWS = 12
SCENARIO, ALL, SOME = "scenario", "all", "some"
ONLY_COUNTS = (
    "k, violations and uniques are for somebody who knows any {size} of the keys. All other figures are for somebody "
    "who knows all of them, which is the most that anybody can know."
)


def show_scenario(frame: "Frame") -> None:
    """Show what the intruder may know, to be chosen."""
    heading("Who stands out in the original file?")
    keys = frame.workbench.project.state.schema.select(role("key"))
    if keys:
        _show_choice(frame, keys)
        return
    ui.label("No column is a key. Give that role, in the screen Data, to the columns that others may know of a person.")


def show_risk(frame: "Frame") -> None:
    """Show the risk of the original file, or what to do to see it."""
    keys = frame.workbench.project.state.schema.select(role("key"))
    if not keys:
        return
    arguments = scenario_arguments(frame.workbench, keys)
    known = arguments.get("columns", keys)
    together = arguments.get("combinations")
    what = f"any {together} of {', '.join(known)}" if together else ", ".join(known)
    ui.label(f"The intruder knows of a person: {what}.").classes("max-w-3xl")
    empty = "Not measured yet for what this intruder knows."
    computed(frame, "risk", "Measure the risk", empty, lambda found: show_found(frame, found, arguments), arguments)


def scenario_arguments(workbench: Workbench, keys: tuple[str, ...]) -> dict[str, Any]:
    """Return what the intruder knows as what the risk is measured with; what is no key any longer is left out."""
    chosen = workbench.chosen(SCENARIO) or {}
    if chosen.get("combinations") in _sizes(keys):
        return {"combinations": chosen["combinations"]}
    known = [name for name in chosen.get("columns", keys) if name in keys]
    return {"columns": known} if known and len(known) < len(keys) else {}


def _sizes(keys: tuple[str, ...]) -> list[int]:
    return [size for size in (2, 3) if size < len(keys)]


def _show_choice(frame: "Frame", keys: tuple[str, ...]) -> None:
    arguments, sizes = scenario_arguments(frame.workbench, keys), _sizes(keys)
    together, known = arguments.get("combinations"), arguments.get("columns", list(keys))
    knows = {ALL: "knows all keys", SOME: "knows some of them", **{str(size): f"knows any {size}" for size in sizes}}
    held = str(together) if together else ALL if len(known) == len(keys) else SOME

    def choose(names: list[str], size: str) -> None:
        asked: dict[str, Any] = {}
        if size == SOME:
            asked["columns"] = [name for name in keys if name in names] or list(keys)
        elif size != ALL:
            asked["combinations"] = int(size)
        frame.act(changes.choose, "chose what the intruder knows", SCENARIO, asked or None)

    with ui.row().classes("items-end gap-4"):
        how = ui.select(knows, label="The intruder", value=held).classes("w-48")
        names = ui.select(list(keys), label="Which of them", value=known, multiple=True).classes("w-80")
        names.set_visibility(held == SOME)
        how.on_value_change(
            lambda event: names.set_visibility(True) if event.value == SOME else choose([], str(event.value))
        )
        names.on("popup-hide", lambda: choose(names.value, SOME))


def show_found(frame: "Frame", found: dict[str, Any], arguments: dict[str, Any]) -> None:
    """Show what was measured."""
    with ui.row().classes("gap-3"):
        for figure in found["figures"]:
            figure_card(figure["name"], figure["value"], figure["unit"], figure["meaning"])
    if "combinations" in arguments:
        ui.label(ONLY_COUNTS.format(size=arguments["combinations"])).classes("max-w-3xl")
    counted_as = found.get("counted_as", "").replace(
        OPTION, "in the screen Data"
    )  # kept ones of earlier versions lack it
    ui.label(counted_as).classes("max-w-3xl")
    remarks(found["remarks"])
    if found["histogram"]["records"]:
        shape = {"labels": risk_classes(found["histogram"]["edges"]), "before": found["histogram"]["records"]}
        ui.echart(bar_chart(shape, "How probable it is that a record is recognised", "records")).classes(
            "w-full h-72 max-w-3xl"
        ).props('role=img aria-label="Histogram of the individual risk"')
    heading("Which keys the risk runs through", 3)
    data_table(
        ("Key", "Risk without it, %", "Falls by, %"),
        [(row["key"], f"{row['risk_without']:.2f}", f"{row['fall']:.1f}") for row in found["variables"]],
    )
    heading("Categories at most risk", 3)
    data_table(
        ("Key", "Category", "Records", "Mean risk, %", "Share of the risk, %"),
        [
            (
                row["key"],
                row["label"] or str(row["category"]),
                str(row["records"]),
                f"{row['mean_risk']:.2f}",
                f"{row['share_of_risk']:.1f}",
            )
            for row in found["categories"][:MAX_ROWS]
        ],
    )
    heading("Combinations at most risk", 3)
    data_table(
        ("Combination", "Records", "Mean risk, %", "Share of the risk, %"),
        [
            (row["combination"], str(row["records"]), f"{row['mean_risk']:.2f}", f"{row['share_of_risk']:.1f}")
            for row in found["combinations"][:MAX_ROWS]
        ],
    )
    heading("Records", 3)
    asked = {"columns": arguments["columns"]} if "columns" in arguments else {}
    empty = "The records at most risk are shown only if you ask for them: they are of real people."
    computed(frame, "records", "Show records", empty, _show_records, asked)


def _show_records(found: dict[str, Any]) -> None:
    data_table(
        (*found["names"], "Risk, %"),
        [(*record["values"], f"{record['risk']:.2f}") for record in found["records"]],
    )
