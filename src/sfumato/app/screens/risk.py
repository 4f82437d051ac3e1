"""The screen Risk: who stands out in the original file, by what, and how much."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app.charts import bar_chart, risk_classes
from sfumato.app.screens._parts import computed, data_table, figure_card, heading, remarks
from sfumato.data import role

if TYPE_CHECKING:
    from sfumato.app.page import Frame

MAX_ROWS = 12


def show_risk(frame: "Frame") -> None:
    """Show the risk of the original file, or what to do to see it."""
    heading("Who stands out in the original file?")
    keys = frame.workbench.project.state.schema.select(role("key"))
    if not keys:
        ui.label(
            "No column is a key. Give that role, in the screen Data, to the columns that others may know of a person."
        )
        return
    ui.label(f"The intruder knows of a person: {', '.join(keys)}.").classes("max-w-3xl")
    computed(frame, "risk", "Measure the risk", "Not measured yet for these keys.", show_found)


def show_found(found: dict[str, Any]) -> None:
    """Show what was measured."""
    with ui.row().classes("gap-3"):
        for figure in found["figures"]:
            figure_card(figure["name"], figure["value"], figure["unit"], figure["meaning"])
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
