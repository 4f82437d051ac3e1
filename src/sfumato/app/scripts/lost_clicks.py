"""No click is lost in silence: one whose button moved is taken, and of one whose button is gone the page says so."""

from collections import deque
from collections.abc import Iterable
from typing import Any

from nicegui import Client, ui
from nicegui.element import Element

NOT_TAKEN = "What you clicked was being shown anew at that moment, so it was not taken. Look, and click again."
ACTING = ("click", "keydown", "update:")  # how the types of events begin by which something is done
MAX_REMEMBERED = 20_000  # listeners of elements that are gone
SLACK = 6  # pixels that a pointer may move while a button is pressed

# the browser makes a click of a press only where the pointer is let go over what it pressed: whoever has pressed a
# button that moved away meanwhile, or was shown anew, would see nothing happen
FINISH_PRESSES = f"""<script>
(() => {{
  const controls = "button, a[href], [role=tab], [role=option], [role=checkbox], [role=switch]";
  let press = null;
  addEventListener("pointerdown", event => {{
    const control = event.button === 0 ? event.target.closest?.(controls) : null;
    press = control && {{control, x: event.clientX, y: event.clientY}};
  }}, true);
  addEventListener("click", event => {{
    if (press?.control.contains(event.target)) press = null;
  }}, true);
  addEventListener("pointerup", event => {{
    const one = press;
    if (!one) return;
    setTimeout(() => {{
      if (press !== one) return;
      press = null;
      if (Math.hypot(event.clientX - one.x, event.clientY - one.y) > {SLACK}) return;
      if (one.control.isConnected) one.control.click();
      else Quasar.Notify.create({{message: "{NOT_TAKEN}", type: "warning", position: "top", timeout: 8000}});
    }});
  }}, true);
}})();
</script>"""


def tell_lost_clicks(client: Client) -> None:
    """Have a tab say so where something was clicked, chosen or typed that had gone when the server heard of it.

    The library passes over such an event. It must not be carried out later either: the third step is another after the
    recipe has changed.
    """
    acting: set[str] = set()
    order: deque[str] = deque()
    remove, handle = client.remove_elements, client.handle_event

    def remove_elements(elements: Iterable[Element]) -> None:
        going = list(elements)
        for element in going:
            for listener in element._event_listeners.values():
                if listener.type.startswith(ACTING):
                    acting.add(listener.id)
                    order.append(listener.id)
        while len(order) > MAX_REMEMBERED:
            acting.discard(order.popleft())
        remove(going)

    def handle_event(message: dict[str, Any]) -> None:
        if message["id"] in client.elements or message["listener_id"] not in acting:
            handle(message)
            return
        with client:
            ui.notify(NOT_TAKEN, type="warning", position="top", timeout=8000)

    client.remove_elements = remove_elements  # type: ignore[method-assign]
    client.handle_event = handle_event  # type: ignore[method-assign, assignment]
