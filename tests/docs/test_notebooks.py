"""The notebooks: they hold no outputs, and each cell runs and shows something."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_holds_no_outputs_and_runs_cell_by_cell(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    cells = [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 4
    for cell in cells:
        assert cell["outputs"] == []
        assert shown_below("".join(cell["source"]), names)


def shown_below(code: str, names: dict[str, Any]) -> str:
    """Run a cell and return what a notebook shows of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, "cell", "exec"), names)  # noqa: S102
    found = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
    views = [getattr(found, view)() for view in ("_repr_html_", "_repr_svg_") if hasattr(found, view)]
    return next(filter(None, views), "")


def test_there_are_notebooks_and_the_page_on_them_names_each() -> None:
    page = (NOTEBOOKS[0].parents[1] / "notebooks.md").read_text()
    assert len(NOTEBOOKS) >= 3
    assert [notebook.name for notebook in NOTEBOOKS if f"notebooks/{notebook.name}" not in page] == []
