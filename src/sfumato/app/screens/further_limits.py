"""Further limits of a proposal: what is known together, how probably anybody is recognised, what l and t are about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.elements.mixins.disableable_element import DisableableElement
from nicegui.elements.mixins.value_element import ValueElement

from sfumato.data import CATEGORICAL, Role
from sfumato.display import format_compact
from sfumato.parameters.limits import read_limits

if TYPE_CHECKING:
    from sfumato.app.page import Frame

RISKS = {
    "global_risk": "mean risk at most, %",
    "largest_risk": "largest risk at most, %",
    "household_risk": "mean household risk at most, %",
}
"""The figures of `sfumato risk` that a proposal is held against, with what they are called in the form."""
ABOUT = (
    "The risk is the probability of being recognised by the keys, of a household that somebody in it is. It is "
    "measured and told; the recipe does not aim at it."
)
TOGETHER = {0: "all keys", 2: "any 2 of the keys", 3: "any 3 of the keys"}


@dataclass(frozen=True)
class FurtherLimits:
    """The fields of the further limits, by name, which can all be switched off; and what is opened to see them."""

    fields: Mapping[str, ValueElement[Any]]
    opened: ui.expansion

    @property
    def switched(self) -> tuple[DisableableElement, ...]:
        """The fields as what can be switched off."""
        return tuple(field for field in self.fields.values() if isinstance(field, DisableableElement))

    def asked(self) -> dict[str, Any]:
        """Return what was asked for, as `protect` takes it."""
        values = {name: field.value for name, field in self.fields.items()}
        limits = [f"{name}<={format_compact(values[name])}" for name in RISKS if values.get(name) is not None]
        found: dict[str, Any] = {"limits": limits} if limits else {}
        found |= {"combinations": int(values["together"])} if values["together"] else {}
        found |= {"sensitive": list(values["sensitive"])} if values["sensitive"] else {}
        return found | ({"number_steps": []} if values["keeps_numbers"] else {})


def show_further_limits(frame: "Frame", chosen: Mapping[str, Any]) -> FurtherLimits:
    """Show the further limits, with what was asked for last."""
    variables = frame.workbench.project.state.schema.variables
    held = {limit.figure: limit.number for limit in read_limits(chosen.get("limits", ()))}
    has_household = any(one.role == Role.HOUSEHOLD for one in variables)
    offered = [one.name for one in variables if one.kind in CATEGORICAL and one.role not in (Role.KEY, Role.IDENTIFIER)]
    fields: dict[str, ValueElement[Any]] = {}
    with ui.expansion("Further limits").classes("w-full") as opened:
        fields["together"] = ui.select(
            TOGETHER, label="An intruder knows", value=chosen.get("combinations", 0)
        ).classes("w-full")
        fields["sensitive"] = ui.select(
            offered,
            label="l and t are about",
            value=[name for name in chosen.get("sensitive", ()) if name in offered],
            multiple=True,
        ).classes("w-full")
        ui.label("All confidential categories, unless you choose some.").classes("text-xs text-grey-8")
        for name, title in RISKS.items():
            if name != "household_risk" or has_household:
                fields[name] = ui.number(title, min=0, max=100, value=held.get(name)).classes("w-full")
        ui.label(ABOUT).classes("text-xs text-grey-8")
        fields["keeps_numbers"] = ui.switch(
            "leave confidential numbers as they are", value=chosen.get("number_steps") == []
        )
    return FurtherLimits(fields, opened)
