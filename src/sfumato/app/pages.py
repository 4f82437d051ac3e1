"""The pages that the server has: a project, its opening, and the choice of a file where none was named."""

import json
from collections.abc import Callable
from functools import partial

from nicegui import ui

from sfumato.app.desk import Desk, OpenedProject
from sfumato.app.page import Frame
from sfumato.app.project import REMARKS
from sfumato.app.screens._parts import heading
from sfumato.app.scripts.focus import KEEP_FOCUS
from sfumato.app.scripts.lost_clicks import FINISH_PRESSES, tell_lost_clicks
from sfumato.app.start_page import StartPage
from sfumato.app.workbench import Workbench
from sfumato.display.figure_style import COLOURS

SECONDS_BETWEEN_LOOKS = 0.1
STYLE = """<style>
:focus-visible { outline: 3px solid #D55E00 !important; outline-offset: 2px; }
.q-field__label, .q-field__native, .q-tab { color: #222 !important; opacity: 1 !important; }
.q-tab--active { font-weight: 600; }
.columns-table { border-collapse: collapse; width: 100%; }
.columns-table th, .columns-table td { text-align: left; vertical-align: top; padding: .3em .6em;
  border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
.columns-table th[scope=row] { min-width: 10rem; } .columns-table td { min-width: 5rem; }
.columns-table.wide td:nth-child(2) { min-width: 15rem; } .columns-table.wide td:nth-child(4) { max-width: 13rem; }
.beside { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 1rem; }
.recipe { border-left: 1px solid #ddd; position: sticky; top: 50px; align-self: start; overflow: auto;
  max-height: calc(100vh - 100px); min-height: calc(100vh - 130px); }
@media (max-width: 900px) { .beside { grid-template-columns: minmax(0, 1fr); }
  .recipe { border-left: 0; border-top: 1px solid #ddd; position: static; max-height: none; min-height: 0; } }
.two-ways { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 2.5rem; }
@media (max-width: 1100px) { .two-ways { grid-template-columns: minmax(0, 1fr); } }
.crosstab { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.crosstab caption { text-align: left; caption-side: top; padding-bottom: .3em; }
.crosstab th, .crosstab td { padding: .25em .6em; border: 1px solid #ddd; text-align: right; }
.crosstab th[scope=row] { text-align: left; font-weight: 500; }
.cell-primary { background: repeating-linear-gradient(45deg, #f6d5c3 0 6px, #fff 6px 12px); font-weight: 700; }
.cell-secondary { background: repeating-linear-gradient(90deg, #e3e3e3 0 2px, #fff 2px 8px); }
.cell-suppressed { background: #e3e3e3; }
.columns-table th[scope=row] > div { display: -webkit-box; -webkit-line-clamp: 4; -webkit-box-orient: vertical;
  overflow: hidden; }
.columns-table tr.remarked > * { border-bottom: 0; } .columns-table tr.remarked + tr > td { padding-top: 0; }
.columns-table tr.remarked + tr > td > * { position: sticky; left: .6em; width: fit-content;
  max-width: calc(100vw - 6rem); }
details > summary { cursor: pointer; } details > summary > div { display: inline; }
details[open] > summary > div { display: none; } details[open] > summary::after { content: "Fold"; }
.q-tab-panels, .q-panel.scroll { overflow: visible; }
.q-notification__actions .q-btn { color: #fff !important; text-transform: none; }
.q-checkbox { min-height: 28px; }
h2 { font-size: 1.25rem; font-weight: 600; margin: 0; line-height: 1.4; }
h3 { font-size: 1rem; font-weight: 600; margin: 0; line-height: 1.4; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; }
</style>"""


def build_pages(desk: Desk, first: str | None, max_upload: int) -> None:
    """Make the pages: at the root the project with the key `first`, or the choice of a file; others by their key."""

    @ui.page("/")
    def root() -> None:
        _dress()
        if first is None:
            StartPage(desk, max_upload).show()
        else:
            show_project(desk, first)

    @ui.page("/project/{key}")
    def project(key: str) -> None:
        _dress()
        show_project(desk, key)


def show_project(desk: Desk, key: str) -> None:
    """Show a project, or how far its opening is."""
    opened = desk.projects.get(key)
    if opened is None:
        _show_words("This project is closed. Choose a file again.", desk)
    elif opened.workbench is not None:
        _show_workbench(opened.workbench, has_others=bool(desk.folders))
    elif opened.problem:
        _show_words(f"{opened.place.file.name} cannot be opened: {opened.problem}", desk)
    else:
        _show_opening(opened, partial(show_project, desk, key))


def _dress() -> None:
    ui.colors(primary=COLOURS[0], secondary="#444444", accent=COLOURS[1], negative="#8c2d04", positive="#1b6e3a")
    ui.add_head_html(STYLE)
    ui.add_head_html(KEEP_FOCUS)
    ui.add_head_html(FINISH_PRESSES)
    tell_lost_clicks(ui.context.client)


def _show_workbench(workbench: Workbench, *, has_others: bool) -> None:
    frame = Frame(workbench, _remarks(workbench), has_others=has_others)
    frame.show()
    client = ui.context.client

    def on_change(verb: str | None) -> None:
        with client:
            frame.refresh(verb)

    workbench.listen(on_change)
    client.on_delete(lambda: workbench.forget(on_change))


def _show_opening(opened: OpenedProject, show_opened: Callable[[], None]) -> None:
    """Show how far the opening is, until the workbench, or why there is none, takes its place.

    The page is not loaded again: the browser would need a second for it that whoever waits for a figure has not.
    """
    client = ui.context.client
    header = _show_header()
    with ui.element("main").classes("w-full max-w-3xl") as main, ui.column().classes("w-full"):
        heading(f"Opening {opened.place.file.name}")
        ui.linear_progress(show_value=False).props('indeterminate aria-label="Progress"')
        words = ui.label(opened.task.words).props('role="status"')

    def look() -> None:
        words.text = opened.task.words
        if opened.workbench is None and not opened.problem:
            return
        timer.cancel()
        with client:
            header.delete()
            main.delete()
            show_opened()

    timer = ui.timer(SECONDS_BETWEEN_LOOKS, look)


def _show_header() -> ui.header:
    with ui.header().classes("items-center py-1 px-4") as header:
        ui.label("Sfumato").classes("text-lg font-bold")
    return header


def _show_words(words: str, desk: Desk) -> None:
    _show_header()
    with ui.element("main").classes("w-full max-w-3xl"), ui.column().classes("w-full"):
        heading("Nothing is open")
        ui.label(words).props('role="status"')
        if desk.folders:
            ui.link("Choose a file", "/")


def _remarks(workbench: Workbench) -> dict[str, list[str]]:
    """Return what was in doubt of each column when the project began."""
    try:
        found: dict[str, list[str]] = json.loads((workbench.project.folder / REMARKS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found
