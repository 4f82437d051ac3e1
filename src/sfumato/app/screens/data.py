"""The screen Data: what each column is and is for, and which codes mean "no answer"."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.charts import sparkline
from sfumato.app.fields.keyed_select import KeyedSelect
from sfumato.app.fields.text_field import TextField
from sfumato.app.screens._parts import foldable, heading, remarks, text_in_attribute
from sfumato.data import Kind, Role, Variable

if TYPE_CHECKING:
    from sfumato.app.page import Frame

MEANINGS = {
    Role.IDENTIFIER: "identifier: names a person",
    Role.KEY: "key: known to others",
    Role.CONFIDENTIAL: "confidential: to be kept",
    Role.WEIGHT: "weight: stands for many",
    Role.HOUSEHOLD: "household: live together",
    Role.STRATUM: "stratum: how it was drawn",
    Role.OTHER: "other",
}
NO_PERSON = "no: each record is of another person"
OF_ROLES = ("proposed as", "left as", "looks like")  # how doubts about a role begin
HEADINGS = ("Column", "What it holds", "Kind", "Role", "Codes for “no answer”")


def show_data(frame: "Frame") -> Callable[[], None]:
    """Show the columns, to be corrected; return what brings them up to date, each in its place."""
    bench = frame.workbench
    heading("What is each column, and what could somebody know of a person?")
    ui.label(
        "Kinds and roles were proposed from names, labels and values. Correct what is wrong: all else rests on it."
    ).classes("max-w-3xl")
    ui.label(
        "A key is what others may know of a person; what is confidential nobody should learn. Nominal columns hold "
        "categories, ordinal ones categories in an order, continuous ones numbers."
    ).classes("max-w-3xl")
    person = PersonColumn(frame)
    problem = ui.label().classes("text-negative")
    with (
        ui.element("div").classes("w-full overflow-x-auto").props('tabindex=0 role=region aria-label="The columns"'),
        ui.element("table").classes("columns-table wide"),
    ):
        with ui.element("thead"), ui.element("tr"):
            for title in HEADINGS:
                with ui.element("th").props("scope=col"):
                    ui.label(title)
        with ui.element("tbody"):
            rows = [ColumnRow(frame, variable) for variable in bench.project.state.schema.variables]
    notices = ui.column()

    def update() -> None:
        found = bench.project.result("look")
        if found is None and not bench.status("look") and not bench.failure("look"):
            bench.compute("look")
        problem.text = bench.failure("look")
        problem.set_visibility(bool(problem.text))
        person.update()
        columns = {column["name"]: column for column in found["columns"]} if found else {}
        for row in rows:
            row.update(columns.get(row.name))
        if found:
            notices.clear()
            with notices:
                remarks(found["notices"])

    update()
    return update


class PersonColumn:
    """The choice of the column that says whose each record is, for files in which a person may have several."""

    def __init__(self, frame: "Frame") -> None:
        self._frame = frame
        names = frame.workbench.project.state.schema.names
        self._column = KeyedSelect({"": NO_PERSON, **{name: name for name in names}}, value=self._present)
        self._column.classes("w-full max-w-xl").props(
            'label="Has a person several records? The column that names the person"'
        )
        self._column.on_value_change(self._give)

    @property
    def _present(self) -> str:
        return self._frame.workbench.project.state.schema.person

    def update(self) -> None:
        """Show what is said now."""
        self._column.value = self._present

    def _give(self) -> None:
        chosen = self._column.value
        if chosen is not None and chosen != self._present and not self._frame.act(changes.give_person, chosen):
            self.update()


class ColumnRow:
    """The row of one column: its fields stay where they are, so that whoever moves by keys is not thrown out."""

    def __init__(self, frame: "Frame", variable: Variable) -> None:
        self.name = variable.name
        self._frame = frame
        self._shown: tuple[Variable, dict[str, Any]] | None = None
        self._codes_shown = _listed(variable)
        name = text_in_attribute(variable.name)
        with ui.element("tr") as row:
            with ui.element("th").props("scope=row"):
                ui.label(variable.name).classes("font-medium")
                ui.label(variable.label).classes("text-xs font-normal text-grey-8")
            self._content = ui.element("td")
            with ui.element("td"):
                self._kind = KeyedSelect([str(kind) for kind in Kind], value=str(variable.kind), with_input=False)
                self._kind.props(f'dense aria-label="Kind of {name}"').on_value_change(self._give_kind)
            with ui.element("td"):
                roles = {str(role): meaning for role, meaning in MEANINGS.items()}
                self._role = KeyedSelect(roles, value=str(variable.role), with_input=False).classes("w-52")
                self._role.props(f'dense aria-label="Role of {name}"').on_value_change(self._give_role)
            with ui.element("td"):
                self._codes = TextField(value=self._codes_shown).classes("w-32")
                self._codes.props(f'dense aria-label="Codes of {name} for no answer"')
                self._codes.on("blur", self._give_codes).on("keydown.enter", self._give_codes)
                self._suspects = ui.element("div")
        row.classes("remarked")
        with ui.element("tr"):
            self._doubts = ui.element("td").props(f"colspan={len(HEADINGS)}")

    @property
    def _variable(self) -> Variable:
        return self._frame.workbench.project.state.schema[self.name]

    def update(self, column: dict[str, Any] | None) -> None:
        """Show the column as it is now; what it holds stays until it was looked at again, unless it is another."""
        variable = self._variable
        if column is None:
            column = self._shown[1] if self._shown and self._shown[0] == variable else {}
        if self._shown == (variable, column):
            return
        self._shown = (variable, column)
        self._put_back()
        if self._codes.value == self._codes_shown:  # nobody is typing there
            self._codes.value = self._codes_shown = _listed(variable)
        self._doubts.clear()
        with self._doubts:
            proposed = self._frame.workbench.project.states[0].schema[self.name]
            for doubt in open_doubts(self._frame.remarks.get(self.name, []), proposed, variable):
                foldable(doubt, "text-xs text-grey-9")
        self._content.clear()
        with self._content:
            ui.html(sparkline(column.get("shape", {})), sanitize=False)
            ui.label(column.get("content", "")).classes("text-xs")
            if column.get("missing"):
                ui.label(f"{column['missing']} % missing").classes("text-xs text-grey-8")
        self._suspects.clear()
        with self._suspects:
            for suspect in column.get("suspected", []):
                self._show_suspect(suspect)

    def _put_back(self) -> None:
        self._kind.value, self._role.value = str(self._variable.kind), str(self._variable.role)

    def _give_kind(self) -> None:
        if self._kind.value != self._variable.kind and not self._act(changes.give_kind, self._kind.value):
            self._put_back()

    def _give_role(self) -> None:
        if self._role.value != self._variable.role and not self._act(changes.give_role, self._role.value):
            self._put_back()

    def _give_codes(self) -> None:
        text = self._codes.value
        if text != _listed(self._variable) and self._act(changes.give_missing_codes, text):
            self._codes.value = self._codes_shown = _listed(self._variable)

    def _act(self, change: Callable[..., object], value: Any) -> bool:
        return self._frame.act(change, self.name, value)

    def _show_suspect(self, suspect: dict[str, Any]) -> None:
        code = suspect["code"]
        ui.label(f"{code}: {suspect['reason']}").classes("text-xs text-negative")
        both = ", ".join(filter(None, (_listed(self._variable), str(code))))
        with ui.row().classes("gap-1"):
            for title, change, value in (
                ("No answer", changes.give_missing_codes, both),
                ("A value", changes.accept_codes, [code]),
            ):
                button = ui.button(title, on_click=lambda change=change, value=value: self._act(change, value))
                button.props("dense flat no-caps size=sm")
                button.props(f'aria-label="{title}: {text_in_attribute(f"{code} of {self.name}")}"')


def open_doubts(doubts: Sequence[str], proposed: Variable, variable: Variable) -> list[str]:
    """Return what is still in doubt of a column: not its role or its kind where somebody has chosen another.

    Examples
    --------
    >>> proposed = Variable(name="age", kind="nominal", role="other")
    >>> doubts = ["guessed nominal, because it has few values", "left as other: say role: key if others may know it"]
    >>> open_doubts(doubts, proposed, proposed.replace(role=Role.KEY))
    ['guessed nominal, because it has few values']
    """
    settled = {True: variable.role != proposed.role, False: variable.kind != proposed.kind}
    return [doubt for doubt in doubts if not settled[doubt.startswith(OF_ROLES) or "role" in doubt]]


def _listed(variable: Variable) -> str:
    return ", ".join(map(str, variable.missing_codes))
