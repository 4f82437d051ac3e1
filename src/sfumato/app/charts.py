"""The options of charts, in the one style of all figures; each has decals, so that it reads without colours."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sfumato.display import format_compact
from sfumato.display.figure_style import COLOURS, GREY, GRID, INK
from sfumato.parameters.limits import read_limits

BEFORE, AFTER = GREY, COLOURS[0]
MAX_LABELS = 13  # of bars
MAX_FIGURES = 8  # of a candidate, when it is pointed at
FONT = {"color": INK, "fontSize": 12}
BEST, ON_FRONT, BEATEN = "best within the limits", "on the front", "beaten by another"
LOOKS = {
    BEATEN: {"symbol": "circle", "symbolSize": 9, "itemStyle": {"color": GREY}},
    ON_FRONT: {"symbol": "diamond", "symbolSize": 13, "itemStyle": {"color": COLOURS[0]}},
    BEST: {"symbol": "triangle", "symbolSize": 16, "itemStyle": {"color": INK}},
}


def bar_chart(
    shape: Mapping[str, Any],
    title: str,
    y_title: str = "% of the records",
    called: tuple[str, str] = ("before", "after"),
) -> dict[str, Any]:
    """Return a chart of bars, those before masking beside those after it where there are both."""
    present = [(name, key) for name, key in zip(called, ("before", "after"), strict=True) if key in shape]
    names, colours = [name for name, _ in present], {"before": BEFORE, "after": AFTER}
    labels = _short(shape["labels"])
    series = [
        {"name": name, "type": "bar", "data": list(shape[key]), "itemStyle": {"color": colours[key]}, "barGap": "0%"}
        for name, key in present
    ]
    return {
        "animation": False,
        "title": {"text": title, "textStyle": {"fontSize": 13, "color": INK}},
        "legend": {"show": len(names) > 1, "top": 0, "right": 0, "data": names, "textStyle": FONT},
        "tooltip": {"trigger": "axis", "renderMode": "richText"},
        # turned labels reach to the left and downwards from their bars
        "grid": {
            "left": max(56, 6 * len(labels[0]) if labels else 0),
            "right": 12,
            "top": 40,
            "bottom": max(56, 4 * max(map(len, labels), default=0)),
        },
        "xAxis": {
            "type": "category",
            "data": labels,
            # turned labels are not seen to overlap: of many, only some are written
            "axisLabel": {**FONT, "rotate": 30, "hideOverlap": True, "interval": (len(labels) - 1) // MAX_LABELS},
        },
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


def trade_off_chart(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the R-U map of a study: a mark per candidate, which tells its figures when it is pointed at.

    The front, the best and the others differ in shape as well as in colour; limits on the axes are dashed lines.
    """
    risk, loss = found["risk"], found["loss"]
    groups: dict[str, list[dict[str, Any]]] = {name: [] for name in LOOKS}
    for number, one in enumerate(found["candidates"]):
        x, y = one["figures"].get(loss), one["figures"].get(risk)
        if x is None or y is None:
            continue
        groups[standing(one)].append(
            {"value": [x, y], "words": candidate_words(one, found["titles"]), "candidate": number}
        )
    series: list[dict[str, Any]] = [
        {"name": name, "type": "scatter", "data": points, **LOOKS[name]} for name, points in groups.items() if points
    ]
    if series:
        series[0]["markLine"] = _limit_lines(found["limits"], risk, loss)
    axis = {"type": "value", "scale": True, "axisLabel": FONT, "splitLine": {"lineStyle": {"color": GRID}}}
    return {
        "animation": False,
        "legend": {"top": 0, "right": 0, "textStyle": FONT},
        "tooltip": {"trigger": "item", "renderMode": "richText", ":formatter": "point => point.data.words"},
        "grid": {"left": 64, "right": 24, "top": 44, "bottom": 52},
        "xAxis": {
            **axis,
            "name": found["titles"][loss],
            "nameLocation": "middle",
            "nameGap": 30,
            "nameTextStyle": FONT,
        },
        "yAxis": {**axis, "name": found["titles"][risk], "nameTextStyle": {**FONT, "align": "left"}},
        "aria": {"enabled": True},
        "series": series,
    }


def standing(candidate: Mapping[str, Any]) -> str:
    """Return how a candidate stands to the others."""
    return BEST if candidate["is_best"] else ON_FRONT if candidate["is_on_front"] else BEATEN


def candidate_words(candidate: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """Return a candidate and its figures, a line each."""
    figures = [
        f"{titles.get(symbol, symbol)}: {format_compact(value, 4)}"
        for symbol, value in candidate["figures"].items()
        if value is not None
    ]
    return "\n".join([candidate["label"], *figures[:MAX_FIGURES]])


def _limit_lines(limits: Sequence[str], risk: str, loss: str) -> dict[str, Any]:
    asked = [limit for limit in read_limits(list(limits)) if limit.figure in (risk, loss)]
    lines = [
        {"yAxis" if limit.figure == risk else "xAxis": limit.number, "label": {"formatter": str(limit)}}
        for limit in asked
    ]
    return {"silent": True, "symbol": "none", "lineStyle": {"color": INK, "type": "dashed"}, "data": lines}


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
