"""A figure that saves itself the same way each time, and shows itself in notebooks."""

from io import BytesIO
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

from sfumato.errors import FileError
from sfumato.storage.atomic import replace_file

# no date, so that the same figure gives the same bytes
METADATA: dict[str, dict[str, None]] = {"svg": {"Date": None}, "png": {}, "pdf": {"CreationDate": None}}


class MapFigure(Figure):
    """A matplotlib figure of its own, without the state that pyplot keeps."""

    def save(self, path: str | Path) -> None:
        """Write the figure as .svg, .png or .pdf, whole or not at all."""
        path = Path(path)
        kind = path.suffix.lower().removeprefix(".")
        if kind not in METADATA:
            raise FileError(f"a map is saved as .svg, .png or .pdf; got '{path.name}'")
        content = self._rendered(kind)
        with replace_file(path) as written:
            written.write_bytes(content)

    def _repr_svg_(self) -> str:
        return self._rendered("svg").decode()

    def _rendered(self, kind: str) -> bytes:
        content = BytesIO()
        with rc_context({"svg.hashsalt": "sfumato"}):
            self.savefig(content, format=kind, metadata=METADATA[kind])
        return content.getvalue()
