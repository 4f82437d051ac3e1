"""The one style of all figures: colours, frame, titles. `figure` makes and saves them; it alone loads matplotlib."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MUTED, GRID, SHADE = "#222222", "#666666", "#E4E4E4", "#F4F4F4"
# Okabe and Ito's colours, which the colour-blind can distinguish; the yellow, too light for marks, left out
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
GREY = "#9A9A9A"  # of what is less important than a colour
MARK_SIZE = 5.5  # points
LINE_WIDTH = 1.4  # points
TITLE_SIZE, LABEL_SIZE, TEXT_SIZE, SMALL_SIZE = 10.0, 9.0, 8.0, 7.0  # points
DASHED = (0, (4, 3))  # of limits and aims
FORMATS = ("svg", "png", "pdf")  # what figures are saved as


def draw_frame(axes: "Axes", x_title: str = "", y_title: str = "", *, grid: str = "both") -> None:
    """Give the axes their titles, a pale grid, and lines at the left and below only.

    Parameters
    ----------
    axes
        What to draw on.
    x_title, y_title
        What the axes hold.
    grid
        Which grid lines to draw: both, x or y.
    """
    axes.set_xlabel(x_title, fontsize=LABEL_SIZE, color=INK)
    axes.set_ylabel(y_title, fontsize=LABEL_SIZE, color=INK)
    axes.tick_params(labelsize=TEXT_SIZE, colors=MUTED, length=3, width=0.6)
    axes.grid(True, axis=grid, color=GRID, linewidth=0.6)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(MUTED)
        spine.set_linewidth(0.6)


def draw_title(axes: "Axes", title: str, *, gap: float = 10.0) -> None:
    """Write a line above the axes, so many points away; it is text, never a formula."""
    axes.set_title(title, loc="left", fontsize=TITLE_SIZE, color=INK, pad=gap, parse_math=False)
