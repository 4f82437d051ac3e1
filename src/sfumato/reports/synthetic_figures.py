"""Pictures of an original and a synthetic file: one small picture a column, and a map of the tables of each two."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.ticker import FuncFormatter, MaxNLocator

from sfumato.data import Microdata
from sfumato.data.dates import day_of
from sfumato.display.figure import StyledFigure, new_figure
from sfumato.display.figure_style import COLOURS, GREY, INK, SMALL_SIZE, TEXT_SIZE, draw_frame, draw_title
from sfumato.loss import TablePropensityLoss
from sfumato.numerics.arrays import FloatColumn
from sfumato.reports.column_shares import ColumnShares, column_shares

PICTURE_WIDTH, PICTURE_HEIGHT = 3.1, 2.1  # inches
CELL_SIZE, MAP_MARGIN = 0.42, 2.2  # inches
LONGEST = 16  # characters of a category below a bar
SMALLEST_RATIO, LARGEST_RATIO = 0.3, 30.0  # of the colours
LIGHT_UP_TO = 8.0  # colours that dark text is read on
SLANTED_FROM = 4  # bars
DATES, NUMBERS = 3, 5  # below the bars of a column, at most
HEADROOM, LINE = 0.05, 0.09  # above the bars, and for each line of words there
JOINED = "*"  # in the place of a category that is counted under others


def plot_columns(original: Microdata, synthetic: Microdata, names: tuple[str, ...]) -> list[StyledFigure]:
    """Return a small picture of each column in both files; no bar stands for fewer than ten original records."""
    return plot_shares([column_shares(original, synthetic, name) for name in names])


def plot_shares(pictures: Sequence[ColumnShares], *, same_axes: bool = False) -> list[StyledFigure]:
    """Return a small picture of each of some shares, where asked for all on the same axes, as of groups."""
    if not same_axes:
        return [_plot(shares, _narrowest(shares), _top(shares, _narrowest(shares))) for shares in pictures]
    unit = min(map(_narrowest, pictures))
    top = max(_top(shares, unit) for shares in pictures)
    return [_plot(shares, unit, top) for shares in pictures]


def _plot(shares: ColumnShares, unit: float, top: float) -> StyledFigure:
    """Return a picture whose axis ends at `top` percent."""
    figure = new_figure(PICTURE_WIDTH, PICTURE_HEIGHT)
    axes = figure.subplots()
    _draw_shares(axes, shares, unit)
    axes.set_ylim(0, top)
    return figure


def _draw_shares(axes: Axes, shares: ColumnShares, unit: float) -> None:
    """Draw the original as filled bars and the synthetic file as a line over them, or as bars beside them."""
    if len(shares.edges):
        _draw_histogram(axes, shares, unit)
    else:
        _draw_bars(axes, shares)
    draw_frame(axes, "", "%", grid="y")
    axes.tick_params(labelsize=SMALL_SIZE)
    draw_title(axes, shares.name, gap=4)


def _draw_bars(axes: Axes, shares: ColumnShares) -> None:
    places, width = np.arange(len(shares.labels)), 0.38
    axes.bar(places - width / 2, shares.original, width, color=GREY, label="original")
    axes.bar(places + width / 2, shares.synthetic, width, color=COLOURS[0], label="synthetic")
    for place in np.flatnonzero(np.isnan(shares.original)).tolist():
        axes.text(place, 0, JOINED, ha="center", va="bottom", fontsize=SMALL_SIZE, color=INK)
    slanted = len(places) >= SLANTED_FROM
    axes.set_xlim(-0.6, len(places) - 0.4)
    axes.set_xticks(
        places,
        [_shorten(label) for label in shares.labels],
        rotation=40 if slanted else 0,
        ha="right" if slanted else "center",
        fontsize=SMALL_SIZE,
        parse_math=False,
    )


def _draw_histogram(axes: Axes, shares: ColumnShares, unit: float) -> None:
    before, after = _heights(shares, unit)
    axes.bar(shares.edges[:-1], before, np.diff(shares.edges), align="edge", color=GREY, label="original")
    axes.stairs(after, shares.edges, color=COLOURS[0], linewidth=1.3, label="synthetic")
    axes.xaxis.set_major_locator(MaxNLocator(DATES if shares.is_date else NUMBERS))
    if shares.is_date:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda day, _: day_of(day).isoformat()))
    if shares.labels:
        _write_shares(axes, shares, len(before))


def _heights(shares: ColumnShares, unit: float) -> tuple[FloatColumn, FloatColumn]:
    """Return percents per so wide a bin, so that joined bins do not look fuller."""
    widths = np.diff(shares.edges)
    before, after = (column[: widths.size] / widths * unit for column in (shares.original, shares.synthetic))
    return before, after


def _narrowest(shares: ColumnShares) -> float:
    return float(np.diff(shares.edges).min()) if len(shares.edges) else 1.0


def _top(shares: ColumnShares, unit: float) -> float:
    """Return where the axis ends: above all bars, with room for words."""
    has_bins = len(shares.edges) > 0
    columns = _heights(shares, unit) if has_bins else (shares.original, shares.synthetic)
    highest = float(np.nanmax(np.concatenate([*columns, [0.0]]))) or 1.0
    return highest * (1 + HEADROOM + LINE * len(shares.labels) * has_bins)


def _write_shares(axes: Axes, shares: ColumnShares, bins: int) -> None:
    """Write the shares of what has no bar above the histogram: as bars they would leave no height to the others."""
    rows = zip(shares.labels, shares.original[bins:], shares.synthetic[bins:], strict=True)
    lines = [f"{_shorten(label)}: {before:.1f} %, synthetic {after:.1f}" for label, before, after in rows]
    axes.text(
        0.99,
        0.97,  # below the title, which may be as long as the picture is wide
        "\n".join(lines),
        transform=axes.transAxes,
        ha="right",
        va="top",
        fontsize=SMALL_SIZE - 1,
        color=INK,
        parse_math=False,
    )


def plot_pairs(original: Microdata, synthetic: Microdata, names: tuple[str, ...]) -> StyledFigure:
    """Return a map of how far the table of each two columns is from what chance explains, columns on the diagonal."""
    tables = TablePropensityLoss(columns=names).tables(original, synthetic)
    ratios = np.full((len(names), len(names)), np.nan)
    for place, one in enumerate(names):
        for below in range(place, len(names)):
            key = (one,) if below == place else (one, names[below])
            ratios[below, place] = tables[key].ratio
    size = CELL_SIZE * len(names) + MAP_MARGIN
    figure = new_figure(size + 0.8, size)
    axes = figure.subplots()
    image = axes.imshow(np.maximum(ratios, SMALLEST_RATIO), cmap="OrRd", norm=LogNorm(SMALLEST_RATIO, LARGEST_RATIO))
    for below, place in np.argwhere(~np.isnan(ratios)).tolist():
        ratio = ratios[below, place]
        colour = INK if ratio < LIGHT_UP_TO else "white"
        shown = f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"
        axes.text(place, below, shown, ha="center", va="center", fontsize=SMALL_SIZE - 1, color=colour)
    axes.set_xticks(range(len(names)), names, rotation=50, ha="right", fontsize=SMALL_SIZE, parse_math=False)
    axes.set_yticks(range(len(names)), names, fontsize=SMALL_SIZE, parse_math=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(length=0)
    bar = figure.colorbar(image, ax=axes, shrink=0.7, ticks=[0.3, 1, 3, 10, 30])
    bar.ax.set_yticklabels(["0.3", "1", "3", "10", "30"], fontsize=SMALL_SIZE)
    bar.set_label("difference of tables, 1 by chance in one fit", fontsize=TEXT_SIZE)
    return figure


def _shorten(label: str) -> str:
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"
