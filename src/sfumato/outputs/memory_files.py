"""The files in which a project remembers facts: arrays of which record is in which group, and plain records."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.errors import FileError
from sfumato.numerics.arrays import FloatColumn
from sfumato.outputs.facts import Facts
from sfumato.storage.atomic import write_bytes, write_text


def write_json(path: Path, plain: Any) -> None:
    """Write plain values."""
    write_text(path, json.dumps(plain, indent=1, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """Return plain values."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        raise FileError(f"{path} cannot be read as a file of a project; name the project's folder") from None


def write_facts(path: Path, facts: Facts) -> None:
    """Write what an output tells of which records."""
    about = {
        "output": facts.output,
        "names": list(facts.names),
        "measures": list(facts.measures),
        "rounding": facts.rounding,
        "shape": list(facts.cells.shape),
    }
    content = io.BytesIO()
    np.savez_compressed(
        content,
        about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
        groups=facts.groups.astype(np.int32),
        indices=facts.cells.indices,
        indptr=facts.cells.indptr,
        is_asked=facts.is_asked,
        is_shown=facts.is_shown,
    )
    write_bytes(path, content.getvalue())


def read_facts(path: Path, records: int) -> Facts:
    """Return what an output tells, over so many records; those that came after it are in none of its groups."""
    from scipy.sparse import csr_array

    with _load(path) as content:
        about = json.loads(content["about"].tobytes().decode())
        indices, indptr = content["indices"], content["indptr"]
        groups = _lengthen(content["groups"].astype(np.int64), records, -1)
        asked, shown = content["is_asked"], content["is_shown"]
    cells = csr_array((np.ones(indices.size), indices, indptr), shape=tuple(about["shape"]))
    return Facts(
        about["output"],
        groups,
        cells,
        tuple(about["names"]),
        asked,
        shown,
        tuple(about["measures"]),
        about["rounding"],
    )


def write_values(path: Path, key: str, values: FloatColumn) -> None:
    """Write a variable that outputs add up."""
    content = io.BytesIO()
    np.savez_compressed(content, key=np.frombuffer(key.encode(), dtype=np.uint8), values=values)
    write_bytes(path, content.getvalue())


def read_values(path: Path, records: int) -> tuple[str, FloatColumn]:
    """Return the key of a variable and its values."""
    with _load(path) as content:
        return content["key"].tobytes().decode(), _lengthen(content["values"], records, np.nan)


def _load(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError):
        raise FileError(f"{path} cannot be read; restore the project from a copy") from None


def _lengthen(column: Any, records: int, missing: float) -> Any:
    return np.concatenate([column, np.full(max(records - column.size, 0), missing, dtype=column.dtype)])
