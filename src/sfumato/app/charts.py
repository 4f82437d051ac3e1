"""The options of charts, in the one style of all figures; each has decals, so that it reads without colours."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sfumato.display import format_compact
from sfumato.display.figure_style import COLOURS, GREY, GRID, INK

BEFORE, AFTER = GREY, COLOURS[0]
FONT = {"color": INK, "fontSize": 12}


def bar_chart(shape: Mapping[str, Any], title: str, y_title: str = "% of the records") -> dict[str, Any]:
    """Return a chart of bars, those before masking beside those after it where there are both."""
    names = [name for name in ("before", "after") if name in shape]
    colours = {"before": BEFORE, "after": AFTER}
    series = [
        {"name": name, "type": "bar", "data": list(shape[name]), "itemStyle": {"color": colours[name]}, "barGap": "0%"}
        for name in names
    ]
    return {
        "animation": False,
        "title": {"text": title, "textStyle": {"fontSize": 13, "color": INK}},
        "legend": {"show": len(names) > 1, "top": 0, "right": 0, "data": names, "textStyle": FONT},
        "tooltip": {"trigger": "axis", "renderMode": "richText"},
        "grid": {"left": 56, "right": 12, "top": 40, "bottom": 56},
        "xAxis": {"type": "category", "data": _short(shape["labels"]), "axisLabel": {**FONT, "rotate": 30}},
        "yAxis": {
            "type": "value",
            "name": y_title,
            "nameTextStyle": {**FONT, "align": "left"},
            "axisLabel": FONT,
            "splitLine": {"lineStyle": {"color": GRID}},
        },
        "aria": {"enabled": True, "decal": {"show": len(names) > 1}},
        "series": series,
    }


def risk_classes(edges: Sequence[float]) -> list[str]:
    """Return the names of the classes of individual risk, in percent.

    Examples
    --------
    >>> risk_classes([0.0, 1.0, 50.0, 100.0])
    ['under 1 %', '1 to 50 %', '50 % and more']
    """
    ends = [format_compact(edge) for edge in edges]
    middle = [f"{low} to {high} %" for low, high in pairwise(ends[1:-1])]
    return [f"under {ends[1]} %", *middle, f"{ends[-2]} % and more"]


def sparkline(shape: Mapping[str, Any], width: int = 120, height: int = 28) -> str:
    """Return a small picture of bars as SVG; it holds numbers only, no text of the file."""
    bars = shape.get("before") or []
    top = max(bars, default=0.0)
    if not top:
        return ""
    step = width / len(bars)
    drawn = "".join(
        f'<rect x="{index * step:.1f}" y="{height * (1 - bar / top):.1f}" width="{max(step - 1, 0.5):.1f}" '
        f'height="{height * bar / top:.1f}"/>'
        for index, bar in enumerate(bars)
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" fill="{COLOURS[0]}" '
        f'role="img" aria-label="distribution">{drawn}</svg>'
    )


def _short(labels: Sequence[str], most: int = 24) -> list[str]:
    return [label if len(label) <= most else f"{label[: most - 1]}…" for label in labels]
