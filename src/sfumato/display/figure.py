"""A figure that saves itself the same way each time, and shows itself in notebooks."""

from io import BytesIO
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from sfumato.display.figure_style import FORMATS
from sfumato.errors import FileError
from sfumato.storage.atomic import replace_file

DOTS_PER_INCH = 200
# neither dates nor versions, so that the same figure gives the same bytes
METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


class StyledFigure(Figure):
    """A matplotlib figure of its own, without the state that pyplot keeps."""

    def save(self, path: str | Path) -> None:
        """Write the figure as .svg, .png or .pdf, whole or not at all."""
        path = Path(path)
        kind = path.suffix.lower().removeprefix(".")
        if kind not in FORMATS:
            raise FileError(f"a figure is saved as .svg, .png or .pdf; got '{path.name}'")
        content = self._render(kind)
        with replace_file(path) as unfinished:
            unfinished.write_bytes(content)

    def to_svg(self) -> str:
        """Return the figure as an element of a page."""
        drawn = self._repr_svg_()
        return drawn[drawn.index("<svg") :]

    def _repr_svg_(self) -> str:
        return self._render("svg").decode()

    def _render(self, kind: str) -> bytes:
        content = BytesIO()
        with rc_context({"svg.hashsalt": "sfumato"}):
            self.savefig(content, format=kind, metadata=METADATA[kind])
        return content.getvalue()


def new_figure(width: float, height: float) -> StyledFigure:
    """Return an empty figure of so many inches."""
    figure = StyledFigure(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure
